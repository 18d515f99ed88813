// FADE's page: its scores are the command line's, what streams in is said to be partial, one feature is opened
// without being computed anew, both readings lead to where they part; links, training, a reader's own files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { startFirefox, visit as visitFirefox } from './lib/firefox.mjs';
import { runAxe, screenshot, start, waitUntilSettled } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** As much of FADE as a test needs that is not about its numbers. */
const SMALL = 'n=60&made=5&cont=4&factors=0,10';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

const done = (/** @type {Page} */ page) => page.waitForSelector('.view[data-view=fade][data-stage=done]');

const says = (/** @type {Page} */ page, /** @type {string} */ where, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source, 'u').test(document.querySelector(selector)?.textContent ?? ''),
    [where, pattern.source],
  );

/** A figure's rows as text, which is written when nothing else is to be done, by the headings of its columns. @param {Page} page @param {string} id @returns {Promise<Record<string, string>[]>} */
async function rows(page, id) {
  await page.waitForSelector(`[data-figure="${id}"] .data`, { state: 'attached' });
  await waitUntilSettled(page);
  return page.$eval(`[data-figure="${id}"] .as-text .data, [data-figure="${id}"] .data`, (table) => {
    const words = (/** @type {Element} */ line) => [...line.children].map((cell) => cell.textContent?.trim() ?? '');
    const [head, ...lines] = [...table.querySelectorAll('tr')].map(words);
    return lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [head?.[at] ?? '', cell])));
  });
}

/** The features as buttons say them. @param {Page} page */
const buttons = (page) =>
  page.$$eval('.fade-features > button', (all) =>
    all.map((button) => ({
      text: button.textContent ?? '',
      scores: [...button.querySelectorAll('.fade-score')].map((one) => one.textContent ?? ''),
      pressed: button.getAttribute('aria-pressed') === 'true',
    })),
  );

/** Chooses and presses without a pointer, which aims at what may still move. @param {Page} page @param {string} selector */
const press = (page, selector) => page.$eval(selector, (/** @type {HTMLElement} */ element) => element.click());

describe('FADE', () => {
  const on = sharePage(() => harness.open({ address: `fade/?${SMALL}` }), done);

  test('scores every feature as the command line does, and opens one without computing anew', async () => {
    /** @type {{ features: { concept: string, latent: number, clarity: number, responsiveness: number, purity: number, faithfulness: number }[] }} */
    const { features } = JSON.parse(execFileSync(CLI, ['fade', '--sae', 'topk256', '--json'], { encoding: 'utf8' }));
    await harness.visit({ address: 'fade/' }, async ({ page }) => {
      await page.waitForSelector('.fade-features > button');
      await done(page);
      const shown = await buttons(page);
      assert.ok(shown.length > features.length, 'bad descriptions come after the concepts');
      for (const [at, one] of features.entries()) {
        const two = (/** @type {number} */ value) => value.toFixed(2);
        assert.ok(shown[at]?.text.startsWith(`${one.concept}, latent ${one.latent}`), shown[at]?.text);
        assert.deepEqual(shown[at]?.scores, [
          `C ${two(one.clarity)}`,
          `R ${two(one.responsiveness)}`,
          `P ${two(one.purity)}`,
          `F ${two(one.faithfulness)}`,
        ]);
      }
      await says(page, '#fade-run-status', /^All \d+ features are scored and steered: \d+ concepts with their best latents, \d+ bad descriptions as controls\.$/);

      const names = ['fade-densities', 'fade-precision', 'fade-dose'];
      const before = await page.$eval('[data-figure=fade-dose] .figure-title', (title) => title.textContent);
      await press(page, '.fade-features > button:nth-child(8)');
      const { concept, latent } = features[7] ?? {};
      assert.match(await page.textContent('#fade-opened-title') ?? '', new RegExp(`latent ${latent} as ${concept}`));
      for (const name of names) await says(page, `[data-figure=${name}] .figure-title`, new RegExp(`latent ${latent} as ${concept}`));
      assert.ok(before !== null && !before.includes(`${concept}`));
      assert.equal((await buttons(page)).findIndex(({ pressed }) => pressed), 7);
      assert.ok((await page.$$('.fade-texts > li')).length > 5);
      assert.ok((await page.$$('.fade-texts rt')).length > 5, 'activations stand above words');
      assert.equal((await page.$$('.fade-written tbody tr')).length, 7, 'a row a factor');
      await page.waitForURL(/open=7/);
      // The keyboard goes through the features.
      await page.focus('.fade-features > button[aria-pressed=true]');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      assert.equal((await buttons(page)).findIndex(({ pressed }) => pressed), 8);
      await page.waitForURL(/open=8/);
      await page.goBack();
      await page.waitForFunction(() => document.querySelectorAll('.fade-features > button')[7]?.getAttribute('aria-pressed') === 'true');
    });
  });

  test('streams faithfulness in, can be cancelled, and goes on with what is missing', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ address: `fade/?${SMALL}&cont=64` }, async ({ page }) => {
      await says(page, '#fade-run-status', /of those alone|All/);
      await page.evaluate(() => document.querySelector(/** @type {'button'} */ ('#fade-cancel'))?.click());
      const text = await page.textContent('#fade-run-status');
      if (!/^All/.test(text ?? '')) {
        assert.match(text ?? '', /^Cancelled; \d+ of \d+ features were steered, and are kept/);
        assert.match((await page.textContent('#fade-again')) ?? '', /Go on/);
        await press(page, '#fade-again');
      }
      await done(page);
    }));

  test('refuses settings in words beside the field, and keeps what is there', () =>
    harness.visit({ address: `fade/?${SMALL}` }, async ({ page }) => {
      await done(page);
      const headline = await page.textContent('#fade-headline');
      await page.$eval('#fade-settings', (/** @type {HTMLDetailsElement} */ fold) => (fold.open = true));
      await page.fill('#fade-set-factors', '1, 2');
      await says(page, '#fade-set-factors-error', /0 in it/);
      await page.fill('#fade-set-error', '7');
      await says(page, '#fade-set-error-error', /Allowed/);
      assert.equal(await page.getAttribute('#fade-set-error', 'aria-invalid'), 'true');
      assert.equal(await page.textContent('#fade-headline'), headline);
      assert.equal((await buttons(page)).length > 20, true);
      await page.fill('#fade-set-factors', '0, 10');
      await page.fill('#fade-set-error', '0.4');
      await page.waitForURL(/error=0\.4/);
      await done(page);
      await page.waitForFunction((former) => document.querySelector('#fade-headline')?.textContent !== former, headline);
    }));

  test('shows where note and code part, at the dead latent', on(async ({ page }) => {
    const words = await page.textContent('#fade-differences tbody tr:first-child button');
    assert.match(words ?? '', /never active: 1\.000 in the paper, 0\.000 as implemented/);
    await press(page, '#fade-differences tbody tr:first-child button');
    assert.match((await page.textContent('#fade-opened-title')) ?? '', /dead latent/);
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'fade-opened-title');
    await press(page, '.fade-features > button');
  }));

  test('rates a sample of texts and takes the norm literally where a setting says so, and shows both beside one another', () =>
    harness.visit({ address: `fade/?${SMALL}` }, async ({ page }) => {
      await done(page);
      const [all] = await rows(page, 'fade-sampling');
      const [norms] = await rows(page, 'fade-norm');
      assert.equal(all?.['purity all'], all?.['purity sample'], 'there are fewer texts than a sample asks for');
      assert.ok(Number(norms?.['clarity note, not 0']) !== Number(norms?.['clarity note, elements']));
      await says(page, '#fade-differences', /by activations other than 0, above 1/);
      await press(page, '#fade-settings > summary');
      await page.selectOption('#fade-set-rated', 'sampled');
      await page.fill('#fade-set-sample', '30');
      await page.selectOption('#fade-set-norm', 'nonzero');
      await page.waitForURL(/rated=sampled&sample=30&norm=nonzero/);
      await says(page, '[data-figure=fade-table] .figure-caption', /a sample by activation: 30 texts asked for[\s\S]*can exceed 1/);
      await done(page);
      // What ties count is told apart from what the norm does.
      await says(page, '#fade-differences', /never active: 1\.000 in the paper, 0\.000 as implemented/);
      await says(page, '#fade-differences', /purity \d\.\d+ of all texts, \d\.\d+ of the implementation’s sample/);
      const after = await rows(page, 'fade-sampling');
      const table = await rows(page, 'fade-table');
      assert.ok(after.some((row) => row['purity all'] !== row['purity sample']));
      for (const [at, row] of after.entries()) {
        assert.match(row['sample note / code'] ?? '', /^30 \/ \d+$/);
        assert.equal(table[at]?.purity, row['purity sample']);
      }
      assert.deepEqual(
        table.map((row) => row['clarity as in the paper']),
        (await rows(page, 'fade-norm')).map((row) => row['clarity note, not 0']),
      );
      // The texts of the opened feature are sampled as they were for the page.
      await press(page, '#fade-own-example');
      await says(page, '#fade-own-said', /^1 feature scored\.$/);
      const cells = await page.$$eval('#fade-own-report tbody tr:first-child td', (found) => found.map((cell) => cell.textContent ?? ''));
      const opened = (await buttons(page)).find(({ pressed }) => pressed);
      const own = [0, 1, 2, 4].map((at) => Number(cells[at]?.split(' · ')[0]).toFixed(2));
      assert.deepEqual(own.map((text, at) => `${'CRPF'[at]} ${text}`), opened?.scores);
      assert.match(cells.at(-1) ?? '', /^\d+ · 30$/);
      await page.fill('#fade-set-top', '2');
      await says(page, '#fade-set-top-error', /Allowed/);
    }));

  test('a link carries what is shown, and proves itself or says what differs', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit(
      { address: `fade/?sae=relu128&${SMALL}&open=3`, permissions: ['clipboard-read', 'clipboard-write'] },
      async ({ page }) => {
        await done(page);
        assert.equal(await page.inputValue('#fade-set-sae'), 'relu128');
        assert.equal((await buttons(page)).findIndex(({ pressed }) => pressed), 3);
        await page.click('#fade-share-link');
        const link = await page.inputValue('#fade-shared-link');
        assert.match(link, /sae=relu128.*open=3.*digest=[0-9a-z]{5}-[0-9a-z]{5}/);
        await page.goto(link);
        await says(page, '#fade-link-proof', /✓ This machine finds what the link says/);
        const [groups] = /[0-9a-z]{5}-[0-9a-z]{5}/.exec(link) ?? [''];
        await page.goto(link.replace(groups, `${groups.slice(0, 6)}00000`));
        await says(page, '#fade-link-proof', /✗ .*what was written differs/);
        await page.goto(`${harness.url}fade/?sae=nothing&n=-3&open=2`);
        await says(page, '.link-changes', /could not be followed[\s\S]*sae[\s\S]*n/);
        await page.waitForSelector('.fade-features > button');
      },
    ));

  test('asks each score whether it separates trained from random, and can be stopped', on(async ({ page }) => {
    await page.selectOption('#fade-truth-seeds', '2');
    await page.locator('#fade-truth').scrollIntoViewIfNeeded();
    // It may have begun by itself, with one seed.
    await page.waitForSelector('#fade-truth-start:not([hidden])');
    await press(page, '#fade-truth-start');
    await says(page, '#fade-truth-status', /autoencoders × seeds/);
    await page.waitForSelector('#fade-truth-start:not([hidden])');
    const status = await page.textContent('#fade-truth-status');
    assert.match(status ?? '', /^\d+ autoencoders × seeds.*not asked for\.$/);
    const tells = await rows(page, 'fade-tells');
    assert.deepEqual(tells.map(({ score }) => score), ['clarity', 'responsiveness', 'purity', 'faithfulness']);
    assert.match(tells[0]?.trained ?? '', /^\d\.\d{3}–\d\.\d{3}$/);
    // With faithfulness it takes longer: stopped in the middle, what is there stays.
    await page.check('#fade-truth-steer');
    await press(page, '#fade-truth-start');
    await page.waitForSelector('#fade-truth-stop:not([hidden])');
    await press(page, '#fade-truth-stop');
    await says(page, '#fade-truth-status', /^Stopped with \d+ of \d+ .* kept/);
  }));

  test('trains an autoencoder, refuses what cannot be trained, and rates what was', () =>
    harness.visit({ address: `fade/?${SMALL}` }, async ({ page }) => {
      await done(page);
      assert.equal(await page.$eval('#fade-set-sae option[value=own]', (/** @type {HTMLOptionElement} */ one) => one.disabled), true);
      await page.fill('#fade-train-latents', '-1');
      await press(page, '#fade-train-start');
      await says(page, '#fade-train-latents-error', /whole number/);
      await page.fill('#fade-train-latents', '64');
      await page.fill('#fade-train-steps', '80');
      await page.selectOption('#fade-train-checkpoint', 'ck-00000');
      await press(page, '#fade-train-start');
      await says(page, '#fade-train-status', /^Trained\. Step 80 of 80: loss/);
      assert.equal(await page.inputValue('#fade-set-sae'), 'own');
      await page.waitForURL(/sae=own/);
      await says(page, '#fade-headline', /^trained here/);
      await done(page);
      // Whoever opens that link has no such autoencoder.
      await page.goto(page.url());
      await says(page, '#fade-run-status', /stayed there: train one below/);
    }));

  test('scores a reader’s files: those of the opened feature come out equal, others are refused in words', on(async ({ page }) => {
    await press(page, '#fade-own-example');
    await says(page, '#fade-own-said', /^1 feature scored\.$/);
    const opened = (await buttons(page)).find(({ pressed }) => pressed);
    const cells = await page.$$eval('#fade-own-report tbody tr:first-child td', (all) => all.map((cell) => cell.textContent ?? ''));
    const own = [0, 1, 2, 4].map((at) => Number(cells[at]?.split(' · ')[0]).toFixed(2));
    assert.deepEqual(own.map((text, at) => `${'CRPF'[at]} ${text}`), opened?.scores);
    const golden = (/** @type {string} */ name) =>
      fileURLToPath(new URL(`../golden/fade_results/model.layers[3].mlp/7/data/${name}`, import.meta.url));
    await page.setInputFiles('#fade-own-files', [golden('output_centric_ratings.json'), golden('output_centric_metrics.json')]);
    await says(page, '#fade-own-said', /numbers that FADE writes [1-9]\d* agree/);
    await says(page, '#fade-own-report', /NaN[\s\S]*✓ agrees/);
    await page.setInputFiles('#fade-own-files', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await says(page, '#fade-own-said', /^Refused: none of them is/);
  }));

  test('is readable by everybody, and fits a phone', { skip: SKIP_UNLESS_LONG }, async () => {
    for (const [width, dark] of selectMembers(/** @type {const} */ ([[390, true], [1440, false], [390, false], [1440, true]])))
      await harness.visit({ address: `fade/?${SMALL}`, width, dark, touch: width === 390 }, async ({ page }) => {
        await done(page);
        await page.locator('#fade-truth').scrollIntoViewIfNeeded();
        await says(page, '#fade-truth-status', /not asked for\.$/);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, `${width}: the page scrolls sideways`);
        if (width === 390 || !dark) assert.deepEqual(await runAxe(page), []);
        await page.evaluate(() => scrollTo(0, 0));
        await screenshot(page, `fade-${width}${dark ? '-dark' : ''}`);
      });
  });

  test('works without a network, once it was there', { skip: SKIP_UNLESS_LONG }, () =>
    harness.visit({ address: `fade/?${SMALL}`, keptOffline: true }, async ({ page, context }) => {
      await done(page);
      await page.waitForSelector('body[data-offline=ready]');
      await context.setOffline(true);
      await page.reload();
      await done(page);
      assert.ok((await buttons(page)).length > 20);
    }));

  test('says what it cannot do without JavaScript', () =>
    harness.visit({ address: 'fade/', javaScript: false }, async ({ page }) => {
      assert.ok(await page.isVisible('noscript .sentence'));
    }));
});

test('Firefox scores and opens features, too', { skip: SKIP_UNLESS_LONG }, async () => {
  const browser = await startFirefox();
  try {
    await visitFirefox(browser, harness.url, `fade/?${SMALL}`, async (page) => {
      await page.waitForSelector('.view[data-view=fade][data-stage=done]');
      await page.$eval('.fade-features > button:nth-child(4)', (/** @type {HTMLElement} */ button) => button.click());
      assert.match(await page.$eval('#fade-opened-title', (title) => title.textContent ?? ''), /^Opened: latent \d+ as place/);
    });
  } finally {
    await browser.close();
  }
});
