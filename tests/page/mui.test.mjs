// The page of the Model Utilization Index: the paper's tables at once, the toy model as it is measured, links,
// a reader's own table.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { startFirefox, visit as visitFirefox } from './lib/firefox.mjs';
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
      // The address follows at once, figures and tables when they are drawn.
      /** @param {() => Promise<string | null>} read @param {(text: string) => boolean} wanted @param {string} what */
      const turns = async (read, wanted, what) => {
        const until = Date.now() + 10_000;
        let text = (await read()) ?? '';
        while (!wanted(text)) {
          assert.ok(Date.now() < until, `${what}: ${text}`);
          await page.waitForTimeout(50);
          text = (await read()) ?? '';
        }
        return text;
      };
      const law = () => page.textContent('figure[data-figure=mui-law] figcaption');
      const laws = async () => JSON.stringify((await table(page, 'mui-laws')).rows[0]);
      const ranking = async () => JSON.stringify((await table(page, 'mui-ranking')).rows);
      await page.selectOption('#mui-data-set', 'HumanEval');
      await page.waitForFunction(() => location.search.includes('set=HumanEval'));
      await turns(law, (text) => text.includes('HumanEval'), 'the data set');
      const before = await laws();
      await page.selectOption('#mui-without', 'Vicuna-7B');
      await page.waitForFunction(() => location.search.includes('without=Vicuna-7B'));
      await turns(laws, (text) => text !== before, 'the model left out');
      const usual = await ranking();
      await page.locator('#mui-alpha').fill('1');
      await page.waitForFunction(() => location.search.includes('alpha=1'));
      const other = await turns(ranking, (text) => text !== usual, 'α');
      await page.selectOption('#mui-reference', 'gsm8k');
      await page.waitForFunction(() => location.search.includes('ref=gsm8k'));
      await turns(ranking, (text) => text !== other, 'the reference');
    });
  });
});

describe('the toy model', () => {
  test('is measured once somebody comes near, as the command line measures it', async () => {
    await harness.visit({ address: 'mui/?n=16' }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const { tasks } = printed('mui', '--prompts', '16');
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

  test('the corollaries are asked once somebody comes near, and again under another task', { skip: SKIP_UNLESS_LONG }, async () => {
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
        'mui-models': 5,
        'mui-ranked': 22,
        'mui-features': 12,
      };
      for (const [figure, count] of Object.entries(rows))
        assert.equal((await table(page, figure)).rows.length, count, figure);
      // Above the caption of each: what its numbers say of the claim, as on the command line.
      const { judgements } = printed('mui', 'experiment', 'all', '--prompts', '16');
      for (const { figure, words, found } of judgements) {
        const lines = page.locator(`figure[data-figure=${figure}] .mui-judged`);
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

  test('a link is opened as it was shared, and says whether the numbers are the same', { skip: SKIP_UNLESS_LONG }, async () => {
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

  test('is checked by a program once it is measured', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'mui/?n=8' }, async ({ page }) => {
      await drawn(page);
      await page.click('#mui-script .study-script');
      await page.waitForFunction(() => /one that was measured/.test(document.querySelector('#mui-script').textContent));
      await measured(page);
      await page.click('#mui-script .study-script');
      await page.waitForFunction(() => /MODEL = "ck-12000\.safetensors"/.test(document.body.textContent));
    });
  });

  test('what cannot be fetched is said, and what is there stays', { skip: SKIP_UNLESS_LONG }, async () => {
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
      await page.waitForFunction(() => /layer 2 and neuron 38/.test(document.querySelector('#mui-own-drop-status').textContent));
      // Nothing is scored before the last of them is known, so that the first table is of all three.
      await page.fill('#mui-own-k', '2');
      await page.fill('#mui-own-layers', '3');
      await page.fill('#mui-own-neurons', '40');
      await page.press('#mui-own-neurons', 'Enter');
      await page.waitForSelector('#mui-own-drop-result table');
      const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-mui-'));
      const paths = files.map(({ name, buffer }) => {
        writeFileSync(join(folder, name), buffer);
        return join(folder, name);
      });
      const words = ['mui', 'own', ...paths, '--layers', '3', '--neurons', '40', '--k', '2'];
      const { files: found, steps } = printed(...words);
      const commas = execFileSync(CLI, [...words, '--csv'], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      const shown = await page.$$eval('#mui-own-drop-result .ce-table table', (tables) =>
        tables.map((table) => [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))),
      );
      const percent = (share) => (100 * share).toFixed(2);
      assert.deepEqual(shown[0].map((row) => row[5]), found.map(({ mui }) => percent(mui)));
      assert.deepEqual(shown[0].map((row) => row[8]), ['50.0', '75.0']);
      assert.equal(shown[1][0][5], steps[0].direction);
      assert.equal(shown[1][0][6], percent(steps[0].jaccard));
      // Wide tables scroll within a phone's page.
      const size = /** @type {{ width: number, height: number }} */ (page.viewportSize());
      await page.setViewportSize({ width: 390, height: 844 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      await page.setViewportSize(size);
      // Growth is a figure, which is exported as others are.
      const figure = page.locator('figure[data-figure=mui-own-growth]');
      await figure.scrollIntoViewIfNeeded();
      assert.ok(await figure.isVisible());
      const { columns, rows } = await table(page, 'mui-own-growth');
      const at = columns.findIndex(({ title }) => title === 'a_result.jsonl');
      const growth = rows.filter((row) => row[at].text !== '–').map((row) => [row[0].text, Number(row[at].text).toFixed(1)]);
      assert.deepEqual(growth, found[0].growth.map(({ answers, mui }) => [String(answers), (100 * mui).toFixed(1)]));
      await figure.getByRole('button', { name: /^Export/ }).click();
      const [picture] = await Promise.all([page.waitForEvent('download'), figure.getByRole('menuitem', { name: 'SVG file' }).click()]);
      assert.match(picture.suggestedFilename(), /^sfc-bench-mui-own-growth.*\.svg$/);

      // All of it is taken away as the command line has it.
      /** @param {string} button */
      const saved = async (button) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
        return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
      };
      const json = await saved('#mui-own-json');
      assert.equal(json.name, 'sfc-bench-mui-own.json');
      const kept = JSON.parse(json.text);
      assert.deepEqual(kept.files.map(({ file, ...rest }) => rest), found.map(({ file, ...rest }) => rest));
      assert.deepEqual(kept.steps.map(({ mui }) => mui), steps.map(({ mui }) => mui));
      const csv = await saved('#mui-own-csv');
      assert.equal(csv.name, 'sfc-bench-mui-own.csv');
      assert.deepEqual(
        csv.text.split('\n').map((line) => line.slice(line.indexOf(','))),
        commas.split('\n').map((line) => line.slice(line.indexOf(','))),
      );
    });
  });

  test('a file of many lines shows how far it is, and can be cancelled', { skip: SKIP_UNLESS_LONG }, async () => {
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
      // At once: whoever aims with a mouse scrolls, and the file is read in seconds.
      await page.$eval('#mui-own-drop-status button', (button) => button.click());
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

/** A training of seconds, and how it is asked for on the command line. */
const QUICK = 'mui/?n=8&from=new&on=task&taught=request&steps=24&rate=0.01&layers=1&width=16';
const QUICK_ARGS = ['mui', 'train', '--prompts', '8', '--begin', 'new', '--lessons', 'task', '--taught', 'request', '--steps', '24', '--rate', '0.01', '--layers', '1', '--width', '16'];

describe('a training on the page of MUI', () => {
  /** @param {Page} page @param {RegExp} words */
  const says = (page, words) =>
    page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#mui-train-status')?.textContent ?? ''), words.source, { timeout: 300_000 });
  /** @param {Page} page */
  const near = async (page) => {
    await drawn(page);
    await page.locator('#mui-train').scrollIntoViewIfNeeded();
  };

  test('goes where that of the command line goes, and a link says so', async () => {
    await harness.visit({ address: QUICK }, async ({ page, context }) => {
      await near(page);
      await measured(page);
      assert.match((await table(page, 'mui-trained-tasks')).rows[0][0].text, /nothing is measured yet/);
      await page.click('#mui-train-start');
      await says(page, /^Trained: 48 steps in 2 trainings\.$/);
      const { trained } = printed(...QUICK_ARGS);
      const [taught] = trained;
      const percent = (/** @type {number} */ share) => (100 * share).toFixed(1);
      const { rows } = await table(page, 'mui-trained-looks');
      assert.equal(rows.length, 13);
      for (const [at, row] of rows.entries()) {
        const { step, tasks, fresh } = taught.points[at];
        const own = tasks.find((/** @type {{ task: string }} */ one) => one.task === 'request');
        const cells = [row[0], row[1], row[2], row[4], row[5]].map(({ text }) => text);
        assert.deepEqual(cells, [String(step), ...[own.accuracy, own.mui, fresh.accuracy, fresh.mui].map(percent)]);
      }
      assert.match((await page.textContent('#mui-train-verdict')) ?? '', /^A new model, 1 layer of width 16, 24 steps on request alone, 1 seed\. request is /);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.click('.view[data-view=mui] .opening button');
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(link, /digest=\w{5}-\w{5}-\w{5}/);
      const other = await context.newPage();
      await other.goto(link);
      await near(other);
      await measured(other);
      await other.waitForSelector('#mui-link-proof.agrees');
      assert.match((await other.textContent('#mui-link-proof')) ?? '', /Not done here yet: the training\./);
      await other.click('#mui-train-start');
      await says(other, /^Trained/);
      await other.waitForFunction(() => !/Not done here/.test(document.querySelector('#mui-link-proof')?.textContent ?? ''));
      assert.ok(await other.isVisible('#mui-link-proof.agrees'));
      await other.close();
    });
  });

  test('rests, goes on after the page was left, and comes to the same', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: QUICK.replace('steps=24', 'steps=360') }, async ({ page }) => {
      await near(page);
      await page.click('#mui-train-start');
      await page.waitForFunction(() => /^[1-9][\d,]* of 720 steps of 2 trainings/.test(document.querySelector('#mui-train-status')?.textContent ?? ''));
      await page.click('#mui-train-pause');
      await says(page, /^Paused: [\d,]+ of 720 steps are taken\.$/);
      assert.equal(await page.textContent('#mui-train-start'), 'Go on');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'mui-train-start');
      await page.waitForFunction(() => /kept in this browser/.test(document.querySelector('#mui-training-unfinished')?.textContent ?? ''));
      await page.reload();
      await near(page);
      await page.locator('#mui-training-unfinished').getByRole('button', { name: 'Go on' }).click();
      await says(page, /^Trained: 720 steps in 2 trainings\.$/);
      const { trained } = printed(...QUICK_ARGS.map((word) => (word === '24' ? '360' : word)), '--alone');
      const { rows } = await table(page, 'mui-trained-looks');
      const last = trained[0].points.at(-1);
      const own = last.tasks.find((/** @type {{ task: string }} */ one) => one.task === 'request');
      assert.deepEqual(
        rows.at(-1).slice(0, 3).map((/** @type {{ text: string }} */ cell) => cell.text),
        ['360', ...[own.accuracy, own.mui].map((share) => (100 * share).toFixed(1))],
      );
      const [download] = await Promise.all([page.waitForEvent('download'), page.press('#mui-train-save', 'Enter')]);
      assert.equal(download.suggestedFilename(), 'little-new-task-request-seed0-step360.safetensors');
    });
  });

  test('waits where other settings are wanted, is cancelled, and presets fill the form', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: QUICK.replace('steps=24', 'steps=20000') }, async ({ page }) => {
      await near(page);
      await page.click('#mui-train-start');
      await page.waitForFunction(() => /^[1-9][\d,]* of 40,000/.test(document.querySelector('#mui-train-status')?.textContent ?? ''));
      const steps = async (/** @type {string} */ count) => {
        await page.fill('#mui-steps', count);
        await page.press('#mui-steps', 'Tab');
      };
      await steps('19999');
      await says(page, /^Not begun yet\.$/);
      await steps('20000');
      await says(page, /^Paused: [\d,]+ of 40,000 steps are taken\.$/);
      await page.click('#mui-train-cancel');
      await says(page, /^Not begun yet\.$/);
      assert.match((await table(page, 'mui-trained-tasks')).rows[0][0].text, /nothing is measured yet/);
      await page.getByRole('button', { name: 'One task alone' }).click();
      assert.equal(await page.inputValue('#mui-taught'), 'sum3');
      assert.equal(await page.inputValue('#mui-begin'), 'ck-12000');
      assert.ok(await page.isHidden('#mui-width'));
      await page.fill('#mui-steps', '20001');
      await page.waitForFunction(() => document.querySelector('#mui-steps')?.getAttribute('aria-invalid') === 'true');
    });
  });
});

describe('the page of MUI', () => {
  test('is readable by everybody, and fits a phone', { skip: SKIP_UNLESS_LONG }, async () => {
    for (const [width, dark] of selectMembers(/** @type {const} */ ([[390, true], [1440, false], [390, false], [1440, true]])))
      await harness.visit({ address: 'mui/?n=8', width, dark, touch: width === 390 }, async ({ page }) => {
        await drawn(page);
        await measured(page);
        await page.locator('#mui-asked').scrollIntoViewIfNeeded();
        await page.waitForFunction(() => /^At ck-12000/.test(document.querySelector('#mui-asked-status')?.textContent ?? ''));
        await page.locator('#mui-train').scrollIntoViewIfNeeded();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, `${width}: the page scrolls sideways`);
        const twice = await page.$$eval('[id]', (all) => all.map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at));
        assert.deepEqual(twice, [], 'every id is one element’s');
        if (width === 390 || !dark) assert.deepEqual(await runAxe(page), []);
        await page.evaluate(() => scrollTo(0, 0));
        await screenshot(page, `mui-${width}${dark ? '-dark' : ''}`);
      });
  });

  test('is gone through by the keyboard: a law without a model, a slider, a training', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ address: QUICK }, async ({ page }) => {
      await drawn(page);
      await page.focus('#mui-without');
      await page.keyboard.press('ArrowDown');
      await page.waitForFunction(() => new URL(location.href).searchParams.has('without'));
      await page.focus('#mui-alpha');
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => new URL(location.href).searchParams.has('alpha'));
      await page.focus('#mui-train-start');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'mui-train-pause');
      await page.waitForFunction(() => /^Trained/.test(document.querySelector('#mui-train-status')?.textContent ?? ''), null, { timeout: 120_000 });
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'mui-train-save');
    }));
});

test('Firefox derives, measures and trains, too', { skip: SKIP_UNLESS_LONG }, async () => {
  const browser = await startFirefox();
  try {
    await visitFirefox(browser, harness.url, QUICK, async (page) => {
      await page.waitForSelector('.view[data-view=mui][data-state=ready]');
      await page.$eval('#mui-model', (section) => {
        section.closest('details')?.setAttribute('open', '');
        section.scrollIntoView();
      });
      await page.waitForFunction(() => /checkpoints, ten tasks/.test(document.querySelector('#mui-model-status')?.textContent ?? ''));
      await page.$eval('#mui-train-start', (/** @type {HTMLElement} */ button) => button.click());
      await page.waitForFunction(() => /^Trained: 48 steps/.test(document.querySelector('#mui-train-status')?.textContent ?? ''), { timeout: 120_000 });
      const { trained } = printed(...QUICK_ARGS, '--alone');
      const own = trained[0].points.at(-1).tasks.find((/** @type {{ task: string }} */ one) => one.task === 'request');
      const cells = await page.evaluate(async () => {
        const { exportables } = await import('../www/shell/exportables.js');
        return exportables.view.table('mui-trained-looks').rows.at(-1).slice(0, 3).map((/** @type {{ text: string }} */ cell) => cell.text);
      });
      assert.deepEqual(cells, ['24', ...[own.accuracy, own.mui].map((share) => (100 * share).toFixed(1))]);
    });
  } finally {
    await browser.close();
  }
});
