// The export menus: what each entry saves is opened by a program that would open it for a reader.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { PNG } from 'pngjs';

import { runAxe, areFiguresWritten, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { PYTHON } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

const python = (/** @type {string[]} */ ...args) =>
  promisify(execFile)(PYTHON, args);

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** @type {string} */
let folder;
before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-export-'));
});
after(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForSelector('body[data-lab=ready]');
  await page.waitForFunction(areFiguresWritten);
}

/** @param {string} id */
const button = (id) => `[data-figure=${id}] .export > button`;
/** @param {string} id */
const menu = (id) => `[data-figure=${id}] [role=menu]`;

/** Opens a figure's menu. @param {Page} page @param {string} id */
async function open(page, id) {
  await page.click(button(id));
  await page.waitForSelector(`${menu(id)}:not([hidden])`);
}

/** Chooses from a figure's menu, and gives the saved file. @param {Page} page @param {string} id @param {string} words */
async function save(page, id, words) {
  await open(page, id);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`${menu(id)} >> text="${words}"`),
  ]);
  const name = download.suggestedFilename();
  const path = join(folder, name);
  await download.saveAs(path);
  return { name, path, bytes: await readFile(path) };
}

/** Colour of a pixel. @param {PNG} png @param {number} x @param {number} y */
const pixel = (png, x, y) => [...png.data.subarray(4 * (y * png.width + x)).subarray(0, 4)];

/** A CSV's fields; none of ours has a quote in it. @param {string} text */
const fields = (text) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/("[^"]*"|[^,]*)(?:,|$)/g)].map(([, field]) => field))
    .map((line) => line.slice(0, -1));

for (const dark of selectMembers([false, true])) {
  describe(dark ? 'dark' : 'light', () => {
    const on = sharePage(() => harness.open({ dark, width: 1300 }), ready);

    test('a PNG has twice the pixels, the title on top, and the theme’s background', on(async ({ page }) => {
      const { name, path, bytes } = await save(page, 'fig1a', 'PNG picture');
      assert.equal(name, 'sfc-bench-fig1a-standard-k48-seed42.png');
      const png = PNG.sync.read(bytes);
      const [width, height] = await page.$eval('[data-figure=fig1a] canvas', (canvas) => [
        canvas.clientWidth,
        canvas.clientHeight,
      ]);
      assert.equal(png.width, 2 * Math.max(640, width), path);
      assert.ok(png.height > 2 * height, 'the title takes its place');
      const surface = dark ? [0x14, 0x18, 0x1c, 255] : [255, 255, 255, 255];
      assert.deepEqual(pixel(png, 2, 2), surface);
      assert.deepEqual(pixel(png, png.width - 3, png.height - 3), surface);
      let ink = 0;
      for (let y = 28; y < 64; y += 1)
        for (let x = 28; x < 500; x += 1)
          if (Math.abs(pixel(png, x, y)[0] - surface[0]) > 120) ink += 1;
      assert.ok(ink > 800, `the title is drawn: ${ink}`);
    }));

    test('an SVG is an image that a browser decodes, with its title in real text', on(async ({ page, context }) => {
      for (const id of ['fig1a', 'fig5', 'table3']) {
        const { name, bytes } = await save(page, id, 'SVG file');
        assert.equal(name, `sfc-bench-${id}-standard-k48-seed42.svg`);
        const svg = bytes.toString();
        const title = await page.textContent(`[data-figure=${id}] .figure-title`);
        const blank = await context.newPage();
        await blank.setContent('<body>');
        const found = await blank.evaluate(async (svg) => {
          const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
          const image = new Image();
          image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
          await image.decode();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [image.width, image.height];
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          const colours = new Set();
          for (let i = 0; i < data.length; i += 4)
            colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
          return {
            root: parsed.documentElement.localName,
            name: parsed.querySelector('title').textContent,
            description: parsed.querySelector('desc').textContent,
            words: [...parsed.querySelectorAll('text')].map((text) => text.textContent).join(' '),
            width: image.width,
            corner: [...data.slice(0, 4)],
            colours: colours.size,
          };
        }, svg);
        await blank.close();
        assert.equal(found.root, 'svg');
        assert.equal(found.name, title);
        assert.ok(found.words.includes(title), found.words);
        assert.ok(found.description.length > 20);
        assert.ok(found.width >= 640);
        assert.deepEqual(found.corner, dark ? [0x14, 0x18, 0x1c, 255] : [255, 255, 255, 255]);
        assert.ok(found.colours > 20, 'there is a picture');
      }
    }));
  });
}

describe('data', () => {
  const on = sharePage(() => harness.open({ permissions: ['clipboard-read', 'clipboard-write'] }), ready);

  test('CSV and JSON hold what the page shows, in all digits', on(async ({ page }) => {
    const csv = fields((await save(page, 'table3', 'CSV file')).bytes.toString());
    const json = JSON.parse((await save(page, 'table3', 'JSON file')).bytes.toString());
    assert.deepEqual(json.data.columns, csv[0]);
    assert.equal(json.settings.model_seed, 42);
    assert.equal(json.data.rows.length, 8);
    json.data.rows.forEach((row, index) =>
      row.forEach((value, column) => {
        const field = csv[index + 1][column];
        if (typeof value === 'number') assert.equal(Number(field), value);
        else assert.equal(field, value === null ? '' : String(value));
      }),
    );
    const shown = await page.$$eval('[data-figure=table3] tbody tr', (rows) =>
      rows.map((row) => row.children[2].querySelector('.value').textContent),
    );
    const fidelity = json.data.columns.indexOf('F');
    assert.deepEqual(
      json.data.rows.map((row) => row[fidelity].toFixed(3)),
      shown,
    );
    assert.ok(json.data.rows.some((row) => String(row[fidelity]).length > 12));
  }));

  test('what is exported is what the weights make of it at that moment', on(async ({ page }) => {
    await page.fill('#weight-s-number', '5');
    const { name, bytes } = await save(page, 'fig1b', 'JSON file');
    assert.equal(name, 'sfc-bench-fig1b-standard-k48-seed42-weights5_1_1.json');
    assert.deepEqual(JSON.parse(bytes.toString()).settings.weights, [5, 1, 1]);
    await page.fill('#weight-s-number', '1');
  }));

  test('tables come as LaTeX and Markdown too, saved or copied', on(async ({ page }) => {
    const latex = (await save(page, 'table5', 'LaTeX file')).bytes.toString();
    assert.match(latex, /\\begin\{tabular\}\{lrrr\}[^]*\\toprule[^]*\\bottomrule/);
    const markdown = (await save(page, 'table5', 'Markdown file')).bytes.toString();
    assert.match(markdown, /^\*\*Table 5\. [^]*\| :--- \| ---: \|/);
    for (const [words, text] of [
      ['Copy as LaTeX', latex],
      ['Copy as Markdown', markdown],
    ]) {
      await open(page, 'table5');
      await page.click(`${menu('table5')} >> text="${words}"`);
      await page.waitForFunction(
        (selector) => document.querySelector(selector).textContent === 'Copied',
        button('table5'),
      );
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    }
    await open(page, 'fig1a');
    assert.equal(await page.$(`${menu('fig1a')} >> text="LaTeX file"`), null);
  }));

  test('the archive opens elsewhere and holds every figure in every format', on(async ({ page }) => {
    const { name, path } = await save(page, 'fig2', 'All figures and tables (.zip)');
    assert.equal(name, 'sfc-bench-standard-k48-seed42.zip');
    const tested = await python('-m', 'zipfile', '-t', path);
    assert.match(tested.stdout, /Done testing/);
    await python('-m', 'zipfile', '-e', path, folder);
    const inside = join(folder, 'sfc-bench-standard-k48-seed42');
    const ids = await page.$$eval('.live [data-figure]:not(.lab [data-figure])', (all) => all.map((f) => f.dataset.figure));
    assert.equal(ids.length, 13);
    for (const id of ids) {
      const file = (/** @type {string} */ type) =>
        readFile(join(inside, `sfc-bench-${id}-standard-k48-seed42.${type}`));
      assert.equal(PNG.sync.read(await file('png')).width, 1440, id);
      assert.equal(JSON.parse((await file('json')).toString()).figure, id);
      for (const [type, start] of [
        ['svg', /^<svg /],
        ['csv', /^[^\r\n]+(\r\n[^\r\n]+){4,}\r\n$/],
        ['tex', /^% Needs \\usepackage\{booktabs\}/],
        ['md', /^\*\*(Figure|Table) /],
      ])
        assert.match((await file(type)).toString(), start, `${id}.${type}`);
    }
    assert.match((await readFile(join(inside, 'citation.bib'))).toString(), /@software\{/);
    assert.match((await readFile(join(inside, 'README.txt'))).toString(), /Figure 4\(b\)/);
  }));

  test('the instruments are files too, and what is a table among them LaTeX and Markdown', on(async ({ page }) => {
    for (const id of ['simplex', 'pareto-sf', 'pareto-sc', 'pareto-fc', 'pareto-3d']) {
      assert.ok(PNG.sync.read((await save(page, id, 'PNG picture')).bytes).width >= 1280, id);
      assert.match((await save(page, id, 'SVG file')).bytes.toString(), /^<svg [^]*<\/svg>\n$/);
      assert.ok(fields((await save(page, id, 'CSV file')).bytes.toString()).length > 3, id);
      await open(page, id);
      assert.equal(await page.$(`${menu(id)} >> text="LaTeX file"`), null);
    }
    assert.match((await save(page, 'pareto-table', 'LaTeX file')).bytes.toString(), /\\begin\{tabular\}/);
  }));
});

describe('where they come from', () => {
  test('JSON carries the digest that a shared link of the same state carries', () =>
    harness.visit({ address: '?v=1&k=24&w=2,1,1' }, async ({ page }) => {
      await ready(page);
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent);
      const claimed = new URL(await page.inputValue('#shared-link')).searchParams.get('digest');
      for (const id of ['fig1b', 'simplex', 'pareto-sf']) {
        const json = JSON.parse((await save(page, id, 'JSON file')).bytes.toString());
        assert.equal(json.digest, claimed, id);
        assert.equal(json.settings.k, 24);
        assert.equal('pinned' in json || 'ensemble' in json, false);
      }
    }));

  test('a comparison names both results, and its numbers are their difference', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ address: '?v=1&k=24&pin=paper' }, async ({ page }) => {
      await ready(page);
      await page.waitForSelector('#compare:not([hidden])');
      for (const id of ['compare-summary', 'compare-differences', 'compare-score', 'compare-metrics']) {
        assert.match((await save(page, id, 'SVG file')).bytes.toString(), /^<svg [^]*<\/svg>\n$/);
        assert.ok(PNG.sync.read((await save(page, id, 'PNG picture')).bytes).width >= 1280, id);
      }
      const { name, bytes } = await save(page, 'compare-metrics', 'JSON file');
      assert.equal(name, 'sfc-bench-compare-metrics-standard-k24-seed42-pinned-standard-k48-seed42.json');
      const json = JSON.parse(bytes.toString());
      assert.equal(json.settings.k, 24);
      assert.equal(json.pinned.settings.k, 48);
      assert.match(json.digest, /^\w{5}-\w{5}-\w{5}$/);
      assert.match(json.pinned.digest, /^\w{5}-\w{5}-\w{5}$/);
      assert.notEqual(json.digest, json.pinned.digest);
      const [now, pinned, difference] = ['F', 'F pinned', 'ΔF'].map((title) => json.data.columns.indexOf(title));
      for (const row of json.data.rows) assert.equal(row[difference], row[now] - row[pinned]);
      const csv = fields((await save(page, 'compare-metrics', 'CSV file')).bytes.toString());
      assert.deepEqual(csv[0], json.data.columns);
      assert.match((await save(page, 'compare-score', 'LaTeX file')).bytes.toString(), /\$\\Delta\$SFC/);
      assert.match((await save(page, 'compare-score', 'Markdown file')).bytes.toString(), /\| ---: \|/);
      // The layer on the paper's figure goes with it.
      const curve = fields((await save(page, 'fig1a', 'CSV file')).bytes.toString());
      assert.ok(curve[0].includes('"S, pinned"'), curve[0].join());
    }));

  test('an ensemble’s figures say how many seeds, and the archive has them and every member', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ address: '?v=1&seeds=10&pin=paper' }, async ({ page }) => {
      await ready(page);
      await page.locator('#ensemble').scrollIntoViewIfNeeded();
      await page.waitForFunction(() => /^10 networks/.test(document.querySelector('#ensemble-status').textContent));
      const ids = await page.$$eval('#ensemble [data-figure]', (all) => all.map((f) => f.dataset.figure));
      assert.equal(ids.length, 8);
      for (const id of ids) {
        const { name, bytes } = await save(page, id, 'JSON file');
        assert.equal(name, `sfc-bench-${id}-standard-k48-10seeds.json`);
        const json = JSON.parse(bytes.toString());
        assert.deepEqual(json.ensemble, { seeds: 10, varied: 'model' });
        assert.match(json.digest, /^\w{5}$/);
        assert.ok(json.data.rows.length > 0 && json.version && json.settings.k === 48, id);
        const csv = fields((await save(page, id, 'CSV file')).bytes.toString());
        assert.equal(csv.length, json.data.rows.length + 1, id);
        assert.match((await save(page, id, 'SVG file')).bytes.toString(), /^<svg [^]*<\/svg>\n$/);
        assert.ok(PNG.sync.read((await save(page, id, 'PNG picture')).bytes).width >= 1280, id);
      }
      assert.match((await save(page, 'ens-printed', 'LaTeX file')).bytes.toString(), /\\begin\{tabular\}/);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#ensemble-save')]);
      const members = await readFile(await download.path(), 'utf8');

      const { name, path } = await save(page, 'ens-score', 'All figures and tables (.zip)');
      await python('-m', 'zipfile', '-e', path, folder);
      const inside = join(folder, name.replace(/\.zip$/, ''));
      assert.equal(await readFile(join(inside, 'ensemble.json'), 'utf8'), members);
      const stem = 'standard-k48-seed42-pinned-standard-k48-seed42';
      for (const [part, of] of [
        ...ids.map((id) => [id, 'standard-k48-10seeds']),
        ...['fig1a', 'simplex', 'pareto-3d', 'compare-score', 'compare-differences'].map((id) => [id, stem]),
      ]) {
        for (const type of ['svg', 'csv', 'json', 'tex', 'md', 'png'])
          assert.ok((await readFile(join(inside, `sfc-bench-${part}-${of}.${type}`))).length > 100);
      }
      assert.match(await readFile(join(inside, 'README.txt'), 'utf8'), /10 seeds/);
    }));
});

describe('the menu', () => {
  test('is loaded when it is first asked for, not before', () =>
    harness.visit({}, async ({ page }) => {
      /** @type {string[]} */
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await ready(page);
      assert.ok(!asked.some((url) => url.endsWith('/export.js')));
      await open(page, 'fig1a');
      assert.ok(asked.some((url) => url.endsWith('/export.js')));
    }));

  const on = sharePage(() => harness.open(), ready);

  test('is worked by keyboard, and gives the focus back', on(async ({ page }) => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.focus(button('fig1a'));
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${menu('fig1a')}:not([hidden])`);
    assert.equal(await focused(), 'PNG picture');
    assert.equal(await page.getAttribute(button('fig1a'), 'aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'SVG file');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'All figures and tables (.zip)');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'PNG picture');
    await page.keyboard.press('End');
    assert.equal(await focused(), 'All figures and tables (.zip)');
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden(menu('fig1a')));
    assert.equal(await focused(), 'Export');
    assert.equal(await page.getAttribute(button('fig1a'), 'aria-expanded'), 'false');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'All figures and tables (.zip)');
    await page.keyboard.press('Tab');
    assert.ok(await page.isHidden(menu('fig1a')), 'Tab leaves it');
  }));

  test('closes at a click elsewhere, and one opens at a time', on(async ({ page }) => {
    await open(page, 'fig1a');
    await page.click('[data-figure=fig1a] .figure-title');
    assert.ok(await page.isHidden(menu('fig1a')));
    await open(page, 'fig1a');
    await open(page, 'fig1b');
    assert.ok(await page.isHidden(menu('fig1a')));
  }));

  for (const [width, dark] of selectMembers(/** @type {[number, boolean][]} */ ([
    [390, true],
    [1440, false],
  ]))) {
    test(`stays in the window and is accessible at ${width}`, () =>
      harness.visit({ width, dark }, async ({ page }) => {
        await ready(page);
        for (const id of ['fig1a', 'table4']) {
          await open(page, id);
          const box = await (await page.$(menu(id))).boundingBox();
          assert.ok(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
          assert.deepEqual(await runAxe(page), []);
          await screenshot(page, `export-${id}-${width}`);
          await page.keyboard.press('Escape');
        }
      }));
  }
});

test('where a page has several studies, the archive is that of the figure', () =>
  harness.visit({ address: 'metrics/', unasked: true }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await page.locator('[data-study=mui]').scrollIntoViewIfNeeded();
    await page.waitForSelector('figure[data-figure=mui-law][data-drawn]');
    const { name, path } = await save(page, 'mui-law', 'All figures and tables (.zip)');
    assert.match(name, /^sfc-bench-.*\.zip$/);
    const { stdout } = await python('-m', 'zipfile', '-l', path);
    assert.match(stdout, /mui-law.*\.svg/);
  }));
