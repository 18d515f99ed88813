// The browser's storage, failing in every way that it may: what is under way goes on and comes to the same,
// and what can be kept is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { holdSeeds, openGate } from '../page/lib/gate.mjs';
import { start } from '../page/lib/harness.mjs';
import { selectMembers } from '../page/lib/long.mjs';

const NETWORKS = 100;
/** From this one on they wait until the test has done what it came for. */
const HELD_FROM = 50;
const DATABASE = 'sfc-bench-unfinished';
/** An ensemble may take this long on a machine that does much else, in ms. */
const LONG = 600_000;
const DAYS = 24 * 60 * 60 * 1000;

/** @type {import('../page/lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @typedef {import('playwright-core').Page} Page */

const says = (/** @type {Page} */ page, /** @type {string} */ where, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''),
    [where, pattern.source],
    { timeout: LONG },
  );

/**
 * Opens the page and starts an ensemble, which comes to no end before the gate is opened.
 *
 * @param {{ before?: (context: any) => Promise<void>, [option: string]: unknown }} [visitor]
 */
async function begin({ before, ...visitor } = {}) {
  const visit = await harness.open({
    width: 1280,
    address: `?seeds=${NETWORKS}`,
    before: async (/** @type {any} */ context) => {
      await holdSeeds(context, HELD_FROM);
      await before?.(context);
    },
    ...visitor,
  });
  const { page } = visit;
  await page.waitForSelector('body[data-lab=ready]');
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => {
    const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('#ensemble-start'));
    if (button && !button.hidden) button.click();
    return /^\d+ (of|networks)/.test(document.querySelector('#ensemble-status')?.textContent ?? '');
  });
  return visit;
}

/** How many are done. @param {Page} page @param {number} least */
const reaches = (page, least) =>
  page.waitForFunction(
    (wanted) => Number.parseInt(document.querySelector('#ensemble-status')?.textContent ?? '', 10) >= wanted,
    least,
  );

/** All are done, and these are their numbers. @param {Page} page */
async function whole(page) {
  await openGate(page);
  // It ends in words whatever becomes of it.
  await says(page, '#ensemble-status', /^\d+ networks in|^Broke off|^Refused/);
  assert.match((await page.textContent('#ensemble-status')) ?? '', new RegExp(`^${NETWORKS} networks in`));
  return page.textContent('#ensemble-headline');
}

/** What an undisturbed run comes to. @type {string | null} */
let expected = null;
async function undisturbed() {
  if (expected) return expected;
  const visit = await begin();
  expected = await whole(visit.page);
  await visit.close();
  return expected;
}

for (const [how, script] of selectMembers(/** @type {const} */ ([
  ['may not be touched', () => Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } })],
  ['never answers', () => { IDBFactory.prototype.open = () => /** @type {any} */ (new EventTarget()); }],
  ['refuses', () => { IDBFactory.prototype.open = () => { throw new DOMException('denied', 'InvalidStateError'); }; }],
  ['is not there', () => delete IDBFactory.prototype.open],
]), 2))
  test(`storage ${how}: the page goes on without, and says nothing`, async () => {
    const visit = await begin({ before: (/** @type {any} */ context) => context.addInitScript(script) });
    assert.equal(await whole(visit.page), await undisturbed());
    assert.ok(await visit.page.isHidden('#ensemble-unfinished'));
    await visit.close();
  });

test('no room in the middle: one line says so, and the ensemble is finished', async () => {
  const visit = await harness.open({
    width: 1280,
    address: 'www/shell/icons/favicon.svg',
    before: (/** @type {any} */ context) => holdSeeds(context, HELD_FROM),
  });
  const { page, context } = visit;
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(harness.url).origin, quotaSize: 1 });
  await page.goto(`${harness.url}?seeds=${NETWORKS}`);
  await page.waitForSelector('body[data-lab=ready]');
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
  await page.waitForFunction(() => {
    const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('#ensemble-start'));
    if (button && !button.hidden) button.click();
    return /^\d+ of/.test(document.querySelector('#ensemble-status')?.textContent ?? '');
  });
  await says(page, '#ensemble-unfinished', /^This browser has no room to keep more of it\.$/);
  assert.equal(await whole(page), await undisturbed());
  await visit.close();
});

test('the database deleted from another tab in the middle: neither waits, and what comes after is kept', async () => {
  const visit = await begin();
  const { page, context } = visit;
  await says(page, '#ensemble-unfinished', /^What is finished is kept/);
  const other = await context.newPage();
  await other.goto(`${harness.url}method/`);
  const gone = await other.evaluate(
    (name) =>
      new Promise((resolve) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = () => resolve('gone');
        request.onblocked = () => resolve('blocked');
        request.onerror = () => resolve('refused');
      }),
    DATABASE,
  );
  assert.equal(gone, 'gone');
  await page.bringToFront();
  assert.equal(await whole(page), await undisturbed());
  await visit.close();
});

for (const jump of selectMembers([-400 * DAYS, 400 * DAYS]))
  test(`the clock jumps by ${jump / DAYS} days in the middle: what was kept is offered and gone on with`, async () => {
    const visit = await begin({
      before: (/** @type {any} */ context) =>
        context.addInitScript(() => {
          const now = Date.now;
          Date.now = () => now() + Number(sessionStorage.getItem('jump') ?? 0);
        }),
    });
    const { page } = visit;
    await says(page, '#ensemble-unfinished', /^What is finished is kept/);
    await page.evaluate((by) => sessionStorage.setItem('jump', String(by)), jump);
    await reaches(page, 30);
    await page.reload();
    await page.waitForSelector('body[data-lab=ready]');
    await page.locator('#ensemble').scrollIntoViewIfNeeded();
    await says(page, '#ensemble-unfinished', new RegExp(`^\\d+ of ${NETWORKS} networks of this study are kept`));
    await page.locator('#ensemble-unfinished').getByRole('button', { name: 'Go on' }).click();
    assert.equal(await whole(page), await undisturbed());
    await visit.close();
  });

test('offline in the middle of an ensemble: it is finished', async () => {
  const visit = await begin({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to load resource/] });
  const { page, context } = visit;
  // From then on a worker has its code.
  await reaches(page, 1);
  await context.setOffline(true);
  assert.equal(await whole(page), await undisturbed());
  await visit.close();
});
