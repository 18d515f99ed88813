// The audit's page: the table as parts come, other limits without measuring, filters, one metric opened, links, reports.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Of one world and two seeds, in seconds: long enough to be seen coming. */
const SUPERPOSITION = 'audit/?seeds=2&world=superposition';
/** In less than one. */
const QUICK = 'audit/?seeds=2&world=planted';
/** The same by the first edition, whose words two seeds can change. */
const FIRST = `${QUICK}&ed=1`;
/** The second edition has so many worlds. */
const WORLDS = 7;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const drawn = (page) => page.waitForSelector('.view[data-view=audit][data-state=ready]');
/** @param {Page} page */
const measured = (page) =>
  page.waitForFunction(() => /^All \d+ parts are measured/.test(document.querySelector('#audit-status').textContent), null, {
    timeout: 240_000,
  });
/** @param {Page} page @param {string} figure the figure's data as text */
const table = (page, figure) =>
  page.evaluate(async (figure) => {
    const { exportables } = await import('../www/shell/exportables.js');
    return exportables.view.table(figure);
  }, figure);
/** The figure's cells. @param {Page} page */
const words = async (page) => (await table(page, 'audit-table')).rows.map((row) => row.map(({ text }) => text));
/** How many tasks workers were given since the page was opened. @param {Page} page */
const posted = (page) => page.evaluate(() => /** @type {any} */ (globalThis).posted);
/** Counts what is asked of workers. @param {import('playwright-core').BrowserContext} context */
const counting = (context) =>
  context.addInitScript(() => {
    const g = /** @type {any} */ (globalThis);
    g.posted = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (JSON.stringify(message?.task ?? message)?.includes('study_measure')) g.posted += 1;
      return post.call(this, message, ...rest);
    };
  });
/** What is announced of the address. @param {Page} page @param {string} part */
const says = (page, part) => page.waitForFunction((part) => location.search.includes(part), part);

describe('of one world and two seeds, the page', () => {
  const on = sharePage(() => harness.open({ address: SUPERPOSITION, before: counting, reducedMotion: true }), drawn);

  test('streams in, is the command line’s, and says of every metric seven words', on(async ({ page }) => {
    const first = await page.waitForFunction(() => /\b1 of 2 parts/.test(document.querySelector('#audit-headline').textContent));
    assert.ok(first);
    await measured(page);
    const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-audit-'));
    try {
      const args = ['audit', '--seeds', '2', '--world', 'superposition', '--json'];
      const said = JSON.parse(execFileSync(CLI, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
      const here = await page.evaluate(async () => {
        const { exportables } = await import('../www/shell/exportables.js');
        const { view } = exportables;
        return { digest: view.digest(), report: JSON.parse(view.json()), table: view.audit_table() };
      });
      assert.equal(here.digest, said.digest);
      const plain = (/** @type {any} */ { jobs }) =>
        jobs.map(({ job, rows }) => [job, rows.map(({ subject, truth, values }) => [subject, truth, values.map(({ metric, value }) => [metric, value])])]);
      assert.deepEqual(plain(here.report), plain(said));
      // Words that do not hang on a machine's clock are the same.
      const kept = (/** @type {any} */ { entries }) =>
        entries.map(({ metric, cells }) => [metric, cells.filter(({ column }) => column !== 'cost').map(({ word, says }) => [word, says])]);
      assert.deepEqual(kept(here.table), kept(said.table));
      assert.equal((await words(page)).length, said.table.entries.length);
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const row of await words(page)) assert.equal(row.length, 10, row.join());
    assert.match((await page.textContent('#audit-headline')) ?? '', /^(None|\d+) of \d+ readings of \d+ metrics pass(es)? all three basic tests/);
  }));

  test('is shown as text in place of its picture', on(async ({ page }) => {
    const figure = page.locator('figure[data-figure=audit-table]');
    await figure.getByRole('button', { name: /^Table: / }).click();
    const text = figure.locator('.as-text:not(.visually-hidden) table');
    await text.waitFor();
    const [inside, around] = await Promise.all([text.boundingBox(), figure.boundingBox()]);
    assert.ok(inside.height > 1_000 && around.height >= inside.height, `${inside.height} in ${around.height}`);
    await figure.getByRole('button', { name: /^Table: / }).click();
    await figure.locator('canvas').waitFor();
  }));

  test('one metric is opened by a click on its row, by keyboard and by its name', on(async ({ page }) => {
    await measured(page);
    const canvas = page.locator('[data-figure=audit-table] canvas');
    await canvas.scrollIntoViewIfNeeded();
    await page.waitForSelector('[data-figure=audit-table] .tip', { state: 'attached' });
    const { width, height } = /** @type {{ width: number, height: number }} */ (await canvas.boundingBox());
    await canvas.hover({ position: { x: 0.5 * width, y: 0.12 * height } });
    const tip = page.locator('[data-figure=audit-table] .tip');
    await tip.waitFor();
    const title = (await tip.locator('strong').textContent()) ?? '';
    // The number with its interval, where there is one.
    assert.match(title, /: (discrimination|validity|invariance)$/);
    assert.match((await tip.textContent()) ?? '', /\d/);
    await canvas.click({ position: { x: 0.1 * width, y: 0.12 * height } });
    await says(page, 'metric=');
    const name = (await page.textContent('#audit-said h3')) ?? '';
    assert.equal(title.split(': ')[0], name);
    assert.equal(await page.$eval('#audit-metric', (select) => select.selectedOptions[0].textContent), name);
    assert.ok((await page.$eval('#audit-one', (one) => one.getBoundingClientRect().top)) < 400);
    assert.match((await page.textContent('[data-figure=audit-controls] .figure-title')) ?? '', new RegExp(`^${name.replace(/[()]/g, '\\$&')}`));
    assert.deepEqual(await page.$$eval('#audit-said dt', (all) => all.map(({ textContent }) => textContent)), [
      ...['Is', 'Takes', 'Passes', 'Reliability', 'Discrimination', 'Validity', 'Invariance', 'Reach', 'Redundancy', 'Cost'],
    ]);
    // By keyboard: the picture has the focus, arrows read marks out, Enter opens.
    await canvas.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const first = (await words(page))[0]?.[0];
    await page.waitForFunction((first) => document.querySelector('#audit-said h3')?.textContent === first, first);
    await page.selectOption('#audit-metric', 'sfc.s');
    await says(page, 'metric=sfc.s');
    assert.match((await page.textContent('#audit-said h3')) ?? '', /^sparsity/i);
    assert.ok((await table(page, 'audit-seeds')).rows.length > 10);
  }));

  test('readings of one metric are told apart', on(async ({ page }) => {
    const names = await page.$$eval('#audit-metric option', (all) => all.map(({ textContent }) => textContent));
    assert.ok(names.length > 40);
    assert.equal(new Set(names).size, names.length);
  }));

  test('a report is saved, opened again, compressed too, and left', on(async ({ page }) => {
    await measured(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#audit-save')]);
    const cells = await words(page);
    // The command line judges it, too, and packs it as the site has it.
    const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-audit-'));
    const [plain, packed] = ['report.json', 'there.json.gz'].map((name) => join(folder, name));
    await download.saveAs(plain);
    const out = execFileSync(CLI, ['audit', '--world', 'superposition', '--from', plain, '--pack', packed, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal(JSON.parse(out).table.entries.length, cells.length);
    await page.selectOption('#audit-world', 'scores');
    await says(page, 'world=scores');
    await measured(page);
    assert.notDeepEqual(await words(page), cells);
    const asked = await posted(page);
    for (const [file, from] of [
      [plain, /^From report\.json, measured elsewhere, in [\d.]+ m?s of one thread\./],
      [packed, /^From there\.json\.gz, measured on .* threads, in [\d.]+ m?s of one thread\./],
    ]) {
      await page.setInputFiles('#audit-file', file);
      await page.waitForFunction((from) => from.test(document.querySelector('#audit-status').textContent), from);
    }
    rmSync(folder, { recursive: true });
    // What is packed keeps every value to the last bit, and times to three digits.
    const timeless = (/** @type {string[][]} */ cells) => cells.map((row) => row.with(8, ''));
    assert.deepEqual(timeless(await words(page)), timeless(cells));
    assert.equal(await page.inputValue('#audit-world'), 'superposition');
    assert.equal(await posted(page), asked, 'nothing is measured for it');
    await page.click('#audit-status button');
    // A part a seed and a world of the second edition.
    const parts = Number(await page.inputValue('#audit-seeds')) * WORLDS;
    await page.waitForFunction(
      (part) => document.querySelector('#audit-status').textContent.includes(part),
      `of ${parts} parts measured`,
    );
    await page.setInputFiles('#audit-file', [{ name: 'odd.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') }]);
    await page.waitForFunction(() => /^odd\.json cannot be opened: report: missing field/.test(document.querySelector('#audit-report-status').textContent));
  }));

  test('the full report of each edition is opened, with its own limits, and the protocol is there', on(async ({ page }) => {
    for (const { button, title } of [
      { button: '#audit-full', title: /^None of \d+ readings of \d+ metrics passes/ },
      { button: '#audit-full-first', title: /^First edition, kept to be read/ },
    ]) {
      assert.ok(await page.getAttribute(button, 'data-report'));
      await page.$eval(button, (it) => it.click());
      await page.waitForFunction((from) => new RegExp(from).test(document.querySelector('#audit-headline').textContent), title.source, {
        timeout: 60_000,
      });
      // Limits that the edition does not have are not there.
      const hidden = ['1', '2'].map((edition) => page.$eval(`#audit-rule-${edition}`, (form) => form.hidden));
      assert.deepEqual(await Promise.all(hidden), button === '#audit-full' ? [true, false] : [false, true]);
    }
    const protocol = await page.evaluate(async () => (await fetch('protocol.md')).text());
    assert.match(protocol, /^# The audit: protocol/);
  }));
});

describe('the table', () => {
  test('other limits change words, and other weights their order, without measuring', async () => {
    await harness.visit({ address: FIRST, before: counting }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      assert.equal(await posted(page), 2);
      const former = await words(page);
      await page.click('summary:has-text("Limits of the verdicts")');
      await page.fill('#audit-cv', '0');
      await page.press('#audit-cv', 'Enter');
      await says(page, 'cv=0');
      const now = await words(page);
      const holds = (/** @type {string[][]} */ rows) => rows.filter(([, , reliability]) => reliability.startsWith('Passes')).length;
      assert.ok(holds(now) < holds(former), `${holds(now)} of ${holds(former)}`);
      // A limit that there cannot be is refused, and what is shown stays.
      await page.fill('#audit-auc', '2');
      await page.press('#audit-auc', 'Enter');
      await page.waitForFunction(() => /0\.5/.test(document.querySelector('#audit-auc-error')?.textContent ?? ''));
      assert.deepEqual(await words(page), now);
      await page.fill('#audit-auc', '0.9');
      await page.click('summary:has-text("Weights of the columns")');
      const order = now.map(([name]) => name);
      await page.$eval('#audit-weigh-validity', (slider) => {
        slider.value = '0';
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      });
      await says(page, 'w3=0');
      assert.notDeepEqual((await words(page)).map(([name]) => name), order);
      assert.equal(await posted(page), 2);
    });
  });

  test('is filtered and put into another order', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: QUICK }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const all = await words(page);
      await page.selectOption('#audit-paper', 'sfc');
      await says(page, 'paper=sfc');
      const own = await words(page);
      assert.ok(own.length > 0 && own.length < all.length);
      assert.deepEqual([...new Set(own.map(([, paper]) => paper))], ['SFC-Score']);
      await page.selectOption('#audit-paper', 'all');
      await page.selectOption('#audit-asks', 'validity');
      await says(page, 'asks=validity');
      const valid = await words(page);
      assert.ok(valid.length < all.length);
      for (const [name, , , , validity] of valid) assert.match(validity, /^(Passes|Partial)/, name);
      await page.selectOption('#audit-asks', 'all');
      await page.selectOption('#audit-sort', 'reliability');
      await says(page, 'sort=reliability');
      const ranks = [
        ...['Separates', 'Passes', 'Differs, overlaps', 'Partial', 'Inconclusive', 'Fails', 'Reversed', 'Tied'],
        ...['Equal by construction', 'Not applicable'],
      ];
      const found = (await words(page)).map(([, , word]) => ranks.findIndex((rank) => word.startsWith(rank)));
      assert.deepEqual(found, [...found].sort((a, b) => a - b));
      // Nothing that one has may be enough.
      await page.selectOption('#audit-has', 'scores');
      await page.selectOption('#audit-paper', 'ce-bench');
      await says(page, 'has=scores');
      assert.match((await page.textContent('#audit-said')) ?? '', /No metric is left/);
    });
  });

  test('what is cancelled is kept, is said to be a part, and is gone on with', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: 'audit/?seeds=4&world=planted', before: counting }, async ({ page }) => {
      await drawn(page);
      await page.waitForFunction(() => /\b[12] of 4 parts measured, about .* left/.test(document.querySelector('#audit-status').textContent));
      await page.click('#audit-status button');
      await page.waitForFunction(() => /^Cancelled: \d of 4 parts are measured/.test(document.querySelector('#audit-status').textContent));
      const [, done] = /^Cancelled: (\d)/.exec((await page.textContent('#audit-status')) ?? '') ?? [];
      await page.waitForFunction(
        (all) => document.querySelector('#audit-headline').textContent === all,
        `${done} of 4 parts are measured. The summary follows when all are.`,
      );
      assert.ok((await words(page)).some((row) => /^(Passes|Partial|Fails)/.test(row[8] ?? '')));
      // Nobody is advised by a part.
      assert.match((await page.textContent('#audit-choose-answer')) ?? '', /Let the audit below end first/);
      await page.waitForFunction(
        (part) => document.querySelector('[data-figure=audit-table] canvas').ariaLabel.includes(part),
        `${done} of 4 parts`,
      );
      const asked = await posted(page);
      await page.click('#audit-status button');
      await measured(page);
      assert.ok((await posted(page)) - asked <= 4 - Number(done), 'what is there is not measured again');
      assert.doesNotMatch((await page.textContent('#audit-headline')) ?? '', /parts/);
    });
  });
});

describe('the chooser', () => {
  test('answers in two sentences and opens its evidence, of the report that stands there without being asked for', async () => {
    await harness.visit({ address: 'audit/', unasked: true, reducedMotion: true }, async ({ page }) => {
      await drawn(page);
      await page.waitForFunction(() => /^From the report of ten models, measured on /.test(document.querySelector('#audit-status').textContent));
      assert.equal(await page.evaluate(() => location.search), '', 'the address says what was asked for');
      assert.match((await page.textContent('#audit-headline')) ?? '', /^None of \d+ readings of \d+ metrics passes all three/);
      const rows = await page.$$eval('.count-table tbody tr', (all) => all.map((row) => [...row.children].map((cell) => parseInt(cell.textContent ?? '', 10))));
      assert.deepEqual(rows.map(([, all, some]) => all >= some && some >= 0), [true, true, true, true]);
      const answer = async () => (await page.textContent('#audit-choose-answer')) ?? '';
      // What is enough to be measured with activations alone is not enough to be advised.
      assert.match(await answer(), /^No metric is advised: of \d+ readings that you can measure, \d+ track the ground truths and \d+ separate /);
      assert.equal(await page.isVisible('#audit-choose-evidence'), false);
      await page.selectOption('#audit-choose-has', 'judge');
      const three = await answer();
      assert.match(three, /controls\. /);
      await page.fill('#audit-choose-seeds', '12');
      await page.press('#audit-choose-seeds', 'Enter');
      assert.notEqual(await answer(), three);
      assert.match(await answer(), /12 seeds/);
      await page.click('#audit-choose-evidence');
      await says(page, 'metric=');
      const name = (await page.textContent('#audit-said h3')) ?? '';
      assert.ok((await answer()).includes(name.replace(/ \((text|code|ours)\)$/, '')), `${name}: ${await answer()}`);
    });
  });
});

describe('links and reports', () => {
  test('a link is opened as it was shared, and says whether the numbers are the same', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: `${QUICK}&metric=sfc.s&cv=0.2`, permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      await page.click('.view[data-view=audit] .opening button');
      const shared = await page.evaluate(() => navigator.clipboard.readText());
      for (const part of ['seeds=2', 'world=planted', 'metric=sfc.s', 'cv=0.2', 'digest=']) assert.ok(shared.includes(part), shared);
      await page.goto(shared);
      await drawn(page);
      await page.waitForSelector('#audit-link-proof.agrees');
      assert.equal(await page.inputValue('#audit-cv'), '0.2');
      await page.goto(shared.replace(/digest=[\w-]+/, (found) => found.replace(/=\w{5}/, '=11111')));
      await page.waitForSelector('#audit-link-proof.differs');
      assert.match((await page.textContent('#audit-link-proof')) ?? '', /decompositions differs/);
    });
  });

  test('figures are exported in every format', { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: QUICK }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const figure = page.locator('[data-figure=audit-table]');
      await figure.getByRole('button', { name: /^Export/ }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), figure.getByRole('menuitem', { name: 'CSV file' }).click()]);
      const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
      assert.equal(lines.length, (await words(page)).length + 1);
      assert.match(lines[0] ?? '', /Validity/);
      const [tex, md, json] = await page.evaluate(async () => {
        const { exportables } = await import('../www/shell/exportables.js');
        return ['tex', 'md', 'json'].map((format) => exportables.view.export_text('audit-table', format, 720, false));
      });
      assert.match(tex, /\\begin\{tabular\}/);
      assert.match(md, /^\|/m);
      assert.equal(JSON.parse(json).settings.world, 'planted');
    });
  });

  test('autoencoders of a reader are audited as on the command line, saved, opened again, and left', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sfc-bench-audit-own-'));
    const of = (/** @type {number} */ seed) => join(folder, 'runs', `seed_${seed}`, 'topk');
    for (const seed of [0, 1])
      execFileSync(CLI, ['train', '--seed', String(seed), '--steps', '100', '--rows', '400', '--out', of(seed)]);
    const args = ['audit', '--own', of(0), of(1), '--activations', join(of(0), 'activations.npy'), '--json'];
    const said = JSON.parse(execFileSync(CLI, args, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
    await harness.visit({ address: QUICK }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      const cells = await words(page);
      const values = () =>
        page.evaluate(async () => {
          const { exportables } = await import('../www/shell/exportables.js');
          return JSON.parse(exportables.view.json()).own.map(({ values }) => values.map(({ metric, value }) => [metric, value]));
        });
      await page.setInputFiles('#audit-own-drop-folder', join(folder, 'runs'));
      await page.waitForFunction(() => /^From your files, 2 autoencoders on /.test(document.querySelector('#audit-status').textContent), null, { timeout: 120_000 });
      assert.match(await page.innerText('#audit-own-drop-result'), /^2 autoencoders on [\d,]+ rows: what can be told/);
      assert.match(await page.innerText('#audit-headline'), /^Of \d+ metrics that have values for your own, .* No truth is known/);
      assert.deepEqual(await values(), said.own.map(({ values }) => values.map(({ metric, value }) => [metric, value])));
      const own = await words(page);
      assert.equal(own.length, said.table.entries.length);
      assert.deepEqual(await runAxe(page), []);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#audit-save')]);
      const file = join(folder, 'own.json');
      await download.saveAs(file);
      // What was measured before is there at once; what was saved is opened again.
      await page.click('#audit-status button');
      await measured(page);
      assert.deepEqual(await words(page), cells);
      await page.setInputFiles('#audit-file', file);
      await page.waitForFunction(() => /^From own\.json, somebody’s own autoencoders/.test(document.querySelector('#audit-status').textContent));
      assert.deepEqual(await words(page), own);
      await page.selectOption('#audit-world', 'scores');
      await measured(page);
      // Published scores are a table of their own.
      const results = [0, 1, 2].map((seed) => ({
        name: `seed_${seed}.json`,
        text: JSON.stringify({ eval_type_id: 'tpp', eval_result_metrics: { mean: { total: 0.8 + seed / 100 } } }),
      }));
      for (const [seed, { text }] of results.entries()) {
        const at = join(folder, 'results', `seed_${seed}`);
        mkdirSync(at, { recursive: true });
        writeFileSync(join(at, 'a.json'), text);
      }
      await page.setInputFiles('#audit-own-drop-folder', join(folder, 'results'));
      await page.waitForSelector('#audit-own-drop-result table');
      assert.match(await page.innerText('#audit-own-drop-result'), /^Of 1 published number, reliability over seeds passes for 1, is partial for 0,/);
      await page.setInputFiles('#audit-own-drop-files', [{ name: 'odd.npy', mimeType: 'application/octet-stream', buffer: Buffer.from('odd') }]);
      await page.waitForFunction(() => /Not possible: .*odd\.npy/.test(document.querySelector('#audit-own-drop-status').textContent));
    });
    rmSync(folder, { recursive: true });
  });
});

for (const dark of selectMembers([false, true])) {
  test(`nothing is wider than a phone, and nothing keeps anybody out, ${dark ? 'dark' : 'light'}`, { skip: SKIP_UNLESS_LONG }, async () => {
    await harness.visit({ address: QUICK, width: 390, dark }, async ({ page }) => {
      await drawn(page);
      await measured(page);
      for (const summary of await page.$$('.audit-limits summary')) await summary.click();
      await page.locator('#audit-together').scrollIntoViewIfNeeded();
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, `audit-390${dark ? '-dark' : ''}`);
    });
  });
}
