// Evaluating a ReLU autoencoder (2,000 rows of 768 activations, 8,192 features, about 60 active a row):
// one Chromium worker against NumPy on one thread, in turn, so that whatever slows the machine slows both.
//
//   cargo xtask bench evaluate
//
// Then reading: 4,000 rows of 256 activations in every order, type and format, as the page reads a file that
// was chosen, each scored with the same dictionary of 512 directions.
//
// FEATURES=24576 takes another dictionary; WAYS=sae,projection,least-squares evaluates the dictionary alone
// too, without anything beside it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../tests/page/lib/harness.mjs';
import { output, python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const features = process.env.FEATURES ?? '8192';
const ways = (process.env.WAYS ?? 'sae').split(',');
const PYTHON = process.env.PYTHON ?? 'python3';
const READ_FILES = fileURLToPath(new URL('../tests/numpy/read_files.py', import.meta.url));
const FILES = ['a.npy', 'w.npy', 'sae_weights.safetensors', 'cfg.json'];

// A module worker needs an address of the page's own: this one is answered here, not by the host; and so
// are the files.
const WORKER_PATH = 'www/bench-evaluate.js';
const WORKER = `
import init, { OwnFiles } from './pkg/sfc_bench_lab.js';
let files;
const ready = init().then(async () => {
  files = new OwnFiles();
  for (const name of ${JSON.stringify(FILES)}) {
    const bytes = await (await fetch(new URL('bench-data/' + name, import.meta.url))).arrayBuffer();
    files.add(name, new Uint8Array(bytes));
  }
});
self.onmessage = async ({ data: way }) => {
  try {
    await ready;
    const request = way === 'sae'
      ? { sae: { config: 'cfg.json', weights: 'sae_weights.safetensors' } }
      : { dictionary: { file: 'w.npy' }, codes_by: way };
    const begin = performance.now();
    const run = files.plan({ activations: { file: 'a.npy' }, ...request });
    const phases = {};
    let longest = 0;
    for (let phase = 'loading'; phase !== 'done'; ) {
      const from = performance.now();
      const next = run.step().phase;
      const took = performance.now() - from;
      const of = (phases[phase] ??= { ms: 0, longest: 0 });
      of.ms += took;
      of.longest = Math.max(of.longest, took);
      longest = Math.max(longest, took);
      phase = next;
    }
    const found = run.finish();
    run.free();
    self.postMessage({ ms: performance.now() - begin, longest, phases,
      found: [found.sparsity.s, found.fidelity.cosine, found.completeness[2].total] });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

const READER_PATH = 'www/bench-read.js';
const READER = `
import init, { OwnFiles } from './pkg/sfc_bench_lab.js';
import { partsOf } from './workers/own-run.js';
const ready = init();
self.onmessage = async ({ data: [name, blob, dictionary] }) => {
  try {
    await ready;
    let asked = 0;
    const counted = (file) => {
      const read = partsOf(file);
      return (offset, length) => { asked += 1; return read(offset, length); };
    };
    const begin = performance.now();
    const files = new OwnFiles();
    files.addFile(name, blob.size, counted(blob));
    files.addFile('w.npy', dictionary.size, partsOf(dictionary));
    const run = files.plan({ activations: { file: name }, dictionary: { file: 'w.npy' } });
    while (run.step().phase !== 'done');
    const found = run.finish(true);
    const ms = performance.now() - begin;
    run.free();
    files.free();
    self.postMessage({ ms, asked, cosine: found.fidelity.cosine });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

/** Times the reading of every file. @param {import('playwright-core').Page} page @param {string} folder */
async function reading(page, folder) {
  const [line] = (await output(PYTHON, [READ_FILES, folder])).trim().split('\n').slice(-1);
  const names = line.split(' ');
  const dictionary = names.pop() ?? '';
  await page.route(`**/${READER_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: READER }),
  );
  const rows = [];
  for (const name of names) {
    const { ms, asked, cosine } = await page.evaluate(
      async ([path, name, dictionary]) => {
        const blob = async (/** @type {string} */ file) =>
          (await fetch(new URL(`www/bench-data/${file}`, document.baseURI))).blob();
        const files = [await blob(name), await blob(dictionary)];
        const worker = new Worker(new URL(path, document.baseURI), { type: 'module' });
        const found = await new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
          worker.onerror = () => reject(new Error('the worker did not start'));
          worker.postMessage([name, ...files]);
        });
        worker.terminate();
        return found;
      },
      [READER_PATH, name, dictionary],
    );
    rows.push([name, (ms / 1e3).toFixed(2), String(asked), cosine.toFixed(6)]);
  }
  console.log('\n## Reading a file\n');
  console.log('4,000 rows of 256 activations, 512 features by projection, digests included; one run each.\n');
  table(['file', 'seconds', 'reads', 'F'], rows);
}

/** @param {import('playwright-core').Page} page @param {string} folder */
async function chromium(page, folder) {
  await page.route(`**/${WORKER_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: WORKER }),
  );
  await page.route('**/bench-data/*', (route) =>
    route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.split('/').at(-1) ?? '') }),
  );
  await page.evaluate((path) => {
    const worker = new Worker(new URL(path, document.baseURI), { type: 'module' });
    Object.assign(window, {
      evaluateFiles: (/** @type {string} */ way) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) =>
            data.error ? reject(new Error(data.error)) : resolve(data);
          worker.onerror = () => reject(new Error('the worker did not start'));
          worker.postMessage(way);
        }),
    });
  }, WORKER_PATH);
  // @ts-expect-error: the lines above have put it there
  return (/** @type {string} */ way) => page.evaluate((way) => window.evaluateFiles(way), way);
}

const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const numpy = python('evaluate_rounds.py', folder, features);
await numpy.line();
const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const evaluate = await chromium(page, folder);
  /** @param {string} kind */
  const beside = async (kind) => ({
    ms: await numpy.once(kind),
    found: (await numpy.line()).split(' ').map(Number),
  });
  const browser = `Chromium ${page.context().browser()?.version()}`;
  console.log('\n## Evaluating a decomposition\n');
  console.log(`2,000 rows of 768 activations, ${features} features; ${browser}.\n`);
  for (const way of ways) {
    const last = await evaluate(way);
    const phases = Object.entries(last.phases).map(
      ([phase, { ms, longest }]) => `${phase} ${ms.toFixed(0)} (${longest.toFixed(0)})`,
    );
    console.log(`${way}: ${last.ms.toFixed(0)} ms; ${phases.join(', ')} (longest step)\n`);
  }
  await reading(page, folder);
  if (!ways.includes('sae') || rounds < 2) return;
  const times = { wasm: [], f4: [], f8: [] };
  let last = { longest: 0, found: [] };
  let other = { found: [] };
  for (let round = 0; round < rounds; round += 1) {
    last = await evaluate('sae');
    times.wasm.push(last.ms);
    const single = await beside('f4');
    times.f4.push(single.ms);
    other = await beside('f8');
    times.f8.push(other.ms);
  }
  console.log(`ReLU, about 60 active a row; ${rounds} rounds in turn; median (quartiles), in seconds.\n`);
  const seconds = (all) => all.map((ms) => ms / 1e3);
  const shown = (found) => found.map((value) => value.toFixed(6)).join(', ');
  table(
    ['', 'seconds', 'Chromium ÷ it', 'S, F, C by the active subspace'],
    [
      ['Chromium, one worker', show(seconds(times.wasm), 2), '', shown(last.found)],
      ['NumPy, one thread, float64', show(seconds(times.f8), 2), show(ratios(times.wasm, times.f8), 2), shown(other.found)],
      ['NumPy, one thread, float32', show(seconds(times.f4), 2), show(ratios(times.wasm, times.f4), 2), ''],
    ],
  );
});
numpy.end();
await harness.close();
await rm(folder, { recursive: true });
