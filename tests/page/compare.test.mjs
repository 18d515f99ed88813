// A pinned result: drawn under the next one, compared with it, kept in the link, let go again. What the
// page shows of two results is held against two runs of the command line.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';

import { runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** A run's points by level, from the command line. @param {string[]} flags */
function points(...flags) {
  const text = execFileSync(CLI, ['curve', ...flags, '--json'], { encoding: 'utf8' });
  /** @type {{ points: Record<string, number>[] }} */
  const { points } = JSON.parse(text);
  return new Map(points.map((point) => [point.level.toFixed(2), point]));
}

/** @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForSelector('body[data-lab=ready]');
}

/** Waits until the bar says what lies between the two results. @param {Page} page @param {string} words */
const since = (page, words) =>
  page.waitForFunction(
    (text) => document.querySelector('#pinned-changes')?.textContent?.includes(text),
    words,
  );

/** A figure's text, row by row, once a cell says so. @param {Page} page @param {string} id @param {RegExp} wanted */
async function rows(page, id, wanted) {
  const selector = `[data-figure=${id}] .data`;
  await page.waitForFunction(
    ([where, source]) => new RegExp(source, 'u').test(document.querySelector(where)?.textContent ?? ''),
    [selector, wanted.source],
  );
  return page.$$eval(`${selector} tr`, (all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')),
  );
}

/** Opens every folded group of settings. @param {Page} page */
const unfold = (page) =>
  page.$$eval('#settings details', (all) => all.forEach((group) => (group.open = true)));

const minus = (/** @type {string} */ text) => Number(text.replace('−', '-'));

describe('a pinned result', () => {
  test('is drawn under the next and compared with it, as two separate runs have it', () =>
    harness.visit({ width: 1280 }, async ({ page }) => {
      await ready(page);
      assert.ok(await page.isHidden('#pinned'));
      assert.ok(await page.isHidden('#compare'));
      await page.click('#pin');
      await since(page, 'It is what is shown now');
      await unfold(page);
      await page.fill('[name=k]', '24');
      await page.fill('[name=levels]', '0, 0.25, 0.5, 0.95');
      await since(page, 'Dictionary size 48 → 24');
      const now = points('--k', '24', '--levels', '0,0.25,0.5,0.95');
      const then = points();

      const metrics = await rows(page, 'compare-metrics', /0\.25/);
      assert.deepEqual(metrics[0].slice(0, 4), ['λ', 'S', 'S pinned', 'ΔS']);
      assert.equal(metrics.length, 1 + 9, 'every level of either');
      const names = ['sparsity', 'fidelity', 'completeness'];
      /** @param {string} text @param {number | undefined} value @param {string} what */
      const says = (text, value, what) =>
        value === undefined ? assert.equal(text, '–', what) : assert.equal(minus(text).toFixed(3), value.toFixed(3), what);
      for (const [level, ...cells] of metrics.slice(1)) {
        const [a, b] = [now.get(level), then.get(level)];
        names.forEach((name, axis) => {
          says(cells[3 * axis], a?.[name], `${name} at ${level}`);
          says(cells[3 * axis + 1], b?.[name], `pinned ${name} at ${level}`);
          const difference = a && b ? a[name] - b[name] : undefined;
          // A true zero is written as one digit, and rounding may take the sign of what is smaller.
          says(cells[3 * axis + 2], difference === undefined ? undefined : Math.round(difference * 1e3) / 1e3 + 0, `Δ${name} at ${level}`);
        });
      }
      const score = await rows(page, 'compare-score', /0\.25/);
      assert.deepEqual(score[0], ['λ', 'SFC', 'SFC pinned', 'ΔSFC']);
      for (const [level, a, b] of score.slice(1)) {
        says(a, now.get(level)?.sfc, `SFC at ${level}`);
        says(b, then.get(level)?.sfc, `pinned SFC at ${level}`);
      }

      // The same numbers lie on the paper's figure, as a second layer with names of its own.
      const curves = await rows(page, 'fig1a', /S, pinned/);
      const at = (/** @type {string} */ title) => curves[0].indexOf(title);
      for (const row of curves.slice(1)) {
        const level = Number(row[0]).toFixed(2);
        says(row[at('F')] || '–', now.get(level)?.fidelity, `F at ${level}`);
        says(row[at('F, pinned')] || '–', then.get(level)?.fidelity, `F, pinned at ${level}`);
      }
      assert.match((await page.getAttribute('[data-figure=fig1b] canvas', 'aria-label')) ?? '', /Pinned: .*0\.905/);
      await screenshot(page, 'compare-1280');
      // What is half under the bar at the top, as the page happens to be scrolled, is too small a target.
      await page.evaluate(() => scrollTo(0, 0));
      assert.deepEqual(await runAxe(page), []);

      await page.click('#pinned >> text="Unpin"');
      await page.waitForSelector('#pinned', { state: 'hidden' });
      assert.ok(await page.isHidden('#compare'));
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'pin');
      await page.waitForFunction(
        () => !document.querySelector('[data-figure=fig1a] .data')?.textContent?.includes('pinned'),
      );
      // Nothing of it is left in the way: the next run is drawn as ever.
      await page.fill('[name=k]', '20');
      await page.waitForFunction(() => document.querySelector('#differences')?.textContent?.includes('48 → 20'));
      await page.check('[name=theme][value=dark]');
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve))));
    }));

  test('keeps its own weights, and the page says which score is under which', () =>
    harness.visit({ width: 1280 }, async ({ page }) => {
      await ready(page);
      await page.click('#pin');
      await page.click('#profiles button:nth-child(2)');
      await since(page, 'weights 1:1:1 → 5:1:1');
      assert.match((await page.textContent('#compare')) ?? '', /Each keeps its own weights: the pinned scores are those of 1:1:1/);
      const [head, ...table] = await rows(page, 'compare-score', /5:1:1/);
      assert.deepEqual(head, ['λ', 'SFC (5:1:1)', 'SFC pinned (1:1:1)', 'ΔSFC', 'SFC pinned (5:1:1)', 'ΔSFC (5:1:1)']);
      const [own, theirs] = [points('--weights', '5,1,1'), points()];
      for (const [level, a, b, , c, difference] of table) {
        assert.equal(a, own.get(level)?.sfc.toFixed(3));
        assert.equal(b, theirs.get(level)?.sfc.toFixed(3));
        assert.equal(c, a, 'under the same weights the same run has the same score');
        assert.equal(difference, '0');
      }
    }));

  test('is swapped with what is shown, and swapped back', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ width: 1280 }, async ({ page }) => {
      await ready(page);
      await page.selectOption('[name=config]', 'sparse');
      await page.waitForFunction(() => document.querySelector('#differences')?.textContent?.includes('sparse'));
      await page.click('#pin');
      await page.click('#verdict-return');
      await since(page, 'Network sparse → standard');
      await page.click('#pinned >> text="Swap"');
      await since(page, 'Network standard → sparse');
      assert.equal(await page.inputValue('[name=config]'), 'sparse');
      assert.match((await page.textContent('#pinned')) ?? '', /Pinned: the paper’s settings/);
      await page.click('#pinned >> text="Swap"');
      await since(page, 'Network sparse → standard');
    }));

  test('is in the link: whoever opens it sees both computed anew, and Back lets it go', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    let address = '';
    /** @type {string[][]} */
    let shared = [];
    await harness.visit({ width: 1280, permissions, address: '?v=1&k=24' }, async ({ page }) => {
      await ready(page);
      await page.click('#pin');
      await page.waitForFunction(() => location.search === '?v=1&k=24&pin.k=24');
      await page.fill('#weight-s-number', '2');
      await page.selectOption('[name=config]', 'large');
      await page.waitForFunction(() => /net=large/.test(location.search) && /pin\.k=24/.test(location.search));
      // The address follows the controls; the table, what has been run.
      await since(page, 'Network standard → large');
      await since(page, 'weights 1:1:1 → 2:1:1');
      // Nothing differs until it is drawn.
      shared = await rows(page, 'compare-metrics', /−0\.0/);
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said')?.textContent);
      address = new URL(await page.inputValue('#shared-link')).search;
      assert.match(address, /pin\.k=24/);
      // Every state has an entry: the first of them had nothing pinned.
      while (/pin/.test(new URL(page.url()).search)) await page.goBack();
      assert.equal(new URL(page.url()).search, '?v=1&k=24');
      await page.waitForSelector('#pinned', { state: 'hidden' });
      await page.goForward();
      await since(page, 'It is what is shown now');
    });
    await harness.visit({ width: 1280, address }, async ({ page }) => {
      await page.waitForSelector('#verdict-link.agrees');
      await since(page, 'Network standard → large');
      assert.deepEqual(await rows(page, 'compare-metrics', /−0\.0/), shared, 'the same numbers');
      assert.equal(new URL(page.url()).search, address, 'the address stays');
      assert.ok(await page.isHidden('#link-changes'));
    });
  });

  test('that is the paper’s has a word for itself; one that cannot be computed says why', async () => {
    await harness.visit({ width: 1280, address: '?v=1&k=24&pin=paper' }, async ({ page }) => {
      await ready(page);
      await since(page, 'Dictionary size 48 → 24');
      assert.match((await page.textContent('#pinned')) ?? '', /Pinned: the paper’s settings; weights 1:1:1/);
    });
    // More directions than the activations of 20 rows have.
    await harness.visit({ width: 1280, address: '?v=1&pin.n=20' }, async ({ page }) => {
      await ready(page);
      await since(page, 'It could not be computed');
      assert.ok(await page.isHidden('#compare'));
      await page.click('#pinned >> text="Unpin"');
      await page.waitForFunction(() => location.search === '');
    });
  });

  for (const [width, dark] of selectMembers(/** @type {[number, boolean][]} */ ([
    [390, true],
    [1440, false],
  ]))) {
    test(`has room at ${width}`, { skip: SKIP_UNLESS_LONG }, () =>
      harness.visit({ width, dark, address: '?v=1&net=sparse&w=5,1,1&pin=paper' }, async ({ page }) => {
        await ready(page);
        await since(page, 'Network standard → sparse');
        await rows(page, 'compare-metrics', /pinned/);
        await page.locator('#compare').scrollIntoViewIfNeeded();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${wide}`);
        assert.deepEqual(await runAxe(page), []);
        await screenshot(page, `compare-${width}`);
      }));
  }
});
