// Workers ended in silence at any age: every page comes to a result, or says in words why it does not.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { armEndings } from '../page/lib/endings.mjs';
import { TIMEOUT, start } from '../page/lib/harness.mjs';
import { IS_LONG_RUN } from '../page/lib/long.mjs';

/** Workers end at any age up to this, in milliseconds: where few are ended, before most pages are done. */
const OLDEST = IS_LONG_RUN ? 2_000 : 300;
/** A page comes to an end within this, in milliseconds, beyond what it takes undisturbed. */
const WITHIN = 2_000;

/** @type {import('../page/lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** What was drawn is drawn again where this is set to what a failed test prints. */
const SEED = Number(process.env.SFC_FUZZ_SEED ?? 1);

/** Numbers from 0 to 1, the same for the same seed: mulberry32. @param {number} seed */
const drawing = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let word = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
  return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * What a page does while its worker ends: where it is, what begins it, and what it then says.
 *
 * @typedef {object} Work
 * @property {number} times
 * @property {string} address
 * @property {string} ready what is there before it begins
 * @property {((page: import('playwright-core').Page) => Promise<unknown>) | null} begin null: it begins with the page
 * @property {[selector: string, words: RegExp]} result
 * @property {[selector: string, words: RegExp]} failure
 */

/** @type {Record<string, Work>} */
const WORKS = {
  'first load': {
    times: 20,
    address: '',
    ready: 'body',
    begin: null,
    result: ['#verdict-time', /\d m?s/],
    failure: ['#verdict[data-outcome=failed] #late', /worker/],
  },
  ensemble: {
    times: 10,
    address: '',
    ready: 'body[data-lab=ready]',
    // It begins when it is seen; figures above it may still grow and push it away.
    begin: (page) =>
      page.waitForFunction(() => {
        const status = document.querySelector('#ensemble-status');
        status?.scrollIntoView();
        return /^\d/.test(status?.textContent ?? '');
      }),
    result: ['#ensemble-status', /^100 networks/],
    failure: ['#ensemble-status', /broke off/],
  },
  'own files': {
    times: 10,
    address: 'own/',
    ready: 'body[data-lab=ready]',
    begin: (page) => page.click('#own >> text="Try it with an example"'),
    result: ['#own-status', /^Done\.$/],
    failure: ['#own-status', /^It broke off/],
  },
  training: {
    times: 10,
    address: 'train/',
    ready: '#train-start',
    begin: async (page) => {
      await page.fill('#train-steps', '200');
      await page.click('#train-start');
    },
    result: ['#train-status', /^Trained, 200 steps/],
    failure: ['#train-status', /broke off/],
  },
  'training a language model': {
    times: 5,
    address: 'mui/?n=8&from=new&on=task&taught=request&steps=40&rate=0.01&layers=1&width=16',
    ready: '.view[data-view=mui][data-state=ready]',
    begin: (page) => page.click('#mui-train-start'),
    result: ['#mui-train-status', /^Trained: 80 steps in 2 trainings/],
    failure: ['#mui-train-status', /^Broke off/],
  },
};

/** Whether a page has come to an end, and which; in the page. @param {[string, string][]} ends selectors and words */
const ended = (ends) => {
  const at = ends.findIndex(([selector, words]) =>
    [...document.querySelectorAll(selector)].some((one) => new RegExp(words).test(one.textContent ?? '')),
  );
  return at < 0 ? null : { at, time: performance.now() };
};

/**
 * One page, with one worker ended or none.
 *
 * @param {Work} work
 * @param {{ age: number, closes: boolean } | null} ending
 * @returns {Promise<{ failed: boolean, ms: number, late: number }>} how long it took from its beginning, and
 *   from the worker's end where that came first
 */
async function once({ address, ready, begin, result, failure }, ending) {
  const first = begin === null && ending ? ending : { age: 0 };
  return harness.visit({ address, before: armEndings(first, begin === null && ending ? 1 : 0) }, async ({ page }) => {
    let began = 0;
    if (begin) {
      await page.waitForSelector(ready);
      if (ending) await page.evaluate((age) => void globalThis.endAny(age), ending.age);
      began = await page.evaluate(() => performance.now());
      await begin(page);
    }
    const ends = [result, failure].map(([selector, words]) => /** @type {[string, string]} */ ([selector, words.source]));
    const found = await page.waitForFunction(ended, ends, { polling: 10, timeout: 4 * TIMEOUT });
    const { at, time } = /** @type {{ at: number, time: number }} */ (await found.jsonValue());
    const end = (await page.evaluate(() => globalThis.ended[0])) ?? Infinity;
    return { failed: at === 1, ms: time - began, late: Math.max(0, time - end) };
  });
}

const middle = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** How often one is ended: a tenth of it in the default run. @param {Work} work */
const times = (work) => (IS_LONG_RUN ? work.times : Math.ceil(work.times / 10));

let pages = 0;
const draw = drawing(SEED);
for (const [name, work] of Object.entries(WORKS))
  test(`${name}: a worker ended at a random age, in ${times(work)} pages; each ends in a result`, { timeout: 1_800_000 }, async () => {
    // This machine may be slow, or busy; what is begun anew takes as long as it takes here.
    const alone = [];
    for (let time = 0; time < (IS_LONG_RUN ? 3 : 1); time += 1) alone.push((await once(work, null)).ms);
    const undisturbed = middle(alone);
    const found = [];
    for (let time = 0; time < times(work); time += 1) {
      const ending = { age: Math.floor(draw() * OLDEST), closes: draw() < 0.5 };
      const one = await once(work, ending);
      found.push(one);
      const within = WITHIN + 2 * undisturbed;
      assert.ok(
        one.late < within,
        `ended at ${ending.age} ms${ending.closes ? ' by itself' : ''} (seed ${SEED}): ${one.late} ms, not ${within}`,
      );
    }
    const early = found.filter(({ late }) => late > 0).length;
    const latest = Math.max(0, ...found.map(({ late }) => late));
    const inWords = found.filter(({ failed }) => failed).length;
    console.log(
      `${name}: ${found.length} workers ended, ${early} before the page was done; ` +
        `${found.length - inWords} results, ${inWords} in words; ` +
        `at most ${Math.round(latest)} ms after the end (${Math.round(undisturbed)} ms undisturbed)`,
    );
    pages += found.length;
    assert.equal(inWords, 0, 'one worker lost is made up for');
  });

const all = Object.values(WORKS).reduce((sum, work) => sum + times(work), 0);
test(`that makes ${all} pages`, () => {
  console.log(`${pages} pages with a worker ended at random ages from 0 to ${OLDEST} ms: none needed a reload`);
  assert.equal(pages, all);
});
