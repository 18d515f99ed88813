// SynthSAEBench's page: the shipped run at once, trainings in this browser as the command line has them, links.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Trained in a second. */
const QUICK = { features: 128, dimensions: 16, k: 2, samples: 2_560, evaluated: 1_000, seeds: 1 };
const ADDRESS = 'synth/?f=128&d=16&k=2&n=2560&eval=1000&seeds=1';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const drawn = (page) => page.waitForSelector('.view[data-view=synth][data-state=ready]');
/** @param {Page} page @param {RegExp} words */
const says = (page, words) =>
  page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#synth-status').textContent), words.source, { timeout: 120_000 });
/** @param {Page} page */
const shown = (page) =>
  page.evaluate(async () => {
    const { exportables } = await import('../www/shell/exportables.js');
    const { view } = exportables;
    return { digest: view.digest(), report: JSON.parse(view.json()), headline: view.headline(), orders: view.table('synth-orders').rows };
  });

test('the shipped run is there at once, and its claim is what its numbers say', async () => {
  await harness.visit({ address: 'synth/' }, async ({ page }) => {
    await drawn(page);
    const { digest, report, headline, orders } = await shown(page);
    assert.equal(report.jobs.length, 18);
    assert.match(digest, /^\w{5}$/);
    const kept = orders.filter((row) => row.at(-1).text.startsWith('as printed')).length;
    assert.ok(headline.startsWith(`At 512 features, ${kept} of the ${orders.length} clear orders`), headline);
    // The heading says that orders are kept.
    assert.equal(orders.length, 38);
    assert.ok(kept >= 0.9 * orders.length, `${kept} of 38`);
    assert.equal(await page.textContent('#synth-headline'), headline);
    assert.match((await page.textContent('#synth-status')) ?? '', /^Measured by the command line with these settings: 18 autoencoders\./);
    assert.equal(await page.textContent('#synth-cli'), 'sfc-bench synth --checkpoint synth-run');
  });
});

test('what is trained here is the command line’s, and a part says that it is one', async () => {
  await harness.visit({ address: ADDRESS }, async ({ page }) => {
    await drawn(page);
    await says(page, /^0 of 6 autoencoders are measured\. Train in this browser$/);
    assert.match((await page.textContent('#synth-headline')) ?? '', /^0 of 6 autoencoders are measured\. The summary follows/);
    await page.click('#synth-status button');
    await says(page, /^All 6 autoencoders are measured in /);
    const options = Object.entries(QUICK).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const said = JSON.parse(execFileSync(CLI, ['synth', ...options, '--json'], { encoding: 'utf8' }));
    const { digest, report, headline } = await shown(page);
    assert.equal(digest, said.digest);
    const scores = (/** @type {any} */ { jobs }) => Object.fromEntries(jobs.map(({ job, scores }) => [job, scores]));
    assert.deepEqual(scores(report), scores(said));
    assert.ok(headline.startsWith(`At 128 features, ${said.orders_kept} of the ${said.orders} clear orders`), headline);
    // The other printed table stands beside the same trainings.
    await page.selectOption('#synth-table', '20');
    await page.waitForFunction(() => location.search.includes('table=20'));
    await says(page, /^All 6 autoencoders are measured\.$/);
    assert.match((await page.textContent('#synth-headline')) ?? '', /for L0 = 20 come out/);
    // More active latents than dimensions are refused beside the field, and what is shown stays.
    await page.fill('#synth-k', '17');
    await page.press('#synth-k', 'Enter');
    await page.waitForFunction(() => /1 to 16/.test(document.querySelector('#synth-k-error')?.textContent ?? ''));
    assert.match((await page.textContent('#synth-status')) ?? '', /^All 6/);
  });
});

test('a link proves itself once what it is of is trained here', async () => {
  await harness.visit({ address: ADDRESS, permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page }) => {
    const trained = async () => {
      await drawn(page);
      await page.click('#synth-status button');
      await says(page, /^All 6 autoencoders are measured in /);
    };
    await trained();
    await page.click('.view[data-view=synth] .opening button:has-text("Share")');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /digest=\w{5}$/);
    await page.goto(link);
    await trained();
    await page.waitForSelector('#synth-link-proof.agrees');
    await page.goto(link.replace(/digest=\w{5}/, 'digest=11111'));
    await trained();
    await page.waitForSelector('#synth-link-proof.differs');
  });
});

test('what is cancelled is kept, said to be a part without a verdict, and can be exported', async () => {
  // Long enough that some are missing; and so many that each of the six is there, of the first seed.
  await harness.visit({ address: ADDRESS.replace('n=2560', 'n=100000').replace('seeds=1', 'seeds=5') }, async ({ page }) => {
    await drawn(page);
    await page.click('#synth-status button');
    await page.waitForFunction(() => /^ *([89]|[12]\d) of 30 autoencoders measured/.test(document.querySelector('#synth-status').textContent));
    await page.click('#synth-status button');
    await says(page, /^Cancelled: \d+ of 30 autoencoders are measured\./);
    const { digest, report, headline, orders } = await shown(page);
    assert.equal(digest ?? null, null);
    assert.ok(report.jobs.length > 0 && report.jobs.length < 30);
    assert.match(headline, /^\d+ of 30 autoencoders are measured\. The summary follows/);
    assert.equal(orders.length, 38);
    for (const row of orders) assert.equal(row.at(-1).text, '–');
    const figures = await page.$$eval('figure[data-figure] canvas', (all) => all.flatMap(({ ariaLabel }) => ariaLabel ?? []));
    assert.ok(figures.length > 0);
    for (const figure of figures) assert.doesNotMatch(figure, /is highest/);
  });
});

test('an autoencoder trained elsewhere scores here what it does on the command line, on any number of rows', async () => {
  const golden = (/** @type {string} */ name) => join(import.meta.dirname, '../golden/synthsaebench', name);
  await harness.visit({ address: 'synth/' }, async ({ page }) => {
    await drawn(page);
    await page.selectOption('#synth-elsewhere-rows', '20000');
    const model = ['synthetic_model_config.json', 'synthetic_model.safetensors', 'hierarchy.json'].map((name) => golden(`saved-a/${name}`));
    const weights = ['cfg.json', 'sae_weights.safetensors'].map((name) => golden(`evaluated/batchtopk/${name}`));
    await page.setInputFiles('#synth-elsewhere-files', [...model, ...weights]);
    await page.waitForSelector('#synth-elsewhere-save', { timeout: 120_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#synth-elsewhere-save')]);
    const [found] = JSON.parse(readFileSync(await download.path(), 'utf8')).evaluations;
    const words = ['--model', golden('saved-a'), '--sae', golden('evaluated/batchtopk'), '--rows', '20000', '--json'];
    const [said] = JSON.parse(execFileSync(CLI, ['synth', ...words], { encoding: 'utf8' })).evaluations;
    for (const of of ['autoencoder', 'permuted_decoder', 'random_decoder', 'untrained']) assert.deepEqual(found[of], said[of], of);
    const rows = await page.$$eval('#synth-elsewhere-result tbody tr', (all) => all.map(({ textContent }) => textContent));
    assert.equal(rows.length, 4);
    assert.ok(rows[0]?.includes(said.autoencoder.f1.toFixed(4)), rows[0]);
    // Other rows are other scores, at once.
    await page.selectOption('#synth-elsewhere-rows', '100000');
    await page.waitForFunction(() => /100000 rows/.test(document.querySelector('#synth-elsewhere-result')?.textContent ?? ''), undefined, { timeout: 120_000 });
    assert.match((await page.textContent('#synth-elsewhere-status')) ?? '', /^5 files evaluated\./);
    // Without a model there is nothing to score on; the page says what is missing.
    await page.setInputFiles('#synth-elsewhere-files', weights);
    await page.waitForFunction(() => /synthetic_model_config\.json is not there/.test(document.querySelector('#synth-elsewhere-status')?.textContent ?? ''));
  });
});

for (const [width, dark] of selectMembers(/** @type {const} */ ([[390, true], [1440, false]])))
  test(`nothing is amiss at ${width} px, ${dark ? 'dark' : 'light'}`, { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'synth/', width, dark }, async ({ page }) => {
      await drawn(page);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, `synth-${width}${dark ? '-dark' : ''}`);
    });
  });
