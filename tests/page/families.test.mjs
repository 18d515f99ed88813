// Families of methods in the page: the same bits as the command line, cancelled and gone on with,
// under live weights; one autoencoder trained, rested, kept and taken away.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { killWorkers, readFigureRows, runAxe, screenshot, start } from './lib/harness.mjs';
import { SKIP_UNLESS_LONG } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

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
  const visit = await harness.open({
    width: 1440,
    address: 'compare/',
    before: (context) =>
      context.addInitScript(() => {
        Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 3 });
      }),
    ...visitor,
  });
  await visit.page.waitForSelector('body[data-lab=ready]');
  await visit.page.waitForSelector('#families-start, #train-start');
  // What is in a fold is drawn once it is opened.
  await visit.page.$$eval('#families-result details', (folds) => folds.forEach((fold) => fold.setAttribute('open', '')));
  return visit;
}

const says = (/** @type {Page} */ page, /** @type {string} */ where, /** @type {RegExp} */ pattern) =>
  page.waitForFunction(
    ([selector, source]) => new RegExp(source).test(document.querySelector(selector).textContent),
    [where, pattern.source],
    { timeout: LONG },
  );

/** What a button saves: by the keyboard, since figures that are still drawn move it under the mouse. @param {Page} page @param {string} button */
async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.press(button, 'Enter')]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

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
    // Not by the mouse: figures that are still drawn move it away, and the study may be done before it holds still.
    await page.$eval('#families-cancel', (button) => button.click());
    await says(page, '#families-status', /^Cancelled with \d+ of \d+ members done; they are kept\.$/);
    const done = Number(/with (\d+)/.exec(await page.textContent('#families-status'))?.[1]);
    assert.ok(done >= 20 && (await page.isHidden('#families-save')));
    // What there is of it is provisional, and looks it: no winner, no count that others may change.
    assert.match((await page.textContent('#families-provisional')) ?? '', /^Provisional/);
    const far = (await page.textContent('#families-headline')) ?? '';
    assert.match(far, new RegExp(`^Provisional: ${done} of \\d+ members, \\d+ of 12 methods`));
    assert.doesNotMatch(far, /is the best|exceed seed noise/);
    for (const title of await page.$$eval('#families .figure-title', (all) => all.map((one) => one.textContent)))
      if (!/^(Loss|Active|Dead)/.test(title ?? '') && title) assert.match(title, /, provisional$/);
    // A worker that dies without a word is replaced.
    await page.click('#families-start');
    await killWorkers(page.workers().slice(0, 1));
    await says(page, '#families-status', /^\d+ members in/);
    assert.ok(await page.isHidden('#families-provisional'));
    const headline = (await page.textContent('#families-headline')) ?? '';
    assert.match(headline, /is the best of the trained methods/);
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
    // One cosine, in the sentence and in the table.
    const truth = await readFigureRows(page, 'fam-truth');
    assert.ok(headline.includes(`mean cosine of ${truth.TopK?.[1]} at ${truth.TopK?.[0]},`), headline);
    // The tables of figures follow piece by piece.
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-figure=fam-hv] .data tbody tr').length === count,
      report.methods.length,
    );
    const volumes = await readFigureRows(page, 'fam-hv');
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
    const before = await readFigureRows(page, 'fam-score');
    await page.click('#compare-profiles button:nth-child(2)');
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
    const shown = await readFigureRows(page, 'fam-score');
    const [, , spread] = shown.TopK ?? [];
    assert.equal(spread?.split('–').at(-1), best.toFixed(3));
    assert.deepEqual(await readFigureRows(page, 'fam-hv'), volumes);
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
        await screenshot(section, `families-${width}${dark ? '-dark' : ''}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `the page is ${wide} wide in a window of ${width}`);
      }
    }
    assert.deepEqual(await runAxe(page), []);
    await visit.close();
  });

  test('a linear dictionary is less complete where the circuit multiplies', { skip: SKIP_UNLESS_LONG }, async () => {
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

  test('a link carries the study, shows it in the form, and starts nothing', { skip: SKIP_UNLESS_LONG }, async () => {
    const text = 'small,world:nonlinear,c:row-space,methods:svd_random,world-seed:7,interaction:0.5,seeds:0_4,ks:1_2';
    const visit = await open({ address: `?v=1&fam=${text}` });
    const { page } = visit;
    const form = () =>
      page.evaluate(() => {
        const value = (/** @type {string} */ id) =>
          /** @type {HTMLInputElement} */ (document.querySelector(`#families-${id}`)).value;
        return {
          ...Object.fromEntries(
            ['world', 'preset', 'reading', 'seeds', 'ks', 'seed', 'interaction'].map((id) => [id, value(id)]),
          ),
          methods: [...document.querySelectorAll('#families-methods input:checked')].map(
            (box) => /** @type {HTMLInputElement} */ (box).value,
          ),
          hidden: [...document.querySelectorAll('#families-settings .field[hidden] input')].map(
            (input) => /** @type {HTMLInputElement} */ (input).name,
          ),
        };
      });
    const linked = {
      world: 'nonlinear',
      preset: 'small',
      reading: 'row-space',
      seeds: '0, 4',
      ks: '1, 2',
      seed: '7',
      interaction: '0.5',
      methods: ['svd', 'random'],
      hidden: ['features', 'dimensions', 'correlation', 'children'],
    };
    assert.deepEqual(await form(), linked);
    // A link from when all was one page leads on.
    assert.equal(new URL(page.url()).pathname, new URL('compare/', harness.url).pathname);
    assert.ok(await page.isHidden('.link-changes'));
    assert.equal(await page.textContent('#families-status'), 'Not run yet.');
    assert.equal(await page.locator('#families-settings').getAttribute('open'), null);
    await page.click('#families-start');
    await says(page, '#families-status', /^6 members in/);
    assert.equal(await page.textContent('#families-command'), `sfc-bench families --study ${text} --json`);
    const { name, bytes } = await saved(page, '#families-save');
    assert.match(name, /^sfc-bench-families-nonlinear-2methods-2seeds-[0-9a-f]{8}\.json$/);
    const native = execFileSync(CLI, ['families', '--study', text, '--json'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    assert.equal(bytes.toString(), native);

    // Everything at once has it too, as it is on the page.
    await page.locator('[data-figure=fam-hv] .export > button').click();
    const [zip] = await Promise.all([
      page.waitForEvent('download', { timeout: LONG }),
      page.locator('[data-figure=fam-hv] [role=menuitem]', { hasText: '.zip' }).click(),
    ]);
    const files = entries(await readFile(await zip.path()));
    const inside = Object.keys(files).map((path) => path.split('/')[1] ?? '');
    const file = (/** @type {string} */ ending) => {
      const path = Object.keys(files).find((one) => one.endsWith(ending));
      return String(files[path ?? '']);
    };
    assert.equal(file('/families.json'), native);
    for (const id of ['hv', 'score', 'sf', 'sc', 'fc', 'map', 'truth', 'differences']) {
      const own = inside.filter((one) => one.startsWith(`sfc-bench-fam-${id}-nonlinear-2methods-2seeds-`));
      assert.deepEqual(own.map((one) => one.split('.').at(-1)).sort(), ['csv', 'json', 'md', 'png', 'svg', 'tex'], id);
    }

    // Back and forward go through what was asked for.
    const address = (/** @type {string} */ wanted) =>
      page.waitForFunction((one) => new URL(location.href).searchParams.get('fam') === one, wanted, { timeout: LONG });
    await page.selectOption('#families-reading', 'active-subspace');
    const second = text.replace('row-space', 'active-subspace');
    await address(second);
    assert.match((await page.textContent('#families-status')) ?? '', /^6 members/);
    await page.selectOption('#families-world', 'superposition');
    const third = 'small,c:active-subspace,methods:svd_random,seeds:0_4,ks:1_2';
    await address(third);
    assert.ok(await page.isHidden('#families-result'));
    await page.goBack();
    await address(second);
    await page.waitForSelector('#families-result:not([hidden])', { timeout: LONG });
    await page.goBack();
    await address(text);
    assert.deepEqual(await form(), linked);
    await page.goForward();
    await page.goForward();
    await address(third);
    assert.equal((await form()).world, 'superposition');
    // Under the same settings the page's own link is this one again.
    await page.click('#compare-share-link');
    const shared = new URL(await page.inputValue('#compare-shared-link'));
    assert.equal(shared.searchParams.get('fam'), third);
    await visit.close();

    const plain = await open();
    await plain.page.selectOption('#families-reading', 'row-space');
    await plain.page.waitForFunction(() => location.search.includes('fam='));
    await plain.page.goBack();
    await plain.page.waitForFunction(() => !location.search.includes('fam='));
    assert.equal(await plain.page.inputValue('#families-reading'), 'reconstruction');
    await plain.close();
  });

  test('a link that cannot be followed says so', async () => {
    const visit = await open({ address: '?v=1&fam=small,world:mars,ks:1_99' });
    const { page } = visit;
    const told = await page.$$eval('.link-changes li', (items) => items.map((item) => item.textContent));
    assert.deepEqual(told, [
      'fam: world is "mars"; allowed: paper, superposition, nonlinear; superposition is used.',
      'fam: ks is "1_99"; allowed: whole numbers from 1 to 32, none twice; 1 is used.',
    ]);
    assert.equal(await page.inputValue('#families-ks'), '1');
    await visit.close();
  });

  test('every number of a study can be changed, and the core says what is not possible', async () => {
    const visit = await open();
    const { page } = visit;
    await page.click('#families-settings > summary');
    const invalid = () =>
      page.$$eval('#families-settings [aria-invalid]', (inputs) =>
        inputs.map((input) => /** @type {HTMLInputElement} */ (input).name),
      );
    assert.deepEqual(await invalid(), []);
    await page.fill('#families-latents', '2.5');
    await page.fill('#families-train-rows', '');
    await page.fill('#families-ks', '1, 99');
    await page.fill('#families-relu', '0.1, x');
    await page.fill('#families-children', '17');
    await page.press('#families-children', 'Enter');
    await says(page, '#families-status', /^Refused/);
    assert.deepEqual(await invalid(), ['latents', 'train_rows', 'ks', 'relu', 'children']);
    const error = (/** @type {string} */ id) => page.textContent(`#families-${id}-error`);
    assert.equal(await error('latents'), 'Invalid value: 2.5. Allowed: a whole number from 1 to 16384.');
    assert.equal(await error('train-rows'), 'A number is missing. Allowed: a whole number from 2 to 100000.');
    assert.equal(await error('ks'), 'Invalid value: 99. Allowed: a whole number from 1 to 32.');
    const relu = (await error('relu')) ?? '';
    assert.ok(relu.includes('Invalid value: 0.1, x. Allowed:') && !relu.includes('NaN'), relu);
    assert.equal(await error('children'), 'Invalid value: 17. Allowed: a whole number from 0 to 16.');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'families-latents');
    assert.ok(await page.isHidden('#families-result'));
    assert.deepEqual(await runAxe(page), []);
    await screenshot(page, 'families-settings', { fullPage: false });

    await page.click('#families-reset');
    assert.deepEqual(await invalid(), []);
    assert.equal(await page.inputValue('#families-latents'), '32');
    for (const box of await page.$$('#families-methods input:checked')) await box.uncheck();
    assert.match((await error('methods')) ?? '', /at least one method/);
    for (const method of ['svd', 'topk', 'permuted']) await page.check(`#families-methods [value=${method}]`);
    await page.fill('#families-seeds', '0-3');
    await page.fill('#families-steps', '30');
    await page.fill('#families-ks', '2 3');
    await page.fill('#families-features', '24');
    await page.click('#families-start');
    await says(page, '#families-status', /^18 members in/);
    const text = 'small,methods:svd_topk_permuted,steps:30,features:24,seeds:0-3,ks:2_3';
    assert.equal(await page.textContent('#families-command'), `sfc-bench families --study ${text} --json`);
    const { bytes } = await saved(page, '#families-save');
    const native = execFileSync(CLI, ['families', '--study', text, '--json'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    assert.equal(bytes.toString(), native);
    // Another study has none of these results.
    await page.fill('#families-steps', '31');
    await page.press('#families-steps', 'Tab');
    assert.equal(await page.textContent('#families-status'), 'Not run yet.');
    assert.ok(await page.isHidden('#families-result'));
    await page.fill('#families-steps', '30');
    await page.press('#families-steps', 'Tab');
    await page.waitForSelector('#families-result:not([hidden])', { timeout: LONG });
    assert.equal(await page.textContent('#families-status'), '18 members.');
    await visit.close();
  });

  test('one is trained, rests, goes on, and is kept and taken away', async () => {
    const visit = await open({ address: 'train/' });
    const { page } = visit;
    // What is not allowed is told beside its field, in the core's words.
    await page.fill('#train-k', '77');
    await page.click('#train-start');
    await page.waitForSelector('#train-k-error:not([hidden])', { timeout: LONG });
    assert.match((await page.textContent('#train-k-error')) ?? '', /32/);
    await page.fill('#train-k', '3');
    await page.click('#train-start');
    // At the first step that is told: an aimed click may come after the last.
    await page.waitForFunction(
      () => {
        if (!/^Step [1-9]/.test(document.querySelector('#train-status').textContent)) return false;
        document.querySelector('#train-pause').click();
        return true;
      },
      undefined,
      { timeout: LONG },
    );
    await says(page, '#train-status', /^Paused at step \d/);
    const rested = await page.textContent('#train-status');
    await page.waitForSelector('#train-curves:not([hidden])');
    // The worker that had it is gone: another takes it up from the state that the page kept.
    await killWorkers(page.workers());
    await page.waitForTimeout(200);
    assert.equal(await page.textContent('#train-status'), rested, 'nothing goes on in secret');
    await page.click('#train-resume');
    await says(page, '#train-status', /^Trained, 1,500 steps/);
    const said = (await page.textContent('#train-status')) ?? '';
    const [, trained, untrained] = /directions: ([\d.]+); ([\d.]+) before/.exec(said) ?? [];
    assert.ok(Number(trained) >= 0.85, said);
    assert.ok(Number(untrained) < 0.65, said);

    // Its curves are files too.
    await page.locator('[data-figure=train-loss] .export > button').click();
    const [curve] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-figure=train-loss] [role=menuitem]', { hasText: 'JSON' }).first().click(),
    ]);
    assert.match(curve.suggestedFilename(), /^sfc-bench-train-loss-superposition-topk-32latents-seed0-[0-9a-f]{8}\.json$/);
    const of = JSON.parse(await readFile(await curve.path(), 'utf8'));
    assert.deepEqual([of.figure, of.settings.config.k, of.settings.world.world], ['train-loss', 3, 'superposition']);
    // A point every few steps, however quick the machine.
    const points = await page.evaluate(() => document.querySelectorAll('[data-figure=train-loss] .as-text tbody tr').length);
    assert.ok(points >= 60, `${points} points of 1,500 steps`);

    await page.click('#train-keep');
    await page.waitForSelector('#train-kept li', { timeout: LONG });
    const { name, bytes } = await saved(page, '#train-save');
    assert.equal(name, 'sae-topk-superposition-32-k3-seed0-step1500.zip');
    const files = entries(bytes);
    const folder = name.replace('.zip', '');
    // The autoencoder as SAELens loads it, and what it is measured on.
    const names = ['cfg.json', 'sae_weights.safetensors', 'activations.npy', 'readout.npy', 'readout_bias.npy'];
    assert.deepEqual(Object.keys(files), names.map((file) => `${folder}/${file}`));
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
    assert.deepEqual(await runAxe(page), []);
    await screenshot(page, 'families-train', { fullPage: false });
    await visit.close();
  });

  test('a reader’s own activations are a world: the same bits as the command line', async () => {
    const visit = await open();
    const { page } = visit;
    await page.selectOption('#families-world', 'given');
    await page.click('#families-start');
    await says(page, '#families-status', /^Refused: there are no activations yet: choose/);

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
    assert.match((await page.textContent('#families-command')) ?? '', / --activations acts_f32.npy --readout readout.npy --readout-bias readout_bias.npy --json$/);
    // Nothing is planted: what is told is what is known.
    const known = await readFigureRows(page, 'fam-truth');
    assert.ok(known.TopK && !('Planted directions' in known));

    // A link names the activations by their digest, and whoever opens it with others is told.
    const digest = JSON.parse(native).config.world.sha256;
    assert.ok(page.url().includes(`sha256:${digest}`), page.url());
    const other = page.url().replace(digest, '5'.repeat(64));
    await page.evaluate((url) => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate'));
    }, other);
    await says(page, '#families-status', /^Not run yet/);
    await page.click('#families-start');
    await says(page, '#families-status', /^\d+ members/);
    await says(page, '#families-others', /^The link was made with other activations, whose SHA-256 begins with 555555/);

    // Another readout is another world: nothing of the former is shown as if it were of this one.
    const before = await readFigureRows(page, 'fam-sc');
    await page.click('#own button[aria-label="Remove readout_bias.npy"]');
    await page.click('#own button[aria-label="Remove readout.npy"]');
    await page.click('#families-start');
    await says(page, '#families-status', /^\d+ members in/);
    await says(page, '#families', /read out as they are/);
    assert.notDeepEqual(await readFigureRows(page, 'fam-sc'), before);
    // What is not what the form asks for stays hidden, whatever else moves.
    await page.selectOption('#families-world', 'paper');
    await says(page, '#families-status', /^Not run yet/);
    await page.click('#compare-profiles button:nth-child(2)');
    await page.waitForFunction(() => new Promise((done) => setTimeout(() => done(true), 500)));
    assert.ok(await page.isHidden('#families-result'));
    assert.equal(await page.inputValue('#families-train-rows'), '8192', 'as the preset has it again');

    // Another page is another document, and has no files yet.
    await page.goto(`${harness.url}train/`);
    await page.waitForSelector('#train-start');
    await page.selectOption('#train-world', 'given');
    await page.click('#train-start');
    await says(page, '#train-status', /^Refused: there are no activations yet: choose/);
    await page.setInputFiles('#own-files', activations);
    await says(page, '#own-said', /^1 file is open/);
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
    const { frac_variance_explained: explained } = JSON.parse(json).fidelity;
    assert.ok(explained > 0.2 && explained <= 1, `explained: ${explained}`);
    assert.deepEqual(await runAxe(page), []);
    await visit.close();
  });
});
