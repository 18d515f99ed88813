// A tab left in the middle of something long: what was finished of it is kept in the browser, offered on
// return, gone on with to the same bits, and forgotten on one click.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { holdSeeds, openGate } from './lib/gate.mjs';
import { runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** A study or a training may take this long on a machine that does much else, in ms. */
const LONG = 600_000;
const DATABASE = 'sfc-bench-unfinished';
/** How many networks, and how many of them are done when the tab is left. */
const NETWORKS = 80;
const LEFT_AT = 40;
/** From this one on they wait until the test has seen what it came for. */
const HELD_FROM = 60;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** Opens a page as a machine of two cores would, which notes the seeds that it has run and comes to no end before the gate is opened. @param {object} visitor */
const open = (visitor) =>
  harness.open({
    width: 1280,
    before: async (context) => {
      await holdSeeds(context, HELD_FROM);
      await context.addInitScript(() => {
        Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 2 });
        globalThis.tasksPosted = [];
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (message, ...rest) {
          if (message?.task) globalThis.tasksPosted.push(message.task);
          return post.call(this, message, ...rest);
        };
      });
    },
    ...visitor,
  });

const says = (/** @type {Page} */ page, /** @type {string} */ where, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ''),
    [where, pattern.source],
    { timeout: LONG },
  );

/** @param {Page} page */
async function come(page) {
  await page.waitForSelector('body[data-lab=ready]');
  await page.locator('#ensemble').scrollIntoViewIfNeeded();
}

/** Starts an ensemble and comes to where some of it is kept and more is not done. @param {Page} page */
async function inTheMiddle(page) {
  await come(page);
  // The page may find it quick enough to run it by itself.
  await page.waitForFunction(() => {
    const start = document.querySelector('#ensemble-start');
    if (start && !start.hidden) start.click();
    return globalThis.tasksPosted.some(({ kind }) => kind === 'seeds');
  });
  await page.waitForFunction(
    (least) => Number.parseInt(document.querySelector('#ensemble-status').textContent) >= least,
    LEFT_AT,
  );
  await says(page, '#ensemble-unfinished', /^What is finished is kept in this browser \([\d.]+ [kM]B\)/);
}

/** Lets an ensemble come to its end. @param {Page} page */
async function ended(page) {
  await openGate(page);
  await says(page, '#ensemble-status', new RegExp(`^${NETWORKS} networks in`));
}

/** @param {Page} page how many seeds its workers were asked for */
const seedsAsked = (page) =>
  page.evaluate(() =>
    globalThis.tasksPosted.reduce((sum, task) => sum + (task.kind === 'seeds' ? task.to - task.from : 0), 0),
  );

/** What a button saves. @param {Page} page @param {string} button */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return readFile(await download.path());
}

/** How many works and parts the browser has. @param {Page} page */
const stored = (page) =>
  page.evaluate(async (name) => {
    const found = await indexedDB.databases();
    if (!found.some((one) => one.name === name)) return null;
    const answered = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await answered(indexedDB.open(name));
    const transaction = database.transaction(['works', 'parts']);
    const counts = await Promise.all(['works', 'parts'].map((store) => answered(transaction.objectStore(store).count())));
    database.close();
    return counts;
  }, DATABASE);

describe('an ensemble that is left in the middle', () => {
  test('is offered on return, gone on with, and equal to one that ran through', async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}` });
    const { page } = visit;
    await inTheMiddle(page);
    await page.reload();
    await come(page);
    await says(page, '#ensemble-unfinished', new RegExp(`^\\d+ of ${NETWORKS} networks of this study are kept in this browser \\([\\d.]+ [kM]B\\)\\. Go on`));
    const there = Number.parseInt(await page.textContent('#ensemble-unfinished'));
    assert.ok(there > 0 && there < NETWORKS, `${there} were kept`);
    assert.equal(await seedsAsked(page), 0, 'nothing runs before the reader has chosen');
    assert.deepEqual(await runAxe(page), []);
    await screenshot(page, 'unfinished-ensemble');
    await page.locator('#ensemble-unfinished').getByRole('button', { name: 'Go on' }).click();
    await ended(page);
    assert.equal(await seedsAsked(page), NETWORKS - there, 'only what was missing is run');
    const native = execFileSync(CLI, ['ensemble', '--seeds', `${NETWORKS}`, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal((await saved(page, '#ensemble-save')).toString(), native);
    // What is done is not kept any more.
    await page.waitForFunction(() => document.querySelector('#ensemble-unfinished').hidden);
    assert.deepEqual(await stored(page), [0, 0]);
    await visit.close();
  });

  test('is forgotten on one click, before the run or in the middle of it', { skip: SKIP_UNLESS_LONG }, async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}` });
    const { page } = visit;
    await inTheMiddle(page);
    await page.reload();
    await come(page);
    const forget = page.locator('#ensemble-unfinished').getByRole('button', { name: 'Forget it' });
    await forget.click();
    await says(page, '#ensemble-unfinished', /^Nothing of it is kept in this browser any more\.$/);
    await page.waitForFunction(() => document.activeElement?.id === 'ensemble-unfinished');
    assert.deepEqual(await stored(page), [0, 0]);
    await inTheMiddle(page);
    await forget.click();
    await ended(page);
    assert.deepEqual(await stored(page), [0, 0]);
    await visit.close();
  });

  test('is not mixed with what another build of the core, or other settings, have made', async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}` });
    const { page } = visit;
    await inTheMiddle(page);
    await page.goto(`${harness.url}?seeds=${NETWORKS}&k=32`);
    await come(page);
    await says(page, '#ensemble-status', /./);
    assert.ok(await page.isHidden('#ensemble-unfinished') || !/Go on/.test(await page.textContent('#ensemble-unfinished')));
    await page.goto(`${harness.url}method/`);
    await page.evaluate(async (name) => {
      const database = await new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
      });
      const works = database.transaction('works', 'readwrite').objectStore('works');
      await new Promise((resolve) => {
        works.getAll().onsuccess = ({ target }) => {
          for (const work of target.result) works.put({ ...work, build: 'another' });
        };
        works.transaction.oncomplete = resolve;
      });
      database.close();
    }, DATABASE);
    await page.goto(`${harness.url}?seeds=${NETWORKS}`);
    await inTheMiddle(page);
    await visit.close();
  });

  test('is held against its checksums: what something else has written is done again', async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}` });
    const { page } = visit;
    await inTheMiddle(page);
    await page.goto(`${harness.url}method/`);
    const changed = await page.evaluate(async (name) => {
      const database = await new Promise((resolve) => {
        indexedDB.open(name).onsuccess = ({ target }) => resolve(target.result);
      });
      const parts = database.transaction('parts', 'readwrite').objectStore('parts');
      let count = 0;
      await new Promise((resolve) => {
        parts.openCursor().onsuccess = ({ target }) => {
          const cursor = target.result;
          if (!cursor) return;
          const part = cursor.value;
          // A number in one, nothing in another, and one in the place of the next.
          if (count === 0) cursor.update({ ...part, value: { ...part.value, hypervolume: 0.5 } });
          if (count === 1) cursor.update({ sum: part.sum, value: null });
          if (count === 2) cursor.update('Not ours.');
          count += 1;
          cursor.continue();
        };
        parts.transaction.oncomplete = resolve;
      });
      database.close();
      return Math.min(count, 3);
    }, DATABASE);
    assert.equal(changed, 3);
    await page.goto(`${harness.url}?seeds=${NETWORKS}`);
    await come(page);
    await says(page, '#ensemble-unfinished', /Go on/);
    await page.locator('#ensemble-unfinished').getByRole('button', { name: 'Go on' }).click();
    await ended(page);
    const native = execFileSync(CLI, ['ensemble', '--seeds', `${NETWORKS}`, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal((await saved(page, '#ensemble-save')).toString(), native);
    await visit.close();
  });

  test('two tabs at once keep one another’s, and neither waits for the other', { skip: SKIP_UNLESS_LONG }, async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}` });
    const { page, context } = visit;
    const other = await context.newPage();
    await other.goto(`${harness.url}?seeds=${NETWORKS}`);
    await inTheMiddle(other);
    await page.bringToFront();
    await come(page);
    await page.waitForFunction(() => {
      const start = document.querySelector('#ensemble-start');
      if (start && !start.hidden) start.click();
      return globalThis.tasksPosted.some(({ kind }) => kind === 'seeds');
    });
    await Promise.all([page, other].map(ended));
    const [mine, theirs] = [await saved(page, '#ensemble-save'), await saved(other, '#ensemble-save')];
    assert.ok(mine.equals(theirs));
    await visit.close();
  });

  test('an embedded page keeps nothing', async () => {
    const visit = await open({ address: `?seeds=${NETWORKS}&embed=1` });
    const { page } = visit;
    await come(page);
    await page.waitForFunction(() => {
      const start = document.querySelector('#ensemble-start');
      if (start && !start.hidden) start.click();
      return globalThis.tasksPosted.some(({ kind }) => kind === 'seeds');
    });
    await ended(page);
    assert.equal(await stored(page), null);
    assert.ok(await page.isHidden('#ensemble-unfinished'));
    await visit.close();
  });
});

test('a study of families is offered on return, even where the form asks for another', async () => {
  const visit = await open({ address: 'compare/' });
  const { page } = visit;
  await page.waitForSelector('body[data-lab=ready]');
  await page.click('#families-start');
  await says(page, '#families-status', /^([2-9]\d|1\d\d) of \d+ members/);
  await says(page, '#families-unfinished', /^What is finished is kept/);
  await page.goto(`${harness.url}compare/`);
  await page.waitForSelector('body[data-lab=ready]');
  await says(page, '#families-unfinished', /^\d+ of \d+ members of this study are kept in this browser/);
  const [there, all] = (await page.textContent('#families-unfinished')).match(/\d+/g).map(Number);
  assert.ok(there >= 10 && there < all);
  await screenshot(page, 'unfinished-families');
  await page.locator('#families-unfinished').getByRole('button', { name: 'Go on' }).click();
  await says(page, '#families-status', /^\d+ members in/);
  const asked = await page.evaluate(() => globalThis.tasksPosted.filter(({ kind }) => kind === 'families').length);
  assert.ok(asked <= all - there, `${asked} were run where ${there} of ${all} were kept`);
  const native = execFileSync(CLI, ['families', '--preset', 'small', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  assert.equal((await saved(page, '#families-save')).toString(), native);
  await visit.close();
});

test('a training is offered on return, and comes to the same autoencoder', { skip: SKIP_UNLESS_LONG }, async () => {
  const visit = await open({ address: 'train/' });
  const { page } = visit;
  await page.waitForSelector('body[data-lab=ready]');
  await page.fill('#train-steps', '60000');
  await page.click('#train-start');
  await says(page, '#train-status', /^Trained, 60,000 steps/);
  const whole = await saved(page, '#train-save');
  const said = await page.textContent('#train-status');
  assert.deepEqual(await stored(page), [0, 0]);
  await page.click('#train-start');
  await says(page, '#training-unfinished', /^What is finished is kept/);
  await page.goto(`${harness.url}train/`);
  await page.waitForSelector('body[data-lab=ready]');
  await says(page, '#training-unfinished', /^A training of 60,000 steps, left before its end, is kept in this browser/);
  await screenshot(page, 'unfinished-training');
  await page.locator('#training-unfinished').getByRole('button', { name: 'Go on' }).click();
  await says(page, '#train-status', /^Trained, 60,000 steps/);
  assert.equal(await page.textContent('#train-status'), said);
  assert.ok((await saved(page, '#train-save')).equals(whole), 'the same files, to the last bit');
  const [first] = await page.evaluate(() => globalThis.tasksPosted.filter(({ kind }) => kind === 'train').map(({ state }) => state?.step ?? 0));
  assert.ok(first > 0, 'it went on from where it was');
  await visit.close();
});

test('where a training is offered on return, none begins unasked, and the offer is seen', async () => {
  const visit = await open({ address: 'train/', unasked: true });
  const { page } = visit;
  await says(page, '#train-status', /^Trained, /);
  await page.fill('#train-steps', '60000');
  await page.click('#train-start');
  await says(page, '#training-unfinished', /^What is finished is kept/);
  await page.goto(`${harness.url}train/`);
  await says(page, '#training-unfinished', /^A training of 60,000 steps, left before its end/);
  await page.getByRole('button', { name: 'Go on' }).click({ trial: true });
  assert.equal(await page.textContent('#train-status'), 'Not started.');
  await visit.close();
});

test('what something else has written of kept autoencoders blocks no page', { skip: SKIP_UNLESS_LONG }, async () => {
  for (const text of ['[null]', '[{"name":1}]', '{"format":2,"sum":"0","all":[{}]}', '{', '[{"name":"a","world":{},"found":{}}]']) {
    for (const address of ['train/', 'compare/']) {
      await harness.visit(
        { address, before: (context) => context.addInitScript((value) => globalThis.origin !== 'null' && sessionStorage.setItem('sfc-bench-kept', value), text) },
        async ({ page }) => {
          await page.waitForSelector('body[data-lab=ready]');
          assert.equal(await page.locator('#train-kept li').count(), 0);
        },
      );
    }
  }
});
