// The same study in Python, on the command line and in Chromium: the same bytes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { start } from '../page/lib/harness.mjs';
import { CLI } from '../page/lib/programs.mjs';

/** A study may take this long on a machine that does much else, in ms. */
const LONG = 600_000;
const options = { encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 28 };

/** @type {import('../page/lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** What Python prints. @param {string} expression */
const python = (expression) =>
  execFileSync(
    process.env.JUPYTER_PYTHON ?? 'python3',
    ['-c', `import json, sys, sfc_bench; sys.stdout.write(${expression})`],
    options,
  );
/** @param {string[]} words */
const cli = (...words) => execFileSync(CLI, [...words, '--json'], options);

/** What the page saves. @param {import('playwright-core').Page} page @param {string} button */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return readFile(await download.path(), 'utf8');
}

test('the paper', async () => {
  const { page, close } = await harness.open();
  const found = await page.evaluate(async (address) => {
    const { run } = await import(address);
    const { report, digest } = await run();
    return { report: JSON.stringify(report), digest };
  }, new URL('www/package/package.js', harness.url).href);
  assert.equal(python('sfc_bench.curve().json'), cli('curve'));
  assert.equal(python('sfc_bench.sizes().json'), cli('sizes'));
  const [digest = '', report = ''] = python('sfc_bench.run().digest() + "\\n" + json.dumps(dict(sfc_bench.run()))').split('\n');
  assert.ok(digest.length > 10 && execFileSync(CLI, ['link', '--digest'], options).includes(digest));
  assert.equal(found.digest, digest);
  assert.deepEqual(JSON.parse(found.report), JSON.parse(report));
  await close();
});

test('an ensemble of a hundred networks', async () => {
  const { page, close } = await harness.open();
  await page.waitForSelector('body[data-lab=ready]', { state: 'attached' });
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
  await page.waitForFunction(
    () => /^100 networks/.test(document.querySelector('#ensemble-status')?.textContent ?? ''),
    undefined,
    { timeout: LONG },
  );
  const native = cli('ensemble');
  assert.equal(await saved(page, '#ensemble-save'), native);
  assert.equal(python('sfc_bench.ensemble().json'), native);
  await close();
});

test('families of autoencoders', async () => {
  const study = 'small,methods:svd_topk_random,seeds:0-1';
  const { page, close } = await harness.open({ address: 'compare/' });
  const found = await page.evaluate(
    async ([address]) => {
      const { compareFamilies } = await import(address ?? '');
      return JSON.stringify(await compareFamilies({ methods: ['svd', 'topk', 'random'], seeds: [0, 1] }));
    },
    [new URL('www/package/package.js', harness.url).href],
  );
  const native = cli('families', '--study', study);
  assert.equal(python(`sfc_bench.families(${JSON.stringify(study)}).json`), native);
  assert.deepEqual(JSON.parse(found), JSON.parse(native));
  await close();
});
