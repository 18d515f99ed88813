// CE-Bench's page: the command line's numbers in every reading, pairs of stories, controls over seeds, an
// autoencoder trained here, what readers bring, links that prove themselves, and no network.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startFirefox, visit as visitFirefox } from './lib/firefox.mjs';
import { readFigureRows, runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

const GOLDEN = fileURLToPath(new URL('../golden/ce_bench_results/', import.meta.url));
const READINGS = ['v1_marked', 'code_head', 'readme', 'paper'];
const SCORES = ['contrastive', 'independence', 'interpretability'];
/** Few pairs: what is tested here is the same of many. */
const FEW = 12;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {string[]} flags */
const cli = (...flags) =>
  JSON.parse(execFileSync(CLI, ['ce-bench', ...flags, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));

/** All autoencoders are scored. @param {Page} page */
const scored = (page) =>
  page.waitForFunction(() =>
    /autoencoders and controls/.test(document.querySelector('#ce-bench-status')?.textContent ?? ''),
  );

/** @param {import('./lib/harness.mjs').Visitor} visitor @param {(page: Page, visit: import('./lib/harness.mjs').Visit) => Promise<void>} use */
const visit = (visitor, use) =>
  harness.visit({ width: 1280, address: `ce-bench/?n=${FEW}`, ...visitor }, async (visited) => {
    await visited.page.waitForSelector('body[data-lab=ready]');
    await scored(visited.page);
    await use(visited.page, visited);
  });

/** A page of a few pairs that the tests of a group share. */
const sharing = () =>
  sharePage(
    () => harness.open({ width: 1280, address: `ce-bench/?n=${FEW}` }),
    async (page) => {
      await page.waitForSelector('body[data-lab=ready]');
      await scored(page);
    },
  );

/** The reading that the page opens with. @param {Page} page */
const firstReading = (page) => page.check('[name=ce-bench-reading][value=v1_marked]', { force: true });

/** A figure as a file. @param {Page} page @param {string} id @param {string} words */
async function saved(page, id, words) {
  await page.click(`[data-figure="${id}"] .export > button`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`[data-figure="${id}"] [role=menu] >> text="${words}"`),
  ]);
  return readFile(await download.path(), 'utf8');
}

/** The rows of a CSV without quotes, by their first cell. @param {string} text @returns {Record<string, string[]>} */
const byFirst = (text) =>
  Object.fromEntries(text.trim().split(/\r?\n/).slice(1).map((line) => [line.split(',')[0], line.split(',').slice(1)]));

/** The stories that are shown: words, which are framed, which are shaded. @param {Page} page */
const stories = (page) =>
  page.$$eval('.ce-story', (all) =>
    all.map((story) => ({
      text: story.textContent,
      framed: [...story.querySelectorAll('mark')].map((word) => word.textContent),
      titles: [...story.querySelectorAll('.ce-word')].map((word) => word.title),
      shaded: story.querySelectorAll('.on').length,
    })),
  );

describe('scores', () => {
  const on = sharing();

  test('are those of the command line, to the last bit, in every reading', on(async ({ page }) => {
    const native = cli('--pairs', String(FEW), '--all');
    const found = byFirst(await saved(page, 'ce-readings', 'CSV file'));
    for (const reading of READINGS)
      SCORES.forEach((score, at) =>
        assert.equal(Number(found[reading]?.[2 + at]), native.readings[reading][score], `${reading} ${score}`),
      );
    // A decoder that was permuted changes no score.
    const other = native.others.find((/** @type {{ sae: string }} */ one) => one.sae === 'topk256_permdec');
    assert.deepEqual(other.readings, native.readings);
  }));

  test('are of one reading at a time, in the headline and in every figure', on(async ({ page }) => {
    const native = cli('--pairs', String(FEW));
    let last = '';
    for (const reading of READINGS) {
      await page.check(`[name=ce-bench-reading][value=${reading}]`, { force: true });
      const headline = (await page.textContent('#ce-bench-headline')) ?? '';
      for (const score of SCORES)
        assert.ok(headline.includes(native.readings[reading][score].toFixed(3)), `${headline}: ${score}`);
      assert.notEqual(headline, last);
      last = headline;
      assert.ok(await page.isVisible(`p[data-reading=${reading}]`));
      assert.equal(await page.locator('p[data-reading]:visible').count(), 1);
    }
    await page.waitForFunction(() => /view=paper/.test(location.search));
    assert.match((await page.textContent('#ce-bench-headline')) ?? '', /independence without marks/);
    await firstReading(page);
  }));

  test('are refused for settings that are not allowed, beside the field, and nothing is lost', on(async ({ page }) => {
    const before = await page.textContent('#ce-bench-headline');
    await page.fill('#ce-bench-pairs', '1');
    await page.waitForSelector('#ce-bench-pairs-error:not([hidden])');
    assert.match((await page.textContent('#ce-bench-pairs-error')) ?? '', /Invalid value: 1\. Allowed: .*2.*500/);
    assert.equal(await page.getAttribute('#ce-bench-pairs', 'aria-invalid'), 'true');
    assert.equal(await page.textContent('#ce-bench-headline'), before);
    assert.equal(await page.inputValue('#ce-bench-pairs'), '1');
    await page.fill('#ce-bench-pairs', '');
    await page.waitForFunction(() => /missing/.test(document.querySelector('#ce-bench-pairs-error').textContent));
    await page.fill('#ce-bench-pairs', '5');
    await page.press('#ce-bench-pairs', 'Enter');
    await page.waitForFunction(() => / 5 story pairs/.test(document.querySelector('#ce-bench-status').textContent));
    assert.ok(await page.isHidden('#ce-bench-pairs-error'));
    await page.waitForFunction(() => location.search === '?n=5');
  }));
});

describe('pairs', () => {
  const on = sharing();

  test('show both stories, the planted words framed, the winning latent of the reading as shade', on(async ({ page }) => {
    const [first, second] = await stories(page);
    assert.notEqual(first.text, second.text);
    assert.ok(first.framed.length > 0 && first.shaded + second.shaded > 0);
    assert.match(first.titles[0], /left out/);
    const told = await page.textContent('#ce-bench-told');
    const winner = (/** @type {string | null} */ text) => /Latent (\d+)/.exec(text ?? '')?.[1];
    const found = await readFigureRows(page, 'ce-pair');
    assert.equal(winner(told), found.v1_marked.at(-1));
    await page.check('[name=ce-bench-reading][value=paper]', { force: true });
    const [, byPaper] = Object.entries(found).find(([name]) => /^paper\s*independence without marks$/.test(name)) ?? [];
    assert.equal(winner(await page.textContent('#ce-bench-told')), byPaper?.at(-1));
    await firstReading(page);
  }));

  test('are gone through, chosen by number, filtered and sorted', on(async ({ page }) => {
    const told = async () => (await page.textContent('#ce-bench-told')) ?? '';
    await page.click('#ce-bench-next');
    assert.match(await told(), /^Pair 2 of 12/);
    await page.click('#ce-bench-back');
    await page.click('#ce-bench-back');
    assert.match(await told(), /^Pair 12 of 12/);
    await page.waitForFunction(() => /open=11/.test(location.search));
    await page.fill('#ce-bench-pair', '99');
    await page.press('#ce-bench-pair', 'Enter');
    assert.match((await page.textContent('#ce-bench-pair-error')) ?? '', /Allowed: 1 to 12/);
    assert.match(await told(), /^Pair 12/);
    await page.fill('#ce-bench-pair', '4');
    await page.press('#ce-bench-pair', 'Enter');
    assert.match(await told(), /^Pair 4 of 12/);
    await page.selectOption('#ce-bench-order', 'down');
    const score = async () => Number((await readFigureRows(page, 'ce-pair')).v1_marked[2]);
    let last = Infinity;
    for (let step = 0; step < 4; step += 1) {
      const before = await told();
      await page.waitForFunction(
        (of) => new RegExp(of).test(document.querySelector('[data-figure=ce-pair] .figure-title').textContent),
        /told of (.*) and of (.*)\. L/.exec(before)?.slice(1).join(' against '),
      );
      const now = await score();
      assert.ok(now <= last, `${now} after ${last}`);
      last = now;
      await page.click('#ce-bench-next');
    }
    await page.selectOption('#ce-bench-contrast', 'mood');
    assert.match(await told(), /\(1 of the \d+ that differ in mood\).*(positive|negative)/);
  }));
});

test('more seeds stream in, and can be stopped', { skip: SKIP_UNLESS_LONG }, () =>
  visit({ address: 'ce-bench/?n=4' }, async (page) => {
    await page.fill('#ce-bench-more', '0');
    await page.click('#ce-bench-seeds-start');
    assert.match((await page.textContent('#ce-bench-more-error')) ?? '', /Allowed: 1 to/);
    await page.fill('#ce-bench-more', '50');
    await page.click('#ce-bench-seeds-start');
    await page.waitForFunction(() => /^[1-9]\d* more seeds?/.test(document.querySelector('#ce-bench-seeds-status').textContent));
    await page.click('#ce-bench-seeds-stop');
    await page.waitForFunction(() => /^Stopped: bars are over \d+ seeds/.test(document.querySelector('#ce-bench-seeds-status').textContent));
    const caption = (await page.textContent('[data-figure=ce-contrastive] .figure-caption')) ?? '';
    assert.match(caption, /over [2-9]\d* seeds/);
  }));

test('an autoencoder that is trained here stands beside the others, and its pairs can be opened', { skip: SKIP_UNLESS_LONG }, () =>
  visit({ address: 'ce-bench/?n=4' }, async (page) => {
    await page.fill('#ce-bench-train-latents', '0');
    await page.click('#ce-bench-train-start');
    await page.waitForSelector('#ce-bench-train-latents-error:not([hidden])');
    await page.fill('#ce-bench-train-latents', '32');
    await page.fill('#ce-bench-train-steps', '5');
    await page.click('#ce-bench-train-start');
    await page.waitForFunction(() => /scored: it stands/.test(document.querySelector('#ce-bench-trained').textContent));
    const label = (await page.textContent('#ce-bench-trained b')) ?? '';
    await page.waitForFunction(
      (of) => document.querySelector('[data-figure=ce-scores] .data')?.textContent.includes(of),
      label,
    );
    await page.click('#ce-bench-trained >> text="Open its pairs"');
    await page.waitForFunction((of) => document.querySelector('#ce-bench-headline').textContent.includes(of), label);
    assert.equal(await page.inputValue('#ce-bench-sae'), 'own');
  }));

test('results of others are ranked, and the claim of the sum counted; own activations are scored', () =>
  visit({ address: 'ce-bench/?n=4' }, async (page) => {
    await page.setInputFiles('#ce-bench-results-drop-folder', join(GOLDEN, 'interpretability_eval'));
    await page.waitForSelector('#ce-bench-results-drop-result .data');
    const native = cli('--results', join(GOLDEN, 'interpretability_eval'));
    const claim = (await page.textContent('.ce-claim')) ?? '';
    assert.ok(claim.includes(`holds in ${native.claim.holds} of ${native.claim.files} files`), claim);
    const shares = await page.$$eval('#ce-bench-results-drop-result tbody tr', (all) =>
      all.map((row) => row.lastElementChild.textContent.trim()),
    );
    assert.deepEqual(
      shares,
      native.rows.map((/** @type {any} */ { interpretability_share: share }) => (share === null ? '–' : share.toFixed(3))),
    );
    await page.setInputFiles('#ce-bench-results-drop-files', { name: 'results.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await page.waitForFunction(() => /Not possible/.test(document.querySelector('#ce-bench-results-drop-status').textContent));
    assert.equal(await page.locator('#ce-bench-results-drop-result .data').count(), 1);

    await page.setInputFiles('#ce-bench-own-drop-files', join(GOLDEN, 'own', 'pairs.npz'));
    await page.waitForSelector('#ce-bench-own-drop-result .data');
    const own = cli('--own', join(GOLDEN, 'own', 'pairs.npz'));
    const first = await page.$$eval('#ce-bench-own-drop-result .data:first-child tbody tr', (all) =>
      all.slice(0, 4).map((row) => [...row.children].slice(0, 4).map((cell) => cell.textContent.trim())),
    );
    const marks = (/** @type {boolean} */ reads) => (reads ? 'with marks' : 'without marks');
    assert.deepEqual(
      first,
      own.readings.map((/** @type {any} */ row) => [row.reading, marks(row.reads_marks), String(row.pairs), row.contrastive?.toFixed(3) ?? '–']),
    );
  }));

describe('a link', () => {
  test('carries settings, reading, pair and a digest, and says whether it came out equal', () =>
    visit({ address: `ce-bench/?sae=relu256&n=${FEW}&open=3&view=readme`, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      assert.equal(await page.inputValue('#ce-bench-sae'), 'relu256');
      assert.match((await page.textContent('#ce-bench-told')) ?? '', /^Pair 4 of 12/);
      assert.ok(await page.isChecked('[name=ce-bench-reading][value=readme]'));
      await page.click('#ce-bench-share-link');
      const link = await page.inputValue('#ce-bench-shared-link');
      assert.match(link, /sae=relu256&n=12&open=3&view=readme&digest=/);
      await page.goto(link);
      await page.waitForSelector('#ce-bench-link-proof:not([hidden])');
      assert.match((await page.textContent('#ce-bench-link-proof')) ?? '', /^✓/);
      const [, digest = ''] = /digest=(\w+-\w+)/.exec(link) ?? [];
      const other = digest.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      await page.goto(link.replace(digest, other));
      await page.waitForSelector('#ce-bench-link-proof:not([hidden])');
      assert.match((await page.textContent('#ce-bench-link-proof')) ?? '', /^✗ .*pairs differ/);
    }));

  test('that cannot be followed says what is shown instead', () =>
    visit({ address: `ce-bench/?n=${FEW}&sae=own&view=seventh&open=400` }, async (page) => {
      const told = (await page.textContent('.view[data-view=ce-bench] .link-changes')) ?? '';
      assert.match(told, /view=seventh/);
      assert.match(told, /trained in another tab/);
      assert.match((await page.textContent('#ce-bench-told')) ?? '', /^Pair 1 of 12/);
    }));
});

test('works without a network once it was loaded with one', { skip: SKIP_UNLESS_LONG }, async () => {
  await harness.visit({ width: 1280, address: `ce-bench/?n=${FEW}`, keptOffline: true }, async ({ page, context }) => {
    await scored(page);
    await page.waitForSelector('body[data-offline=ready]');
    const headline = await page.textContent('#ce-bench-headline');
    await context.setOffline(true);
    await page.reload();
    await scored(page);
    assert.equal(await page.textContent('#ce-bench-headline'), headline);
  });
});

test('weights that do not arrive are told, and asked for again', { skip: SKIP_UNLESS_LONG }, async () => {
  const expectedErrors = [/Failed to load resource/];
  await harness.visit({ expectedErrors, address: 'method/' }, async ({ page }) => {
    await page.route(/\.safetensors$/, (route) => route.abort());
    await page.goto(`${harness.url}ce-bench/?n=4`);
    await page.waitForFunction(() => /Broke off.*nothing is scored yet/.test(document.querySelector('#ce-bench-status')?.textContent ?? ''));
    await page.unroute(/\.safetensors$/);
    await page.click('#ce-bench-status >> text="Try again"');
    await scored(page);
  });
});

for (const { width, dark } of selectMembers([
  { width: 390, dark: false },
  { width: 390, dark: true },
  { width: 1440, dark: false },
  { width: 1440, dark: true },
]))
  test(`has no faults at ${width} px, ${dark ? 'dark' : 'light'}`, { skip: SKIP_UNLESS_LONG }, () =>
    visit({ width, dark, reducedMotion: true }, async (page) => {
      for (const figure of await page.locator('figure[data-figure]').all()) await figure.scrollIntoViewIfNeeded();
      await page.waitForSelector('[data-figure=ce-about] .data', { state: 'attached' });
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(beyond <= 0, `${beyond} px too wide`);
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, `ce-bench-${width}-${dark ? 'dark' : 'light'}`);
    }));

test('shows the same in Firefox', { skip: SKIP_UNLESS_LONG }, async () => {
  const browser = await startFirefox();
  try {
    await visitFirefox(browser, harness.url, `ce-bench/?n=${FEW}`, async (page) => {
      await page.waitForFunction(() =>
        /autoencoders and controls/.test(document.querySelector('#ce-bench-status')?.textContent ?? ''),
      );
      const native = cli('--pairs', String(FEW));
      const headline = await page.$eval('#ce-bench-headline', (one) => one.textContent ?? '');
      for (const score of SCORES) assert.ok(headline.includes(native.readings.v1_marked[score].toFixed(3)), headline);
      assert.equal(await page.$$eval('.ce-story', (all) => all.length), 2);
    });
  } finally {
    await browser.close();
  }
});
