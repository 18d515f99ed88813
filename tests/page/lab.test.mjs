// What bends, keeps and shares a result: the map of weights, the fronts, links, scripts, stresses.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { runAxe, start } from './lib/harness.mjs';
import { PYTHON } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForSelector('body[data-lab=ready]');
  await page.waitForFunction(() => document.querySelector('#flip').textContent.length > 0);
}

const query = (/** @type {Page} */ page) => new URL(page.url()).search;

/** Waits until the address ends so. */
const addressed = (/** @type {Page} */ page, /** @type {string} */ search) =>
  page.waitForFunction((wanted) => location.search === wanted, search);

const shows = (/** @type {Page} */ page, /** @type {string} */ words) =>
  page.waitForFunction(
    (text) => document.querySelector('#differences').textContent.includes(text),
    words,
  );

const visit = (address, use) => harness.visit({ width: 1280, address, permissions: ['clipboard-read', 'clipboard-write'] }, use);

describe('links', () => {
  test('the address follows the page, and Back and Forward lead through it', () =>
    visit('', async ({ page }) => {
      await ready(page);
      assert.equal(query(page), '', 'the paper has no query');
      await page.click('#profiles button:nth-child(2)');
      await addressed(page, '?v=1&w=5,1,1');
      await page.selectOption('[name=config]', 'large');
      await addressed(page, '?v=1&net=large&w=5,1,1');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('[name=config]').value === 'standard');
      await page.waitForSelector('#verdict-differences', { state: 'hidden' });
      assert.equal(query(page), '?v=1&w=5,1,1');
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('#weight-s-number').value === '1');
      await page.waitForTimeout(600);
      assert.equal(query(page), '');
      await page.goForward();
      await page.goForward();
      await shows(page, 'Network standard → large');
      assert.equal(await page.inputValue('[name=config]'), 'large');
      assert.equal(await page.inputValue('#weight-s-number'), '5');
    }));

  test('a shared link computes the same anew and proves it', async () => {
    let address = '';
    await visit('?v=1&k=20&w=2,1,1&seeds=12', async ({ page }) => {
      await ready(page);
      await shows(page, 'Dictionary size 48 → 20');
      assert.equal(await page.inputValue('[name=ensemble-seeds]:checked'), '12');
      assert.ok(await page.isHidden('#verdict-link'), 'nothing was claimed');
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.length > 0);
      const link = await page.inputValue('#shared-link');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
      address = new URL(link).search;
      assert.match(address, /^\?v=1&k=20&w=2,1,1&seeds=12&digest=[0-9a-z]{5}-[0-9a-z]{5}-[0-9a-z]{5}&made=/);
    });
    await visit(address, async ({ page }) => {
      await page.waitForSelector('#verdict-link.agrees');
      assert.match(await page.textContent('#verdict-link'), /equal/);
      assert.equal(await page.inputValue('#weight-s-number'), '2');
    });
    // One letter of one group: that group, and no other, is said to differ.
    const at = address.indexOf('digest=') + 'digest='.length;
    const other = address[at] === 'a' ? 'b' : 'a';
    await visit(address.slice(0, at) + other + address.slice(at + 1), async ({ page }) => {
      await page.waitForSelector('#verdict-link.differs');
      const said = await page.textContent('#verdict-link');
      assert.match(said, /other than in the link: the level curve; equal: .*the four networks/);
    });
  });

  test('a link that was shared follows the page, and says that what was copied is older', () =>
    visit('?v=1&k=20', async ({ page }) => {
      await ready(page);
      await shows(page, 'Dictionary size 48 → 20');
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.startsWith('Copied'));
      const field = () => page.inputValue('#shared-link').then((link) => new URL(link).searchParams);
      await page.click('#profiles button >> nth=1');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.startsWith('The page has changed since'));
      assert.equal((await field()).get('w'), '5,1,1');
      // While another run is under way nothing is claimed of it; then it is.
      await page.selectOption('[name=config]', 'large');
      await page.waitForFunction(() => /[?&]net=large&.*digest=/.test(document.querySelector('#shared-link').value));
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.startsWith('Copied'));
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.inputValue('#shared-link'));
    }));

  test('a malformed link shows the nearest valid state and says what it changed', () =>
    visit('?v=1&k=9999&levels=zero&w=1,,&<script>=1&noise=%FF', async ({ page }) => {
      await ready(page);
      const said = await page.textContent('#link-changes');
      for (const word of ['k is', 'levels', 'w is', 'noise']) assert.ok(said.includes(word), `${word}: ${said}`);
      assert.equal(await page.inputValue('[name=k]'), '64');
      assert.deepEqual(await runAxe(page), []);
    }));
});

describe('instruments', () => {
  const on = sharePage(() => harness.open({ width: 1280 }), ready);

  test('the ring on the map is the weights: by keys and by pointer', on(async ({ page }) => {
    const equal = await page.textContent('#flip');
    await page.locator('#map').scrollIntoViewIfNeeded();
    await page.focus('.simplex-handle');
    for (let i = 0; i < 8; i += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.waitForFunction(() => Number(document.querySelector('#weight-s-number').value) > 5);
    await page.waitForFunction(() => /^Under .* λ = 0\.95 wins/.test(document.querySelector('#flip').textContent));
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('#weight-s-number').value === '1');
    const box = await page.locator('[data-figure=simplex] canvas').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.25);
    await page.waitForFunction(
      () =>
        Number(document.querySelector('#weight-c-number').value) >
        Number(document.querySelector('#weight-s-number').value),
    );
    await page.click('#profiles button:nth-child(1)');
    await page.waitForFunction((said) => document.querySelector('#flip').textContent === said, equal);
  }));

  test('the nearest flip that the sentence names is one', on(async ({ page }) => {
    const sentence = await page.textContent('#flip');
    const [, weight, from, to] = /lower (\w)’s weight from (\S+) to ([\d.]+\d)/.exec(sentence);
    assert.deepEqual([weight, from], ['F', '1']);
    const winner = () =>
      page.evaluate(() => /λ = (0\.\d\d) wins/.exec(document.querySelector('#flip').textContent)[1]);
    assert.equal(await winner(), '0.85');
    await page.fill('#weight-f-number', String(Number(to) - 0.01));
    await page.waitForFunction(() => /λ = 0\.95 wins/.test(document.querySelector('#flip').textContent));
    await page.fill('#weight-f-number', '1');
  }));

  test('at the printed digits six of eight points survive', on(async ({ page }) => {
    const standings = () =>
      page.$$eval('[data-figure=pareto-table] tbody tr', (rows) =>
        rows.map((row) => /dominated|by/.test(row.textContent)),
      );
    await page.locator('[data-figure=pareto-table]').scrollIntoViewIfNeeded();
    await page.waitForSelector('[data-figure=pareto-table] .data');
    assert.equal((await standings()).filter(Boolean).length, 0);
    await page.check('[name=ties][value=printed]');
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('[data-figure=pareto-table] tbody tr')].filter((row) =>
          /dominated|by/.test(row.textContent),
        ).length === 2,
    );
    await page.check('[name=ties][value=exact]');
  }));

  test('every stress runs, says what to look at, and leads back', on(async ({ page }) => {
    const count = await page.locator('#stress button').count();
    assert.equal(count, 8);
    for (let i = 0; i < count; i += 1) {
      await page.locator('#stress button').nth(i).click();
      await page.waitForFunction(
        (index) =>
          document.querySelectorAll('#stress button')[index].getAttribute('aria-pressed') ===
            'true' && !document.querySelector('#stress-look').hidden,
        i,
      );
      assert.ok(await page.isHidden('#notice'), await page.textContent('#notice-text'));
    }
    await page.click('#verdict-return');
    await page.waitForSelector('#stress-look', { state: 'hidden' });
  }));
});

test('the NumPy program of the page runs, and prints what the page shows', () =>
  visit('?v=1&net=sparse&k=24&w=5,1,1', async ({ page }) => {
    await ready(page);
    await shows(page, 'Dictionary size 48 → 24');
    await page.click('#numpy');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#numpy-save')]);
    const script = await download.path();
    assert.equal(await readFile(script, 'utf8'), await page.textContent('#numpy-text'));
    await page.keyboard.press('Escape');
    const printed = execFileSync(PYTHON, [script], { encoding: 'utf8' });
    const cells = await page.$$eval('[data-figure=table3] tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('.value')].map((cell) => cell.textContent)),
    );
    assert.equal(cells.length, 8);
    for (const [level, s, f, c] of cells) {
      const line = printed.split('\n').find((text) => Number(text.trim().split(/\s+/)[0]) === Number(level) && text.includes(s));
      assert.ok(line?.includes(f) && line.includes(c), `${level} ${s} ${f} ${c} in\n${printed}`);
    }
  }));
