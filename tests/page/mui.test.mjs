// The page of the Model Utilization Index: the paper's tables at once, the little model as it is measured, links,
// a reader's own table.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { start } from './lib/harness.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const drawn = (page) => page.waitForSelector('.view[data-view=mui][data-state=ready]');
/** @param {Page} page @param {string} figure the figure's data as text */
const table = (page, figure) =>
  page.evaluate(async (figure) => {
    const { exportables } = await import('../www/shell/exportables.js');
    return exportables.view.table(figure);
  }, figure);
/** @param {Page} page */
const measured = async (page) => {
  await page.locator('#mui-model').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => /checkpoints, ten tasks/.test(document.querySelector('#mui-model-status').textContent));
};
/** @param {...string} args */
const printed = (...args) =>
  JSON.parse(execFileSync(CLI, [...args, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));

describe('what follows from print', () => {
  test('is there before any weights are asked for, and as the command line has it', async () => {
    await harness.visit({ address: 'mui/' }, async ({ page }) => {
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await drawn(page);
      const { claims, cells } = printed('mui', 'tables');
      assert.equal(await page.locator('#mui-claims-list > li').count(), claims.length);
      const agree = cells.filter(({ agrees }) => agrees).length;
      assert.match(await page.textContent('#mui-headline'), new RegExp(`^${agree} of ${cells.length} `));
      const said = await page.$$eval('#mui-claims-list > li', (items) => items.map((item) => item.textContent ?? ''));
      for (const [at, { found }] of claims.entries()) assert.ok(said[at].includes(found), found);
      const { rows } = await table(page, 'mui-differs');
      assert.equal(rows.length, cells.length - agree);
      assert.deepEqual(asked.filter((url) => url.endsWith('.safetensors')), []);
    });
  });

  test('follows the data set, the model left out, α and the reference', async () => {
    await harness.visit({ address: 'mui/' }, async ({ page }) => {
      await drawn(page);
      const summary = (figure) => page.textContent(`figure[data-figure=${figure}] figcaption`);
      await page.selectOption('#mui-data-set', 'HumanEval');
      await page.waitForFunction(() => location.search.includes('set=HumanEval'));
      assert.match(await summary('mui-law'), /HumanEval/);
      const before = (await table(page, 'mui-laws')).rows[0];
      await page.selectOption('#mui-without', 'Vicuna-7B');
      await page.waitForFunction(() => location.search.includes('without=Vicuna-7B'));
      const after = (await table(page, 'mui-laws')).rows[0];
      assert.notDeepEqual(after, before);
      const ranking = async () => JSON.stringify((await table(page, 'mui-ranking')).rows);
      const usual = await ranking();
      await page.locator('#mui-alpha').fill('1');
      await page.waitForFunction(() => location.search.includes('alpha=1'));
      const other = await ranking();
      assert.notEqual(other, usual);
      await page.selectOption('#mui-reference', 'gsm8k');
      await page.waitForFunction(() => location.search.includes('ref=gsm8k'));
      assert.notEqual(await ranking(), other);
    });
  });
});

describe('the little model', () => {
  test('is measured once somebody comes near, as the command line measures it', async () => {
    await harness.visit({ address: 'mui/?n=32' }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const { tasks } = printed('mui', '--prompts', '32');
      const { rows } = await table(page, 'mui-tasks');
      const shown = rows.map((row) => row.map(({ text }) => text));
      assert.deepEqual(shown.map(([task]) => task).sort(), Object.keys(tasks).sort());
      for (const [task, ...numbers] of shown) {
        const { accuracy, mui, mui_correct: right } = tasks[task];
        const wanted = [accuracy, mui, right].map((share) => (100 * share).toFixed(1));
        assert.deepEqual(numbers.slice(0, 3), wanted, task);
      }
      // By steps, in whichever order they came.
      const steps = (await table(page, 'mui-model-steps')).rows.map(([cell]) => cell.text);
      assert.deepEqual(steps, ['94 → 188', '188 → 375', '375 → 750', '750 → 1,500', '1,500 → 3,000', '3,000 → 6,000', '6,000 → 12,000']);
      const laws = (await table(page, 'mui-model-laws')).rows;
      assert.equal(laws.length, 10);
      // Another threshold is another measurement; the former one is not lost.
      await page.selectOption('#mui-threshold', 'topscore');
      assert.ok(await page.isHidden('#mui-k'));
      await measured(page);
      assert.notDeepEqual((await table(page, 'mui-tasks')).rows, rows);
      await page.selectOption('#mui-threshold', 'topk');
      await page.waitForFunction(() => document.querySelector('#mui-k')?.checkVisibility());
      await measured(page);
      assert.deepEqual((await table(page, 'mui-tasks')).rows, rows);
    });
  });

  test('the corollaries are asked once somebody comes near, and again under another task', async () => {
    await harness.visit({ address: 'mui/?n=16' }, async ({ page }) => {
      await drawn(page);
      assert.match((await table(page, 'mui-masking')).rows[0][0].text, /nothing is measured yet/);
      await page.locator('#mui-asked').scrollIntoViewIfNeeded();
      const asked = () =>
        page.waitForFunction(() => /^At ck-12000/.test(document.querySelector('#mui-asked-status')?.textContent ?? ''));
      await asked();
      const rows = {
        'mui-diversity': 5,
        'mui-domains': 5,
        'mui-parts': 5,
        'mui-difficulty': 16,
        'mui-length': 4,
        'mui-masking': 7,
        'mui-selection': 12,
        'mui-ways': 13,
        'mui-contamination': 3,
        'mui-correctness': 3,
        'mui-features': 12,
      };
      for (const [figure, count] of Object.entries(rows))
        assert.equal((await table(page, figure)).rows.length, count, figure);
      // Above the caption of each: what its numbers say of the claim, as on the command line.
      const { judgements } = printed('mui', 'experiment', 'all', '--prompts', '16');
      for (const { figure, words, found } of judgements) {
        const lines = page.locator(`figure[data-figure=${figure}] > .mui-judged`);
        assert.equal(await lines.count(), 1, figure);
        assert.ok((await lines.textContent())?.includes(`${words}: ${found}.`), figure);
      }
      assert.equal(await page.locator('.mui-judged').count(), judgements.length);
      const before = (await table(page, 'mui-masking')).rows;
      await page.selectOption('#mui-task', 'sum');
      await page.waitForFunction(() => /opened at sum/.test(document.querySelector('#mui-asked-status')?.textContent ?? ''));
      assert.notDeepEqual((await table(page, 'mui-masking')).rows, before);
    });
  });

  test('a link is opened as it was shared, and says whether the numbers are the same', async () => {
    await harness.visit({ address: 'mui/?task=sum&n=16' }, async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await drawn(page);
      await measured(page);
      await page.click('.view[data-view=mui] .opening button');
      const shared = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(shared, /task=sum&n=16&digest=/);
      await page.goto(shared);
      await drawn(page);
      await page.waitForSelector('#mui-link-proof.agrees');
      await page.goto(shared.replace(/digest=\w+-\w+/, 'digest=11111-11111'));
      await page.waitForSelector('#mui-link-proof.differs');
    });
  });

  test('is checked by a program once it is measured', async () => {
    await harness.visit({ address: 'mui/?n=8' }, async ({ page }) => {
      await drawn(page);
      await page.click('#mui-script .study-script');
      await page.waitForFunction(() => /one that was measured/.test(document.querySelector('#mui-script').textContent));
      await measured(page);
      await page.click('#mui-script .study-script');
      await page.waitForFunction(() => /MODEL = "ck-12000\.safetensors"/.test(document.body.textContent));
    });
  });

  test('what cannot be fetched is said, and what is there stays', async () => {
    await harness.visit({ address: 'mui/?n=8', expectedErrors: [/ERR_FAILED/] }, async ({ page }) => {
      await page.route('**/ck-00188.safetensors', (route) => route.abort());
      await drawn(page);
      await page.locator('#mui-model').scrollIntoViewIfNeeded();
      await page.waitForFunction(() => /12 of 13 checkpoints are measured/.test(document.querySelector('#mui-model-status').textContent));
      assert.equal((await table(page, 'mui-tasks')).rows.length, 10);
      await page.unroute('**/ck-00188.safetensors');
      await page.click('#mui-model-status button');
      await measured(page);
    });
  });
});

describe('a reader’s own neurons', () => {
  /** @param {Page} page @param {{ name: string, mimeType: string, buffer: Buffer }[]} files */
  const give = (page, files) => page.setInputFiles('#mui-own-drop-files', files);
  /** @param {string} name @param {string} text */
  const file = (name, text) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  /** Answers a line, of layers of 40 neurons, scores falling with the number. @param {number} shift @param {boolean[]} right */
  const lines = (shift, right) =>
    right
      .map((correct, at) => {
        const neurons = Array.from({ length: 9 }, (_, n) => ({ layer: n % 3, position: 0, neuron: (shift * at + 5 * n) % 40, score: 9 - n }));
        return JSON.stringify({ prompt: 'p', response: 'r', top_neurons: neurons, correct });
      })
      .join('\n');

  test('are read as on the command line, asked for what no file says, and compared', async () => {
    await harness.visit({ address: 'mui/' }, async ({ page }) => {
      await drawn(page);
      const files = [
        file('a_result.jsonl', lines(1, [true, false, false, true])),
        file('b_result.jsonl', lines(3, [true, true, true, false])),
      ];
      await give(page, files);
      await page.waitForFunction(() => /layer 2 and neuron 39/.test(document.querySelector('#mui-own-drop-status').textContent));
      await page.fill('#mui-own-layers', '3');
      await page.fill('#mui-own-neurons', '40');
      await page.fill('#mui-own-k', '2');
      await page.press('#mui-own-k', 'Enter');
      await page.waitForSelector('#mui-own-drop-result table');
      const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-mui-'));
      const paths = files.map(({ name, buffer }) => {
        writeFileSync(join(folder, name), buffer);
        return join(folder, name);
      });
      const { files: found, steps } = printed('mui', 'own', ...paths, '--layers', '3', '--neurons', '40', '--k', '2');
      rmSync(folder, { recursive: true });
      const shown = await page.$$eval('#mui-own-drop-result table', (tables) =>
        tables.map((table) => [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))),
      );
      const percent = (share) => (100 * share).toFixed(2);
      assert.deepEqual(shown[0].map((row) => row[5]), found.map(({ mui }) => percent(mui)));
      assert.deepEqual(shown[0].map((row) => row[8]), ['50.0', '75.0']);
      assert.equal(shown[1][0][5], steps[0].direction);
      assert.equal(shown[1][0][6], percent(steps[0].jaccard));
      const growth = shown[2].map(([answers, mui]) => [Number(answers), mui]);
      assert.deepEqual(growth, found[0].growth.map(({ answers, mui }) => [answers, percent(mui)]));
    });
  });

  test('a file of many lines shows how far it is, and can be cancelled', async () => {
    await harness.visit({ address: 'mui/' }, async ({ page }) => {
      await drawn(page);
      await page.fill('#mui-own-layers', '3');
      await page.fill('#mui-own-neurons', '40');
      // The file is made on the page: 160 MB are not sent to it.
      await page.evaluate((line) => {
        const many = new Blob(Array.from({ length: 160 }, () => `${line}\n`.repeat(1500)));
        const given = new DataTransfer();
        given.items.add(new File([many], 'many.jsonl'));
        const input = /** @type {HTMLInputElement} */ (document.querySelector('#mui-own-drop-files'));
        input.files = given.files;
        input.dispatchEvent(new Event('change'));
      }, lines(1, [true]));
      await page.waitForFunction(() => Number(document.querySelector('#mui-own-drop-status progress').value) > 0);
      await page.click('#mui-own-drop-status button');
      await page.waitForFunction(() => /Cancelled/.test(document.querySelector('#mui-own-drop-status').textContent));
      await give(page, [file('one.jsonl', lines(1, [true]))]);
      await page.waitForSelector('#mui-own-drop-result table');
    });
  });
});

describe('a reader’s own table', () => {
  test('is fitted as on the command line, and refused with its reason', async () => {
    await harness.visit({ address: 'mui/' }, async ({ page }) => {
      await drawn(page);
      const give = (text) =>
        page.setInputFiles('#mui-own-drop-files', { name: 'models.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await give('model,accuracy,mui\na,11.9,5.4\nb,25.8,3.8\nc,58.7,3.0\n');
      await page.waitForSelector('#mui-own-drop-result table');
      assert.match(await page.textContent('#mui-own-drop-result'), /falls with rising performance: MUI = −1\.\d{3} ln P/);
      await give('model,accuracy,mui\na,0,5.4\n');
      await page.waitForFunction(() => /line 2, performance/.test(document.querySelector('#mui-own-drop-status').textContent));
    });
  });
});
