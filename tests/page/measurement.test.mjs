// The page of measurement theory: all fifteen metrics as their parts come, one opened, what its limits can reach, links,
// a reader's own numbers.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { startFirefox, visit as visitFirefox } from './lib/firefox.mjs';
import { runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const drawn = (page) => page.waitForSelector('.view[data-view=measurement][data-state=ready]');
/** @param {Page} page */
const measured = (page) =>
  page.waitForFunction(() => /prompts each/.test(document.querySelector('#measure-status').textContent), null, { timeout: 120_000 });
/** @param {Page} page @param {string} figure the figure's data as text */
const table = (page, figure) =>
  page.evaluate(async (figure) => {
    const { exportables } = await import('../www/shell/exportables.js');
    return exportables.view.table(figure);
  }, figure);
/** Until the metric that is opened has its numbers. @param {Page} page @param {string} what in their names */
async function opened(page, what) {
  await page.locator('#measure-one').scrollIntoViewIfNeeded();
  const until = Date.now() + 120_000;
  for (;;) {
    const { rows } = await table(page, 'measure-quantities');
    if (rows.some((row) => row[1].text === what)) return rows;
    assert.ok(Date.now() < until, `${what} is not there`);
    await page.waitForTimeout(100);
  }
}
/** @param {...string} args */
const printed = (...args) =>
  JSON.parse(execFileSync(CLI, [...args, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));

describe('with few prompts', () => {
  // What is measured for the first of them is measured for all.
  const on = sharePage(() => harness.open({ address: 'measurement/?n=8&seeds=1' }), async (page) => {
    await page.waitForFunction(() => /[1-9]\d* of 15 parts/.test(document.querySelector('#measure-status')?.textContent ?? ''));
    await drawn(page);
  });

  test('all fifteen are measured as the command line measures them, rows coming before the whole', on(async ({ page }) => {
    await measured(page);
    const { metrics } = printed('measure', 'all', '--seeds', '1', '--n-prompts', '8');
    assert.equal(Object.keys(metrics).length, 15);
    const { columns, rows } = await table(page, 'measure-means');
    const subjects = columns.slice(3).map(({ title }) => title);
    for (const subject of ['trained', 'random', 'untrained', 'permuted', 'found', 'empty']) assert.ok(subjects.includes(subject), subject);
    let compared = 0;
    for (const [metric, quantity, , ...cells] of rows) {
      const found = metrics[metric.text.toLowerCase()][quantity.text.replaceAll(' ', '_')].language;
      for (const [at, subject] of subjects.entries()) {
        const wanted = found?.[subject]?.mean;
        const text = wanted === undefined ? '–' : wanted.toFixed(3).replace('-', '−').replace('−0.000', '0.000');
        assert.equal(cells[at].text, text, `${metric.text} ${quantity.text} ${subject}`);
        compared += wanted === undefined ? 0 : 1;
      }
    }
    assert.ok(compared > 100, `${compared} compared`);
    const ranges = await table(page, 'measure-language');
    assert.equal(new Set(ranges.rows.map(([cell]) => cell.text)).size, 15);
    assert.match(await page.textContent('#measure-headline'), /^Of fifteen metrics on the toy model, (\d+ separates?|none separates) controls/);
  }));

  test('one metric has a button for each case of what its limits can reach', on(async ({ page }) => {
    await page.selectOption('#measurement-metric', 'mib');
    await page.waitForFunction(() => location.search.includes('metric=mib'));
    const { rows } = await table(page, 'measure-reached');
    const cases = printed('measure', 'reach', '--metric', 'mib');
    assert.equal(rows.length, cases.length);
    const buttons = page.locator('#measure-cases button');
    assert.equal(await buttons.count(), cases.length);
    for (const at of cases.keys()) {
      await buttons.nth(at).click();
      assert.equal(await buttons.nth(at).getAttribute('aria-pressed'), 'true');
      await page.waitForFunction((says) => document.querySelector('figure[data-figure=measure-reach]')?.textContent.includes(says), cases[at].says);
    }
  }));

  test('tables of a reader are measured as on the command line, and saved', on(async ({ page }) => {
    const text = 'threshold,faithfulness\n0.001,0\n0.1,0.5\n1,1\n';
    await page.setInputFiles('#measure-own-drop-files', [{ name: 'curve.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }]);
    await page.waitForSelector('#measure-own-drop-result table');
    const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-measure-'));
    writeFileSync(join(folder, 'curve.csv'), text);
    const said = execFileSync(CLI, ['measure', 'own', join(folder, 'curve.csv'), '--json'], { encoding: 'utf8' });
    const cpr = Number(/"cpr": ?([\d.]+)/.exec(said)?.[1]);
    const shown = await page.$$eval('#measure-own-drop-result tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.equal(shown.find(([name]) => name === 'area cpr')?.[1], cpr.toFixed(4));
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('#measure-own-json')]);
    const path = join(folder, 'saved.json');
    await saved.saveAs(path);
    assert.equal(JSON.parse(readFileSync(path, 'utf8'))[0][1].metric, 'mib');
    rmSync(folder, { recursive: true });
    // What is none of it is refused by name.
    await page.setInputFiles('#measure-own-drop-files', [{ name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') }]);
    await page.waitForFunction(() => /Not possible: .*odd\.csv/.test(document.querySelector('#measure-own-drop-status').textContent));
  }));
});

describe('all fifteen', () => {
  test('another number of prompts is another measurement, which can be cancelled and gone on with', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'measurement/?n=8&seeds=1' }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const before = (await table(page, 'measure-means')).rows;
      await page.fill('#measurement-n-prompts', '9');
      await page.press('#measurement-n-prompts', 'Enter');
      await page.waitForFunction(() => location.search.includes('n=9'));
      await page.click('#measure-status button');
      await page.waitForFunction(() => /^Cancelled: \d+ of 15 parts are measured/.test(document.querySelector('#measure-status').textContent));
      await page.click('#measure-status button');
      await measured(page);
      assert.notDeepEqual((await table(page, 'measure-means')).rows, before);
      await page.fill('#measurement-n-prompts', '4');
      await page.press('#measurement-n-prompts', 'Enter');
      await page.waitForFunction(() => /8 to/.test(document.querySelector('#measurement-n-prompts-error')?.textContent ?? ''));
    });
  });

  test('are checked by a program once a task is measured', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'measurement/?n=8&seeds=1' }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      await page.click('#measure-script .study-script');
      await page.waitForFunction(() => /MODEL = "ck-12000\.safetensors"/.test(document.body.textContent));
    });
  });

  test('what cannot be fetched is said, and what is there stays', { skip: SKIP_UNLESS_LONG }, async () => {
    // Parts are asked for at once, so the way is barred before the page is there.
    const before = (context) => context.route('**/sae_controls.safetensors', (route) => route.abort());
    await harness.visit({ address: 'measurement/?n=8&seeds=1', expectedErrors: [/ERR_FAILED/], before }, async ({ page, context }) => {
      await drawn(page);
      await page.waitForFunction(() => /14 of 15 parts are measured; autoencoders is missing/.test(document.querySelector('#measure-status').textContent), null, { timeout: 120_000 });
      await context.unroute('**/sae_controls.safetensors');
      await page.click('#measure-status button');
      await measured(page);
    });
  });
});

describe('one metric', () => {
  test('is opened with its controls, as the command line has it, and follows its knobs', async () => {
    await harness.visit({ address: 'measurement/?n=8&seeds=1&metric=m08' }, async ({ page }) => {
      await drawn(page);
      const rows = await opened(page, 'agreement');
      const of = (rows, subject) => rows.find((row) => row[0].text === subject && row[1].text === 'agreement')[2].text;
      assert.equal(of(rows, 'topk256'), printed('measure', 'm08', '--sae', 'topk256').agreement.toFixed(3));
      assert.equal(of(rows, 'random256'), printed('measure', 'm08', '--sae', 'random256').agreement.toFixed(3));
      assert.ok(await page.isVisible('#measurement-top-k'));
      assert.ok(await page.isHidden('#measurement-task'));
      await page.fill('#measurement-top-k', '10');
      await page.press('#measurement-top-k', 'Enter');
      await page.waitForFunction(() => location.search.includes('k=10'));
      const wanted = printed('measure', 'm08', '--sae', 'topk256', '--top-k', '10').agreement.toFixed(3);
      const until = Date.now() + 60_000;
      for (;;) {
        const { rows: now } = await table(page, 'measure-quantities');
        if (now.length > 0 && of(now, 'topk256') === wanted) break;
        assert.ok(Date.now() < until, 'the other k');
        await page.waitForTimeout(100);
      }
      // A circuit's metric has a task, and no autoencoder.
      await page.selectOption('#measurement-metric', 'ex1');
      await page.waitForFunction(() => location.search.includes('metric=ex1'));
      await opened(page, 'dprime');
      assert.ok(await page.isVisible('#measurement-task'));
      assert.ok(await page.isHidden('#measurement-sae'));
      assert.match(await page.textContent('#measure-said'), /EX1/);
      const reading = await table(page, 'measure-reading');
      assert.equal(reading.rows.length, 5);
      assert.ok(reading.rows.some((row) => row[2].text.includes('found circuit')));
    });
  });
});

test('every edge is cut, and those kept are drawn at every share', async () => {
  await harness.visit({ address: 'measurement/?n=8&seeds=1&task=copy' }, async ({ page }) => {
    await drawn(page);
    await page.click('#measure-edges-start');
    await page.waitForSelector('#measure-edges-result svg', { timeout: 120_000 });
    const found = printed('measure', 'edges', '--task', 'copy', '--prompts', '8');
    const slider = page.locator('#measure-edges-share');
    for (const [at, kept] of found.by_effect.kept.entries()) {
      await slider.fill(String(at));
      assert.equal(await page.locator('#measure-edges-result path').count(), kept);
      const words = (await page.textContent('#measure-edges-result output')) ?? '';
      assert.ok(words.startsWith(`${kept} of 262 edges`), words);
      assert.ok(words.includes(found.by_effect.faithfulness[at].toFixed(3)), words);
    }
    const largest = [...found.edges].sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect))[0];
    const first = await page.$$eval('#measure-edges-result tbody tr:first-child > *', (cells) => cells.map((cell) => cell.textContent));
    assert.equal(first[1], largest.effect.toFixed(3).replace('-', '−'));
  });
});

describe('links, claims and own numbers', () => {
  test('a link is opened as it was shared, and says whether the numbers are the same', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'measurement/?n=8&seeds=1&metric=ex2' }, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await drawn(page);
      await measured(page);
      await page.click('.view[data-view=measurement] .opening button');
      const shared = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(shared, /n=8&seeds=1&metric=ex2&digest=/);
      await page.goto(shared);
      await drawn(page);
      await page.waitForSelector('#measurement-link-proof.agrees', { timeout: 120_000 });
      await page.goto(shared.replace(/digest=\w+-\w+/, 'digest=11111-11111'));
      await page.waitForSelector('#measurement-link-proof.differs', { timeout: 120_000 });
    });
  });

  test('nothing is wider than a phone, and nothing keeps anybody out', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'measurement/?n=8&seeds=1&metric=ex11', width: 390, dark: true }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      await opened(page, 'share detectable');
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, 'measurement-390-dark');
    });
  });

  test('is measured in Firefox to the same digest', { skip: SKIP_UNLESS_LONG }, async () => {
    const wanted = await harness.visit({ address: 'measurement/?n=8&seeds=1' }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      return table(page, 'measure-means');
    });
    const firefox = await startFirefox();
    try {
      await visitFirefox(firefox, harness.url, 'measurement/?n=8&seeds=1', async (page) => {
        await page.waitForFunction(() => /prompts each/.test(document.querySelector('#measure-status')?.textContent ?? ''), { timeout: 180_000 });
        const found = await page.evaluate(async () => {
          const { exportables } = await import('../www/shell/exportables.js');
          return exportables.view.table('measure-means');
        });
        assert.deepEqual(found.rows, wanted.rows);
      });
    } finally {
      await firefox.close();
    }
  });
});
