// Where things are: with everything measured and every fold open, no text lies over text, nothing is wider than
// its page, no label is cut, in the page and in its drawings.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { screenshot, start, TIMEOUT } from './lib/harness.mjs';
import { IS_LONG_RUN, SKIP_UNLESS_LONG } from './lib/long.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** All that a page measures may take this long on a machine that does much else, in ms. */
const PATIENCE = 15 * TIMEOUT;
const WIDTHS = [390, 768, 1280, 1440];

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page @param {string} selector @param {RegExp} pattern */
const says = (page, selector, pattern) =>
  page.waitForFunction(
    ([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ''),
    [selector, pattern.source],
    { timeout: PATIENCE },
  );

/** Comes near a part of the page, as what is measured there waits for. @param {Page} page @param {string} selector */
const come = (page, selector) => page.evaluate((where) => document.querySelector(where)?.scrollIntoView(), selector);

/**
 * Pages, and how all of each comes to be there.
 *
 * @type {Record<string, (page: Page) => Promise<unknown>>}
 */
const PAGES = {
  'mui/': async (page) => {
    await come(page, '#mui-model');
    await says(page, '#mui-model-status', /^\d+ checkpoints, ten tasks/);
    await come(page, '#mui-asked');
    await says(page, '#mui-asked-status', /^At /);
  },
  '': async (page) => {
    await come(page, '#ensemble');
    await page.check('[name=ensemble-seeds][value="10"]');
    await says(page, '#ensemble-status', /^10 networks/);
    await page.click('#pin');
    await page.waitForSelector('#pinned:not([hidden])');
  },
  'fade/': async (page) => {
    await says(page, '#fade-run', /\d/);
    await page.waitForFunction(() => !document.querySelector('#fade-run progress:not([hidden])'));
  },
  'ce-bench/': async (page) => says(page, '#ce-bench-status', /\d/),
  'measurement/': async (page) => {
    await says(page, '#measure-status', /^Ten tasks of /);
    await come(page, '#measure-one');
    await page.waitForFunction(() => document.querySelector('#measure-one-status').textContent === '', null, { timeout: PATIENCE });
  },
  'audit/': async (page) => says(page, '#audit-status', /^All \d+ parts are measured/),
  'model/': async (page) => page.waitForSelector('#model-learnt:not([hidden])'),
  'compare/': async (page) => {
    await page.click('#families-start');
    await says(page, '#families-status', /^\d+ members in/);
  },
  'own/': async (page) => {
    await page.click('#own >> text=/Try it with/');
    await page.waitForSelector('[data-figure=own-score]', { timeout: PATIENCE });
  },
  'train/': async (page) => {
    await page.click('#train-start');
    await says(page, '#train-status', /^Trained/);
  },
  'synth/': async (page) => says(page, '#synth-headline', /clear orders/),
  'method/': async () => {},
  'metrics/': async (page) => {
    for (const section of await page.$$('section[data-study]')) {
      await section.scrollIntoViewIfNeeded();
      await section.$eval('.ensemble-status button', (button) => button.click());
      await page.waitForFunction((one) => one.dataset.state === 'done', section, { timeout: PATIENCE });
    }
  },
};

/** Opens every fold of a page. @param {Page} page */
const unfold = (page) =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });

/** Lets a page come to rest: what is drawn late is drawn. @param {Page} page */
const settle = (page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done, { timeout: 2_000 })));
  });

/** What of the page is where it should not be, a line each. @param {Page} page */
const misplaced = (page) =>
  page.evaluate(() => {
    /** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */
    const found = [];
    const words = (text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
    /** Over what else is there on purpose. */
    const above = (/** @type {Element} */ element) => {
      for (let one = element; one && one !== document.body; one = one.parentElement) {
        const { position, opacity, clipPath } = getComputedStyle(one);
        if (position === 'fixed' || position === 'sticky' || opacity === '0' || clipPath !== 'none') return true;
        if (one.matches('.visually-hidden, .text-layer, .top, dialog')) return true;
      }
      return false;
    };
    /** What is left of a box within all that clips it; null where nothing is. */
    const within = (/** @type {Element} */ element, /** @type {Box} */ { left, right, top, bottom }) => {
      let clipped = false;
      for (let one = element; one && one !== document.documentElement; one = one.parentElement) {
        const { overflowX, overflowY, display } = getComputedStyle(one);
        if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible')) continue;
        const box = one.getBoundingClientRect();
        const hides = overflowX === 'hidden' || overflowX === 'clip';
        if (hides && (left < box.left - 1.5 || right > box.right + 1.5)) clipped = true;
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      return { clipped, box: right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null };
    };

    /** @type {{ box: Box, text: string, node: Node }[]} */
    const boxes = [];
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = all.nextNode(); node; node = all.nextNode()) {
      const element = node.parentElement;
      const text = words(node.data);
      if (!text || !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) || element.closest('option, noscript, math') || above(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, right, top, bottom, height } of range.getClientRects()) {
        const seen = within(element, { left, right, top, bottom });
        if (seen.clipped) found.push(`cut: ${text}`);
        // Lines may touch; letters may not.
        const slack = height * 0.22;
        if (seen.box) boxes.push({ box: { ...seen.box, top: seen.box.top + slack, bottom: seen.box.bottom - slack }, text, node });
      }
    }
    for (const canvas of document.querySelectorAll('canvas, svg, img')) {
      if (!canvas.checkVisibility({ checkVisibilityCSS: true }) || above(canvas)) continue;
      const { left, right, top, bottom } = canvas.getBoundingClientRect();
      const seen = within(canvas, { left, right, top, bottom }).box;
      if (seen) boxes.push({ box: seen, text: `a drawing (${canvas.closest('[data-figure]')?.dataset.figure ?? canvas.className})`, node: canvas });
    }
    boxes.sort((a, b) => a.box.top - b.box.top);
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (other.box.top >= one.box.bottom) break;
        if (other.node === one.node || one.node.contains(other.node) || other.node.contains(one.node)) continue;
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        if (wide > 2 && high > 1) found.push(`“${one.text}” and “${other.text}” overlap by ${wide.toFixed()} × ${high.toFixed()}`);
      }
    }

    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide of ${clientWidth}`);
    for (const element of document.querySelectorAll('main *')) {
      if (!element.checkVisibility({ checkVisibilityCSS: true }) || above(element) || element.closest('svg, option')) continue;
      const { left, right, width } = element.getBoundingClientRect();
      const seen = within(element, { left, right, top: 0, bottom: 10_000_000 }).box;
      if (width > 0 && seen && seen.right > clientWidth + 1) found.push(`${element.tagName} ${element.id || element.className} ends at ${seen.right.toFixed()} of ${clientWidth}`);
    }
    return [...new Set(found)];
  });

/** What of the drawings is where it should not be, a line each: as their graphics of the same width have it. @param {Page} page */
const misdrawn = (page) =>
  page.evaluate(async () => {
    const { figureSets } = await import(new URL(document.querySelector('script[type=module]').src.replace(/\/www\/.*/, '/www/shell/figures.js')).href);
    const found = [];
    for (const set of figureSets) {
      for (const { figure, exportable } of set.shownFigures()) {
        if (!exportable || !figure.element.checkVisibility() || figure.width === 0) continue;
        const text = exportable.export_text(figure.id, 'svg', figure.width, false);
        const holder = document.createElement('div');
        Object.assign(holder.style, { position: 'absolute', top: '0', left: '0', visibility: 'hidden' });
        holder.append(document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true));
        document.body.append(holder);
        const svg = holder.firstElementChild;
        const outer = svg.getBoundingClientRect();
        const labels = [...svg.querySelectorAll('text')].filter(({ textContent }) => textContent).map((label) => ({
          text: label.textContent,
          turned: /rotate\((?!0[, )])/.test(label.getAttribute('transform') ?? ''),
          box: label.getBoundingClientRect(),
        }));
        for (const { text: said, box } of labels)
          if (box.left < outer.left - 1 || box.right > outer.right + 1 || box.top < outer.top - 1 || box.bottom > outer.bottom + 1)
            found.push(`${figure.id}: “${said}” is cut`);
        for (const [at, one] of labels.entries()) {
          for (const other of labels.slice(at + 1)) {
            if (one.turned || other.turned) continue;
            const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            const least = Math.min(one.box.height, other.box.height);
            if (wide > 2 && high > 0.4 * least) found.push(`${figure.id}: “${one.text}” and “${other.text}” overlap`);
          }
        }
        holder.remove();
      }
    }
    return [...new Set(found)];
  });

/** Between the margins of A4, in CSS pixels. */
const SHEET = 718;

/** What of the page is lost on paper, a line each. @param {Page} page */
async function lost(page) {
  await page.setViewportSize({ width: SHEET, height: 1000 });
  await settle(page);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const all = await page.evaluate((width) => {
    const found = [];
    for (const element of document.querySelectorAll('main *')) {
      if (!element.checkVisibility({ checkVisibilityCSS: true }) || element.closest('.visually-hidden, math, option')) continue;
      // A graphic cuts off its own margin.
      if (element.parentElement.closest('svg')) continue;
      const { right, width: wide } = element.getBoundingClientRect();
      const name = element.textContent.trim().slice(0, 40) || element.tagName;
      if (wide > 0 && right > width + 1) found.push(`${element.tagName} “${name}” ends at ${right.toFixed()} of ${width}`);
      if (element.closest('svg')) continue;
      if (getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        found.push(`${element.tagName}.${element.className} shows ${element.clientWidth} of ${element.scrollWidth}`);
    }
    for (const svg of document.querySelectorAll('svg.on-paper')) {
      const outer = svg.getBoundingClientRect();
      for (const label of svg.querySelectorAll('text')) {
        const box = label.getBoundingClientRect();
        if (label.textContent && (box.left < outer.left - 1 || box.right > outer.right + 1))
          found.push(`${svg.closest('[data-figure]').dataset.figure}: “${label.textContent}” is cut`);
      }
    }
    for (const figure of document.querySelectorAll('figure'))
      if (figure.checkVisibility() && /nothing is (measured|trained) yet/i.test(figure.textContent)) found.push(`${figure.dataset.figure} has nothing in it`);
    return found;
  }, SHEET);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  return all;
}

/** @param {string} address @param {readonly number[]} widths @param {boolean} dark @param {string} [settings] as a query: fewer prompts are as many rows */
const look = (address, widths, dark, settings = '') =>
  harness.visit({ width: widths[0], address: address + settings, dark }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]', { timeout: PATIENCE });
    await PAGES[address](page);
    await unfold(page);
    /** @type {string[]} */
    const all = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await settle(page);
      const here = [...(await misplaced(page)), ...(await misdrawn(page))];
      await screenshot(page, `layout-${address.replace('/', '') || 'paper'}-${width}${dark ? '-dark' : ''}`);
      all.push(...here.map((line) => `${width}: ${line}`));
    }
    all.push(...(await lost(page)).map((line) => `on paper: ${line}`));
    assert.deepEqual(all, [], `${address || 'the first page'}:\n${all.join('\n')}`);
  });

describe('with everything measured and every fold open', () => {
  const [first, ...others] = Object.keys(PAGES);
  test(`${first} has everything in its place`, { timeout: 2 * PATIENCE }, () =>
    look(first, IS_LONG_RUN ? WIDTHS : [390], false, IS_LONG_RUN ? '' : '?n=8'));
  for (const address of others) {
    test(`${address || 'the first page'} has everything in its place`, { skip: SKIP_UNLESS_LONG, timeout: 2 * PATIENCE }, () =>
      look(address, WIDTHS, false));
  }
});
