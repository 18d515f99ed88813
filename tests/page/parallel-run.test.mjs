// A reader's own decomposition in several workers: the command line's bits for any number of them, with one of them
// lost on the way, and a report of the rows so far.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** @type {string} */
let folder;

/** The same every time. @param {number} seed */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** @param {string} name @param {number} rows @param {number} columns @param {Float32Array} values */
async function npy(name, rows, columns, values) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n';
  const start = Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]);
  await writeFile(join(folder, name), Buffer.concat([start, Buffer.from(header), Buffer.from(values.buffer)]));
}

/** @param {string} name @param {Record<string, [number[], Float32Array]>} arrays */
async function tensors(name, arrays) {
  /** @type {Record<string, unknown>} */
  const header = {};
  let at = 0;
  for (const [key, [shape, values]] of Object.entries(arrays)) {
    header[key] = { dtype: 'F32', shape, data_offsets: [at, (at += values.byteLength)] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(text.length);
  const parts = Object.values(arrays).map(([, values]) => Buffer.from(values.buffer));
  await writeFile(join(folder, name), Buffer.concat([length, text, ...parts]));
}

/** An autoencoder of K latents, the 16 largest of them, on N rows of D. @param {string} name @param {number} n @param {number} d @param {number} k */
async function made(name, n, d, k) {
  const next = numbers(7);
  const w = new Float32Array(k * d).map(() => next() / Math.sqrt(d));
  const encoder = new Float32Array(d * k);
  for (let i = 0; i < d; i += 1) for (let j = 0; j < k; j += 1) encoder[i * k + j] = w[j * d + i];
  await mkdir(join(folder, name), { recursive: true });
  await npy(`${name}/a.npy`, n, d, new Float32Array(n * d).map(() => next()));
  await tensors(`${name}/sae_weights.safetensors`, {
    W_enc: [[d, k], encoder],
    W_dec: [[k, d], w],
    b_enc: [[k], new Float32Array(k)],
    b_dec: [[d], new Float32Array(d)],
  });
  const config = { architecture: 'topk', d_in: d, d_sae: k, k: 16, dtype: 'float32' };
  await writeFile(join(folder, name, 'cfg.json'), JSON.stringify(config));
}

before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-hands-'));
  await made('some', 6000, 512, 4096);
  await made('many', 30_000, 768, 8192);
});
after(async () => {
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the page as on a machine of so many processors, whose workers are known to `window.workers`. @param {number} processors @param {(page: Page) => Promise<void>} use */
const visit = (processors, use) =>
  harness.visit({ width: 1280, address: 'own/' }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await page.evaluate((processors) => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: processors, configurable: true });
      /** @type {Worker[]} */
      const workers = [];
      const Plain = window.Worker;
      window.Worker = class extends Plain {
        /** @param {ConstructorParameters<typeof Worker>} args */
        constructor(...args) {
          super(...args);
          workers.push(this);
        }
      };
      Object.assign(window, { workers });
    }, processors);
    await use(page);
  });

/** @param {Page} page @param {string} id @param {string} pattern */
const says = (page, id, pattern) =>
  page.waitForFunction(
    ([at, source]) => new RegExp(source).test(document.querySelector(at).textContent),
    [id, pattern],
  );

/** Chooses files and has them planned. @param {Page} page @param {string} name */
async function choose(page, name) {
  const files = ['a.npy', 'cfg.json', 'sae_weights.safetensors'].map((file) => join(folder, name, file));
  await page.setInputFiles('#own-files', files);
  await page.waitForSelector('#own-start:not([disabled])');
}

/** The report that the page saves, without what only the page has. @param {Page} page */
async function report(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#own-save')]);
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

/** @param {string} name @param {Record<string, string>} env */
const cli = (name, env = {}) =>
  JSON.parse(
    execFileSync(CLI, ['evaluate', '--activations', 'a.npy', '--sae', '.', '--digest', '--json'], {
      encoding: 'utf8',
      cwd: join(folder, name),
      env: { ...process.env, ...env },
    }),
  );

/** @param {any} found */
const numbersOf = ({ files, ...found }) => ({
  ...found,
  digests: files.map((/** @type {any} */ file) => file.sha256),
});

test('one worker, several, and several of which one is lost come to the command line’s bits', async () => {
  const wanted = numbersOf(cli('some'));
  assert.deepEqual(numbersOf(cli('some', { RAYON_NUM_THREADS: '1' })), wanted);
  // The default run has several of which one is lost.
  for (const processors of selectMembers([3, 1], 0)) {
    await visit(processors, async (page) => {
      await choose(page, 'some');
      await says(page, '#own-plan', processors === 1 ? 'in one worker\\.$' : 'in 3 workers, one a processor\\.$');
      await page.click('#own-start');
      await says(page, '#own-status', '^Done\\.$');
      assert.deepEqual(numbersOf(await report(page)), wanted);
    });
  }
  await visit(3, async (page) => {
    await choose(page, 'some');
    await says(page, '#own-plan', 'in 3 workers, one a processor\\.$');
    await page.click('#own-start');
    // One that helps ends, as where there is no memory; whether it has begun or not.
    await page.waitForFunction(() => /** @type {any} */ (window).workers.length >= 3);
    await says(page, '#own-status', '^Coding and measuring rows');
    await page.evaluate(() => /** @type {any} */ (window).workers.at(-1).terminate());
    await says(page, '#own-status', '^Done\\.$');
    assert.deepEqual(numbersOf(await report(page)), wanted);
  });
});

test('the first row that cannot be scored is named, whoever finds one first', async () => {
  await made('bad', 6000, 256, 2048);
  const path = join(folder, 'bad', 'a.npy');
  const bytes = await readFile(path);
  for (const row of [5_900, 4_321]) bytes.writeFloatLE(Number.NaN, 128 + 4 * 256 * row);
  await writeFile(path, bytes);
  await visit(3, async (page) => {
    await choose(page, 'bad');
    await page.click('#own-start');
    await says(page, '#own-status', '^It broke off\\.');
    await says(page, '#own', '4,?321');
    assert.doesNotMatch((await page.textContent('#own')) ?? '', /5,?900/);
  });
});

test('a report of the rows so far grows, says that it is one, and stays where the run is cancelled', () =>
  visit(2, async (page) => {
    await choose(page, 'many');
    await page.click('#own-start');
    await page.waitForSelector('#own-result[data-state=provisional]:not([hidden])');
    await page.waitForFunction(() =>
      /^Provisional: the first [\d,]+ of 30000 rows\./.test(document.querySelector('#own-notes li')?.textContent ?? ''),
    );
    assert.match((await page.textContent('#own-headline')) ?? '', /^So far: SFC/);
    await page.click('#own-cancel');
    await says(page, '#own-status', '^Cancelled\\. The report below is of the rows until then\\.$');
    const some = await report(page);
    assert.ok(some.rows > 0 && some.rows < 30_000, String(some.rows));
    assert.ok(some.fidelity.cosine > 0 && some.fidelity.cosine < 1);
    assert.ok(await page.isDisabled('#own-script'));
    // Files are open again, and a run that ends shows the whole.
    await page.waitForSelector('#own-start:not([disabled])');
  }));
