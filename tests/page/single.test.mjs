// The page as one file: opened from disk, and in a frame that has no origin, no storage and no network.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { TIMEOUT, runAxe, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page | import('playwright-core').Frame} Place */

const BUILT = fileURLToPath(new URL('../../dist/sfc-bench.html', import.meta.url));

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** A folder with nothing else in it. @type {string} */
let folder;
/** The file's address there. @type {string} */
let file;
before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc bench #1 '));
  const path = join(folder, 'sfc-bench.html');
  await writeFile(path, await readFile(BUILT));
  file = pathToFileURL(path).href;
});
after(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param {Place} place */
async function ready(place) {
  await place.waitForSelector('#live:not([hidden])');
  await place.waitForSelector('body[data-lab=ready]');
}

const winner = (/** @type {Place} */ place) => place.textContent('#flip');

/** The weights decide, without a new run. @param {Place} place */
async function weigh(place) {
  await place.waitForFunction(() => document.querySelector('#flip').textContent.includes('λ = 0.85 wins'));
  await place.click('#profiles button:nth-child(2)');
  await place.waitForFunction(() => document.querySelector('#flip').textContent.includes('λ = 0.95 wins'));
}

/** Ten networks on the pool, to the end. @param {Place} place */
async function ensemble(place) {
  await place.check('[name=ensemble-seeds][value="10"]');
  await place.locator('#ensemble').scrollIntoViewIfNeeded();
  await place.waitForFunction(() =>
    /^10 networks/.test(document.querySelector('#ensemble-status').textContent),
  );
}

describe('from disk', () => {
  const open = (address, use) => harness.visit({ width: 1280, base: file, address }, use);

  test('it computes the paper, asks for nothing but itself, and reaches nothing', () => {
    const visitor = { width: 1280, base: file, expectedErrors: [/called.*Content Security Policy/] };
    return harness.visit(visitor, async ({ page, context, strayRequests }) => {
      const asked = [];
      context.on('request', (request) => asked.push(request.url()));
      await page.reload();
      await ready(page);
      assert.match(await page.textContent('#verdict-sentence'), /^92 of 104 printed values agree: all 84 of Tables 3, 4 and 6/);
      assert.deepEqual(await runAxe(page), []);
      assert.deepEqual(asked.filter((url) => url !== file && !url.startsWith('blob:')), []);
      // Even code that is in the page already may not call home, by whatever way.
      const called = `${harness.url}www/shell/icons/favicon.svg?called`;
      const ways = await page.evaluate(async (address) => {
        const refused = (promise) => promise.then(() => false, () => true);
        const image = new Image();
        image.src = address;
        return [await refused(fetch(address, { mode: 'no-cors' })), await refused(image.decode())];
      }, called);
      assert.deepEqual(ways, [true, true]);
      const heard = harness.server.requests.filter(({ path }) => path.includes('called'));
      assert.deepEqual(heard, []);
      // The browser tells of what it refused as well.
      assert.deepEqual(strayRequests.splice(0), [called]);
      assert.equal(await page.locator('a[download]').count(), 0, 'it does not offer itself');
    });
  });

  test('weights, an ensemble on the pool, and what is saved of it', () =>
    open('', async ({ page }) => {
      await ready(page);
      await weigh(page);
      await page.click('#paper-settings');
      await page.waitForFunction(() => location.search === '');
      await ensemble(page);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#ensemble-save')]);
      const saved = await readFile(await download.path(), 'utf8');
      const printed = execFileSync(CLI, ['ensemble', '--seeds', '10', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
      assert.equal(saved, printed);
    }));

  test('a figure is saved as SVG, and everything as one archive', { skip: SKIP_UNLESS_LONG }, () =>
    open('', async ({ page }) => {
      await ready(page);
      const save = async (words) => {
        await page.click('[data-figure=fig1a] .export > button');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.click(`[data-figure=fig1a] [role=menu] >> text="${words}"`),
        ]);
        return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
      };
      const svg = await save('SVG file');
      assert.equal(svg.name, 'sfc-bench-fig1a-standard-k48-seed42.svg');
      assert.match(svg.bytes.toString(), /^<svg [\s\S]*<\/svg>\s*$/);
      const zip = await save('All figures and tables (.zip)');
      assert.equal(zip.bytes.subarray(0, 2).toString(), 'PK');
    }));

  test('its address follows it, and a shared link computes the same anew', async () => {
    let address = '';
    await open('?v=1&k=20', async ({ page }) => {
      await ready(page);
      await page.click('#profiles button:nth-child(2)');
      await page.waitForFunction(() => location.search === '?v=1&k=20&w=5,1,1');
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.length > 0);
      const link = await page.inputValue('#shared-link');
      assert.ok(link.startsWith(`${file}?v=1&k=20&w=5,1,1&digest=`), link);
      address = new URL(link).search;
    });
    await open(address, async ({ page }) => {
      await page.waitForSelector('#verdict-link.agrees');
      assert.equal(await page.inputValue('#weight-s-number'), '5');
    });
  });

  test('what a link to a file, and lines for another page, cannot do is said', () =>
    open('', async ({ page }) => {
      await ready(page);
      await page.click('#share');
      await page.waitForFunction(() => document.querySelector('#shared-said').textContent.length > 0);
      assert.match(await page.textContent('#shared-said'), /opens this file on this computer alone/);
      await page.click('#embed');
      await page.waitForSelector('.embedding textarea');
      assert.match(await page.locator('.embedding').innerText(), /opened from a file[^]*there is no preview/);
      assert.equal(await page.locator('.embedding iframe').count(), 0, 'no broken picture');
    }));

  test('a chosen theme stays', () =>
    open('', async ({ page, context }) => {
      await ready(page);
      await page.check('[name=theme][value=dark]', { force: true });
      const theme = (/** @type {import('playwright-core').Page} */ of) => of.evaluate(() => document.documentElement.dataset.theme);
      assert.equal(await theme(page), 'dark');
      // The browser stores it in a process of its own, and what a page says last before it goes may be lost: it stays until
      // another one finds it there.
      const other = await context.newPage();
      const began = performance.now();
      do {
        assert.ok(performance.now() - began < TIMEOUT, 'it was not stored');
        await other.goto(file);
        await ready(other);
      } while ((await theme(other)) !== 'dark');
      await page.reload();
      await ready(page);
      assert.equal(await theme(page), 'dark');
    }));

  test('the benchmark starts its workers and measures', { skip: SKIP_UNLESS_LONG, timeout: 300_000 }, () =>
    open('', async ({ page }) => {
      await ready(page);
      await page.click('.pages a[data-page=method]');
      await page.locator('#benchmark').scrollIntoViewIfNeeded();
      await page.click('#benchmark >> text="Run the benchmark"');
      // A whole round has been through every worker and the start-up.
      await page.waitForFunction(
        () => document.querySelector('#benchmark progress').value > 0.25 || document.querySelector('#benchmark').dataset.state !== 'running',
        undefined,
        { timeout: 240_000 },
      );
      assert.equal(await page.getAttribute('#benchmark', 'data-state'), 'running', await page.textContent('.benchmark-status'));
      await page.click('#benchmark >> text="Cancel"');
      await page.waitForSelector('#benchmark[data-state=cancelled]');
      assert.match(await page.textContent('.benchmark-tables'), /first whole paper/);
    }));

  test('all pages are in it: the navigation, headings and old links lead to them', () =>
    open('?v=1&w=5,1,1&fam=small,ks:1', async ({ page }) => {
      // A click or a step back is done before the view it leads to is shown.
      const shows = (/** @type {string} */ only) =>
        page.waitForFunction((only) => {
          const views = [...document.querySelectorAll('.view')].filter((view) => !view.hidden);
          return views.length === 1 && views[0].dataset.view === only;
        }, only);
      const titled = (/** @type {string} */ start) =>
        page.waitForFunction((start) => document.title.startsWith(start), start);
      await page.waitForSelector('#families-start');
      await shows('compare');
      await page.waitForFunction(() => document.querySelector('#families-ks').value === '1');
      await page.waitForFunction(() => document.querySelector('#compare-weight-s-number').value === '5');
      await page.click('.pages a[data-page=own]');
      await page.waitForSelector('#own-drop');
      await shows('own');
      await page.waitForSelector('.pages a[data-page=own][aria-current=page]');
      await titled('Your own');
      assert.deepEqual(await runAxe(page), []);
      await page.click('.subpages a[data-page=train]');
      await page.waitForSelector('#train-start');
      await shows('train');
      await page.evaluate(() => (location.hash = '#how'));
      await shows('paper');
      await ready(page);
      // The last of the page, it need not come to the top.
      await page.waitForFunction(() => {
        const { top, bottom } = document.querySelector('#how').getBoundingClientRect();
        return top > -5 && bottom < innerHeight;
      });
      await titled('SFC-Score');
      await page.goBack();
      await shows('train');
    }));

  test('the toy model is in it with its last checkpoint; that the others are not is said', () =>
    open('#model/?t=the+dog&head=2.3', async ({ page }) => {
      await page.waitForSelector('.view[data-view=model][data-state=ready]:not([hidden])');
      assert.equal(await page.inputValue('#model-entry'), 'the dog');
      assert.equal(await page.innerText('#model-heads .toy-chosen'), 'Head 2.3');
      await page.waitForSelector('.toy-ablation[data-count="128"]');
      await page.locator('#model-learnt').scrollIntoViewIfNeeded();
      await page.waitForSelector('.toy-checkpoints[data-state=failed]');
      assert.deepEqual(await page.$$eval('[data-checkpoint][data-state=done]', (rows) => rows.map((row) => row.dataset.checkpoint)), ['ck-12000']);
      assert.match(await page.innerText('.toy-checkpoints .toy-status'), /12 of 13 .* is not in this file/);
      await page.fill('#model-entry', 'the dogs');
      await page.waitForFunction(() => location.hash.startsWith('#model/?t=the+dogs'));
      await page.evaluate(() => scrollTo(0, 0));
      assert.deepEqual(await runAxe(page), []);
      await page.goBack();
      await page.waitForFunction(() => document.querySelector('#model-entry').value === 'the dog');
      await page.evaluate(() => (location.hash = '#method/'));
      await page.waitForSelector('.view[data-view=method]:not([hidden])');
    }));

  test('without JavaScript it shows the printed tables', () =>
    harness.visit({ base: file, javaScript: false }, async ({ page }) => {
      assert.match(await page.locator('#verdict').innerText(), /needs JavaScript and WebAssembly/);
      assert.doesNotMatch(await page.locator('#verdict').innerText(), /Computing|waiting/);
      // They come a moment later, lest they flash where there is script.
      await page.locator('#printed').waitFor();
    }));
});

describe('in a sandboxed frame of another page', () => {
  /** @type {import('node:http').Server} */
  let host;
  let address = '';
  before(async () => {
    const html = await readFile(BUILT, 'utf8');
    const quoted = html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const frame = (attribute) =>
      `<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
       <iframe title="sfc-bench" sandbox="allow-scripts allow-downloads" width="1200" height="800" ${attribute}></iframe>`;
    const pages = { '/src': frame('src="page.html"'), '/srcdoc': frame(`srcdoc="${quoted}"`), '/page.html': html };
    host = createServer(({ url = '' }, response) => {
      const page = pages[new URL(url, 'http://host').pathname];
      response.writeHead(page ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(page);
    });
    await new Promise((resolve) => host.listen(0, '127.0.0.1', () => resolve(undefined)));
    address = `http://127.0.0.1:${host.address().port}`;
  });
  after(() => new Promise((resolve) => host.close(resolve).closeAllConnections()));

  for (const way of ['src', 'srcdoc']) {
    test(`it works by ${way}, where there is neither origin nor storage`, () =>
      harness.visit(
        {
          width: 1280,
          base: address,
          address: `/${way}`,
          // The frame tries the clipboard first, and then shows the link to be copied by hand.
          expectedErrors: [/Clipboard API/],
        },
        async ({ page }) => {
          const frame = page.frames()[1];
          await ready(frame);
          assert.equal(await frame.evaluate(() => origin), 'null');
          assert.match(await frame.textContent('#verdict-sentence'), /^92 of 104 printed values agree: all 84 of Tables 3, 4 and 6/);
          await weigh(frame);
          assert.match(await winner(frame), /λ = 0\.95 wins/);
          await ensemble(frame);
          await frame.check('[name=theme][value=dark]', { force: true });
          assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'dark');
          await frame.click('#share');
          await frame.waitForFunction(() => document.querySelector('#shared-said').textContent.length > 0);
          assert.match(await frame.inputValue('#shared-link'), /\?v=1&w=5,1,1&seeds=10&digest=/);
          assert.ok(await frame.isHidden('#notice'));
        },
      ));
  }
});
