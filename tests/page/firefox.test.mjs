// The page's main ways in Firefox: on a host, and as one file from disk.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { startFirefox, visit } from './lib/firefox.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { serveStatic } from './lib/server.mjs';

/** @typedef {import('puppeteer-core').Page} Page */

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** @type {import('puppeteer-core').Browser} */
let browser;
/** @type {import('./lib/server.mjs').Server} */
let server;
/** @type {string} */
let folder;
/** The page as one file, alone in a folder. @type {string} */
let file;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-firefox-'));
  const path = join(folder, 'sfc-bench.html');
  await writeFile(path, await readFile(join(DIST, 'sfc-bench.html')));
  file = pathToFileURL(path).href;
  server = await serveStatic(DIST);
  browser = await startFirefox();
});
after(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const text = (/** @type {Page} */ page, /** @type {string} */ selector) =>
  page.$eval(selector, (element) => element.textContent);

/** The paper is there, and the lab. @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForSelector('body[data-lab=ready]');
}

/** @param {Page} page @param {string} words */
const wins = (page, words) =>
  page.waitForFunction(
    (sought) => document.querySelector('#flip').textContent.includes(`${sought} wins`),
    {},
    words,
  );

/** Puppeteer's own click aims at a point, which moves while figures find their place. @param {Page} page @param {string} selector */
const press = (page, selector) => page.$eval(selector, (element) => element.click());

test('files may not read each other here, as in a reader’s own Firefox', async () => {
  await writeFile(join(folder, 'neighbour.js'), 'export {};');
  await writeFile(join(folder, 'neighbour.html'), '<!doctype html><title>Neighbour</title>');
  const address = pathToFileURL(join(folder, 'neighbour.html')).href;
  await visit(browser, pathToFileURL(folder).href, '/neighbour.html', async (page) => {
    assert.equal(page.url(), address);
    const read = await page.evaluate(() =>
      import('./neighbour.js').then(
        () => true,
        () => false,
      ),
    );
    assert.equal(read, false);
  });
});

// Both ways must do the same.
for (const [way, base] of selectMembers(/** @type {[string, () => string][]} */ ([
  ['on a host', () => server.url],
  ['as one file from disk', () => file],
]))) {
  describe(way, () => {
    test('the paper is computed and agrees', () =>
      visit(browser, base(), '', async (page) => {
        await ready(page);
        assert.match(
          await text(page, '#verdict-sentence'),
          /^92 of 104 printed values agree: all 84 of Tables 3, 4 and 6, 4 of 12 of Table 5, all 4 of Figure 4 and 0 of 4 of the text/,
        );
        assert.equal(await text(page, '#verdict-tables li'), '✓ Table 3 40/4040 of 40 agree');
        // Something is drawn, and it is not one colour.
        const colours = await page.$eval('[data-figure=fig1a] canvas', (canvas) => {
          const { data } = canvas
            .getContext('2d')
            .getImageData(0, 0, canvas.width, canvas.height);
          const found = new Set();
          for (let i = 0; i < data.length; i += 4)
            found.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
          return found.size;
        });
        assert.ok(colours > 20, `${colours} colours`);
      }));

    test('weights re-score, and an ensemble runs on the pool', () =>
      visit(browser, base(), '', async (page) => {
        await ready(page);
        await wins(page, 'λ = 0.85');
        await press(page, '#profiles button:nth-child(2)');
        await wins(page, 'λ = 0.95');
        await press(page, '[name=ensemble-seeds][value="10"]');
        await page.$eval('#ensemble', (section) => {
          for (const fold of section.querySelectorAll('details')) fold.open = true;
          section.scrollIntoView();
        });
        await page.waitForFunction(() =>
          /^10 networks/.test(document.querySelector('#ensemble-status').textContent),
        );
        await page.waitForFunction(
          () => document.querySelectorAll('#ensemble figure .data').length === 8,
        );
      }));

    test('a shared link opened elsewhere computes the same anew', { skip: SKIP_UNLESS_LONG }, async () => {
      const link = await visit(browser, base(), '?v=1&k=20', async (page) => {
        await ready(page);
        await press(page, '#profiles button:nth-child(2)');
        await page.waitForFunction(() => location.search === '?v=1&k=20&w=5,1,1');
        await press(page, '#share');
        await page.waitForFunction(
          () => document.querySelector('#shared-said').textContent.length > 0,
        );
        return page.$eval('#shared-link', (field) => field.value);
      });
      assert.ok(link.startsWith(`${base()}?v=1&k=20&w=5,1,1&digest=`), link);
      await visit(browser, base(), new URL(link).search, async (page) => {
        await page.waitForSelector('#verdict-link.agrees');
        assert.equal(await page.$eval('#weight-s-number', (field) => field.value), '5');
      });
    });
  });
}

test('one visit is enough: then the page works without its host', async () => {
  const own = await serveStatic(DIST);
  await visit(browser, own.url, '', async (page) => {
    await ready(page);
    await page.waitForSelector('body[data-offline=ready]');
    await own.close();
    await page.reload();
    await ready(page);
    assert.match(await text(page, '#verdict-sentence'), /^92 of 104 printed values agree: all 84 of Tables 3, 4 and 6/);
  });
});

describe('in a page of another origin', () => {
  /** A host that lets every origin read its files, as GitHub's does. @type {import('./lib/server.mjs').Server} */
  let open;
  /** The other page's own. @type {import('./lib/server.mjs').Server} */
  let project;
  before(async () => {
    open = await serveStatic(DIST, { headers: { 'Access-Control-Allow-Origin': '*' } });
    project = await serveStatic(folder, { base: '/' });
  });
  after(() => Promise.all([open?.close(), project?.close()]));

  /** @template T @param {string} body @param {(page: Page) => Promise<T>} use @param {import('./lib/server.mjs').Server} [own] */
  async function host(body, use, own = project) {
    const head = '<meta charset="utf-8"><title>A project</title><link rel="icon" href="data:,">';
    await writeFile(
      join(folder, 'project.html'),
      `<!doctype html><html lang="en"><head>${head}</head><body><h1>A project</h1>${body}</body></html>`,
    );
    // Both hosts are this machine, on ports of their own.
    const machine = 'http://127.0.0.1:';
    return visit(browser, machine, `${own.url.slice(machine.length)}project.html`, use);
  }

  test('the element computes its figure in a worker, and follows its attributes', () =>
    host(
      `<script type="module" src="${open.url}sfc-bench.js"></script>
       <sfc-bench figure="curves" profile="equal" k="20"></sfc-bench>`,
      async (page) => {
        /** @param {number} k */
        const computed = (k) =>
          page.waitForFunction(
            (wanted) => document.querySelector('sfc-bench').result?.settings.k === wanted,
            {},
            k,
          );
        await computed(20);
        const drawn = await page.$eval('sfc-bench', ({ shadowRoot }) => {
          const { width, height } = shadowRoot.querySelector('canvas');
          return { width, height, rows: shadowRoot.querySelectorAll('table tr').length };
        });
        assert.ok(drawn.width > 300 && drawn.height > 100, JSON.stringify(drawn));
        await page.$eval('sfc-bench', (element) => element.setAttribute('k', '32'));
        await computed(32);
        const settings = await page.$eval('sfc-bench', ({ result }) => result.settings);
        assert.deepEqual([settings.model_seed, settings.weights], [42, [1, 1, 1]]);
      },
    ));

  test('the element needs no more of a content security policy than it says', { skip: SKIP_UNLESS_LONG }, async () => {
    const policy = `default-src 'none'; script-src ${open.origin} 'wasm-unsafe-eval'; connect-src ${open.origin}; worker-src blob:; img-src data:`;
    const strict = await serveStatic(folder, { base: '/', headers: { 'Content-Security-Policy': policy } });
    try {
      await host(
        `<script type="module" src="${open.url}sfc-bench.js"></script><sfc-bench k="20"></sfc-bench>`,
        async (page) => {
          // The policy lets nobody make functions of text, as whoever waits from outside does.
          const shown = await page.evaluate(
            () =>
              new Promise((resolve) => {
                const element = document.querySelector('sfc-bench');
                element.addEventListener('sfc-bench:result', ({ detail }) => resolve(detail.settings.k));
                element.addEventListener('sfc-bench:error', ({ detail }) => resolve(detail.message));
                if (element.result) resolve(element.result.settings.k);
              }),
          );
          assert.equal(shown, 20);
        },
        strict,
      );
    } finally {
      await strict.close();
    }
  });

  test('a frame that may do nothing but run scripts shows a figure, and is given its height', { skip: SKIP_UNLESS_LONG }, () =>
    host(
      `<iframe class="sfc-bench" sandbox="allow-scripts" title="A figure" width="700"
         src="${open.url}?v=1&k=20&fig=fig1b&embed=1"></iframe>
       <script src="${open.url}www/frame.js"></script>`,
      async (page) => {
        await page.waitForFunction(
          () => Number.parseInt(document.querySelector('iframe').style.height, 10) > 200,
        );
        const frame = page.frames().find((one) => one.url().startsWith(open.url));
        assert.ok(frame);
        await frame.waitForSelector('body[data-lab=ready]');
        await frame.waitForFunction(() => document.querySelector('[data-figure=fig1b] .as-text td'));
        const shown = await frame.$$eval('[data-figure]', (figures) =>
          figures.filter((figure) => figure.checkVisibility()).map(({ dataset }) => dataset.figure),
        );
        assert.deepEqual(shown, ['fig1b']);
      },
    ));
});
