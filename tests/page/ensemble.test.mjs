// Ensembles in the page: streamed, cancelled, robust against a dying worker, and equal to the
// command line to the last bit.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { killWorkers, screenshot, start } from './lib/harness.mjs';
import { IS_LONG_RUN, SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** How often something may be tried whose time is measured. */
const ATTEMPTS = 5;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** What the command line printed, by its flags: a thousand networks take it a while. @type {Map<string, string>} */
const printed = new Map();
/** @param {string[]} flags @returns {string} what the command line prints */
function cli(...flags) {
  const key = flags.join(' ');
  const text =
    printed.get(key) ??
    execFileSync(CLI, ['ensemble', ...flags, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  printed.set(key, text);
  return text;
}

/** Opens the page as a machine with this many cores would. */
async function open(/** @type {number} */ cores) {
  const visit = await harness.open({
    width: 1280,
    before: (context) =>
      context.addInitScript((count) => {
        Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => count });
        globalThis.statuses = [];
        addEventListener('DOMContentLoaded', () => {
          // It comes with the lab.
          const note = () => {
            const text = document.querySelector('#ensemble-status')?.textContent ?? '';
            if (text !== globalThis.statuses.at(-1)) globalThis.statuses.push(text);
          };
          const what = { childList: true, characterData: true, subtree: true };
          new MutationObserver(note).observe(document.querySelector('#ensemble'), what);
        });
      }, cores),
  });
  await visit.page.waitForSelector('#live:not([hidden])');
  await visit.page.waitForSelector('body[data-lab=ready]');
  return visit;
}

const status = (/** @type {Page} */ page) => page.textContent('#ensemble-status');

const says = (/** @type {Page} */ page, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector('#ensemble-status').textContent),
    [pattern.source],
  );

/** Comes to the section, which then runs by itself. @param {Page} page */
async function come(page) {
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
  await says(page, /^100 networks/);
}

/** What the page saves. @param {Page} page */
async function saved(page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('#ensemble-save'),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe('ensembles', () => {
  test('a hundred networks run by themselves when the reader comes to them', async () => {
    const visit = await open(3);
    const { page } = visit;
    assert.equal(await status(page), 'Not run yet with these settings.');
    assert.ok(await page.isHidden('#ensemble-result'));
    await come(page);
    const finished = (await status(page)) ?? '';
    assert.match(finished, /^100 networks in .*, with 2 workers\.$/);
    // What is finished is not run again, and its time stays.
    await page.click('#ensemble-start');
    assert.equal(await status(page), finished);
    assert.match(await page.textContent('#ensemble-headline'), /λ = 0\.85/);
    await page.waitForFunction(
      () => document.querySelectorAll('#ensemble figure .data').length === 8,
    );
    const { name, text } = await saved(page);
    assert.equal(name, 'sfc-bench-ensemble-standard-100.json');
    assert.equal(text, cli('--seeds', '100'));
    await screenshot(page, 'ensemble-1280');
    await visit.close();
  });

  test('a thousand stream, stop within 100 ms, go on, and equal the command line', async () => {
    const visit = await open(2);
    const { page } = visit;
    const now = () => page.evaluate(() => performance.now());
    await come(page);
    const began = await now();
    await page.check('[name=ensemble-seeds][value="1000"]');
    await page.waitForFunction(() => /^[2-9]\d\d of 1,000/.test(document.querySelector('#ensemble-status').textContent));
    // From the click to the words on the page, by the page's own clock. On a loaded machine drawing may be
    // slow, though the workers are gone at once: the best of a few attempts counts.
    let best = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && best >= 100; attempt += 1) {
      if (attempt > 0) {
        await page.click('#ensemble-start');
        await says(page, /^\d+ of 1,000/);
      }
      const took = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const clicked = performance.now();
            new MutationObserver(() => {
              if (/^Cancelled/.test(document.querySelector('#ensemble-status').textContent))
                resolve(performance.now() - clicked);
            }).observe(document.querySelector('#ensemble-status'), { childList: true });
            document.querySelector('#ensemble-cancel').click();
          }),
      );
      best = Math.min(best, took);
    }
    assert.ok(best < 100, `cancelling took ${best} ms`);
    const first = (await now()) - began;
    const cancelled = await status(page);
    assert.match(cancelled, /^Cancelled with \d+ of 1,000 networks done; they are kept\.$/);
    await page.waitForTimeout(300);
    assert.equal(await status(page), cancelled, 'nothing goes on in secret');
    const partial = JSON.parse((await saved(page)).text);
    const there = partial.members.length;
    assert.equal(there, Number(/with (\d+) of/.exec(cancelled)[1]));

    const before = await now();
    await page.click('#ensemble-start');
    if (IS_LONG_RUN) {
      await says(page, /^1,000 networks/);
      const finished = (await status(page)) ?? '';
      const second = (await now()) - before;
      assert.match(finished, /^1,000 networks in (\d+ m?s|\d+\.\d s|\d+ min( \d+ s)?), with one worker\.$/);
      const [, minutes = '0'] = / in (\d+) min/.exec(finished) ?? [];
      const [, seconds = '0'] = / ([\d.]+) s/.exec(finished) ?? [];
      const [, rest = '0'] = / ([\d.]+) ms/.exec(finished) ?? [];
      // The time that is told is that of all of them, not of the last part.
      const told = 60_000 * Number(minutes) + 1000 * Number(seconds) + Number(rest);
      assert.ok(told > 0.8 * (first + second), `${finished}, after ${first} ms and ${second} ms`);
      assert.equal((await saved(page)).text, cli('--seeds', '1000'));
    } else {
      await page.waitForFunction(
        (least) => {
          const text = document.querySelector('#ensemble-status').textContent;
          return /^1,000 networks/.test(text) || Number(/^(\d+) of 1,000/.exec(text)?.[1]) >= least;
        },
        there + 100,
      );
    }
    const counts = await page.evaluate(() =>
      globalThis.statuses.flatMap((text) => /^([\d,]+) of 1,000/.exec(text)?.[1].replace(',', '') ?? []),
    );
    assert.ok(new Set(counts).size >= 5, `results streamed in ${new Set(counts).size} steps`);

    // Back to fewer: the same numbers as if there had never been more.
    for (const fewer of ['100', '10']) {
      await page.check(`[name=ensemble-seeds][value="${fewer}"]`);
      await says(page, new RegExp(`^${fewer} networks`));
      assert.equal((await saved(page)).text, cli('--seeds', fewer));
    }
    await visit.close();
  });

  test('a worker that dies without a word is replaced, and its share done again', { skip: SKIP_UNLESS_LONG }, async () => {
    const visit = await open(4);
    const { page } = visit;
    await come(page);
    await page.check('[name=ensemble-seeds][value="1000"]');
    let killed = 0;
    for (const wanted of [150, 350, 550]) {
      await page.waitForFunction(
        (least) => {
          const text = document.querySelector('#ensemble-status').textContent;
          return Number(text.replace(',', '').split(' ')[0]) >= least;
        },
        wanted,
      );
      const worker = page.workers()[killed % page.workers().length];
      // Not an error, not a message: it is simply gone.
      await killWorkers([worker]);
      killed += 1;
    }
    assert.equal(killed, 3);
    await says(page, /^1,000 networks/);
    assert.equal((await saved(page)).text, cli('--seeds', '1000'));
    await visit.close();
  });

  test('other data, another network and other weights reach the ensemble, whatever the number of workers', { skip: SKIP_UNLESS_LONG }, async () => {
    const texts = [];
    for (const cores of selectMembers([5, 1, 2])) {
      const visit = await open(cores);
      const { page } = visit;
      await come(page);
      await page.check('#ensemble-vary');
      await page.check('[name=ensemble-seeds][value="10"]');
      await page.selectOption('[name=config]', 'sparse');
      await page.click('#profiles button:nth-child(2)');
      const command =
        'sfc-bench ensemble --seeds 10 --vary-data --config sparse --weights 5,1,1 --json';
      await page.waitForFunction(
        (wanted) => document.querySelector('#ensemble-command').textContent === wanted,
        command,
      );
      texts.push((await saved(page)).text);
      await visit.close();
    }
    const native = cli('--seeds', '10', '--vary-data', '--config', 'sparse', '--weights', '5,1,1');
    for (const text of texts) assert.equal(text, native);
  });

  test('a table that has nothing to compare says why, and the headline is under the weights in use', async () => {
    const visit = await open(3);
    const { page } = visit;
    await come(page);
    assert.ok(await page.isHidden('[data-instead=ens-percentiles]'));
    assert.match((await page.textContent('#ensemble-headline')) ?? '', /wins under equal weights in/);
    await page.check('[name=ensemble-seeds][value="10"]');
    await page.selectOption('[name=config]', 'large');
    await page.waitForSelector('[data-instead=ens-percentiles]:not([hidden])');
    const why = (await page.textContent('[data-instead=ens-percentiles]')) ?? '';
    assert.match(why, /^Table 3 is of the standard network .* these are of the large network/);
    assert.ok(await page.isHidden('[data-figure=ens-percentiles]'));
    await page.click('#profiles button:nth-child(2)');
    await page.waitForFunction(() =>
      / under weights 5:1:1 in /.test(document.querySelector('#ensemble-headline').textContent),
    );
    await visit.close();
  });

  test('a run that is wanted goes before the ensemble', async () => {
    const visit = await open(2);
    const { page } = visit;
    await come(page);
    await page.check('[name=ensemble-seeds][value="1000"]');
    await says(page, /^[1-9]\d* of 1,000/);
    await page.click('#again');
    await page.waitForFunction(() => /anew/.test(document.querySelector('#announcer').textContent));
    const then = (await status(page)) ?? '';
    assert.doesNotMatch(then, /^1,000 networks/);
    // It goes on; the default run does not wait for its end.
    await page.waitForFunction(
      (before) => {
        const done = (/** @type {string | null} */ text) => Number(/^[\d,]+/.exec(text ?? '')?.[0].replace(',', ''));
        return done(document.querySelector('#ensemble-status').textContent) > done(before);
      },
      then,
    );
    if (IS_LONG_RUN) await says(page, /^1,000 networks/);
    await visit.close();
  });
});
