// Families of methods in the page: the same bits as the command line, cancelled and gone on with,
// under live weights; one autoencoder trained, rested, kept and taken away.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { axe, screenshot, start } from './lib/harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** The command line's own binary; `cargo xtask test page` builds it and says where. */
const CLI = process.env.SFC_BENCH ?? fileURLToPath(new URL('../../target/debug/sfc-bench', import.meta.url));

/** A study or a training may take this long on a machine that does much else, in ms. */
const LONG = 600_000;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** Opens the page and comes to the section. @param {object} [visitor] */
async function open(visitor = {}) {
  const visit = await harness.open({ width: 1440, ...visitor });
  await visit.context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 3 });
  });
  await visit.page.reload();
  await visit.page.waitForSelector('#live:not([hidden])');
  await visit.page.waitForSelector('body[data-lab=ready]');
  await visit.page.locator('#families-title').scrollIntoViewIfNeeded();
  await visit.page.waitForSelector('#families-start');
  return visit;
}

const says = (/** @type {Page} */ page, /** @type {string} */ where, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector).textContent),
    [where, pattern.source],
    { timeout: LONG },
  );

/** What a button saves. @param {Page} page @param {string} button */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** A figure's rows as text, by the first cell. @param {Page} page @param {string} id */
const rows = (page, id) =>
  page.$$eval(`[data-figure="${id}"] .data tbody tr`, (found) =>
    Object.fromEntries(
      found.map((row) => {
        const cells = [...row.children].map((cell) => cell.textContent.trim());
        return [cells[0], cells.slice(1)];
      }),
    ),
  );

/** The entries of a .zip whose entries are stored as they are. @param {Buffer} zip */
function entries(zip) {
  /** @type {Record<string, Buffer>} */
  const found = {};
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const size = zip.readUInt32LE(at + 18);
    const name = zip.toString('utf8', at + 30, at + 30 + zip.readUInt16LE(at + 26));
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    found[name] = zip.subarray(start, start + size);
    at = start + size;
  }
  return found;
}

describe('families of methods', () => {
  test('one click, cancelled and gone on with, to the same bits as the command line', async () => {
    const visit = await open();
    const { page } = visit;
    assert.equal(await page.textContent('#families-status'), 'Not run yet.');
    await page.click('#families-start');
    // Methods show one after the other, before all are there.
    await page.waitForSelector('#families-result:not([hidden])', { timeout: LONG });
    await says(page, '#families-status', /^([2-9]\d|1\d\d) of \d+ members/);
    await page.click('#families-cancel');
    await says(page, '#families-status', /^Cancelled with \d+ of \d+ members done; they are kept\.$/);
    const done = Number(/with (\d+)/.exec(await page.textContent('#families-status'))?.[1]);
    assert.ok(done >= 20 && (await page.isHidden('#families-save')));
    // A worker that dies without a word is replaced.
    await page.click('#families-start');
    await page.workers()[0]?.evaluate(() => self.close()).catch(() => {});
    await says(page, '#families-status', /^\d+ members in/);
    const { name, bytes } = await saved(page, '#families-save');
    assert.equal(name, 'sfc-bench-families-superposition-small.json');
    const native = execFileSync(CLI, ['families', '--preset', 'small', '--json'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    assert.equal(bytes.toString(), native);

    const report = JSON.parse(native);
    const warned = await page.$$eval('#families-warnings li', (items) =>
      items.map((item) => item.textContent),
    );
    const own = report.warnings.map((/** @type {{ message: string }} */ w) => w.message);
    assert.deepEqual(warned.slice(0, own.length), own);
    assert.ok(warned.slice(own.length).every((text) => /Under your weights, 1:1:1/.test(text ?? '')));
    await page.waitForFunction(
      (count) => document.querySelectorAll('#families [data-figure^=fam] .data').length === count,
      8,
      { timeout: LONG },
    );
    const volumes = await rows(page, 'fam-hv');
    for (const { method, hypervolume } of report.methods)
      if (method === 'topk') assert.equal(volumes.TopK?.[1], hypervolume.mean.toFixed(3));
    assert.equal(Object.keys(volumes).length, report.methods.length);
    const roles = Object.values(volumes).map(([detail]) => detail);
    assert.equal(roles.filter((role) => role === 'control').length, 3);
    assert.equal(roles.filter((role) => role === 'ceiling').length, 1);

    // Files hold the numbers at full precision.
    await page.locator('[data-figure=fam-hv] .export > button').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-figure=fam-hv] [role=menuitem]', { hasText: 'CSV' }).first().click(),
    ]);
    assert.match(file.suggestedFilename(), /^sfc-bench-fam-hv-superposition-12methods-3seeds-[0-9a-f]{8}\.csv$/);
    const csv = await readFile(await file.path(), 'utf8');
    for (const { hypervolume } of report.methods)
      assert.ok(csv.includes(`,${hypervolume.mean},${hypervolume.min},${hypervolume.max}`), csv);

    // The sliders move SFC and nothing else.
    const before = await rows(page, 'fam-score');
    await page.click('#profiles button:nth-child(2)');
    await page.waitForFunction(
      () =>
        document.querySelector('[data-figure=fam-score] .figure-title').textContent.includes('5:1:1'),
      undefined,
      { timeout: LONG },
    );
    await page.waitForFunction(
      (old) =>
        !document.querySelector('[data-figure=fam-score] .data tbody').textContent.includes(old),
      before.TopK?.[1] ?? '',
      { timeout: LONG },
    );
    const best = Math.max(
      ...[...new Set(report.results.map((/** @type {any} */ r) => r.knob))].map(() => 0),
      ...[0, 1, 2].map((seed) =>
        Math.max(
          ...report.results
            .filter((/** @type {any} */ r) => r.method === 'topk' && r.seed === seed)
            .map((/** @type {any} */ r) =>
              7 / (5 / r.sparsity + 1 / r.fidelity + 1 / r.completeness.reconstruction),
            ),
        ),
      ),
    );
    const shown = await rows(page, 'fam-score');
    const [, , spread] = shown.TopK ?? [];
    assert.equal(spread?.split('–').at(-1), best.toFixed(3));
    assert.deepEqual(await rows(page, 'fam-hv'), volumes);
    // Under these, random directions beat a trained method: the page says so.
    const score = (/** @type {string} */ name) => Number(shown[name]?.[1]);
    const told = (await page.textContent('#families-warnings')) ?? '';
    for (const name of ['TopK', 'ReLU + L1', 'Gated'])
      assert.equal(told.includes(`Random directions scores ${shown.Random?.[1]}, ${name} `), score('Random') >= score(name), told);

    for (const dark of [false, true]) {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const section = page.locator('#families');
        await section.scrollIntoViewIfNeeded();
        for (const figure of await section.locator('figure').all()) await figure.scrollIntoViewIfNeeded();
        await page.waitForTimeout(300);
        await section.screenshot({
          path: fileURLToPath(
            new URL(`../../target/screenshots/families-${width}${dark ? '-dark' : ''}.png`, import.meta.url),
          ),
        });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `the page is ${wide} wide in a window of ${width}`);
      }
    }
    assert.deepEqual(await axe(page), []);
    await visit.close();
  });

  test('a linear dictionary is less complete where the circuit multiplies', async () => {
    const visit = await open();
    const { page } = visit;
    await page.selectOption('#families-world', 'nonlinear');
    await page.click('#families-start');
    await says(page, '#families-status', /^\d+ members in/);
    const text = (await page.textContent('#families-headline')) ?? '';
    const [, here, there] = /has C = ([−\d.]+) here, and ([−\d.]+) where/.exec(text) ?? [];
    const number = (/** @type {string | undefined} */ words) => Number(words?.replace('−', '-'));
    assert.ok(number(here) < number(there) - 0.05, text);
    await visit.close();
  });

  test('one is trained, rests, goes on, and is kept and taken away', async () => {
    const visit = await open();
    const { page } = visit;
    // What is not allowed is told beside its field, in the core's words.
    await page.fill('#train-k', '77');
    await page.click('#train-start');
    await page.waitForSelector('#train-k-error:not([hidden])', { timeout: LONG });
    assert.match((await page.textContent('#train-k-error')) ?? '', /32/);
    await page.fill('#train-k', '3');
    await page.click('#train-start');
    await says(page, '#train-status', /^Step [1-9]/);
    await page.click('#train-pause');
    await says(page, '#train-status', /^Paused at step \d/);
    const rested = await page.textContent('#train-status');
    await page.waitForSelector('#train-curves:not([hidden])');
    // The worker that had it is gone: another takes it up from the state that the page kept.
    for (const worker of page.workers()) await worker.evaluate(() => self.close()).catch(() => {});
    await page.waitForTimeout(200);
    assert.equal(await page.textContent('#train-status'), rested, 'nothing goes on in secret');
    await page.click('#train-resume');
    await says(page, '#train-status', /^Trained, 1,500 steps/);
    const said = (await page.textContent('#train-status')) ?? '';
    const [, trained, untrained] = /directions: ([\d.]+); ([\d.]+) before/.exec(said) ?? [];
    assert.ok(Number(trained) >= 0.85, said);
    assert.ok(Number(untrained) < 0.65, said);

    await page.click('#train-keep');
    await page.waitForSelector('#train-kept li', { timeout: LONG });
    const { name, bytes } = await saved(page, '#train-save');
    assert.equal(name, 'sae-topk-superposition-32-k3-seed0-step1500.zip');
    const files = entries(bytes);
    const folder = name.replace('.zip', '');
    assert.deepEqual(Object.keys(files), [`${folder}/cfg.json`, `${folder}/sae_weights.safetensors`]);
    const config = JSON.parse(String(files[`${folder}/cfg.json`]));
    assert.deepEqual([config.architecture, config.d_in, config.d_sae, config.k], ['topk', 16, 32, 3]);
    const weights = files[`${folder}/sae_weights.safetensors`];
    assert.ok(weights);
    const header = JSON.parse(weights.toString('utf8', 8, 8 + Number(weights.readBigUInt64LE(0))));
    assert.deepEqual(header.W_dec.shape, [32, 16]);

    // A pause and another worker change no bit: the command line's training is the same.
    const { mkdtemp } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const out = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
    execFileSync(CLI, ['train', '--family', 'topk', '--k', '3', '--out', out]);
    assert.ok(weights.equals(await readFile(join(out, 'sae_weights.safetensors'))));
    assert.deepEqual(await axe(page), []);
    await screenshot(page, 'families-train', { fullPage: false });
    await visit.close();
  });

  test('a reader’s own activations are a world: the same bits as the command line', async () => {
    const visit = await open();
    const { page } = visit;
    await page.selectOption('#families-world', 'given');
    await page.selectOption('#train-world', 'given');
    await page.click('#families-start');
    await says(page, '#families-status', /^Refused: there are no activations yet: choose/);
    await page.click('#train-start');
    await says(page, '#train-status', /^Refused: there are no activations yet: choose/);

    const golden = (/** @type {string} */ name) =>
      fileURLToPath(new URL(`../golden/evaluate/${name}`, import.meta.url));
    const files = ['acts_f32.npy', 'readout.npy', 'readout_bias.npy'].map(golden);
    await page.setInputFiles('#own-files', files);
    await says(page, '#own-said', /^3 files are open/);
    await page.click('#families-start');
    await says(page, '#families-status', /^\d+ members in/);
    await says(page, '#families', /given activations in 12 dimensions, with \d+ outputs/);
    const { name, bytes } = await saved(page, '#families-save');
    assert.equal(name, 'sfc-bench-families-given-small.json');
    const [activations = '', readout = '', bias = ''] = files;
    const given = ['--activations', activations, '--readout', readout, '--readout-bias', bias];
    const native = execFileSync(CLI, ['families', '--preset', 'small', ...given, '--json'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    assert.equal(bytes.toString(), native);
    assert.match((await page.textContent('#families-command')) ?? '', /--activations FILE --readout FILE/);
    // Nothing is planted: what is told is what is known.
    const known = await rows(page, 'fam-truth');
    assert.ok(known.TopK && !('Planted directions' in known));

    await page.fill('#train-steps', '60');
    await page.click('#train-start');
    await says(page, '#train-status', /^Trained, 60 steps/);
    await page.click('#train-keep');
    await page.waitForSelector('#train-kept li', { timeout: LONG });
    const { bytes: zip } = await saved(page, '#train-save');
    const { mkdtemp, writeFile } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const out = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
    for (const [path, content] of Object.entries(entries(zip)))
      await writeFile(join(out, path.split('/').at(-1) ?? ''), content);
    // The folder is of the activations as they were given, not as they were scaled.
    const json = execFileSync(
      CLI,
      ['evaluate', '--activations', activations, '--sae', out, '--json'],
      { encoding: 'utf8' },
    );
    const { explained_variance: explained } = JSON.parse(json).fidelity;
    assert.ok(explained > 0.2 && explained <= 1, `explained: ${explained}`);
    assert.deepEqual(await axe(page), []);
    await visit.close();
  });
});
