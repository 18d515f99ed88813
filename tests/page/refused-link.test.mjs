// A link whose run the core refuses, or that breaks off before anything was computed: the page says why,
// and what can be changed is there.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { runAxe, screenshot, start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {import('playwright-core').Page} page */
const failed = (page) => page.waitForSelector('#verdict[data-outcome=failed]');
/** @param {import('playwright-core').Page} page */
const computed = (page) =>
  page.waitForSelector('#live:not([hidden], [data-only]) [data-figure=fig1a] .data', { state: 'attached' });

describe('a first run that is refused', () => {
  for (const query of selectMembers(['n=40', 'ws=0', 'bs=100']))
    test(`?${query} says why, beside the control too, and can be mended there`, () =>
      harness.visit({ address: `?${query}`, width: 1280 }, async ({ page }) => {
        await failed(page);
        assert.equal(await page.textContent('#verdict-sentence'), 'These settings cannot be run.');
        assert.match(await page.textContent('#late'), /^The activations have rank \d+, so k can be at most \d+; it is 48\. /);
        await page.locator('#set-k-error').waitFor();
        assert.match(await page.textContent('#set-k-error'), /rank/);
        assert.equal(await page.getAttribute('[name=k]', 'aria-invalid'), 'true');
        assert.ok(await page.isHidden('#progress'));
        assert.ok(await page.isHidden('.lead'), 'no empty figures');
        // The lab has come: its part of the controls is there.
        await page.waitForSelector('body[data-lab=ready]');
        assert.ok(await page.isVisible('#settings summary'));
        assert.deepEqual(await runAxe(page), []);
        await screenshot(page, `refused-${query.slice(0, 2)}`);
        const [, most] = /at most (\d+)/.exec(await page.textContent('#late'));
        await page.fill('[name=k]', most);
        await computed(page);
        assert.ok(await page.isHidden('#late'));
        assert.match(await page.textContent('#differences'), new RegExp(`48 → ${most}`));
        await page.waitForFunction((k) => new URLSearchParams(location.search).get('k') === k, most);
      }));

  test('one click leads back to the paper, and the keyboard stays on the page', () =>
    harness.visit({ address: '?n=40', width: 390, dark: true }, async ({ page }) => {
      await failed(page);
      await page.focus('#go-on');
      await page.keyboard.press('Enter');
      await computed(page);
      assert.equal(await page.getAttribute('#verdict', 'data-outcome'), 'agrees');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
      await page.waitForFunction(() => !new URLSearchParams(location.search).has('n'));
    }));

  test('an embedded figure says so in its place, with the controls that it has', async () => {
    await harness.visit({ address: '?n=40&fig=fig1a&embed=1', width: 640 }, async ({ page }) => {
      await failed(page);
      assert.ok(await page.isVisible('#late'));
      assert.ok(await page.isHidden('[data-figure=fig1a]'));
      await page.fill('[name=k]', '40');
      await computed(page);
      await page.locator('[data-figure=fig1a] canvas').waitFor();
      assert.ok(await page.isHidden('#verdict'));
    });
    await harness.visit({ address: '?n=40&fig=fig1a&embed=1&hide=weights,settings' }, async ({ page }) => {
      await failed(page);
      assert.match(await page.innerText('body'), /rank 40/);
      assert.ok(await page.isHidden('.panel'));
    });
  });

  for (const name of selectMembers(['fade', 'own', 'ce-bench', 'mui', 'model', 'train', 'compare', 'method']))
    test(`the page ${name}/ does not mind such a link`, () =>
      harness.visit({ address: `${name}/?n=40` }, async ({ page }) => {
        await page.waitForSelector(`.view[data-view=${name}][data-state=ready]`);
      }));
});

test('a first run that is cancelled can be tried again without a reload', () =>
  harness.visit({ address: '?n=200000&hid=128', width: 1280 }, async ({ page }) => {
    await page.click('#cancel');
    await failed(page);
    assert.match(await page.textContent('#late'), /cancelled/);
    await page.click('#settings summary >> text=Data and dictionary');
    // At once: what is filled in is run by itself a moment later, which takes the button away.
    await page.$eval('[name=samples]', (/** @type {HTMLInputElement} */ input) => {
      input.value = '2000';
      for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }));
      document.querySelector('#go-on').click();
    });
    await computed(page);
  }));

test('a page whose core did not arrive tries again when it is asked to', async () => {
  let away = true;
  const visit = await harness.open({
    address: 'train/',
    expectedErrors: [/Failed to load resource|ERR_FAILED/],
    before: (context) =>
      context.route('**/sfc_bench_lab_bg.wasm', (route) => (away ? route.abort() : route.continue())),
  });
  const { page } = visit;
  await page.waitForSelector('.view[data-state=failed]');
  assert.match(await page.textContent('.page-state'), /^This page could not be opened: .*\. Try again$/);
  // It may fail more than once.
  await page.click('.page-state button');
  await page.waitForSelector('.page-state button');
  away = false;
  await page.click('.page-state button');
  await page.waitForSelector('.view[data-state=ready]');
  assert.ok(await page.isVisible('#train-start'));
  await visit.close();
});
