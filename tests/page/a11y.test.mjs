// The page for everyone: what axe finds, in every state somebody can bring it to; other sizes of
// screen and of text; forced colours; reduced motion; and every figure by keyboard alone.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';

import { PNG } from 'pngjs';

import { runAxe, areFiguresWritten, screenshot, start } from './lib/harness.mjs';
import { IS_LONG_RUN, selectMembers } from './lib/long.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** Waits until everything is on the page. @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForSelector('body[data-lab=ready]');
  await page.waitForFunction(areFiguresWritten);
}

/** @param {Page} page @param {boolean} open */
const fold = (page, open) =>
  page.$$eval(open ? 'details' : 'details:not(.apart, .all)', (all, to) => all.forEach((details) => (details.open = to)), open);

/** Comes to the ensemble, which then runs, and draws all of it. @param {Page} page */
async function runEnsemble(page) {
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
  // A click that aims at a point would miss while figures above find their height; and a page on a
  // slow machine waits to be asked.
  await page.$eval('[name=ensemble-seeds][value="10"]', (choice) => choice.click());
  await page.$eval('#ensemble-form', (form) => form.requestSubmit());
  await page.waitForFunction(() => /^10 networks/.test(document.querySelector('#ensemble-status').textContent));
  await page.waitForSelector('#ensemble-result', { state: 'visible' });
}

/** Every figure comes near once, and is drawn with its table. @param {Page} page */
async function drawAll(page) {
  for (const figure of await page.$$('figure[data-figure]:visible')) {
    await figure.scrollIntoViewIfNeeded();
    await page.waitForFunction(
      (element) => {
        const canvas = element.querySelector('canvas');
        const shown = canvas.checkVisibility();
        const drawn = canvas.width === Math.round(canvas.clientWidth * devicePixelRatio);
        return element.querySelector('table') && (!shown || drawn);
      },
      figure,
    );
  }
}

/** How far the page is wider than its window. @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Texts of which a part cannot be seen or reached: beyond the window's edge, or cut by a box that
 * does not scroll.
 *
 * @param {Page} page
 */
const lost = (page) =>
  page.evaluate(() => {
    const found = [];
    const wide = document.documentElement.clientWidth;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const element = text.parentElement;
      if (!text.data.trim() || !element?.checkVisibility({ visibilityProperty: true })) continue;
      // The text over a drawn table is not seen itself: the picture is.
      if (element.closest('.visually-hidden, .skip, option, .text-layer')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      let [left, right] = [0, wide];
      let scrolls = false;
      for (let up = element; up; up = up.parentElement) {
        const { overflowX } = getComputedStyle(up);
        if (overflowX === 'auto' || overflowX === 'scroll') scrolls = true;
        if (overflowX === 'hidden' || overflowX === 'clip') {
          const frame = up.getBoundingClientRect();
          [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
        }
      }
      if (!scrolls && (box.left < left - 1 || box.right > right + 1)) {
        found.push(`“${text.data.trim().slice(0, 40)}” from ${box.left} to ${box.right}`);
      }
    }
    return found;
  });

// -------------------------------------------------------------------------------------------- axe

describe('axe finds nothing at all', () => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
    [320, 640],
  ]) {
    for (const dark of [false, true]) {
      // A phone by night; the others are for the long run.
      if (!IS_LONG_RUN && !(width === 390 && dark)) continue;
      test(`at ${width} px, ${dark ? 'dark' : 'light'}, whatever is open`, () =>
        harness.visit({ width, height, dark, reducedMotion: true }, async ({ page }) => {
          // In the default run axe looks at what a state adds to those that it has seen.
          const clean = async (/** @type {string} */ state, /** @type {string | undefined} */ added = undefined) => {
            if (IS_LONG_RUN || added !== 'nothing') assert.deepEqual(await runAxe(page, IS_LONG_RUN ? undefined : added), [], state);
            assert.ok((await overflow(page)) <= 0, `${state}: no sideways scrolling`);
            assert.deepEqual(await lost(page), [], state);
          };
          await ready(page);
          await clean('as it opens', 'nothing');

          await fold(page, true);
          await clean('with all folds open');
          await fold(page, false);

          for (const [button, dialog] of [
            ['#how-open', '.drawer'],
            ['#numpy', '#numpy-dialog'],
          ]) {
            await page.click(button);
            await page.waitForSelector(`${dialog}[open]`);
            await clean(`with ${dialog} open`, dialog);
            await page.keyboard.press('Escape');
            await page.waitForSelector(dialog, { state: 'hidden' });
            assert.equal(
              await page.evaluate(() => `#${document.activeElement?.id}`),
              button,
              'the focus returns to what opened it',
            );
          }

          await page.click('[data-figure=table3] .export > button');
          await page.waitForSelector('.export-menu:not([hidden])');
          await clean('with a menu open', '.export-menu:not([hidden])');
          await page.keyboard.press('Escape');

          await fold(page, true);
          // On a narrow screen the controls are in a sheet.
          const sheet = page.locator('.sheet-bar');
          if (await sheet.isVisible()) await sheet.click();
          await page.fill('[name=k]', '65');
          await page.waitForSelector('#set-k-error:not([hidden])');
          await page.fill('#weight-s-number', '-1');
          await page.waitForSelector('#weights-error:not([hidden])');
          await clean('with errors', '.panel');
          await page.fill('[name=k]', '20');
          await page.fill('#weight-s-number', '2');
          await page.waitForFunction(() =>
            /Dictionary size/.test(document.querySelector('#differences').textContent),
          );
          if (await sheet.isVisible()) await sheet.click();
          await fold(page, false);

          await runEnsemble(page);
          await drawAll(page);
          await clean('with the ensemble, on other settings');

          for (const toggle of await page.$$('figure button[aria-pressed=false]:visible')) {
            await toggle.click();
          }
          await clean('with every figure as text');
        }));
    }
  }
});

// ------------------------------------------------------------------------------------------- size

describe('enlarged', () => {
  for (const [what, width, height, scale] of selectMembers(/** @type {[string, number, number, number][]} */ ([
    ['1280 px at 400 %', 320, 256, 4],
    ['1280 px at 200 %', 640, 400, 2],
  ]))) {
    test(`${what}: nothing is lost`, () =>
      harness.visit({ width, height, scale, reducedMotion: true }, async ({ page }) => {
        await ready(page);
        await fold(page, true);
        await runEnsemble(page);
        await drawAll(page);
        assert.ok((await overflow(page)) <= 0, 'no sideways scrolling');
        assert.deepEqual(await lost(page), []);
        await page.click('#how-open');
        await page.waitForSelector('.drawer[open]');
        assert.deepEqual(await lost(page), []);
        assert.deepEqual(await runAxe(page), []);
      }));
  }

  test('text alone at 200 %: nothing is lost, on a desk and on a phone', async () => {
    const large = await start({ browserArgs: ['--blink-settings=defaultFontSize=32'] });
    try {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
        ...(IS_LONG_RUN ? [[640, 844]] : []),
      ]) {
        await large.visit({ width, height, reducedMotion: true }, async ({ page }) => {
          await ready(page);
          assert.equal(
            await page.evaluate(() => getComputedStyle(document.body).fontSize),
            '32px',
            'the text is as large as asked for',
          );
          await fold(page, true);
          await runEnsemble(page);
          assert.ok((await overflow(page)) <= 0, `${width} px: no sideways scrolling`);
          assert.deepEqual(await lost(page), []);
          await page.evaluate(() => scrollTo(0, 0));
          await screenshot(page, `text-200-${width}`, { fullPage: false });
        });
      }
    } finally {
      await large.close();
    }
  });
});

// --------------------------------------------------------------------------------- forced colours

/** @param {readonly [number, number, number]} rgb */
const luminance = (rgb) => {
  const [r, g, b] = rgb.map((channel) => {
    const v = channel / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
/** WCAG's contrast of the palest and the darkest pixel of a picture. @param {Buffer} picture */
function contrastWithin(picture) {
  const { data } = PNG.sync.read(picture);
  let [least, most] = [1, 0];
  for (let i = 0; i < data.length; i += 4) {
    const l = luminance([data[i], data[i + 1], data[i + 2]]);
    [least, most] = [Math.min(least, l), Math.max(most, l)];
  }
  return (most + 0.05) / (least + 0.05);
}

describe('forced colours', () => {
  for (const dark of [false, true]) {
    // Somebody may have chosen the other theme before: the system's colours win all the same.
    for (const theme of ['system', dark ? 'light' : 'dark']) {
      if (!IS_LONG_RUN && !(dark && theme === 'light')) continue;
      test(`${dark ? 'light on dark' : 'dark on light'}, theme ${theme}: everything can be seen`, () =>
        harness.visit(
          { width: 1280, height: 900, dark, forcedColors: true, reducedMotion: true },
          async ({ page }) => {
            await ready(page);
            assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches));
            await page.check(`#theme [value=${theme}]`);
            await fold(page, true);
            await runEnsemble(page);
            await drawAll(page);

            const bare = await page.$$eval('button, input:not([type=range], [type=radio], [type=checkbox]), select', (all) =>
              all
                .filter((control) => control.checkVisibility())
                .filter((control) => {
                  const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(control);
                  const behind = getComputedStyle(document.body).backgroundColor;
                  return (
                    borderTopStyle === 'none' || parseFloat(borderTopWidth) < 1 || borderTopColor === behind
                  );
                })
                .map((control) => control.id || control.textContent),
            );
            assert.deepEqual(bare, [], 'every control has a border');

            const same = await page.$$eval('.pills', (groups) =>
              groups.filter((group) => {
                const borders = [...group.querySelectorAll('input')].map((input) => [
                  input.checked,
                  getComputedStyle(input.nextElementSibling).borderTopWidth,
                ]);
                const on = borders.filter(([checked]) => checked).map(([, width]) => width);
                return borders.some(([checked, width]) => !checked && on.includes(width));
              }).length,
            );
            assert.equal(same, 0, 'what is chosen looks chosen');

            // Drawn in the colours of the theme, on a ground of the same theme.
            for (const canvas of await page.$$('figure canvas:visible')) {
              await canvas.scrollIntoViewIfNeeded();
              const id = await canvas.evaluate((it) => it.closest('figure').dataset.figure);
              const contrast = contrastWithin(await canvas.screenshot());
              assert.ok(contrast >= 7, `${id}: ${contrast}`);
            }
            for (const part of ['input[type=range]', 'input[type=checkbox]', '.turn']) {
              const contrast = contrastWithin(await page.locator(part).first().screenshot());
              assert.ok(contrast >= 3, `${part}: ${contrast}`);
            }

            for (const focused of [
              '#share',
              '#weight-s',
              '[name=k]',
              '[data-figure=fig1a] canvas',
              '.simplex-handle',
              '.turn',
              '.background summary',
            ]) {
              await page.focus(focused);
              await page.keyboard.press('Shift');
              const ring = await page.$eval(focused, (element) => {
                const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
                const paint = document.createElement('canvas').getContext('2d');
                const rgb = (colour) => {
                  paint.fillStyle = colour;
                  paint.fillRect(0, 0, 1, 1);
                  return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
                };
                return {
                  outlineStyle,
                  outlineWidth,
                  colours: [rgb(outlineColor), rgb(getComputedStyle(document.body).backgroundColor)],
                };
              });
              assert.notEqual(ring.outlineStyle, 'none', focused);
              assert.ok(parseFloat(ring.outlineWidth) >= 2, focused);
              const [a, b] = ring.colours.map(luminance);
              const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
              assert.ok(contrast >= 3, `${focused}: the focus has ${contrast}`);
            }
            await page.evaluate(() => scrollTo(0, 0));
            await screenshot(page, `forced-${dark ? 'dark' : 'light'}-${theme}`);
          },
        ));
    }
  }
});

// ----------------------------------------------------------------------------------------- motion

test('with reduced motion nothing moves by itself, and nothing fades', () =>
  harness.visit({ reducedMotion: true }, async ({ page }) => {
    await ready(page);
    await runEnsemble(page);
    await page.click('#how-open');
    const moving = await page.$$eval('*', (all) =>
      all
        .filter((element) => {
          const style = getComputedStyle(element);
          const some = (/** @type {string} */ times) => times.split(',').some((t) => parseFloat(t) > 0);
          return some(style.transitionDuration) || some(style.animationDuration) || style.scrollBehavior === 'smooth';
        })
        .map((element) => element.id || element.tagName),
    );
    assert.deepEqual(moving, []);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  }));

// --------------------------------------------------------------------------------------- keyboard

test('every figure is read by keyboard alone: summary, table, arrows, Home, End, Escape', () =>
  harness.visit({ width: 1280 }, async ({ page }) => {
    await ready(page);
    await runEnsemble(page);
    await drawAll(page);
    const ids = await page.$$eval('figure[data-figure]', (all) =>
      all.filter((figure) => figure.checkVisibility()).map((figure) => figure.dataset.figure),
    );
    assert.ok(ids.length >= 26, `${ids.length} figures`);
    const announced = () => page.textContent('#announcer');
    for (const id of ids) {
      const canvas = page.locator(`[data-figure=${id}] canvas`);
      const tip = `[data-figure=${id}] .tip`;
      const label = await canvas.getAttribute('aria-label');
      assert.match(label ?? '', /\. .{20,}/, `${id}: a summary after the title`);
      const cells = await page.locator(`[data-figure=${id}] table tbody :is(th, td)`).count();
      assert.ok(cells >= 2, `${id}: a table of its data`);

      await canvas.scrollIntoViewIfNeeded();
      // By keyboard: from the button before it.
      await page.locator(`[data-figure=${id}] figcaption button`).last().focus();
      await page.keyboard.press('Tab');
      assert.equal(
        await page.evaluate(() => document.activeElement?.closest('figure')?.dataset.figure),
        id,
        `${id}: Tab reaches its picture`,
      );
      assert.ok(await canvas.evaluate((it) => it === document.activeElement), id);
      await page.waitForSelector(`${tip}:not([hidden])`);

      await page.keyboard.press('End');
      const last = await announced();
      await page.keyboard.press('Home');
      const first = await announced();
      assert.match(first ?? '', /\S.*: .*\S/, `${id}: place and value`);
      assert.notEqual(first, last, `${id}: Home and End are two places`);
      const heard = new Set([first]);
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowLeft']) {
        await page.keyboard.press(key);
        heard.add(await announced());
      }
      assert.ok(heard.size >= 2, `${id}: arrows lead on from ${first}`);
      assert.ok(await page.isVisible(tip), `${id}: what is heard is shown, too`);
      await page.keyboard.press('Escape');
      assert.ok(await page.isHidden(tip), `${id}: Escape ends it`);
      assert.ok(await canvas.evaluate((it) => it === document.activeElement), 'and keeps the focus');
    }
  }));

// ------------------------------------------------------------------------------------ explanations

test('explanations stand where they are needed, with formulas as MathML', () =>
  harness.visit({}, async ({ page }) => {
    await ready(page);
    const empty = await page.$$eval('[data-explain]', (all) =>
      all.filter((fold) => fold.querySelectorAll('.explained p').length === 0).map((fold) => fold.dataset.explain),
    );
    assert.deepEqual(empty, []);
    await fold(page, true);
    for (const name of ['s', 'f', 'c', 'cgt', 'sfc', 'hv']) {
      const math = page.locator(`[data-explain=${name}] math`).first();
      const { width, height } = (await math.boundingBox()) ?? { width: 0, height: 0 };
      assert.ok(width > 50 && height > 20, `${name}: its formula is set`);
      assert.ok(((await math.getAttribute('aria-label')) ?? '').length > 20);
    }
  }));

test('“How this was computed” tells the run that is shown, with its own numbers', () =>
  harness.visit({ address: '?v=1&seed=7&k=20' }, async ({ page }) => {
    await ready(page);
    await page.click('#how-open');
    const text = await page.locator('.drawer').innerText();
    assert.match(text, /settings of its own/);
    assert.match(text, /Model seed 7 /);
    assert.match(text, /first 20 right singular vectors/);
    assert.match(text, /0, 2, 4, 6, 10, 14, 17, 19\./, 'the codes dropped at each level');
    await page.getByRole('link', { name: 'what does not agree' }).click();
    await page.waitForSelector('.drawer', { state: 'hidden' });
    assert.equal(await page.evaluate(() => location.hash), '#disagree');
  }));

// ------------------------------------------------------------------------------------------ policy

test('a walk through the whole page breaks no rule of its content security policy', async () => {
  const visit = await harness.open({
    width: 1280,
    before: (context) =>
      context.addInitScript(() => {
        globalThis.refused = [];
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
          globalThis.refused.push(`${violatedDirective}: ${blockedURI} (${sourceFile})`),
        );
      }),
  });
  const { page } = visit;
  await ready(page);
  const markup = await page.evaluate(async () => (await fetch(location.pathname)).text());
  assert.doesNotMatch(markup, /\sstyle=|\son[a-z]+=|<style|javascript:/i, 'nothing inline');
  // What mends an address without its slash comes before any file can: the policy names it by its hash.
  const inline = [];
  for (const [, attributes, body] of markup.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
    if (attributes === '') inline.push(createHash('sha256').update(body).digest('base64'));
    else {
      assert.match(attributes, /src="www\//);
      assert.equal(body.trim(), '');
    }
  }
  assert.deepEqual(inline, [...markup.matchAll(/'sha256-([^']+)'/g)].map(([, hash]) => hash));
  assert.equal(inline.length, 1);

  await fold(page, true);
  await page.check('#theme [value=dark]');
  await page.click('#how-open');
  await page.keyboard.press('Escape');
  await page.click('#numpy');
  await page.keyboard.press('Escape');
  await page.click('#share');
  await page.click('#profiles button:nth-child(2)');
  await page.click('#stress button');
  // Once it has run: with its settings nothing is printed, and a figure of the ensemble has nothing to show.
  await page.waitForSelector('#verdict-differences', { state: 'visible' });
  await runEnsemble(page);
  await drawAll(page);
  for (const id of ['fig1a', 'table3', 'pareto-3d']) {
    await page.locator(`[data-figure=${id}] .export > button`).click();
    const menu = page.locator('.export-menu:not([hidden])');
    await menu.waitFor();
    for (const format of ['PNG', 'SVG']) {
      const item = menu.getByRole('menuitem', { name: format }).first();
      if ((await item.count()) === 0) continue;
      const download = page.waitForEvent('download');
      await item.click();
      await download;
      await page.locator(`[data-figure=${id}] .export > button`).click();
      await menu.waitFor();
    }
    await page.keyboard.press('Escape');
  }
  assert.deepEqual(await page.evaluate(() => globalThis.refused), []);
  // `close` fails on anything on the console, and on any request out of the page's own folder.
  await visit.close();
});
