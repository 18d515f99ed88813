// A reviewer's whole task without a pointer: Tab, arrows, Enter, Space and Escape, from the top of the
// page. Wherever the focus comes it must be seen, and it must never be lost.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** More presses than this, and it cannot be called reachable. */
const MOST = 160;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** What can be said of the focus. @param {Page} page @param {string} selector */
const focus = (page, selector) =>
  page.evaluate((wanted) => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return { lost: true, seen: false, there: false, what: 'nothing' };
    // A radio button in the guise of a pill shows the focus on its words.
    const words = focused.matches('.pills input') ? focused.nextElementSibling : null;
    const shows = words ? [words] : [focused];
    const outlined = shows.some((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    });
    const inView = shows.some((element) => {
      const { top, bottom, left, right, width } = element.getBoundingClientRect();
      return width > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    });
    const what = `${focused.localName}#${focused.id}.${focused.className} ${focused.textContent?.slice(0, 30)}`;
    return { lost: false, seen: outlined && inView, there: focused.matches(wanted), what };
  }, selector);

/**
 * Whether what has the focus is the one stop of a group that the wanted one is in too: arrows lead on.
 *
 * @param {Page} page @param {string} selector
 */
const inItsGroup = (page, selector) =>
  page.evaluate((wanted) => {
    const [focused, other] = [document.activeElement, document.querySelector(wanted)];
    if (!(other instanceof HTMLElement) || other.tabIndex !== -1 || !focused) return false;
    /** @type {Element | null} */
    let group = other.parentElement;
    for (let up = 0; up < 2 && group && !group.contains(focused); up += 1) group = group.parentElement;
    return group?.contains(focused) ?? false;
  }, selector);

/** Goes to an element by Tab, or back by Shift+Tab, and by arrows within a group. @param {Page} page @param {string} selector @param {string} [key] */
async function go(page, selector, key = 'Tab') {
  const visible = async () => {
    const found = await focus(page, selector);
    assert.ok(!found.lost, `on the way to ${selector} the focus was lost`);
    assert.ok(found.seen, `on the way to ${selector} the focus is not to be seen: ${found.what}`);
    return found;
  };
  for (let presses = 0; presses < MOST; presses += 1) {
    const inGroup = await inItsGroup(page, selector);
    for (let steps = 0; inGroup && steps < 12; steps += 1) {
      await page.keyboard.press('ArrowRight');
      if ((await visible()).there) return;
    }
    await page.keyboard.press(key);
    if ((await visible()).there) return;
  }
  assert.fail(`${selector} is not reached by ${key}`);
}

/** @param {Page} page @param {string} selector */
const back = (page, selector) => go(page, selector, 'Shift+Tab');

/** The focus is there, and seen. @param {Page} page @param {string} selector */
async function isAt(page, selector) {
  await page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);
  assert.ok((await focus(page, selector)).seen, `${selector} shows the focus`);
}

/** @param {Page} page @param {string} selector @param {RegExp} pattern */
const says = (page, selector, pattern) =>
  page.waitForFunction(
    ([where, source]) => new RegExp(source, 'u').test(document.querySelector(where)?.textContent ?? ''),
    [selector, pattern.source],
  );

/** Chooses from the menu of a figure's Export button, which has the focus. @param {Page} page @param {string} id @param {string} words */
async function choose(page, id, words) {
  const button = `[data-figure=${id}] .export > button`;
  const menu = `[data-figure=${id}] [role=menu]`;
  await page.keyboard.press('Enter');
  await isAt(page, `${menu} [role=menuitem]`);
  // Escape leaves it as it was, and the focus where it came from.
  await page.keyboard.press('Escape');
  await isAt(page, button);
  assert.ok(await page.isHidden(menu));
  await page.keyboard.press('Enter');
  await isAt(page, `${menu} [role=menuitem]`);
  const wanted = () => page.evaluate(() => document.activeElement?.textContent);
  for (let steps = 0; (await wanted()) !== words && steps < 12; steps += 1) await page.keyboard.press('ArrowDown');
  assert.equal(await wanted(), words);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await isAt(page, button);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

for (const [width, dark] of selectMembers(/** @type {[number, boolean][]} */ ([
  [1440, false],
  [390, true],
]))) {
  test(`weights, the nearest flip, a pin, a setting, the comparison, a link and files, by keys alone at ${width}`, () =>
    harness.visit({ width, dark, permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page }) => {
      await page.waitForSelector('body[data-lab=ready]');
      await says(page, '#flip', /wins/);
      await page.keyboard.press('Tab');
      await isAt(page, '.skip');

      // On a narrow screen the controls are a sheet at the bottom.
      const openSheet = async () => {
        if (width > 600) return;
        await go(page, '.sheet-bar');
        await page.keyboard.press('Enter');
      };
      const closeSheet = async () => {
        if (width > 600) return;
        await page.keyboard.press('Escape');
        await isAt(page, '.sheet-bar');
      };

      // The weights: a slider.
      await openSheet();
      await go(page, '#weight-s');
      for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => document.querySelector('#weight-s-number').value === '1.3');
      await says(page, '#flip', /^Under 1\.3:1:1, λ = 0\.85 wins/);
      await closeSheet();

      // The weights: the ring on the map, across the nearest boundary and back.
      await go(page, '.simplex-handle');
      await page.keyboard.press('Home');
      await says(page, '#flip', /^Under 1:1:1, λ = 0\.85 wins/);
      const named = /λ = (0\.\d\d)/g;
      const flip = (await page.textContent('#flip')) ?? '';
      const others = [...flip.matchAll(named)].map(([, level]) => level).filter((level) => level !== '0.85');
      assert.ok(others.length > 0, flip);
      for (let i = 0; i < 40; i += 1) {
        await page.keyboard.press('Shift+ArrowLeft');
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        if (!/λ = 0\.85 wins/.test((await page.textContent('#flip')) ?? '')) break;
      }
      await says(page, '#flip', new RegExp(`λ = ${others[0].replace('.', '\\.')} wins`));
      await isAt(page, '.simplex-handle');
      await page.keyboard.press('Home');
      await says(page, '#flip', /^Under 1:1:1, λ = 0\.85 wins/);

      // Pin, change a setting, see what it comes to.
      await back(page, '#pin');
      await page.keyboard.press('Enter');
      await says(page, '#pinned-changes', /what is shown now/);
      await isAt(page, '#pin');
      await openSheet();
      await go(page, '[name=config]');
      await page.keyboard.press('ArrowDown');
      await says(page, '#pinned-changes', /Network standard → large/);
      await isAt(page, '[name=config]');
      await closeSheet();
      await back(page, '#pinned a');
      await page.keyboard.press('Enter');
      await isAt(page, '#compare-title');
      await says(page, '[data-figure=compare-summary] table', /hypervolume/);
      await go(page, '[data-figure=compare-differences] canvas');
      await page.keyboard.press('ArrowRight');
      await says(page, '#announcer', /Δ/);
      await go(page, '[data-figure=compare-score] figcaption > button');
      await page.keyboard.press('Space');
      await isAt(page, '[data-figure=compare-score] figcaption > button');
      assert.ok(await page.isVisible('[data-figure=compare-score] .data'));

      // Files.
      await go(page, '[data-figure=compare-score] .export > button');
      const csv = await choose(page, 'compare-score', 'CSV file');
      assert.match(csv.text, /^λ,SFC,SFC pinned,ΔSFC\r\n/);
      await go(page, '[data-figure=compare-metrics] .export > button');
      const svg = await choose(page, 'compare-metrics', 'SVG file');
      assert.match(svg.text, /^<svg /);

      // Share.
      await back(page, '#share');
      await page.keyboard.press('Enter');
      await says(page, '#shared-said', /./);
      await isAt(page, '#share');
      await go(page, '#shared-link');
      assert.match(await page.inputValue('#shared-link'), /\?v=1&net=large&pin=paper&digest=/);

      // A dialogue gives the focus back.
      await back(page, '#numpy');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#numpy-dialog[open]');
      await page.keyboard.press('Escape');
      await isAt(page, '#numpy');

      // Back to the pinned settings, then to none.
      await go(page, '#pinned button');
      await page.keyboard.press('Space');
      await says(page, '#pinned-changes', /Network large → standard/);
      await isAt(page, '#pinned button');
      await go(page, '#pinned button');
      await page.keyboard.press('Space');
      await isAt(page, '#pin');
      assert.ok(await page.isHidden('#pinned'));
    }));
}

test('a button that goes away leaves the focus on the page', () =>
  harness.visit({ width: 1440, address: '?v=1&k=24' }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await go(page, '#verdict-return');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#verdict-differences', { state: 'hidden' });
    await isAt(page, '#share');
    await go(page, '#pin');
  }));
