// The page in part, and as a guest: what a link hides, one figure in another page's frame, what the
// two pages tell each other, and the lines of HTML that the page writes for it.

import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runAxe, screenshot, start } from './lib/harness.mjs';
import { IS_LONG_RUN, SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { serveStatic } from './lib/server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

/** A host like GitHub's, which lets every origin read its files. @type {import('./lib/harness.mjs').Harness} */
let harness;
/** One that does not, for the same browser. @type {import('./lib/server.mjs').Server} */
let plain;
before(async () => {
  [harness, plain] = await Promise.all([
    start({ headers: { 'Access-Control-Allow-Origin': '*' } }),
    serveStatic(fileURLToPath(new URL('../../dist', import.meta.url))),
  ]);
});
after(() => Promise.all([harness?.close(), plain?.close()]));

/** @param {import('./lib/harness.mjs').Visitor} visitor @param {Parameters<import('./lib/harness.mjs').Harness['visit']>[1]} use */
const visitPlain = (visitor, use) => harness.visit({ ...visitor, base: plain.url }, use);

const visit = (address, use, more = {}) =>
  harness.visit({ width: 1280, address, permissions: ['clipboard-read', 'clipboard-write'], ...more }, use);

/** Waits until everything is loaded, computed and arranged. @param {Page | Frame} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])', { state: 'attached' });
  await page.waitForSelector('body[data-lab=ready]');
  await page.waitForFunction(() => document.querySelector('#flip').textContent.length > 0);
}

/** The figures that have a box. @param {Page | Frame} page @returns {Promise<string[]>} */
const shown = (page) =>
  page.$$eval('[data-figure]', (figures) =>
    figures.filter((figure) => figure.checkVisibility()).map(({ dataset }) => dataset.figure),
  );

/** The words and the numbers of a figure, once they are written. @param {Page} page @param {string} id */
async function contents(page, id) {
  const figure = `[data-figure="${id}"]`;
  await page.waitForFunction((at) => document.querySelector(`${at} table td`) !== null, figure);
  return page.$eval(figure, (element) => ({
    title: element.querySelector('.figure-title').textContent,
    caption: element.querySelector('.figure-caption').textContent,
    table: element.querySelector('table').textContent,
  }));
}

/** Frames of the page in a page of somebody else. @param {Page} page @param {string} body */
async function host(page, body, at = harness) {
  await page.route('**/host.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head><title>A host</title><link rel="icon" href="data:,">
<script>
  window.heard = [];
  addEventListener('message', ({ data, source }) => {
    const frames = [...document.querySelectorAll('iframe')];
    heard.push({ data, from: frames.findIndex((frame) => frame.contentWindow === source) });
  });
</script></head><body><main><h1>A host</h1>${body}</main></body></html>`,
    }),
  );
  await page.goto(`${at.url}host.html`);
}

/** The document in the page's first frame. @param {Page} page @returns {Promise<Frame>} */
async function guest(page) {
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await ready(frame);
  return frame;
}

/** Waits until nothing has been said for many frames. @param {Page} page */
async function quiet(page) {
  await page.waitForFunction(
    () =>
      new Promise((resolve) => {
        const count = heard.length;
        let left = 90;
        const next = () => {
          left -= 1;
          if (heard.length !== count) resolve(false);
          else if (left === 0) resolve(count > 0);
          else requestAnimationFrame(next);
        };
        next();
      }),
  );
}

const heights = (/** @type {Page} */ page) =>
  page.evaluate(() => heard.map(({ data }) => data.height));

/** Somewhere to leave from: a picture. Browsers ask for one of their own beside it. */
const NOWHERE = { width: 1280, address: 'www/shell/icons/favicon.svg', expectedErrors: [/favicon\.ico/] };

describe('a link to part of the page', () => {
  test('hides what it names from everybody, says so, and offers the rest', () =>
    visit('?v=1&hide=share,weights,group-data,seed,cells,fronts,how', async ({ page }) => {
      await ready(page);
      const tree = await page.locator('body').ariaSnapshot();
      const words = ['Share this', 'Sparsity', 'Model seed', 'Every printed number', 'The Pareto front', 'How this was computed'];
      const named = words.map((word) => new RegExp(`(button|heading|slider|spinbutton|textbox|group)[^\\n]*${word}`));
      // A section has the name of this field.
      named.push(/(spinbutton|textbox)[^\n]*Dictionary size/);
      for (const pattern of named) assert.doesNotMatch(tree, pattern);
      assert.ok(await page.isHidden('#group-data'));
      assert.ok(await page.isHidden('[data-field=model_seed]'));
      assert.ok(await page.isVisible('#settings'));
      assert.ok(!(await shown(page)).includes('table3'));
      assert.deepEqual(await runAxe(page), []);
      // What the reader does keeps it.
      await page.selectOption('[name=config]', 'large');
      await page.waitForFunction(() => location.search.includes('net=large'));
      assert.match(page.url(), /hide=share,weights,group-data,cells,fronts,how,seed$/);
      await page.click('#parts-hidden button');
      await page.waitForFunction(() => location.search === '?v=1&net=large');
      const whole = await page.locator('body').ariaSnapshot();
      for (const pattern of named) assert.match(whole, pattern, 'it was there to be hidden');
      assert.ok(await page.isVisible('#weight-s'));
      assert.equal(await page.$('[data-away]'), null);
      await page.goBack();
      await page.waitForSelector('#weight-s', { state: 'hidden' });
      await page.goForward();
      await page.waitForSelector('#weight-s');
    }));

  test('every part of the page can be hidden, and every setting', () =>
    visit('', async ({ page }) => {
      await ready(page);
      await page.waitForSelector('#progress', { state: 'hidden' });
      const names = await page.evaluate(async () => {
        const core = await import(new URL('www/pkg/sfc_bench_lab.js', location.href).href);
        return core.link_names();
      });
      assert.equal(names.settings.length, 18);
      // Some are on other pages now; links may go on naming them.
      const elsewhere = ['families', 'evaluate', 'benchmark', 'notes'];
      const parts = names.parts.filter((name) => !elsewhere.includes(name));
      assert.equal(parts.length, names.parts.length - elsewhere.length);
      const all = [...parts, ...names.settings.map(([key]) => key)];
      const { arranged, left } = await page.evaluate(async (everything) => {
        const at = (name) => import(new URL(`www/${name}`, location.href).href);
        const [{ setVisibility, WHOLE_PAGE_VISIBILITY }, core] = await Promise.all([at('shell/visibility.js'), at('pkg/sfc_bench_lab.js')]);
        for (const fold of document.querySelectorAll('details')) fold.open = true;
        const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
        const count = (hide) => {
          setVisibility(core, { ...WHOLE_PAGE_VISIBILITY, hide });
          return visible('body *:not(#parts-hidden, #parts-hidden *)').length;
        };
        const all = count([]);
        const arranged = everything.filter((name) => count([name]) < all);
        setVisibility(core, { ...WHOLE_PAGE_VISIBILITY, hide: everything });
        const left = visible('main section, main form, figcaption *').map(({ id, className }) => `${id} ${className}`);
        return { arranged, left };
      }, all);
      assert.deepEqual(arranged, all);
      assert.deepEqual(left, []);
    }));

  test('leads to a figure, and keeps it in the address', () =>
    visit('?v=1&fig=table6', async ({ page }) => {
      await ready(page);
      await page.waitForFunction(() => document.activeElement?.dataset.figure === 'table6');
      const box = await page.locator('[data-figure=table6]').boundingBox();
      assert.ok(box.y > -1 && box.y < 800, `it is in the window: ${box.y}`);
      assert.ok((await shown(page)).length > 12, 'the others are there, too');
      await page.click('#profiles button:nth-child(2)');
      await page.waitForFunction(() => location.search === '?v=1&w=5,1,1&fig=table6');
    }));
});

describe('an embedded figure', () => {
  test('is the page’s own, whichever it is', { timeout: 600_000 }, () =>
    visit('?v=1&seeds=3', async ({ page, context }) => {
      await ready(page);
      await page.locator('#ensemble').scrollIntoViewIfNeeded();
      await page.$eval('#ensemble-form', (form) => form.requestSubmit());
      await page.waitForSelector('#ensemble-result:not([hidden])');
      await page.waitForFunction(() => /^3 networks in/.test(document.querySelector('#ensemble-status').textContent));
      const ids = await page.evaluate(async () => {
        const core = await import(new URL('www/pkg/sfc_bench_lab.js', location.href).href);
        return core.link_names().figures;
      });
      // A comparison needs a pinned result.
      const there = await page.$$eval('[data-figure]', (all) =>
        all
          .filter((figure) => !figure.closest('#compare'))
          .map(({ dataset }) => dataset.figure),
      );
      assert.deepEqual(there.sort(), [...ids].sort());
      const whole = {};
      for (const id of ids) whole[id] = await contents(page, id);
      await page.close();
      // The first of the list is drawn by everybody; the others of the default run are a table, a map, a band of seeds.
      const some = IS_LONG_RUN ? ids : ids.filter((/** @type {string} */ id) => ['fig1a', 'table3', 'simplex', 'ens-levels'].includes(id));
      assert.ok(some.length >= 3, some.join());
      for (const id of some) {
        const own = await context.newPage();
        await own.goto(`${harness.url}?v=1&seeds=3&fig=${id}&embed=1`);
        await ready(own);
        await own.waitForSelector(`[data-figure="${id}"]`);
        if (id.startsWith('ens-'))
          await own.waitForFunction(() => /^3 networks in/.test(document.querySelector('#ensemble-status').textContent));
        assert.deepEqual(await contents(own, id), whole[id], id);
        assert.deepEqual(await shown(own), [id]);
        assert.ok(await own.isVisible(`[data-figure="${id}"] .figure-caption`), id);
        for (const gone of ['.top', '.deck', '#verdict', '#printed', '.background', '.foot'])
          assert.ok(await own.isHidden(gone), `${id}: ${gone}`);
        await own.close();
      }
    }));

  test('has no violations and no scrollbars, light, dark or narrow', { skip: SKIP_UNLESS_LONG }, async () => {
    const looks = selectMembers([
      ['light', {}],
      ['phone-dark', { width: 360, height: 700, touch: true, dark: true }],
      ['dark', { dark: true }],
      ['phone', { width: 360, height: 700, touch: true }],
    ]);
    for (const [name, more] of looks) {
      const all = name === 'light' || name === 'phone-dark' ? ['embed=1&hide=settings'] : [];
      for (const query of ['fig=fig1a&embed=1&k=32', 'fig=table3&embed=1&hide=weights,settings', 'fig=simplex&embed=1&hide=settings', ...all]) {
        await visit(`?v=1&${query}`, async ({ page }) => {
          await ready(page);
          await page.waitForFunction(() => document.querySelector('.embed-line a').href !== '');
          assert.deepEqual(await runAxe(page), [], `${name} ${query}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(overflow <= 0, `${name} ${query} is ${overflow} too wide`);
          if (query.includes('weights,settings')) {
            const [own, all] = await page.evaluate(() => [document.querySelector('[data-figure=table3]').clientWidth, innerWidth]);
            assert.ok(own > all - 40, `the figure takes the panel’s place: ${own} of ${all}`);
          }
          await screenshot(page, `embed-${name}-${query.replaceAll(/[^a-z0-9]+/g, '-')}`);
        }, more);
      }
    }
  });

  test('says what differs from the paper, and links to the whole page in the same state', () =>
    visit('?v=1&k=32&fig=fig1a&embed=1&hide=settings&theme=dark&id=one', async ({ page }) => {
      await ready(page);
      const line = page.locator('.embed-line');
      await page.waitForFunction(() => document.querySelector('.embed-line').textContent.includes('48 → 32'));
      const link = line.locator('a');
      assert.equal(await link.getAttribute('rel'), 'noopener');
      assert.equal(await link.getAttribute('target'), '_blank');
      assert.equal(new URL(await link.getAttribute('href')).search, '?v=1&k=32&fig=fig1a');
      assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
      await page.click('#profiles button:nth-child(2)');
      await page.waitForFunction(() => document.querySelector('.embed-line a').href.includes('w=5,1,1'));
      assert.match(page.url(), /w=5,1,1&fig=fig1a&embed=1&hide=settings&theme=dark&id=one$/);
      assert.equal(await page.evaluate(() => history.length), 2, 'Back stays the other page’s');
    }));

  test('hides controls from everybody', () =>
    visit('?v=1&fig=fig1a&embed=1&hide=settings,profiles,tools', async ({ page }) => {
      await ready(page);
      const tree = await page.locator('body').ariaSnapshot();
      assert.match(tree, /slider/);
      const gone = [/Dictionary size/, /Equal/, /Export/, /button "Table:/, /Share this/, /Verdict/, /Colours/];
      for (const pattern of gone) assert.doesNotMatch(tree, pattern);
      await page.goto(harness.url);
      await ready(page);
      const whole = await page.locator('body').ariaSnapshot();
      for (const pattern of gone) assert.match(whole, pattern, 'it was there to be hidden');
    }));

  test('without WebAssembly shows why, and the printed tables', () =>
    visit('?v=1&fig=fig1a&embed=1', async ({ page }) => {
      await page.waitForSelector('#verdict[data-outcome=failed]');
      assert.ok(await page.isVisible('#verdict'));
      await page.waitForSelector('#printed');
    }, { webAssembly: false }));
});

describe('the two pages', () => {
  const FRAME = (query, more = '') =>
    `<iframe class="sfc-bench" title="A figure" src="./?v=1&${query}" width="700" height="200" ${more}></iframe>`;
  const SCRIPT = '<script src="www/frame.js"></script>';

  test('agree on the height, and then are quiet', () =>
    harness.visit(NOWHERE, async ({ page }) => {
      await host(page, FRAME('fig=fig1a&embed=1&hide=settings&id=first') + SCRIPT);
      const frame = await guest(page);
      await quiet(page);
      const heard = await page.evaluate(() => window.heard);
      for (const { data, from } of heard) {
        assert.equal(from, 0);
        assert.deepEqual(Object.keys(data).sort(), ['height', 'id', 'type', 'version']);
        assert.deepEqual([data.type, data.version, data.id], ['sfc-bench:height', 1, 'first']);
        assert.ok(Number.isInteger(data.height) && data.height >= 40 && data.height <= 40_000, `${data.height}`);
      }
      const fits = async () => {
        const told = (await heights(page)).at(-1);
        const [needed, given] = await frame.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
        assert.equal(given, told, 'the frame is as high as it said');
        assert.ok(needed <= given, `no scrollbar: ${needed} in ${given}`);
        return told;
      };
      const wide = await fits();
      const before = (await heights(page)).length;
      await quiet(page);
      assert.equal((await heights(page)).length, before, 'nothing more is said');
      await page.$eval('iframe', (element) => (element.width = '300'));
      await page.waitForFunction((height) => heard.at(-1).data.height > height, wide);
      await quiet(page);
      const narrow = await fits();
      assert.ok(narrow > wide);
      // A menu is seen whole, even below a frame that is hardly higher than its figure.
      await frame.click('[data-figure=fig1a] .export button');
      const item = frame.locator('[role=menuitem]').last();
      await item.waitFor();
      await quiet(page);
      const [bottom, height] = await item.evaluate((element) => [element.getBoundingClientRect().bottom, innerHeight]);
      assert.ok(bottom <= height, `${bottom} in ${height}`);
      await frame.page().keyboard.press('Escape');
      await quiet(page);
      assert.equal(await fits(), narrow);
      await page.$eval('iframe', (element) => (element.width = '700'));
      await page.waitForFunction((height) => heard.at(-1).data.height === height, wide);
      await quiet(page);
      await fits();
    }));

  test('the one around it may set colours and state; nobody else, and nothing else', () =>
    harness.visit(NOWHERE, async ({ page }) => {
      await host(page, `${FRAME('fig=fig1a&embed=1')}<iframe title="Another" id="other" srcdoc="<p>Another</p>"></iframe>`);
      const frame = await guest(page);
      await quiet(page);
      const theme = () => frame.evaluate(() => document.documentElement.dataset.theme);
      const send = (message) => page.evaluate((data) => document.querySelector('iframe').contentWindow.postMessage(data, '*'), message);
      await send({ type: 'sfc-bench:theme', version: 1, theme: 'dark' });
      await frame.waitForSelector('html[data-theme=dark]', { state: 'attached' });
      // From the frame itself, and from another of the host's: the source is not the parent.
      await frame.evaluate(() => postMessage({ type: 'sfc-bench:theme', version: 1, theme: 'light' }, '*'));
      await page.evaluate(() => {
        const script = document.querySelector('#other').contentDocument.createElement('script');
        script.textContent = 'parent.frames[0].postMessage({ type: "sfc-bench:theme", version: 1, theme: "light" }, "*")';
        document.querySelector('#other').contentDocument.body.append(script);
      });
      for (const wrong of [
        null,
        'sfc-bench:theme',
        { type: 'sfc-bench:theme', theme: 'light' },
        { type: 'sfc-bench:theme', version: 2, theme: 'light' },
        { type: 'sfc-bench:theme', version: '1', theme: 'light' },
        { type: 'sfc-bench:theme', version: 1, theme: 'red' },
        { type: 'sfc-bench:theme', version: 1, theme: ['light'] },
        { type: 'sfc-bench:theme', version: 1, theme: 'light', more: 1 },
        { type: 'sfc-bench:state', version: 1, query: 7 },
        { type: 'sfc-bench:state', version: 1, query: 'k=8', more: 1 },
        { type: 'theme', version: 1, theme: 'light' },
      ])
        await send(wrong);
      // What nobody's files are read from is no state of them, and stops nothing.
      for (const own of ['a', 'a:', 'x:y', '-', ''])
        await send({ type: 'sfc-bench:state', version: 1, query: `fig=fig1a&own=${own}` });
      // What is sent in order arrives in order: once this is followed, those before were read.
      await send({ type: 'sfc-bench:state', version: 1, query: 'k=32&fig=table6&hide=weights&embed=0&theme=light' });
      await frame.waitForFunction(() => document.querySelector('#differences').textContent.includes('48 → 32'));
      assert.equal(await theme(), 'dark');
      assert.deepEqual(await shown(frame), ['table6']);
      assert.ok(await frame.isHidden('#weight-s'));
      assert.ok(await frame.isVisible('[name=config]'));
      await send({ type: 'sfc-bench:theme', version: 1, theme: 'system' });
      await frame.waitForSelector('html[data-theme=system]', { state: 'attached' });
      const before = (await heights(page)).length;
      await send({ type: 'sfc-bench:measure', version: 1 });
      await page.waitForFunction((count) => heard.length > count, before);
    }));

  test('the one around it believes only its own frames, and only what is well formed', () =>
    harness.visit(NOWHERE, async ({ page }) => {
      const speaker = (className) =>
        `<iframe class="${className}" title="A speaker" height="150" srcdoc="<p>Says what it is told.</p>"></iframe>`;
      await host(page, speaker('sfc-bench') + speaker('other') + SCRIPT);
      const say = (index, text) =>
        page.evaluate(
          ([at, script]) =>
            new Promise((resolve) => {
              const { contentDocument } = document.querySelectorAll('iframe')[at];
              addEventListener('message', () => resolve(undefined), { once: true });
              const element = contentDocument.createElement('script');
              element.textContent = `parent.postMessage(${script}, '*')`;
              contentDocument.body.append(element);
            }),
          [index, text],
        );
      const height = (index) => page.$$eval('iframe', (all, at) => all[at].clientHeight, index);
      const message = (value, more = '') => `{ type: 'sfc-bench:height', version: 1, height: ${value} ${more} }`;
      for (const wrong of [
        'null',
        '300',
        message('NaN'),
        message('Infinity'),
        message('-Infinity'),
        message('300.5'),
        message('"300"'),
        message('[300]'),
        message('300', ', id: 7'),
        message('300', ', more: 1'),
        "{ type: 'sfc-bench:height', version: 2, height: 300 }",
        "{ type: 'height', version: 1, height: 300 }",
        "{ type: 'sfc-bench:height', height: 300 }",
      ]) {
        await say(0, wrong);
        assert.equal(await height(0), 150, wrong);
      }
      await say(1, message('300'));
      assert.deepEqual([await height(0), await height(1)], [150, 150], 'a frame that is not one of ours');
      await page.evaluate(() => postMessage({ type: 'sfc-bench:height', version: 1, height: 300 }, '*'));
      for (const [value, set] of [['300', 300], ['-5', 40], ['1e9', 40_000], ['40', 40]]) {
        await say(0, message(value, ", id: 'x'"));
        assert.equal(await height(0), set);
      }
      assert.equal(await height(1), 150);
    }));

  for (const width of selectMembers([320, 390]))
    test(`all of the page fits into its frame, ${width} pixels wide, with every fold open`, () =>
      harness.visit(NOWHERE, async ({ page }) => {
        await host(page, FRAME('embed=1').replace('width="700"', `width="${width}"`) + SCRIPT);
        const frame = await guest(page);
        await frame.waitForSelector('body[data-lab=ready]');
        const fits = async () => {
          await quiet(page);
          const [needed, given] = await frame.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
          assert.equal(given, (await heights(page)).at(-1), 'the frame is as high as it said');
          assert.ok(needed <= given, `no scrollbar: ${needed} in ${given}`);
          return needed;
        };
        const closed = await fits();
        const figures = await frame.evaluate(async () => {
          const core = await import(new URL('www/pkg/sfc_bench_lab.js', location.href).href);
          const there = [...document.querySelectorAll('[data-figure]')].map((figure) => figure.dataset.figure);
          return core.link_names().figures.filter((/** @type {string} */ id) => !there.includes(id));
        });
        assert.deepEqual(figures, [], 'the whole page');
        await frame.evaluate(() => {
          for (const fold of document.querySelectorAll('details')) fold.open = true;
        });
        await page.waitForFunction((height) => heard.at(-1).data.height > height, closed);
        await fits();
      }));

  test('work with a sandbox that allows scripts alone, where the host lets everybody read', () =>
    harness.visit(NOWHERE, async ({ page }) => {
      await host(page, FRAME('fig=table3&embed=1', 'sandbox="allow-scripts"') + SCRIPT);
      const frame = await guest(page);
      assert.equal(await frame.evaluate(() => origin), 'null');
      await quiet(page);
      assert.deepEqual(await shown(frame), ['table3']);
      await frame.click('#profiles button:nth-child(2)');
      await frame.waitForFunction(() => document.querySelector('.embed-line a').href.includes('w=5,1,1'));
      await frame.selectOption('[name=config]', 'large');
      await frame.waitForFunction(() => document.querySelector('.embed-line').textContent.includes('standard → large'));
    }));

  test('and elsewhere with its own origin; without, the printed tables are there', async () => {
    await visitPlain(NOWHERE, async ({ page }) => {
      await host(page, FRAME('fig=table3&embed=1', 'sandbox="allow-scripts allow-same-origin"') + SCRIPT, plain);
      assert.deepEqual(await shown(await guest(page)), ['table3']);
    });
    await visitPlain({ ...NOWHERE, expectedErrors: [/favicon\.ico/, /CORS policy/, /ERR_FAILED/] }, async ({ page }) => {
      await host(page, FRAME('fig=table3&embed=1', 'sandbox="allow-scripts"'), plain);
      const frame = await (await page.waitForSelector('iframe')).contentFrame();
      await frame.waitForSelector('#printed');
    });
  });

  test('the page as one file needs nothing of its host', { skip: SKIP_UNLESS_LONG }, async (context) => {
    const built = await access(new URL('../../dist/sfc-bench.html', import.meta.url)).then(() => true, () => false);
    if (!built) return context.skip('dist has no sfc-bench.html: build it with --single');
    await visitPlain(NOWHERE, async ({ page }) => {
      await host(page, FRAME('fig=table3&embed=1', 'sandbox="allow-scripts"').replace('./?', 'sfc-bench.html?') + SCRIPT, plain);
      const frame = await guest(page);
      assert.equal(await frame.evaluate(() => origin), 'null');
      await quiet(page);
      assert.deepEqual(await shown(frame), ['table3']);
      assert.equal(await frame.evaluate(() => innerHeight), (await heights(page)).at(-1));
    });
  });
});

describe('the lines for another page', () => {
  test('are what the preview shows, and work where they are pasted', async () => {
    let lines = '';
    let told = '';
    await visit('?v=1&k=32', async ({ page }) => {
      await ready(page);
      await page.click('#embed');
      const preview = await (await page.waitForSelector('.embed-preview iframe')).contentFrame();
      await ready(preview);
      const code = page.locator('.embedding textarea');
      await page.selectOption('.embed-form label:nth-of-type(1) select', 'fig3b');
      await preview.waitForSelector('[data-figure=fig3b]');
      await page.selectOption('.embed-form label:nth-of-type(2) select', 'dark');
      await preview.waitForSelector('html[data-theme=dark]', { state: 'attached' });
      await page.check('[value=group-data]');
      await preview.waitForSelector('#digest-data');
      assert.ok(await preview.isHidden('#digest-seeds'));
      // A figure that weights change nothing of is given none, until somebody wants them.
      assert.ok(!(await page.isChecked('.embedding [value=weights]')));
      await page.check('.embedding [value=weights]');
      await preview.waitForSelector('#weight-s');
      await page.uncheck('.embedding [value=weights]');
      await preview.waitForSelector('#weight-s', { state: 'hidden' });
      assert.deepEqual(await shown(preview), ['fig3b']);
      await page.waitForFunction(() => document.querySelector('.embedding textarea').value.includes(`height="${document.querySelector('.embed-preview iframe').clientHeight}"`));
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, 'embed-builder', { fullPage: false });
      lines = await code.inputValue();
      await page.click('.embedding .row button:first-child');
      await page.waitForFunction(() => document.querySelector('.embedding [role=status]').textContent === 'Copied.');
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), lines);
      await page.$eval('[name=embed-kind][value=tag]', (choice) => choice.click());
      const tag = await code.inputValue();
      assert.match(tag, /^<script type="module" src="[^"]*sfc-bench\.js"><\/script>\n<sfc-bench [^>]*k="32"[^>]*figure="fig3b"[^>]*><a href="[^"]*">A figure of sfc-bench<\/a>, [^<]*<\/sfc-bench>$/);
      assert.doesNotMatch(tag, / (v|embed|fig|hide)="/);
      assert.match(tag, / theme="dark" controls="n,k,levels,centred"/);
      await page.$eval('[name=embed-kind][value=link]', (choice) => choice.click());
      assert.equal(await code.inputValue(), `${harness.url}?v=1&k=32&fig=fig3b`);
      told = await preview.$eval('[data-figure=fig3b] .figure-title', ({ textContent }) => textContent);
      await page.keyboard.press('Escape');
      await page.waitForSelector('.embedding', { state: 'detached' });
    });
    assert.doesNotMatch(lines, /allow-same-origin/, 'this host lets everybody read');
    await harness.visit(NOWHERE, async ({ page }) => {
      await host(page, lines);
      const frame = await guest(page);
      await frame.waitForFunction(() => document.querySelector('#differences').textContent.includes('48 → 32'));
      assert.deepEqual(await shown(frame), ['fig3b']);
      assert.equal(await frame.textContent('[data-figure=fig3b] .figure-title'), told);
      assert.ok(await frame.isVisible('#digest-data'));
      assert.ok(await frame.isHidden('#weight-s'));
      assert.equal(await frame.getAttribute('html', 'data-theme'), 'dark');
      await page.waitForFunction(() => heard.length > 0);
      await quiet(page);
      assert.equal(await frame.evaluate(() => innerHeight), (await heights(page)).at(-1));
      assert.deepEqual(await runAxe(page), []);
      const [opened] = await Promise.all([page.context().waitForEvent('page'), frame.click('.embed-line a')]);
      await opened.waitForURL(`${harness.url}?v=1&k=32&fig=fig3b`);
      assert.notEqual(await opened.evaluate(() => origin), 'null', 'it is not in the sandbox any more');
    });
    await visitPlain({ width: 390, height: 800, touch: true, dark: true }, async ({ page }) => {
      await ready(page);
      await page.click('#embed');
      await page.waitForSelector('.embedding textarea');
      await page.waitForFunction(() => document.querySelector('.embedding textarea').value.includes('allow-same-origin'));
      await ready(await (await page.waitForSelector('.embed-preview iframe')).contentFrame());
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page, 'embed-builder-phone', { fullPage: false });
      // The element would stay blank elsewhere: that is said where its lines are given.
      assert.doesNotMatch(await page.locator('.embedding').innerText(), /Access-Control-Allow-Origin/);
      await page.$eval('[name=embed-kind][value=tag]', (choice) => choice.click());
      assert.match(await page.locator('.embedding').innerText(), /does not send Access-Control-Allow-Origin/);
    });
  });
});
