// The page without a network, after one visit with it; and what becomes of it when a newer one comes.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { TIMEOUT, runAxe, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { HOST_BEHAVIOURS, serveStatic } from './lib/server.mjs';

/** @typedef {import('playwright-core').Page} Page */

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

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
}

/** The page is there, and kept. @param {Page} page */
async function kept(page) {
  await ready(page);
  await page.waitForSelector('body[data-offline=ready]');
}

/** What is kept: the paths of each cache. @param {Page} page */
const caches = (page) =>
  page.evaluate(async () => {
    const names = await globalThis.caches.keys();
    const folder = location.href.slice(0, location.href.lastIndexOf('/') + 1);
    const paths = async (name) =>
      (await (await globalThis.caches.open(name)).keys()).map(({ url }) => url.slice(folder.length));
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await paths(name)).sort()])));
  });

/** The list that the build wrote. @param {string} folder @returns {Promise<{ version: string, files: Record<string, string> }>} */
async function list(folder) {
  const text = await readFile(join(folder, 'sw.js'), 'utf8');
  const [, version, files] = /^const VERSION = '(.*)';\nconst FILES = (\{[\s\S]*?\n\});/.exec(text);
  return { version, files: JSON.parse(files) };
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Every file below a folder. @param {string} folder */
const below = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));

/** A copy of the page that may be changed, on a host of its own. @param {Parameters<typeof serveStatic>[1]} [manners] of the host */
async function site(manners) {
  const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-offline-'));
  await cp(DIST, folder, { recursive: true });
  const server = await serveStatic(folder, manners);
  return {
    folder,
    server,
    /** A build that differs in one module and in the page's title. */
    async renew() {
      const { version, files } = await list(folder);
      let worker = await readFile(join(folder, 'sw.js'), 'utf8');
      for (const [path, file, change] of [
        ['', 'index.html', (text) => text.replace('<title>', '<title>Newer: ')],
        ['www/shell/export.js', 'www/shell/export.js', (text) => `${text}\n// Newer.\n`],
      ]) {
        const bytes = Buffer.from(change(await readFile(join(folder, file), 'utf8')));
        await writeFile(join(folder, file), bytes);
        worker = worker.replace(files[path], sha256(bytes));
      }
      await writeFile(join(folder, 'sw.js'), worker.replace(version, 'newer'));
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * @param {(site: Awaited<ReturnType<typeof site>>) => Promise<void>} use
 * @param {Parameters<typeof serveStatic>[1]} [manners]
 */
async function withSite(use, manners) {
  const own = await site(manners);
  try {
    await use(own);
  } finally {
    await own.close();
  }
}

/** What lies beside the page, and is no part of it. */
const BESIDE = [
  'sfc-bench.html', 'THIRD-PARTY-NOTICES.txt', 'package.json', 'README.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'CITATION.cff',
];

test('the build lists every file of the page with its hash', async () => {
  const { files } = await list(DIST);
  const expected = {};
  for (const path of await below(DIST)) {
    if (path.endsWith('.d.ts') || path === 'sw.js' || BESIDE.includes(path)) continue;
    expected[path.replace(/(^|\/)index\.html$/, '$1')] = sha256(await readFile(join(DIST, path)));
  }
  assert.deepEqual(files, expected);
});

describe('one visit', () => {
  test('is enough', (t) =>
    withSite(async ({ server }) => {
      const visitor = { width: 1280, base: server.url, keptOffline: true };
      await harness.visit(visitor, async ({ page, context }) => {
        await kept(page);
        assert.match(await page.textContent('.foot'), /works without a network/);

        await t.test('it asks for nothing more before the paper is drawn', () => {
          const paths = server.requests.map(({ path }) => path.slice('/some/sub/path/'.length));
          const lab = paths.indexOf('www/papers/sfc/lab.js');
          assert.ok(lab > 0 && paths.indexOf('sw.js') > lab, paths.join(' '));
          assert.ok(!paths.slice(0, lab).some((path) => /manifest|icon-|sfc-bench\.html/.test(path)));
        });

        // As far away as it gets: the host is gone too.
        await context.setOffline(true);
        await server.close();
        const before = server.requests.length;

        await t.test('the page goes on without a network from the moment that it says so', async () => {
          // Files that nobody has asked for so far.
          await page.locator('#share').click();
          await page.click('[data-figure=fig1a] .export > button');
          await page.waitForSelector('[data-figure=fig1a] [role=menu]');
          assert.equal(await page.evaluate(async () => (await fetch('compare/')).status), 200);
        });

        await t.test('then everything works without a network', async () => {
          for (const address of ['', '?v=1&k=20&w=2,1,1', 'index.html']) {
            await page.goto(server.url + address);
            await ready(page);
            assert.match(await page.textContent('#verdict-sentence'), /printed values/);
          }
          await page.reload();
          await ready(page);
          // The pool's workers, the menus that come late, and the lab's files.
          await page.check('[name=ensemble-seeds][value="10"]');
          await page.locator('#ensemble').scrollIntoViewIfNeeded();
          await page.waitForFunction(() =>
            /^10 networks/.test(document.querySelector('#ensemble-status').textContent),
          );
          await page.click('[data-figure=fig1a] .export > button');
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.click('[data-figure=fig1a] [role=menu] >> text="SVG file"'),
          ]);
          assert.match(await readFile(await download.path(), 'utf8'), /<\/svg>\s*$/);
          for (const other of ['compare/', 'own/', 'train/', 'method/#benchmark', 'method/index.html#benchmark']) {
            await page.goto(server.url + other);
            await page.waitForSelector('body[data-lab=ready]');
          }
          await page.click('#benchmark >> text="Run the benchmark"');
          await page.waitForFunction(
            () =>
              document.querySelector('#benchmark progress').value > 0.25 ||
              document.querySelector('#benchmark').dataset.state !== 'running',
            undefined,
            { timeout: 240_000 },
          );
          assert.equal(await page.getAttribute('#benchmark', 'data-state'), 'running');
          await page.click('#benchmark >> text="Cancel"');
          assert.equal(server.requests.length, before);
        });

        await t.test('nothing is given up because the host cannot be reached', async () => {
          await page.goto(server.url);
          await ready(page);
          await page.reload();
          await ready(page);
          assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 1);
        });
      });
    }));

  test('fetches no weights; what a page has loaded of them is kept then, and stays in the next version', { skip: SKIP_UNLESS_LONG, timeout: 5 * TIMEOUT }, () =>
    withSite(async ({ server, renew }) => {
      const errors = [/Failed to load resource|ERR_FAILED|ERR_INTERNET/];
      await harness.visit({ base: server.url, keptOffline: true, expectedErrors: errors }, async ({ page, context }) => {
        await kept(page);
        const asked = () => server.requests.filter(({ path }) => path.endsWith('.safetensors')).map(({ path }) => path.split('/').at(-1));
        const weights = async () =>
          Object.values(await caches(page)).map((paths) => paths.filter((path) => path.endsWith('.safetensors')));
        const got = (/** @type {string} */ name) =>
          page.evaluate(async (path) => {
            const bytes = await fetch(path).then((one) => one.arrayBuffer(), () => null);
            if (!bytes) return null;
            const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
            return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
          }, `www/little/${name}.safetensors`);
        const { files } = await list(DIST);
        const hash = files['www/little/ck-12000.safetensors'];
        assert.equal(Object.keys(files).filter((path) => path.endsWith('.safetensors')).length, 17);
        assert.deepEqual([asked(), await weights()], [[], [[]]]);
        assert.equal(await got('ck-12000'), hash);
        assert.deepEqual([asked(), await weights()], [['ck-12000.safetensors'], [['www/little/ck-12000.safetensors']]]);
        await renew();
        await page.reload();
        await page.waitForSelector('.offline button');
        await Promise.all([page.waitForEvent('framenavigated'), page.click('.offline button')]);
        await page.waitForFunction(() => document.title.startsWith('Newer: '));
        await kept(page);
        assert.deepEqual([asked(), await weights()], [['ck-12000.safetensors'], [['www/little/ck-12000.safetensors']]]);
        await context.setOffline(true);
        await server.close();
        assert.deepEqual([await got('ck-12000'), await got('ck-00000')], [hash, null]);
      });
    }));

  test('is enough where the host has no README, or another', { skip: SKIP_UNLESS_LONG }, () =>
    withSite(async ({ folder, server }) => {
      await rm(join(folder, 'README.md'));
      await writeFile(join(folder, 'LICENSE-MIT'), 'Of another time.');
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        await context.setOffline(true);
        await server.close();
        await page.reload();
        await ready(page);
      });
    }));
});

/** Pages by the addresses that somebody may have of them, and what they have that no other has. */
const ADDRESSES = {
  'index.html': '#verdict',
  own: '#own',
  'compare/?v=1': '#families',
  'www/example.html': '.frame',
  '': '#verdict',
  index: '#verdict',
  'own/': '#own',
  'own/index.html': '#own',
  'www/example': '.frame',
};

describe('whatever the host does to addresses', () => {
  const addresses = selectMembers(Object.entries(ADDRESSES), 3);
  for (const host of selectMembers(Object.keys(HOST_BEHAVIOURS))) {
    test(`where it ${host}: every page is there again, with a network and without, in this version and the next`, { timeout: 5 * TIMEOUT }, () =>
      withSite(
        async ({ server, renew }) => {
          const errors = [/status of 404/, /net::ERR/];
          await harness.visit({ base: server.url, keptOffline: true, expectedErrors: errors }, async ({ page, context }) => {
            await kept(page);
            const visitAll = async () => {
              for (const [address, own] of addresses) {
                const response = await page.goto(server.url + address);
                assert.equal(response.status(), 200, address);
                await page.waitForSelector(own, { state: 'attached' });
              }
            };
            await visitAll();
            await context.setOffline(true);
            await visitAll();
            await page.goto(`${server.url}own?v=1&w=2,1,1`);
            assert.equal(page.url(), `${server.url}own/?v=1&w=2,1,1`);
            await context.setOffline(false);
            await renew();
            await page.goto(server.url);
            await page.waitForSelector('.offline button');
            await Promise.all([page.waitForEvent('framenavigated'), page.click('.offline button')]);
            await page.waitForFunction(() => document.title.startsWith('Newer: '));
            await kept(page);
            await context.setOffline(true);
            await visitAll();
          });
        },
        { host },
      ));
  }

  test('where it says that answers vary: with everything', { skip: SKIP_UNLESS_LONG }, () =>
    withSite(
      async ({ server }) => {
        await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
          await kept(page);
          await context.setOffline(true);
          await page.reload();
          await ready(page);
        });
      },
      { headers: { Vary: '*' } },
    ));
});

describe('what others do to what is kept', () => {
  /** Writes into this version's cache, as another page of the origin can. @param {Page} page @param {string} path @param {string | null} text null: nothing is left of it */
  const overwrite = (page, path, text) =>
    page.evaluate(
      async ([path, text]) => {
        const [name] = (await globalThis.caches.keys()).filter((one) => one.startsWith('sfc-bench '));
        const cache = await globalThis.caches.open(name);
        const [scope] = (await navigator.serviceWorker.getRegistrations()).map((one) => one.scope);
        const address = new URL(path, scope).href;
        if (text === null) await cache.delete(address);
        else await cache.put(address, new Response(text, { headers: { 'Content-Type': 'text/html' } }));
      },
      [path, text],
    );

  test('is seen when it is served, and mended', () =>
    withSite(async ({ server }) => {
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        for (const [path, text] of [
          ['', '<title>Not ours</title>'],
          ['www/shell/export.js', 'throw new Error("not ours");'],
          ['www/pkg/sfc_bench_bg.wasm', null],
        ]) {
          await overwrite(page, path, text);
          await page.goto(server.url);
          await ready(page);
          assert.doesNotMatch(await page.title(), /Not ours/);
          await page.click('[data-figure=fig1a] .export > button');
          await page.waitForSelector('[data-figure=fig1a] [role=menu]');
          await page.keyboard.press('Escape');
        }
        // Mended for good: the next time needs no network.
        await context.setOffline(true);
        await server.close();
        await page.reload();
        await ready(page);
        await page.click('[data-figure=fig1a] .export > button');
        await page.waitForSelector('[data-figure=fig1a] [role=menu]');
      });
    }));

  test('headers beside a file that is as it was have no effect', { skip: SKIP_UNLESS_LONG }, () =>
    withSite(async ({ server }) => {
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        const poison = (/** @type {string} */ path, /** @type {Record<string, string>} */ headers) =>
          page.evaluate(
            async ([path, headers]) => {
              const [name] = (await globalThis.caches.keys()).filter((one) => one.startsWith('sfc-bench '));
              const cache = await globalThis.caches.open(name);
              const [scope] = (await navigator.serviceWorker.getRegistrations()).map((one) => one.scope);
              const address = new URL(path, scope).href;
              const bytes = await (await cache.match(address)).arrayBuffer();
              await cache.put(address, new Response(bytes, { headers }));
            },
            [path, headers],
          );
        const html = 'text/html';
        for (const [path, headers] of [
          ['', { 'Content-Type': html, Refresh: '0; url=own/' }],
          ['', { 'Content-Type': html, 'Content-Security-Policy': "script-src 'none'" }],
          ['', { 'Content-Type': 'text/plain' }],
          ['', { 'Content-Type': html, 'Content-Disposition': 'attachment; filename=x.exe' }],
          ['www/papers/sfc/main.js', { 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' }],
          ['www/pkg/sfc_bench_bg.wasm', { 'Content-Type': html }],
        ]) {
          await poison(path, headers);
          await page.goto(server.url);
          await ready(page);
          assert.equal(page.url(), server.url);
        }
        await context.setOffline(true);
      });
    }));

  test('the whole cache gone: it is filled again by use', { skip: SKIP_UNLESS_LONG }, () =>
    withSite(async ({ server }) => {
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        await page.evaluate(async () => {
          for (const name of await globalThis.caches.keys()) await globalThis.caches.delete(name);
        });
        await page.reload();
        await ready(page);
        await context.setOffline(true);
        await server.close();
        await page.reload();
        await ready(page);
      });
    }));

  test('a version that can be had no more is given up, and the host’s comes whole', { skip: SKIP_UNLESS_LONG, timeout: 5 * TIMEOUT }, () =>
    withSite(async ({ server, renew }) => {
      const errors = [/net::ERR_FAILED/, /dynamically imported module/];
      await harness.visit({ base: server.url, keptOffline: true, expectedErrors: errors }, async ({ page }) => {
        const module = () =>
          page.evaluate(async () => (await (await fetch('www/shell/export.js')).text()).includes('// Newer.'));
        await kept(page);
        await page.reload();
        await kept(page);
        // The page itself is gone, and the host has another.
        await renew();
        await overwrite(page, '', 'Gone.');
        await page.goto(server.url);
        await page.waitForFunction(() => document.title.startsWith('Newer: '));
        await ready(page);
        assert.equal(await module(), true);
        await kept(page);
        await page.reload();
        await kept(page);
        assert.match(await page.title(), /^Newer: /);
        assert.deepEqual(Object.keys(await caches(page)), [`sfc-bench ${server.url} newer`]);
      });
    }));

  test('a file that can be had no more is not taken from another version', { skip: SKIP_UNLESS_LONG, timeout: 5 * TIMEOUT }, () =>
    withSite(async ({ server, renew }) => {
      await harness.visit({ base: server.url, keptOffline: true, expectedErrors: [/net::ERR_FAILED/] }, async ({ page }) => {
        await kept(page);
        await page.reload();
        await kept(page);
        await renew();
        await overwrite(page, 'www/shell/export.js', 'Gone.');
        const got = () => page.evaluate(() => fetch('www/shell/export.js').then((one) => one.text(), () => null));
        assert.equal(await got(), null);
        // A reload has the newer version, and all of it.
        await page.reload();
        await page.waitForFunction(() => document.title.startsWith('Newer: '));
        await ready(page);
        assert.match(await got(), /Newer/);
      });
    }));

  test('what an older version kept as the answer to another address is no answer here', { skip: SKIP_UNLESS_LONG }, () =>
    withSite(
      async ({ folder, server }) => {
        // Once a worker kept what it had been sent to, as such.
        const { files } = await list(folder);
        const script = await readFile(join(folder, 'sw.js'), 'utf8');
        await writeFile(
          join(folder, 'sw.js'),
          `addEventListener('install', (event) => event.waitUntil((async () => {
            const cache = await caches.open('sfc-bench ' + registration.scope + ' old');
            await cache.addAll(['', 'own/'].map((path) => new URL(path, registration.scope)));
          })()));`,
        );
        await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
          await kept(page);
          const marks = await page.evaluate(async () => {
            const [name] = await globalThis.caches.keys();
            const cache = await globalThis.caches.open(name);
            const all = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
            return all.map(({ redirected }) => redirected);
          });
          assert.deepEqual(marks, [true, true]);
          await writeFile(join(folder, 'sw.js'), script);
          await page.reload();
          await page.waitForSelector('.offline button');
          await Promise.all([page.waitForEvent('framenavigated'), page.click('.offline button')]);
          await kept(page);
          await context.setOffline(true);
          for (const address of ['', 'own/', 'index.html']) {
            assert.equal((await page.goto(server.url + address)).status(), 200);
            await page.waitForSelector('body[data-lab=ready]');
          }
          const atOnce = Object.keys(files).filter((path) => !path.endsWith('.safetensors'));
          assert.deepEqual(Object.values(await caches(page)), [atOnce.sort()]);
        });
      },
      { host: 'sends folders to their index.html' },
    ));
});

describe('a way out', () => {
  /** @type {[string, (folder: string) => Promise<unknown>][]} */
  const changes = [
    ['its script is gone', (folder) => rm(join(folder, 'sw.js'))],
    ['its script is another’s', (folder) => writeFile(join(folder, 'sw.js'), '<!doctype html>No such page')],
    ['its script is as it was, and the page is not', async () => {}],
  ];
  for (const [what, change] of selectMembers(changes)) {
    test(`is there once the site has been replaced, and nothing that was kept stays: ${what}`, { timeout: 5 * TIMEOUT }, () =>
      withSite(async ({ folder, server }) => {
        await harness.visit({ base: server.url, keptOffline: true, expectedErrors: [/404/, /net::ERR/] }, async ({ page, context }) => {
          await kept(page);
          await page.reload();
          await kept(page);
          const [version] = Object.keys(await caches(page));
          // Another page's cache, on the same origin: none of ours to drop.
          const other = `sfc-bench ${server.url}other/ 1`;
          await page.evaluate((name) => globalThis.caches.open(name), other);
          assert.ok((await caches(page))[version].includes('www/pkg/sfc_bench_lab_bg.wasm'));
          await rm(join(folder, 'www'), { recursive: true });
          await writeFile(join(folder, 'index.html'), '<!doctype html><title>Another site</title>');
          await change(folder);
          // The next visit may have the former page still; those after it do not.
          for (;;) {
            const next = await context.newPage();
            await next.goto(server.url);
            const replaced = (await next.title()) === 'Another site';
            await next.close();
            if (replaced) break;
          }
          await page.waitForFunction(async (name) => !(await globalThis.caches.has(name)), version);
          // The page that is open has what it needs, though neither the host nor a cache has it.
          const late = () => page.evaluate(async () => (await fetch('www/shell/export.js')).status);
          assert.equal(await late(), 200);
          await page.close();
          const last = await context.newPage();
          await last.goto(server.url);
          assert.equal(await last.title(), 'Another site');
          assert.equal(await last.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
          assert.deepEqual(Object.keys(await caches(last)), [other]);
        });
      }));
  }
});

describe('it is not kept', () => {
  const registered = (/** @type {Page} */ page) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

  test('where the page is a part of another', () =>
    withSite(async ({ server }) => {
      await harness.visit({ base: server.url, address: '?v=1&embed=1', keptOffline: true }, async ({ page, context }) => {
        await ready(page);
        // The page does it when it is idle: wait until it would have.
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));
        assert.equal(await registered(page), 0);
        // Likewise in a frame, whatever its address says. The host page is of the same origin.
        const framed = await context.newPage();
        await framed.route('**/host.html', (route) =>
          route.fulfill({ contentType: 'text/html', body: `<!doctype html><iframe src="${server.url}"></iframe>` }),
        );
        await framed.goto(`${server.url}host.html`);
        const [, frame] = framed.frames();
        await ready(frame);
        await frame.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));
        assert.equal(await registered(framed), 0);
        assert.ok(!server.requests.some(({ path }) => path.endsWith('/sw.js')));
      });
    }));

  test('where the host sends another file than the build listed', () =>
    withSite(async ({ folder, server }) => {
      await writeFile(join(folder, 'www', 'shell', 'export.js'), '// Half of another version.\n');
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        // What becomes of the worker is written down from its first moment.
        await context.addInitScript(() => {
          const register = ServiceWorkerContainer.prototype.register;
          ServiceWorkerContainer.prototype.register = async function (...settings) {
            const kept = await register.apply(this, settings);
            const worker = kept.installing;
            worker.addEventListener('statechange', () => {
              globalThis.fate = worker.state;
            });
            return kept;
          };
        });
        await page.reload();
        await page.waitForFunction(() => globalThis.fate);
        const failed = await page.evaluate(() => globalThis.fate);
        assert.equal(failed, 'redundant');
        assert.deepEqual(await caches(page), {});
      });
    }));
});

describe('a newer version', () => {
  test('takes the place of the older one whole, and only when the reader takes it', () =>
    withSite(async ({ folder, server, renew }) => {
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        const [older] = Object.keys(await caches(page));
        const { version, files } = await list(folder);
        assert.equal(older, `sfc-bench ${server.url} ${version}`);
        // No page has asked for weights.
        const early = Object.keys(files).filter((path) => !path.endsWith('.safetensors'));
        assert.deepEqual((await caches(page))[older], early.sort());
        await page.reload();
        await kept(page);

        await renew();
        // Another page's cache, on the same origin: none of ours to drop.
        await page.evaluate((url) => globalThis.caches.open(`sfc-bench ${url}other/ 1`), server.url);
        await page.reload();
        await page.waitForSelector('body[data-update=waiting]');
        assert.deepEqual(await runAxe(page), []);
        // Still the older one, all of it.
        assert.doesNotMatch(await page.title(), /Newer/);
        const module = () =>
          page.evaluate(async () => (await (await fetch('www/shell/export.js')).text()).includes('// Newer.'));
        assert.equal(await module(), false);

        // With a second page open it would be a mix: then it waits.
        const second = await context.newPage();
        await second.goto(server.url);
        await second.waitForSelector('#live:not([hidden])');
        assert.doesNotMatch(await second.title(), /Newer/);
        await page.click('.offline button');
        await page.waitForFunction(() => /Close the other tabs/.test(document.querySelector('.offline').textContent));
        assert.equal(await module(), false);
        await second.close();

        await page.reload();
        await page.waitForSelector('.offline button');
        await Promise.all([page.waitForEvent('framenavigated'), page.click('.offline button')]);
        await page.waitForFunction(() => document.title.startsWith('Newer: '));
        await kept(page);
        assert.equal(await module(), true);
        const names = Object.keys(await caches(page)).sort();
        assert.deepEqual(names, [`sfc-bench ${server.url} newer`, `sfc-bench ${server.url}other/ 1`]);
        // Files that are the same were not fetched again, but taken from the older cache.
        const wasm = server.requests.filter(({ path }) => path.endsWith('sfc_bench_lab_bg.wasm'));
        assert.ok(wasm.length <= 2, `the lab's wasm was fetched ${wasm.length} times`);
      });
    }));

  test('is there at the next visit, once no page is open', { skip: SKIP_UNLESS_LONG, timeout: 5 * TIMEOUT }, () =>
    withSite(async ({ server, renew }) => {
      await harness.visit({ base: server.url, keptOffline: true }, async ({ page, context }) => {
        await kept(page);
        await renew();
        await page.reload();
        await page.waitForSelector('body[data-update=waiting]');
        await page.close();
        // The older one goes when its last page has gone; a visit before that has still the older.
        for (;;) {
          const next = await context.newPage();
          await next.goto(server.url);
          await next.waitForSelector('#live:not([hidden])');
          const newer = /^Newer: /.test(await next.title());
          if (newer) break;
          await next.close();
        }
      });
    }));
});
