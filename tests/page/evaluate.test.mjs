// A reader's own decomposition in the page: files in, the command line's numbers out, and nothing lost
// on the way.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runAxe, waitForFileChooser, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI, PYTHON } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

const GOLDEN = fileURLToPath(new URL('../golden/evaluate/', import.meta.url));
const golden = (/** @type {string} */ name) => join(GOLDEN, name);

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** For files that a test makes. @type {string} */
let folder;
before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-own-'));
});
after(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the command line finds in the golden files. @param {string[]} flags */
const cli = (...flags) =>
  JSON.parse(
    execFileSync(CLI, ['evaluate', ...flags, '--digest', '--json'], { encoding: 'utf8', cwd: GOLDEN }),
  );

/** @param {import('./lib/harness.mjs').Visitor} visitor @param {(visit: import('./lib/harness.mjs').Visit) => Promise<void>} use */
const visit = (visitor, use) =>
  harness.visit({ width: 1280, address: 'own/', ...visitor }, async (visited) => {
    await visited.page.waitForSelector('body[data-lab=ready]');
    await visited.page.locator('#own').scrollIntoViewIfNeeded();
    await use(visited);
  });

/** @param {Page} page @param {string} id @param {string} pattern */
const says = (page, id, pattern) =>
  page.waitForFunction(
    ([at, source]) => new RegExp(source).test(document.querySelector(at).textContent),
    [id, pattern],
  );

/** Takes files in by the chooser. @param {Page} page @param {string[]} paths */
async function choose(page, ...paths) {
  const before = await page.locator('.own-files li').count();
  await page.setInputFiles('#own-files', paths);
  await page.waitForFunction(
    (least) => document.querySelectorAll('.own-files li').length >= least,
    before + paths.length,
  );
}

/** @param {Page} page */
async function score(page) {
  await page.waitForSelector('#own-start:not([disabled])');
  await page.click('#own-start');
  await says(page, '#own-status', '^Done\\.$');
}

/** The report that the page saves. @param {Page} page */
async function report(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#own-save')]);
  return {
    name: download.suggestedFilename(),
    found: JSON.parse(await readFile(await download.path(), 'utf8')),
  };
}

/** The value of the select that says what a file is. @param {Page} page @param {string} name */
const role = (page, name) => page.inputValue(`.own-files li[data-name="${name}"] select`);

/** Drops files as a mouse would. @param {Page} page @param {string[]} names of golden files */
async function drop(page, ...names) {
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: [...(await readFile(golden(name)))] })),
  );
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, bytes } of dropped)
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    const target = document.querySelector('#own-drop');
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
  await page.waitForFunction(
    (count) => document.querySelectorAll('.own-files li').length === count,
    names.length,
  );
}

test('a dropped .npy and a SAELens folder score as on the command line, to the last bit', () =>
  visit({}, async ({ page }) => {
    assert.match(await page.textContent('#own'), /Your files never leave this page/);
    await drop(page, 'acts_f32.npy');
    await says(page, '#own-plan', '^Still needed: a dictionary');
    await page.setInputFiles('#own-folder', golden('sae_topk'));
    await says(page, '#own-plan', '^150 rows of \\d+; a dictionary of \\d+ × \\d+; codes: topk .* memory in one worker\\.$');
    assert.equal(await role(page, 'acts_f32.npy'), 'activations');
    assert.equal(await role(page, 'sae_topk/cfg.json'), 'config');
    assert.equal(await role(page, 'sae_topk/sae_weights.safetensors'), 'weights');
    assert.match(await page.textContent('#own-readout-note'), /f is the identity/);

    await score(page);
    const files = ['--activations', 'acts_f32.npy', '--sae', 'sae_topk'];
    const wanted = cli(...files);
    const { name, found } = await report(page);
    assert.deepEqual(found, wanted);
    assert.match(name, /^sfc-bench-report-topk-\d+-k\d+-[0-9a-f]{8}\.json$/);
    for (const { sha256 } of wanted.files)
      assert.ok((await page.textContent('.own-digests')).includes(sha256));
    assert.equal(await page.locator('#own-notes li').count(), wanted.notes.length);

    // The page's weights, and the other readings, without a new run.
    await page.click('#own-profiles button:nth-child(2)');
    await page.selectOption('#own-fidelity', 'r2');
    await page.selectOption('#own-completeness', 'active-subspace');
    await page.selectOption('#own-variance', 'grand');
    const weights = (await report(page)).found.weights;
    assert.notDeepEqual(weights, [1, 1, 1]);
    const other = cli(...files, '--weights', weights.join(','), '--fidelity', 'r2', '--completeness', 'active-subspace', '--variance', 'grand');
    assert.deepEqual((await report(page)).found, other);
    assert.equal(await page.textContent('#own-status'), 'Done.');

    // In tables, files and a program too.
    await page.waitForFunction(() => document.querySelectorAll('#own figure .data').length === 5);
    await page.click('figure[data-figure=own-measures] .export button');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('figure[data-figure=own-measures] [role=menuitem]:text("CSV file")'),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    assert.ok(csv.includes(String(other.sparsity.s)) && csv.includes(String(other.sfc)));
    await page.click('#own-script');
    const program = await page.textContent('#numpy-text');
    assert.ok(program.includes('import numpy as np') && program.includes(wanted.files[0].sha256));
    await page.click('#numpy-close');
  }));

test('arrays of one archive have roles of their own, which can be changed', () =>
  visit({}, async ({ page }) => {
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'), golden('readout.npy'), golden('readout_bias.npy'));
    assert.deepEqual(
      await page.locator('.own-files select').evaluateAll((all) => all.map(({ value }) => value)),
      ['activations', 'dictionary', 'readout', 'readout_bias'],
    );
    await page.selectOption('#own-codes-by', 'least-squares');
    await score(page);
    const files = ['--activations', 'acts_f32.npy', '--dictionary', 'dictionary_few.npy'];
    const readout = ['--readout', 'readout.npy', '--readout-bias', 'readout_bias.npy'];
    assert.deepEqual(
      (await report(page)).found,
      cli(...files, ...readout, '--codes-by', 'least-squares'),
    );

    // Another archive's array takes the place of the activations, whose role it has.
    await choose(page, golden('acts_deflated.npz'));
    const arrays = page.locator('.own-files li[data-name="acts_deflated.npz"] select');
    assert.equal(await arrays.count(), 2);
    await arrays.last().selectOption('activations');
    assert.equal(await role(page, 'acts_f32.npy'), '');
    const label = await arrays.last().getAttribute('aria-label');
    const array = /acts_deflated\.npz, (\w+) is/.exec(label)[1];
    await score(page);
    assert.deepEqual(
      (await report(page)).found,
      cli('--activations', `acts_deflated.npz:${array}`, ...files.slice(2), ...readout, '--codes-by', 'least-squares'),
    );
  }));

test('activations in several files are read in turn, as the command line reads a folder of them', () =>
  visit({}, async ({ page }) => {
    const bytes = await readFile(golden('acts_f32.npy'));
    const data = bytes.subarray(bytes.length - 150 * 12 * 4);
    const shards = await mkdtemp(join(folder, 'shards-'));
    const write = async (/** @type {string} */ name, /** @type {number} */ first, /** @type {number} */ last, columns = 12) => {
      const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${((last - first) * 12) / columns}, ${columns}), }`.padEnd(117) + '\n';
      const start = Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]);
      await writeFile(join(shards, name), Buffer.concat([start, Buffer.from(header), data.subarray(first * 48, last * 48)]));
      return join(shards, name);
    };
    const files = [await write('acts_2.npy', 0, 70), await write('acts_10.npy', 70, 71), await write('acts_11.npy', 71, 150)];
    // In another order than that of their numbers.
    await choose(page, files[2], files[1], files[0]);
    await page.setInputFiles('#own-folder', golden('sae_topk'));
    await says(page, '#own-plan', '^150 rows of 12 in 3 files, from acts_2\\.npy to acts_11\\.npy; a dictionary');
    const roles = () => Promise.all(['acts_2.npy', 'acts_10.npy', 'acts_11.npy'].map((name) => role(page, name)));
    assert.deepEqual((await roles()).toSorted(), ['activations', 'more_activations', 'more_activations']);
    await score(page);
    const { found } = await report(page);
    /** The same whatever folder a file is of. @param {any} report */
    const placed = (report) => ({ ...report, files: report.files.map((/** @type {any} */ one) => ({ ...one, file: one.file.replace(/^.*\/(acts)/, '$1') })) });
    assert.deepEqual(found, placed(cli('--activations', shards, '--sae', 'sae_topk')));
    const names = found.files.filter((/** @type {any} */ one) => one.role === 'activations').map((/** @type {any} */ one) => one.file);
    assert.deepEqual(names, ['acts_2.npy', 'acts_10.npy', 'acts_11.npy']);
    const whole = cli('--activations', 'acts_f32.npy', '--sae', 'sae_topk');
    assert.deepEqual([found.sfc, found.sparsity, found.fidelity], [whole.sfc, whole.sparsity, whole.fidelity]);
    // The program and the link name all of them.
    await page.click('#own-script');
    const program = await page.textContent('#numpy-text');
    for (const name of names) assert.ok(program.includes(name), name);
    await page.click('#numpy-close');
    await page.waitForFunction(() => /activations-3:[0-9a-f]{64}/.test(location.search));
    await screenshot(page.locator('#own'), 'own-shards');

    // One that is not as wide is refused beside it; one that is not used is not read.
    const narrow = await write('acts_12.npy', 0, 10, 6);
    await choose(page, narrow);
    const mismatch = page.locator('.own-files li[data-name="acts_12.npy"] .own-mismatch');
    await mismatch.waitFor();
    assert.match(await mismatch.textContent(), /as wide as the first file of them/);
    assert.ok(await page.isDisabled('#own-start'));
    await page.selectOption('.own-files li[data-name="acts_12.npy"] select', '');
    await says(page, '#own-plan', '^150 rows of 12 in 3 files');
    await page.click('[aria-label="Remove acts_2.npy"]');
    await says(page, '#own-plan', '^80 rows of 12 in 2 files, from acts_10\\.npy to acts_11\\.npy');
    // Files of other names are read together where somebody says so.
    await choose(page, golden('acts_f32.npy'));
    assert.equal(await role(page, 'acts_f32.npy'), '');
    await page.selectOption('.own-files li[data-name="acts_f32.npy"] select', 'more_activations');
    await says(page, '#own-plan', '^230 rows of 12 in 3 files');
  }));

test('a decoder has its bias beside codes, and rows can be left out', () =>
  visit({}, async ({ page }) => {
    const bias = join(folder, 'b_dec.csv');
    await writeFile(bias, '0.5,-1,2,0,0,0.25,1,1,-1,0,0,3\n');
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'), golden('codes.npy'), bias);
    assert.equal(await role(page, 'b_dec.csv'), 'decoder_bias');
    await score(page);
    const files = ['--activations', 'acts_f32.npy', '--dictionary', 'dictionary_few.npy', '--codes', 'codes.npy'];
    const biased = [...files, '--decoder-bias', bias];
    /** The same whatever folder a file is of. @param {any} found */
    const placed = (found) => ({ ...found, files: found.files.map((/** @type {any} */ one) => ({ ...one, file: one.file.replace(/^.*\//, '') })) });
    assert.deepEqual((await report(page)).found, placed(cli(...biased)));

    await page.check('#own-skip-zero');
    await page.fill('#own-skip-rows', '0,x');
    await page.fill('#own-skip-norm', '1.5');
    await page.locator('#own-skip-norm').blur();
    await says(page, '#own-skip-rows-error', 'Invalid value: 0,x. Allowed: rows from 0 and ranges of them');
    assert.ok(await page.isDisabled('#own-start'));
    // A range that runs down looks like one.
    await page.fill('#own-skip-rows', '9-5');
    await page.locator('#own-skip-rows').blur();
    await says(page, '#own-skip-rows-error', 'Invalid value: 9-5. Allowed: rows from 0 and ranges of them');
    assert.ok(await page.isDisabled('#own-start'));
    // Rows that the activations do not have are refused where they are planned, and said in the same place.
    await page.fill('#own-skip-rows', '9999999');
    await page.locator('#own-skip-rows').blur();
    await says(page, '#own-skip-rows-error', 'as the activations have');
    await page.fill('#own-skip-norm', '0.5');
    await page.fill('#own-skip-rows', '');
    await page.locator('#own-skip-rows').blur();
    await says(page, '#own-skip-norm-error', 'Allowed: ');
    await page.fill('#own-skip-norm', '1.5');
    await page.fill('#own-skip-rows', '0,5-9');
    await page.locator('#own-skip-rows').blur();
    await page.waitForSelector('#own-start:not([disabled])');
    await score(page);
    const skip = ['--skip-zero-rows', '--skip-rows', '0,5-9', '--skip-norm-above', '1.5'];
    const { found } = await report(page);
    assert.deepEqual(found, placed(cli(...biased, ...skip)));
    assert.equal(found.skipped.named, 6);
    assert.match(await page.textContent('#own-notes'), /rows were left out: 6 by number, 0 of zeros/);
    // A link says it, and a page that opens it asks for the same.
    await page.waitForFunction(() => location.search.includes('zeros:1,skip:0.5-9,norm:1.5'));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('#own-skip-rows')?.value === '0,5-9');
    assert.ok(await page.isChecked('#own-skip-zero'));
    assert.equal(await page.inputValue('#own-skip-norm'), '1.5');
  }));

test('what is wrong is said beside it, and nothing else is lost', () =>
  visit({}, async ({ page }) => {
    const bytes = await readFile(golden('acts_f32.npy'));
    await writeFile(join(folder, 'cut.npy'), bytes.subarray(0, 5000));
    await writeFile(join(folder, 'notes.bin'), 'what is this');
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'));
    await score(page);
    const before = (await report(page)).found;

    await choose(page, join(folder, 'cut.npy'), join(folder, 'notes.bin'));
    const wrong = (/** @type {string} */ name) => page.textContent(`.own-files li[data-name="${name}"] .error`);
    assert.match(await wrong('cut.npy'), /cut\.npy.* bytes/);
    assert.match(await wrong('notes.bin'), /notes\.bin/);
    await says(page, '#own-said', '2 files could not be opened');
    await page.waitForSelector('#own-start:not([disabled])');
    assert.deepEqual((await report(page)).found, before);

    // Shapes that do not fit are held against each other before anything is read.
    await choose(page, golden('codes.npy'));
    await page.selectOption('.own-files li[data-name="codes.npy"] select', '');
    await page.waitForSelector('#own-start:not([disabled])');
    await page.selectOption('.own-files li[data-name="codes.npy"] select', 'readout');
    const mismatch = page.locator('.own-files li[data-name="codes.npy"] .own-mismatch');
    await mismatch.waitFor();
    assert.match(await mismatch.textContent(), /as wide as the activations/);
    assert.ok(await page.isDisabled('#own-start'));
    await page.click('[aria-label="Remove codes.npy"]');
    await page.waitForSelector('#own-start:not([disabled])');
    await page.click('[aria-label="Remove notes.bin"]');
    assert.equal(await page.locator('.own-files li').count(), 3);
    await page.fill('#own-memory', '0');
    await page.locator('#own-memory').blur();
    await says(page, '#own-memory-error', 'A whole number from 1');
    assert.equal(await page.getAttribute('#own-memory', 'aria-invalid'), 'true');
    assert.deepEqual((await report(page)).found, before);
  }));

test('a run over the cap is refused beside the field, before it starts', { skip: SKIP_UNLESS_LONG }, () =>
  visit({}, async ({ page }) => {
    // 8,000 features of 64: headers are all that is looked at.
    const npy = (/** @type {number} */ rows, /** @type {number} */ columns) => {
      const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n';
      const start = Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]);
      return Buffer.concat([start, Buffer.from(header), Buffer.alloc(4 * rows * columns)]);
    };
    await writeFile(join(folder, 'activations.npy'), npy(100, 64));
    await writeFile(join(folder, 'dictionary.npy'), npy(8000, 64));
    await choose(page, join(folder, 'activations.npy'), join(folder, 'dictionary.npy'));
    await says(page, '#own-plan', 'MiB of memory');
    await page.fill('#own-memory', '4');
    await page.locator('#own-memory').blur();
    await says(page, '#own-memory-error', '^the run needs \\d+ MiB; allowed: 4 MiB$');
    assert.ok(await page.isDisabled('#own-start'));
    await page.fill('#own-memory', '512');
    await page.locator('#own-memory').blur();
    await page.waitForSelector('#own-start:not([disabled])');
    assert.ok(await page.isHidden('#own-memory-error'));
  }));

test('cancelling ends a long run at once and keeps files and report', () =>
  visit({}, async ({ page }) => {
    await page.click('#own >> text="Try it with an example"');
    await says(page, '#own-status', '^Done\\.$');
    const before = (await report(page)).found;
    // A dictionary whose row space takes minutes.
    const [rows, columns] = [3000, 1500];
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n';
    const values = new Float32Array(rows * columns).map((_, at) => Math.sin(at * at));
    const file = Buffer.concat([
      Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]),
      Buffer.from(header),
      Buffer.from(values.buffer),
    ]);
    await writeFile(join(folder, 'large.npy'), file);
    await choose(page, join(folder, 'large.npy'));
    for (const name of ['codes', 'readout', 'readout-bias'])
      await page.selectOption(`.own-files li[data-name="example-${name}.npy"] select`, '');
    await page.selectOption('.own-files li[data-name="large.npy"] select', 'activations');
    await writeFile(join(folder, 'large-dictionary.npy'), file);
    await choose(page, join(folder, 'large-dictionary.npy'));
    await page.selectOption('.own-files li[data-name="large-dictionary.npy"] select', 'dictionary');
    await page.waitForSelector('#own-start:not([disabled])');
    await page.focus('#own-start');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#own-cancel:not([hidden])');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'own-cancel'));
    await page.keyboard.press('Enter');
    await says(page, '#own-status', '^Cancelled\\. The report below is the former one\\.$');
    assert.deepEqual((await report(page)).found, before);
    assert.equal(await page.locator('.own-files li').count(), 7);
    // The files are open again in another worker.
    await page.waitForSelector('#own-start:not([disabled])');
  }));

test('one click shows a whole report on an example, which agrees with Table 3', () =>
  visit({ width: 1440 }, async ({ page }) => {
    await page.click('#own >> text="Try it with an example"');
    await says(page, '#own-status', '^Done\\.$');
    const { found } = await report(page);
    assert.equal(found.sparsity.s.toFixed(3), '0.833');
    assert.equal(found.fidelity.cosine.toFixed(3), '0.907');
    assert.match(await page.textContent('#own-headline'), /^SFC 0\.90\d under weights 1:1:1: S 0\.833, F 0\.907, C 0\.98\d; 2000 rows × 64, K = 48, codes: given\.$/);
    await page.waitForFunction(() => document.querySelectorAll('#own figure .data').length === 5);
    assert.deepEqual(await runAxe(page), []);
    await screenshot(page.locator('#own'), 'own-1440');
  }));

test('by keyboard alone: the example, a role, a removal, the program', { skip: SKIP_UNLESS_LONG }, () =>
  visit({}, async ({ page }) => {
    /** Tab until something has the focus; it is never lost. @param {string} selector @param {string} [key] */
    const go = async (selector, key = 'Tab') => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press(key);
        const at = await page.evaluate((wanted) => {
          const focused = document.activeElement;
          return focused === document.body ? null : focused.matches(wanted);
        }, selector);
        assert.notEqual(at, null, `on the way to ${selector} the focus was lost`);
        if (at) return;
      }
      assert.fail(`${selector} is not reached by ${key}`);
    };
    await page.focus('.brand a');
    await go('#own-drop button:nth-of-type(1)');
    const chooser = await waitForFileChooser(page, () => page.keyboard.press('Enter'));
    assert.ok(chooser.isMultiple());
    await go('#own-drop button:nth-of-type(3)');
    await page.keyboard.press('Enter');
    await says(page, '#own-status', '^Done\\.$');
    await page.waitForSelector('#own-start:not([disabled])');
    await go('li[data-name="example-codes.npy"] select');
    await page.keyboard.press('Home');
    assert.equal(await role(page, 'example-codes.npy'), '');
    assert.ok(
      await page.evaluate(() => document.activeElement.closest('[data-name="example-codes.npy"]')),
      'the focus stays where it was',
    );
    await says(page, '#own-plan', 'codes: projection');
    await go('[aria-label="Remove example-readout.npy"]');
    await page.keyboard.press('Enter');
    await says(page, '#own-plan', '^A bias needs its readout');
    await page.waitForFunction(
      () => document.activeElement.getAttribute('aria-label') === 'Remove example-readout-bias.npy',
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('#own-start:not([disabled])');
    await go('#own-start');
    await page.keyboard.press('Enter');
    await says(page, '#own-headline', 'codes: projection');
    await says(page, '#own-status', '^Done\\.$');
    await go('#own-script');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#numpy-dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement.id === 'own-script');
  }));

for (const [width, dark] of selectMembers(/** @type {const} */ ([[390, false], [1440, true], [390, true]]))) {
  const look = `${width}-${dark ? 'dark' : 'light'}`;
  test(`it fits and axe finds nothing: ${look}`, { skip: SKIP_UNLESS_LONG }, () =>
    visit({ width, height: 844, touch: width < 600, dark }, async ({ page }) => {
      await page.click('#own >> text="Try it with an example"');
      await says(page, '#own-status', '^Done\\.$');
      await page.waitForFunction(() => document.querySelectorAll('#own figure .data').length === 5);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.deepEqual(await runAxe(page), []);
      await screenshot(page.locator('#own'), `own-${look}`);
    }));
}

test('a link names the files by their digests, and tells whoever opens it whether theirs are the same', () =>
  visit({}, async ({ page }) => {
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'));
    await page.selectOption('#own-completeness', 'reconstruction');
    await score(page);
    await page.waitForFunction(() => location.search.includes('own='));
    const url = new URL(page.url());
    const digest = createHash('sha256').update(await readFile(golden('acts_f32.npy'))).digest('hex');
    const own = url.searchParams.get('own') ?? '';
    assert.match(own, /^f:cosine,c:reconstruction,v:total,by:projection,rows:1000,activations:/);
    assert.ok(own.includes(`activations:${digest}`), own);

    // Back is before it, and stays there though the report is still shown.
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('own='));
    await page.click('#own-profiles button:nth-child(2)');
    await page.waitForFunction(() => location.search.includes('w=5,1,1'));
    assert.ok(!new URL(page.url()).searchParams.has('own'), page.url());

    await page.goto(url.href);
    await page.waitForSelector('body[data-lab=ready]');
    await says(page, '#own-linked', `activations: ${digest}`);
    assert.equal(await page.inputValue('#own-completeness'), 'reconstruction');
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'));
    await score(page);
    await says(page, '#own-linked', '^✓ These are the files that the link was made with');

    await page.goto(url.href);
    await page.waitForSelector('body[data-lab=ready]');
    await choose(page, golden('acts_f64.npy'), golden('dictionary_few.npy'));
    await score(page);
    await says(page, '#own-linked', '^✗ The link was made with other files: activations\\.');
    assert.deepEqual(await runAxe(page), []);
    // Whatever a link says, nothing breaks.
    await page.goto(url.href.replace(/own=[^&]*/, 'own=f:huge,rows:-3,activations:12,:,::,what'));
    await page.waitForSelector('body[data-lab=ready]');
    assert.ok(await page.isHidden('#own-linked'));
    // What is out of range is the nearest that is not, as in every link.
    assert.equal(await page.inputValue('#own-rows'), '1');
    // And where nothing can be read of it, there is still a link to share.
    await page.goto(url.href.replace(/own=[^&]*/, 'own=a'));
    await page.waitForSelector('body[data-lab=ready]');
    await page.click('#own-share-link');
    const shared = await page.inputValue('#own-shared-link');
    assert.ok(shared.startsWith(new URL(url.pathname, url).href), shared);
  }));

/** Drops a file far from the place for it, as a mouse would. @param {Page} page @param {string} path @param {string} name */
async function dropAnywhere(page, path, name) {
  const bytes = [...(await readFile(path))];
  await page.evaluate(
    ([name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ['dragenter', 'dragover'])
        document.querySelector('h1').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      if (document.querySelector('.own-overlay').hidden) throw new Error('nothing says that files are taken');
      document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    /** @type {const} */ ([name, bytes]),
  );
}

test('files are taken wherever they are dropped, and are counted all together', () =>
  visit({}, async ({ page }) => {
    await dropAnywhere(page, golden('acts_f32.npy'), 'acts_f32.npy');
    await says(page, '#own-said', '^1 file is open\\.$');
    assert.ok(await page.isHidden('.own-overlay'));
    assert.equal(await role(page, 'acts_f32.npy'), 'activations');
    await choose(page, golden('dictionary_few.npy'));
    await choose(page, golden('readout.npy'));
    await says(page, '#own-said', '^3 files are open\\.$');
    await says(page, '#own-plan', '^150 rows of 12; .* 3 outputs\\.');
  }));

test('a dictionary alone: dense codes are told, and the largest can be kept instead', () =>
  visit({}, async ({ page }) => {
    await choose(page, golden('acts_f32.npy'), golden('dictionary_few.npy'));
    await score(page);
    await says(page, '#own-notes', 'Nearly every code is active');
    assert.ok(await page.isHidden('#own-kept'));
    await page.selectOption('#own-codes-by', 'top');
    await page.fill('#own-kept', '3');
    await page.locator('#own-kept').blur();
    await says(page, '#own-plan', 'codes: top-3;');
    await score(page);
    const wanted = cli('--activations', 'acts_f32.npy', '--dictionary', 'dictionary_few.npy', '--codes-by', 'top-3');
    assert.deepEqual((await report(page)).found, wanted);
    await page.waitForFunction(() => location.search.includes('by:top-3'));
    await page.fill('#own-kept', '8');
    await page.locator('#own-kept').blur();
    await says(page, '#own-kept-error', 'top-1 to top-7');
    const link = page.url();
    await page.goto(link);
    await page.waitForSelector('body[data-lab=ready]');
    assert.equal(await page.inputValue('#own-codes-by'), 'top');
    assert.equal(await page.inputValue('#own-kept'), '3');
  }));

test('a transposed dictionary is told, and read so by a click', { skip: SKIP_UNLESS_LONG }, () =>
  visit({}, async ({ page }) => {
    const straight = await readFile(golden('dictionary_few.npy'));
    const [rows, columns] = [7, 12];
    const start = straight.length - 4 * rows * columns;
    const header = straight.subarray(0, start).toString('latin1').replace('(7, 12)', '(12, 7)');
    const values = Buffer.alloc(4 * rows * columns);
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1)
        straight.copy(values, 4 * (column * rows + row), start + 4 * (row * columns + column), start + 4 * (row * columns + column) + 4);
    const path = join(folder, 'dictionary_turned.npy');
    await writeFile(path, Buffer.concat([Buffer.from(header, 'latin1'), values]));
    await choose(page, golden('acts_f32.npy'), path);
    const item = page.locator('.own-files li[data-name="dictionary_turned.npy"]');
    await item.locator('.own-mismatch').waitFor();
    assert.match(await item.textContent(), /12 × 7; allowed: 12 columns, as the activations have\. Transposed\?/);
    await item.locator('button:text("Read it transposed")').click();
    await score(page);
    const { found } = await report(page);
    const wanted = cli('--activations', 'acts_f32.npy', '--dictionary', path, '--transposed', 'dictionary');
    assert.deepEqual(found.completeness, wanted.completeness);
    assert.equal(found.files[1].transposed, true);
    assert.match(await item.textContent(), /read transposed/);
    await item.locator('button:text("Read it as it is")').click();
    await item.locator('.own-mismatch').waitFor();
  }));

test('what is no array is named, with what to do', () =>
  visit({}, async ({ page }) => {
    await writeFile(join(folder, 'acts.npy'), Buffer.from('89504e470d0a1a0a00000000000000000000', 'hex'));
    await writeFile(join(folder, 'acts.pt'), Buffer.from('80028a0a6cfc9c46f9206aa850192e0000', 'hex'));
    await choose(page, join(folder, 'acts.npy'), join(folder, 'acts.pt'));
    await says(page, '.own-files li[data-name="acts.npy"] .error', 'a PNG picture; allowed: \\.npy');
    await says(page, '.own-files li[data-name="acts.pt"] .error', 'the opcode 0x00 .*allowed: tensors alone');
  }));

test('the example can be saved, and taken in again', { skip: SKIP_UNLESS_LONG }, () =>
  visit({}, async ({ page }) => {
    await page.click('#own >> text="Try it with an example"');
    await says(page, '#own-status', '^Done\\.$');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('#own >> text="Save the example’s files"'),
    ]);
    assert.equal(download.suggestedFilename(), 'sfc-bench-example.zip');
    const path = join(folder, 'sfc-bench-example.zip');
    await download.saveAs(path);
    const { found } = await report(page);
    await page.reload();
    await page.waitForSelector('body[data-lab=ready]');
    await choose(page, path);
    const roles = await page.locator('.own-files select').evaluateAll((all) => all.map(({ value }) => value));
    assert.deepEqual(roles, ['activations', 'dictionary', 'codes', 'readout', 'readout_bias']);
    await page.selectOption('#own-variance', 'grand');
    await score(page);
    assert.deepEqual((await report(page)).found.completeness, found.completeness);
  }));

/** The completeness that a report scores. @param {any} found */
const completeness = ({ completeness: all, reading }) => all.find((one) => one.reading === reading).total;

test('an array that is as wide as nothing here is refused, not left unused', { skip: SKIP_UNLESS_LONG }, () =>
  visit({}, async ({ page }) => {
    await page.click('#own >> text="Try it with an example"');
    await says(page, '#own-status', '^Done\\.$');
    const path = join(folder, 'something.csv');
    await writeFile(path, '1,2,3\n4,5,6\n');
    await page.setInputFiles('#own-files', path);
    await says(page, '#own-plan', 'something\\.csv is 2 × 3, and the activations have 64 columns: it fits nothing here');
    await page.click('[data-name="something.csv"] >> text="Remove"');
    await page.waitForSelector('#own-start:not([disabled])');
  }));

test('an autoencoder that was trained here is scored by dropping its .zip', () =>
  visit({}, async ({ page }) => {
    const address = page.url();
    await page.goto(new URL('../train/', address).href);
    await page.waitForSelector('body[data-lab=ready]');
    await page.fill('#train-steps', '20');
    await page.click('#train-start');
    await page.waitForSelector('#train-save:not([hidden])');
    await says(page, '#train-status', '^Trained');
    await page.click('#train-keep');
    await page.waitForSelector('#train-kept li');
    const kept = await page.textContent('#train-kept li');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#train-save')]);
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    await page.goto(address);
    await page.waitForSelector('body[data-lab=ready]');
    await page.setInputFiles('#own-files', path);
    await says(page, '#own-said', '^5 files are open\\.$');
    await score(page);
    const { found } = await report(page);
    assert.match(kept, new RegExp(`S ${found.sparsity.s.toFixed(3)}, F ${found.fidelity.cosine.toFixed(3)}, C ${completeness(found).toFixed(3)} by reconstruction`));
    assert.equal(found.reading, 'reconstruction', 'its latents span the whole space');
    assert.equal(found.rows, 512);
    assert.ok(found.readout_given);
  }));

test('“Score this” takes a trained autoencoder to its report, with nothing to press there', () =>
  visit({}, async ({ page }) => {
    await page.goto(new URL('../train/', page.url()).href);
    await page.waitForSelector('body[data-lab=ready]');
    assert.ok(await page.isHidden('#train-score'), 'nothing is trained yet');
    await page.fill('#train-steps', '20');
    await page.click('#train-start');
    await says(page, '#train-status', '^Trained');
    await page.click('#train-keep');
    await page.waitForSelector('#train-kept li');
    const kept = await page.textContent('#train-kept li');
    await page.click('#train-score');
    await page.waitForURL(/\/own\//);
    await page.waitForSelector('.own-files li');
    await says(page, '#own-said', '^5 files are open\\.$');
    await says(page, '#own-status', '^Done');
    const { found } = await report(page);
    assert.match(kept, new RegExp(`S ${found.sparsity.s.toFixed(3)}, F ${found.fidelity.cosine.toFixed(3)}, C ${completeness(found).toFixed(3)} by reconstruction`));
    assert.equal(found.reading, 'reconstruction', 'its latents span the whole space');
    assert.equal(await page.locator('[data-figure=own-score] canvas').count(), 1);
    // What was handed over is there once: the next visit begins with nothing.
    await page.goto(page.url().replace(/\?.*/, ''));
    await page.waitForSelector('body[data-lab=ready]');
    assert.equal(await page.locator('.own-files li').count(), 0);
    // The one that was kept is in the tab, on whichever page of it.
    await page.goto(new URL('../train/', page.url()).href);
    await page.waitForSelector('#train-kept li');
    assert.equal(await page.textContent('#train-kept li'), kept);
  }));

/** What the command line makes of the same files. @param {string} cwd @param {string[]} flags */
const compared = (cwd, ...flags) =>
  JSON.parse(execFileSync(CLI, ['compare', ...flags, '--json'], { encoding: 'utf8', cwd }));

test('a release is listed, chosen from, and compared as on the command line', () =>
  visit({}, async ({ page }) => {
    const place = join(folder, 'compared');
    const release = join(place, 'release');
    for (const name of ['sae_standard', 'sae_topk', 'sae_jumprelu'])
      await cp(golden(name), join(release, name), { recursive: true });
    await cp(golden('acts_f32.npy'), join(place, 'acts_f32.npy'));
    await cp(golden('dictionary_few.npy'), join(place, 'dictionary_few.npy'));
    // Of weights alone, in no layout that is known.
    await mkdir(join(release, 'broken'));
    await cp(golden('sae_topk/sae_weights.safetensors'), join(release, 'broken/sae_weights.safetensors'));
    await writeFile(join(release, 'broken/cfg.json'), '{"architecture": "none"}');

    await choose(page, join(place, 'acts_f32.npy'));
    assert.ok(await page.isHidden('#own-release'));
    await page.setInputFiles('#own-folder', release);
    await says(page, '#own-members-said', '^4 autoencoders among your files, of which 3 can be read\\.');
    const tick = (/** @type {string} */ name) =>
      page.locator('.own-members li', { hasText: `${name}:` }).locator('input');
    assert.ok(await tick('release/broken').isDisabled());
    await page.fill('#own-members-filter', 'SAE_');
    assert.equal(await page.locator('.own-members li').count(), 3);
    await tick('release/sae_jumprelu').uncheck();
    await says(page, '#own-compare', '^Compare these 2$');
    await page.click('#own-compare');
    await says(page, '#own-compare-status', '^Done\\.$');
    const saved = async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#own-compared-save')]);
      return JSON.parse(await readFile(await download.path(), 'utf8'));
    };
    const flags = ['release', '--choose', 'standard', 'topk', '--activations', 'acts_f32.npy'];
    const wanted = compared(place, ...flags);
    assert.deepEqual(await saved(), wanted);
    assert.equal(await page.locator('#own-compared-notes li').count(), wanted.notes.length);

    // Any column sorts the rows, either way.
    const table = page.locator('#own-compared-table');
    const names = () => table.locator('tbody th').allTextContents();
    assert.deepEqual(await names(), wanted.rows.map(({ name }) => name));
    const by = wanted.rows.toSorted((a, b) => b.report.sparsity.l0 - a.report.sparsity.l0);
    for (const [sorted, rows] of /** @type {const} */ ([['descending', by], ['ascending', by.toReversed()]])) {
      await table.locator('button', { hasText: 'L0' }).click();
      assert.equal(await table.locator('th', { hasText: 'L0' }).getAttribute('aria-sort'), sorted);
      const order = (await names()).map((name) => wanted.rows.find((row) => row.name === name).report.sparsity.l0);
      assert.deepEqual(order, rows.map(({ report: { sparsity } }) => sparsity.l0));
    }
    await page.waitForFunction(() => document.querySelectorAll('#own-compared figure[data-drawn] canvas').length === 3);
    assert.deepEqual(await runAxe(page), []);

    // The page's weights, without a new run.
    await page.click('#own-profiles button:nth-child(2)');
    const { weights } = await saved();
    assert.notDeepEqual(weights, [1, 1, 1]);
    assert.deepEqual(await saved(), compared(place, ...flags, '--weights', weights.join(',')));

    // A dictionary stands beside them; without controls there are none.
    await choose(page, join(place, 'dictionary_few.npy'));
    await page.uncheck('#own-members-controls');
    await page.fill('#own-members-filter', 'topk');
    await page.click('#own-compare');
    await page.waitForFunction(() => document.querySelectorAll('#own-compared-table tbody tr').length === 2);
    const alone = ['release', 'dictionary_few.npy', '--choose', 'topk', 'few', ...flags.slice(4), '--no-controls', '--weights', weights.join(',')];
    assert.deepEqual(await saved(), compared(place, ...alone));
  }));

for (const layout of selectMembers(['saelens_transcoder', 'saelens_abstopk', 'saelens_matching_pursuit']))
  test(`${layout} is scored as on the command line, and says that it has no NumPy program`, () =>
    visit({}, async ({ page }) => {
      const place = fileURLToPath(new URL(`../golden/layouts/${layout}/`, import.meta.url));
      const targets = layout.endsWith('transcoder') ? ['targets.npy'] : [];
      await choose(page, ...['inputs.npy', ...targets].map((name) => join(place, name)));
      await page.selectOption('.own-files li[data-name="inputs.npy"] select', 'activations');
      for (const name of targets) assert.equal(await role(page, name), 'targets');
      await page.setInputFiles('#own-folder', join(place, 'sae'));
      await score(page);
      assert.ok(await page.isDisabled('#own-script'));
      assert.match((await page.getAttribute('#own-script', 'title')) ?? '', /^No NumPy program/);
      const flags = ['evaluate', '--sae', 'sae', '--activations', 'inputs.npy', ...targets.flatMap((name) => ['--targets', name]), '--digest', '--json'];
      const wanted = JSON.parse(execFileSync(CLI, flags, { encoding: 'utf8', cwd: place }));
      assert.deepEqual((await report(page)).found, wanted);
    }));

test('a checkpoint’s whitening is read with its weights, as the command line reads the folder', () =>
  visit({}, async ({ page }) => {
    const place = fileURLToPath(new URL('../golden/layouts/saelens_covariance_whitening/', import.meta.url));
    await choose(page, join(place, 'inputs.npy'));
    await page.selectOption('.own-files li[data-name="inputs.npy"] select', 'activations');
    await page.setInputFiles('#own-folder', join(place, 'ckpt'));
    assert.equal(await role(page, 'ckpt/activation_whitening.safetensors'), 'more_weights');
    await score(page);
    const flags = ['evaluate', '--sae', 'ckpt', '--activations', 'inputs.npy', '--digest', '--json'];
    assert.deepEqual((await report(page)).found, JSON.parse(execFileSync(CLI, flags, { encoding: 'utf8', cwd: place })));
  }));

test('targets of a transcoder are read from several files, as its activations are', () =>
  visit({}, async ({ page }) => {
    const place = fileURLToPath(new URL('../golden/layouts/saelens_transcoder/', import.meta.url));
    const shards = await mkdtemp(join(folder, 'targets-'));
    /** Writes the rows of a file of float32 in two. @param {string} name @param {string} as */
    const split = async (name, as) => {
      const bytes = await readFile(join(place, `${name}.npy`));
      const from = 10 + bytes.readUInt16LE(8);
      const header = bytes.subarray(10, from).toString('latin1');
      const [, rows, columns] = (/'shape': \((\d+), (\d+)\)/.exec(header) ?? []).map(Number);
      assert.ok(header.includes("'<f4'") && rows && columns, header);
      const cut = Math.floor(rows / 3);
      for (const [part, first, last] of [[0, 0, cut], [1, cut, rows]]) {
        const own = header.replace(`(${rows}, ${columns})`, `(${last - first}, ${columns})`).trimEnd().padEnd(header.length - 1);
        const start = bytes.subarray(0, 10);
        const data = bytes.subarray(from + first * columns * 4, from + last * columns * 4);
        await writeFile(join(shards, `${as}_${part}.npy`), Buffer.concat([start, Buffer.from(`${own}\n`, 'latin1'), data]));
      }
    };
    await split('inputs', 'acts');
    await split('targets', 'targets');
    const names = ['acts_0.npy', 'acts_1.npy', 'targets_0.npy', 'targets_1.npy'];
    await choose(page, ...names.map((name) => join(shards, name)));
    const roles = await Promise.all(names.map((name) => role(page, name)));
    assert.deepEqual(roles.toSorted(), ['activations', 'more_activations', 'more_targets', 'targets']);
    await page.setInputFiles('#own-folder', join(place, 'sae'));
    await score(page);
    const { found } = await report(page);
    const flags = ['evaluate', '--sae', 'sae', '--activations', 'inputs.npy', '--targets', 'targets.npy', '--digest', '--json'];
    const whole = JSON.parse(execFileSync(CLI, flags, { encoding: 'utf8', cwd: place }));
    assert.deepEqual([found.sfc, found.sparsity, found.fidelity], [whole.sfc, whole.sparsity, whole.fidelity]);
    const read = found.files.map((/** @type {any} */ one) => [one.role, one.file]);
    assert.deepEqual(read.filter(([role]) => role === 'targets'), [['targets', 'targets_0.npy'], ['targets', 'targets_1.npy']]);
  }));

/** A Gemma Scope autoencoder's size, and rows to score it on. */
const [WIDTH, LATENTS, ROWS] = [2_304, 16_384, 10_000];
/** What an instance holds before it has opened anything, and what a file's headers take. */
const BESIDE = 64 * 2 ** 20;

test('16,384 latents of 2,304 are scored on 10,000 rows within the planned memory', { skip: SKIP_UNLESS_LONG }, () =>
  visit(
    {
      // What workers say of their memory, and what is planned.
      before: (context) =>
        context.addInitScript(() => {
          const heard = { most: 0, planned: 0 };
          Object.assign(globalThis, {
            heard,
            Worker: class extends Worker {
              /** @param {ConstructorParameters<typeof Worker>} of */
              constructor(...of) {
                super(...of);
                this.addEventListener('message', ({ data }) => {
                  heard.most = Math.max(heard.most, data?.memory ?? 0);
                  if (data?.result?.another) heard.planned = data.result.memory;
                });
              }
            },
          });
        }),
    },
    async ({ page }) => {
      const place = join(folder, 'large-npz');
      await mkdir(place, { recursive: true });
      const program = `
import numpy as np
rng = np.random.default_rng(0)
d, k, n = ${WIDTH}, ${LATENTS}, ${ROWS}
W = rng.standard_normal((k, d), np.float32)
W /= np.linalg.norm(W, axis=1, keepdims=True)
np.savez("params.npz", W_enc=W.T.copy(), W_dec=W, b_enc=np.zeros(k, np.float32), b_dec=np.zeros(d, np.float32),
         threshold=np.full(k, 2.5, np.float32))
np.save("acts.npy", rng.standard_normal((n, d), np.float32))`;
      execFileSync(PYTHON, ['-c', program], { cwd: place });
      await choose(page, join(place, 'acts.npy'), join(place, 'params.npz'));
      await page.waitForSelector('#own-start:not([disabled])');
      const began = performance.now();
      await page.click('#own-start');
      await page.waitForFunction(
        () => document.querySelector('#own-result').dataset.state === 'whole' || /^It broke/.test(document.querySelector('#own-status').textContent),
        undefined,
        { timeout: 3_600_000 },
      );
      const seconds = (performance.now() - began) / 1000;
      assert.equal(await page.getAttribute('#own-result', 'data-state'), 'whole', await page.textContent('#own-status'));
      const { found } = await report(page);
      assert.deepEqual([found.rows, found.k, found.dimensions], [ROWS, LATENTS, WIDTH]);
      const { most, planned } = await page.evaluate(() => /** @type {any} */ (globalThis).heard);
      console.log(`${seconds.toFixed(0)} s, ${(most / 2 ** 20).toFixed(0)} MiB of ${(planned / 2 ** 20).toFixed(0)} planned`);
      assert.ok(most > 0 && most <= planned + BESIDE, `${most} bytes of ${planned}`);
    },
  ));
