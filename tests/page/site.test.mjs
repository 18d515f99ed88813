// The site: its pages, the way between them, what each has of the shell, few enough words to be read and the field's own,
// and what all look like on paper.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { runAxe, screenshot, waitUntilSettled, start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** The entries of the navigation, and the pages that each has beside it. @type {Record<string, string[]>} */
const ENTRIES = {
  '': [],
  'compare/': ['compare/', 'synth/'],
  'own/': ['own/', 'train/', 'model/'],
  'metrics/': ['metrics/', 'fade/', 'ce-bench/', 'mui/', 'measurement/', 'audit/'],
  'method/': ['method/', 'gallery/'],
};
const PAGES = [...new Set(Object.entries(ENTRIES).flatMap(([entry, others]) => [entry, ...others]))];

/** Most words that a page shows before anything is opened. */
const MOST_WORDS = 900;
/** Words that no page says, and what it says instead. @type {[RegExp, string][]} */
const PRIVATE = [
  [/little model/i, 'toy model'],
  [/show as text/i, 'table'],
  [/switched off/i, 'zero'],
  [/cannot be told/i, 'inconclusive'],
  [/by lot\b/i, 'random baseline'],
  [/rate of learning/i, 'learning rate'],
  [/not possible:/i, 'invalid value'],
  [/each for itself/i, 'independently'],
  [/come out as printed/i, 'match'],
  [/keeps? still/i, 'invariant'],
  [/the (note|code)’s\b/i, 'the paper’s, the implementation’s'],
  [/drawn anew/i, 'resampled'],
];

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const ready = (page) => page.waitForSelector('body[data-lab=ready]');

/** Stops of the Tab key, before one is back at the top. @param {Page} page */
const stops = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')];
    const radios = new Set();
    return all.filter((one) => {
      if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({ checkVisibilityCSS: true })) return false;
      if (one.type !== 'radio') return true;
      const first = !radios.has(one.name);
      radios.add(one.name);
      return first;
    }).length;
  });

/** How many words of a page can be seen; what is heard only, and what a select would offer, is not read. */
function visibleWords() {
  const main = document.querySelector('main');
  const nodes = document.createTreeWalker(main ?? document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (nodes.nextNode()) {
    const around = nodes.currentNode.parentElement;
    if (!around?.checkVisibility({ checkVisibilityCSS: true }) || around.closest('.visually-hidden, .text-layer, option')) continue;
    count += (nodes.currentNode.textContent ?? '').split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  }
  return count;
}

/** What a page says in a private word. @param {string} address @param {string} text of it */
const privately = (address, text) =>
  PRIVATE.flatMap(([word, instead]) => {
    const [said] = text.match(new RegExp(`.{0,40}${word.source}.{0,40}`, word.flags)) ?? [];
    return said ? [`${address}: “${said}”: say ${instead}`] : [];
  });

describe('every page', () => {
  /**
   * A page has its place in the navigation, few words as it is loaded, and no fault with its folds open.
   *
   * @param {Page} page
   * @param {string} address
   * @param {number} width
   */
  async function isSound(page, address, width) {
    await waitUntilSettled(page);
    const words = await page.evaluate(visibleWords);
    // The toy model’s page has the words of its texts besides, in tables.
    assert.ok(words > 30 && words <= (address === 'model/' ? Infinity : MOST_WORDS), `${address || 'the first page'} has ${words} words`);
    await page.$$eval('details:is(.apart, .all)', (folds) => folds.forEach((fold) => (fold.open = true)));
    await waitUntilSettled(page);
    assert.deepEqual(privately(address, await page.evaluate(() => document.querySelector('main')?.textContent ?? '')), []);
    const about = (await page.getAttribute('meta[name=description]', 'content')) ?? '';
    assert.ok(about.length > 60, `${address}: ${about}`);
    assert.equal(await page.locator('h1:visible').count(), 1);
    const here = await page.$$eval(':is(.pages, .subpages:not([hidden])) a[aria-current=page]', (links) => links.map((link) => link.href));
    assert.deepEqual([...new Set(here)], [harness.url + address]);
    const [entry = ''] = Object.entries(ENTRIES).find(([first, others]) => first === address || others.includes(address)) ?? [];
    const marked = await page.$$eval('.pages a[aria-current]', (links) => links.map((link) => link.href));
    assert.deepEqual(marked, [harness.url + entry]);
    const lines = await page.$eval('.top', (top) => top.getBoundingClientRect().height);
    assert.ok(lines <= 56, `the header is ${lines} px high`);
    const bare = await page.$$eval('main h2[id]', (all) =>
      all.filter((one) => one.checkVisibility() && !one.closest('summary') && !one.querySelector('.anchor')).map(({ id }) => id));
    assert.deepEqual(bare, [], `${address}: headings without a link to them`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${address} is ${wide} px wide`);
    assert.deepEqual(await runAxe(page), [], address);
  }

  for (const [width, dark] of selectMembers(/** @type {[number, boolean][]} */ ([
    [390, true],
    [1440, false],
  ]))) {
    test(`is reached from every other, has its title, its place in the navigation, at most ${MOST_WORDS} visible words and no fault, at ${width}`, async () => {
      /** Titles by address. @type {Map<string, string>} */
      const titles = new Map();
      await harness.visit({ width, height: width === 390 ? 844 : 900, dark, address: 'own/', folded: true }, async ({ page }) => {
        const follow = async (/** @type {string} */ link, /** @type {string} */ address) => {
          await page.click(link);
          await page.waitForURL(harness.url + address);
          await ready(page);
          if (titles.has(address)) return;
          titles.set(address, await page.title());
          await isSound(page, address, width);
          await screenshot(page, `site-${address.replace('/', '') || 'paper'}-${width}${dark ? '-dark' : ''}`);
        };
        for (const [entry, others] of Object.entries(ENTRIES)) {
          const links = await page.$$eval('.pages a', (all) => all.map((link) => link.href));
          assert.deepEqual(links, Object.keys(ENTRIES).map((one) => harness.url + one));
          await follow(`.pages a >> nth=${Object.keys(ENTRIES).indexOf(entry)}`, entry);
          for (const other of others) {
            const beside = await page.$$eval('.subpages:not([hidden]) a', (all) => all.map((link) => link.href));
            assert.deepEqual(beside, others.map((one) => harness.url + one));
            if (new URL(page.url()).href === harness.url + other) continue;
            await follow(`.subpages:not([hidden]) a >> nth=${others.indexOf(other)}`, other);
          }
        }
      });
      assert.deepEqual([...titles.keys()].sort(), [...PAGES].sort());
      assert.equal(new Set(titles.values()).size, PAGES.length);
    });
  }

  test('says without JavaScript what it would need', () =>
    harness.visit({ address: 'metrics/', javaScript: false }, async ({ page }) => {
      for (const address of ['metrics/', 'fade/', 'ce-bench/', 'mui/', 'measurement/', 'audit/', 'model/', 'compare/', 'synth/', 'own/', 'train/']) {
        await page.goto(harness.url + address);
        assert.match(await page.locator('.opening').innerText(), /without JavaScript and WebAssembly/);
        assert.doesNotMatch(await page.locator('.opening').innerText(), /Loading/);
      }
    }));

  test('asks for the build that it needs and no other', async () => {
    for (const address of selectMembers(['metrics/', 'fade/', 'compare/', 'train/', 'ce-bench/', 'mui/', 'measurement/', 'audit/', 'model/', 'own/', 'synth/'])) {
      await harness.visit({ address }, async ({ page }) => {
        await ready(page);
        const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
        const builds = asked.filter((name) => name.endsWith('.wasm')).map((name) => name.split('/').at(-1));
        assert.deepEqual([...new Set(builds)], ['sfc_bench_lab_bg.wasm'], address);
      });
    }
  });
});

test('links from when all was one page lead on', async () => {
  await harness.visit({ address: 'method/' }, async ({ page }) => {
    for (const [address, to] of [
      ['?v=1&fam=small', 'compare/?v=1&fam=small'],
      ['?v=1&fam=small#families', 'compare/?v=1&fam=small#families'],
      ['?v=1&own=f:r2#own', 'own/?v=1&own=f:r2#own'],
      ['#benchmark', 'method/#benchmark'],
      ['#notes', 'method/#notes'],
      // What names a place of the paper stays there.
      ['?v=1&fam=small#how', '?v=1&fam=small#how'],
    ]) {
      // From elsewhere, so that it is a page that is loaded.
      await page.goto('about:blank');
      await page.goto(harness.url + address);
      await page.waitForURL(harness.url + to);
      await ready(page);
    }
  });
});

test('a link with settings of another page offers them', () =>
  harness.visit({ address: 'compare/?v=1&k=32&w=5,1,1&fam=small' }, async ({ page }) => {
    await ready(page);
    assert.equal(await page.inputValue('#compare-weight-s-number'), '5');
    await page.click('text="Open them there"');
    await page.waitForSelector('#differences:has-text("48 → 32")');
  }));

describe('the contents', () => {
  test('carry the verdict and say where one is', () =>
    harness.visit({ width: 1440 }, async ({ page }) => {
      await ready(page);
      const marks = () =>
        page.$$eval('.contents li', (items) =>
          Object.fromEntries(items.map((item) => [item.querySelector('a').hash, item.querySelector('.mark')?.textContent])),
        );
      await page.waitForSelector('.contents .mark');
      const told = await marks();
      assert.deepEqual([told['#cells'], told['#sizes'], told['#information']], ['✓', '✓', '✓']);
      assert.equal(told['#networks'], '✗ 4/12');
      assert.equal(told['#survives'], undefined);
      await page.click('.contents a[href="#networks"]');
      await page.waitForSelector('.contents a[href="#networks"][aria-current]');
      // Other settings are expected to differ: then the paper's verdict is nobody's.
      await page.selectOption('[name=config]', 'large');
      await page.waitForFunction(() => !document.querySelector('.contents .mark'));
    }));

  test('are at hand on a phone, too', () =>
    harness.visit({ width: 390, height: 800, touch: true }, async ({ page }) => {
      await ready(page);
      assert.ok(await page.isHidden('.contents ul'));
      await page.click('.contents-bar');
      await page.click('.contents a[href="#sizes"]');
      await page.waitForFunction(() => Math.abs(document.querySelector('#sizes').getBoundingClientRect().top) < 120);
      assert.ok(await page.isHidden('.contents ul'));
      await page.waitForFunction(() => document.querySelector('.contents-here').textContent === 'Dictionary size');
      // So are the weights.
      assert.ok(await page.isVisible('#weight-s'));
      await page.locator('#weight-s').fill('5');
      await page.waitForFunction(() => /Weights 5:1:1/.test(document.querySelector('.sheet-bar').textContent));
      assert.ok(await page.isVisible('[data-figure=table6]'), 'what they change stays in sight');
      assert.ok(await page.isHidden('#settings'));
      await page.click('.sheet-bar');
      assert.ok(await page.isVisible('#settings'));
      const top = await page.evaluate(() => document.querySelector('.panel').getBoundingClientRect().top);
      assert.ok(top >= 0.5 * 800, `there is room for a figure above the sheet: ${top} px`);
      await screenshot(page, 'site-sheet', { fullPage: false });
      await page.keyboard.press('Escape');
      assert.ok(await page.isHidden('#settings'));
    }));
});

test('a link that names nothing, or what is no text, opens the page all the same', async () => {
  await harness.visit({ address: 'method/' }, async ({ page }) => {
    for (const address of selectMembers(['#nowhere', '#%E0%A4%A', 'own/#%', '#%', 'sfc-bench.html#%'], 2)) {
      await page.goto('about:blank');
      await page.goto(harness.url + address);
      await ready(page);
      assert.equal(await page.evaluate(() => scrollY), 0);
    }
  });
});

test('a link to a heading leads there although what stands above it comes later', async () => {
  for (const address of selectMembers(['#survives', 'method/#cite', '#disagree', '?v=1&k=32#sizes'], 2)) {
    await harness.visit({ width: 1280, address }, async ({ page }) => {
      await ready(page);
      const top = () =>
        page.evaluate(() => document.querySelector(location.hash).getBoundingClientRect().top);
      await waitUntilSettled(page);
      const found = await top();
      const last = await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
      assert.ok(Math.abs(found) < 90 || last, `${address} is ${found} px from the top`);
      assert.ok((await page.evaluate(() => scrollY)) > 200, address);
    });
  }
});

test('the front page has few stops of the Tab key as a reader finds it', () =>
  harness.visit({ width: 1440, folded: true }, async ({ page }) => {
    await ready(page);
    await page.waitForSelector('.contents .mark');
    const count = await stops(page);
    assert.ok(count < 100, `${count} stops`);
  }));

test('groups are one stop of the Tab key', () =>
  harness.visit({ width: 1440 }, async ({ page }) => {
    await ready(page);
    await page.focus('#profiles button');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Sparsity 5:1:1');
    await page.keyboard.press('End');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'S+C 2:1:2');
    // The ring of the map takes End for itself.
    await page.focus('.simplex-handle');
    const before = await page.evaluate(() => scrollY);
    await page.keyboard.press('End');
    await page.waitForFunction(() => /^Under 1.?0?:0:0/.test(document.querySelector('#flip').textContent));
    assert.ok(Math.abs((await page.evaluate(() => scrollY)) - before) < 400);
  }));

describe('on paper', () => {
  for (const dark of selectMembers([false, true])) {
    test(`the paper is whole, light, in vectors and without controls; from a ${dark ? 'dark' : 'light'} page`, () =>
      harness.visit({ width: 1280, dark }, async ({ page }) => {
        await ready(page);
        await page.waitForSelector('.contents .mark', { state: 'attached' });
        await page.emulateMedia({ media: 'print', colorScheme: dark ? 'dark' : 'light' });
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        const found = await page.evaluate(() => {
          const shown = (element) => element.checkVisibility();
          const controls = [...document.querySelectorAll('button, input, select')].filter(shown);
          const figures = [...document.querySelectorAll('.live [data-figure]')].filter(shown);
          return {
            controls: controls.map((one) => one.id || one.className),
            ink: getComputedStyle(document.body).color,
            background: getComputedStyle(document.body).backgroundColor,
            figures: figures.map((figure) => {
              const svg = figure.querySelector('svg.on-paper');
              const caption = figure.querySelector('.figure-caption');
              return {
                id: figure.dataset.figure,
                canvas: [...figure.querySelectorAll('canvas')].some(shown),
                covers: !svg || svg.getBoundingClientRect().bottom > caption.getBoundingClientRect().top + 1,
                rows: svg?.querySelectorAll('text').length,
                cut: [...(svg?.querySelectorAll('text') ?? [])].filter((text) => {
                  const [inner, outer] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
                  return inner.left < outer.left - 1 || inner.right > outer.right + 1
                    || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
                }).map((text) => text.textContent),
                dark: svg?.outerHTML.includes('#14181C') || svg?.outerHTML.includes('#14181c'),
              };
            }),
          };
        });
        assert.deepEqual(found.controls, []);
        assert.deepEqual([found.ink, found.background], ['rgb(28, 33, 38)', 'rgb(255, 255, 255)']);
        assert.ok(found.figures.length >= 16, `${found.figures.length} figures`);
        for (const { id, canvas, covers, rows, cut, dark: night } of found.figures) {
          assert.deepEqual([id, canvas, covers, night, cut], [id, false, false, false, []]);
          assert.ok(rows > 3, id);
        }
        await page.evaluate(() => dispatchEvent(new Event('afterprint')));
        await page.emulateMedia({ media: 'screen' });
        assert.equal(await page.locator('.on-paper').count(), 0);
        const pdf = await page.pdf({ format: 'A4' });
        const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
        assert.ok(sheets.length >= 4 && sheets.length <= 16, `${sheets.length} sheets`);
      }));
  }

  test('a figure that is higher than a sheet is printed in pieces, which cut no word and lose none', () =>
    harness.visit({ width: 1280, address: 'fade/', unasked: true }, async ({ page }) => {
      const figure = '[data-figure=fade-scores]';
      await page.waitForSelector(`${figure}[data-drawn]`);
      // A browser tells of it before it lays the page out for paper.
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print' });
      const found = await page.$$eval(`${figure} svg.on-paper`, (pieces) =>
        pieces.map((piece) => {
          const outer = piece.getBoundingClientRect();
          const all = [...piece.querySelectorAll('text')].map((word) => ({ word: word.textContent, box: word.getBoundingClientRect() }));
          return {
            high: outer.height / outer.width,
            whole: all.filter(({ box }) => box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1).length,
            cut: all.filter(({ box }) => [outer.top, outer.bottom].some((edge) => box.top < edge - 1 && box.bottom > edge + 1)).map(({ word }) => word),
            all: all.length,
          };
        }),
      );
      assert.ok(found.length > 1, 'in pieces');
      assert.deepEqual(found.flatMap(({ cut }) => cut), []);
      assert.equal(found.reduce((sum, { whole }) => sum + whole, 0), found[0].all);
      assert.ok(found.every(({ high }) => high < 0.5));
    }));
});

test('a fold draws what it holds once it is opened, and a link to a heading opens its fold', async () => {
  await harness.visit({ width: 1280, folded: true }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    assert.ok(await page.isHidden('[data-figure=table3] canvas'));
    await page.click('summary:has(#cells)');
    await page.waitForFunction(() => (document.querySelector('[data-figure=table3] canvas')?.width ?? 0) > 300);
    const ink = await page.$eval('[data-figure=table3] canvas', (canvas) =>
      new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size);
    assert.ok(ink > 10, 'something is drawn');
  });
  await harness.visit({ width: 1280, folded: true, address: '#sizes' }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await page.waitForSelector('details[open] [data-figure=table6] canvas');
  });
});
