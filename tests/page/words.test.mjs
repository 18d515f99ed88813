// What a page says as it is loaded: few enough words to be read, and the field's own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { waitUntilSettled, start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';

const PAGES = ['', 'metrics/', 'fade/', 'ce-bench/', 'mui/', 'measurement/', 'audit/', 'compare/', 'synth/', 'own/', 'train/', 'method/', 'gallery/'];
/** Most words that a page shows before anything is opened. */
const MOST = 900;
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

for (const width of selectMembers([390, 1440]))
  test(`as loaded, a page has at most ${MOST} visible words, and with its folds open no private word for what the field has one for, at ${width}`, async () => {
    const [counts, found] = [[], []];
    for (const address of PAGES) {
      await harness.visit({ width, height: width === 390 ? 844 : 900, address, folded: true }, async ({ page }) => {
        await page.waitForSelector('body[data-lab=ready]');
        await waitUntilSettled(page);
        const words = await page.evaluate(visibleWords);
        if (words <= 30 || words > MOST) counts.push(`${address || 'the first page'} has ${words} words`);
        await page.$$eval('details:is(.apart, .all)', (folds) => folds.forEach((fold) => (fold.open = true)));
        await waitUntilSettled(page);
        found.push(...privately(address, await page.evaluate(() => document.querySelector('main')?.textContent ?? '')));
      });
    }
    assert.deepEqual([counts, found], [[], []]);
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
