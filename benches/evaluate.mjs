// Evaluating autoencoders at the size of GPT-2's (20,000 rows of 768 activations, 24,576 latents): one Chromium worker
// against NumPy on one thread, all workers against one, and natively against PyTorch with as many threads; in turn, so
// that whatever slows the machine slows all. Everything is single precision outside; nothing has its digests taken.
//
//   cargo xtask bench evaluate
//
// Then reading: the same activations in every order, type and format, as the page reads a file that was chosen, each
// scored with a dictionary of 512 directions.
//
// SIZES=4000,8192 takes other rows and latents, KINDS=topk another autoencoder, PYTORCH=python another Python, in which
// there is PyTorch; without it, what stands beside PyTorch is left out.

import { availableParallelism, tmpdir } from 'node:os';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../tests/page/lib/harness.mjs';
import { output, python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 3);
const [rows, features] = (process.env.SIZES ?? '20000,24576').split(',');
const kinds = (process.env.KINDS ?? 'topk,standard,jumprelu').split(',');
const PYTHON = process.env.PYTHON ?? 'python3';
const PYTORCH = process.env.PYTORCH ?? PYTHON;
const CLI = process.env.SFC_BENCH ?? 'target/release/sfc-bench';
const READ_FILES = fileURLToPath(new URL('../tests/numpy/read_files.py', import.meta.url));
const threads = availableParallelism();

const READER_PATH = 'www/bench-read.js';
const READER = `
import init, { OwnFiles } from './pkg/sfc_bench_lab.js';
import { partsOf } from './workers/tasks/evaluation.js';
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


/**
 * Scores a folder in the page, by its own code, in so many workers.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} kind
 * @param {number} workers
 */
async function inPage(page, kind, workers) {
  const paths = ['a.npy', `${kind}/cfg.json`, `${kind}/sae_weights.safetensors`];
  await page.setInputFiles('#bench-files', paths.map((path) => join(folder, path)));
  return page.evaluate(
    async (workers) => {
      const { FilesClient } = await import(new URL('www/lab/evaluate/files-client.js', document.baseURI).href);
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: workers, configurable: true });
      const input = /** @type {HTMLInputElement} */ (document.querySelector('#bench-files'));
      const of = (/** @type {string} */ name) =>
        /** @type {File} */ ([...(input.files ?? [])].find((file) => file.name === name));
      const names = { a: 'a.npy', config: 'cfg.json', weights: 'sae_weights.safetensors' };
      const files = new Map(Object.values(names).map((name) => [name, of(name)]));
      const client = new FilesClient();
      const request = {
        activations: { file: names.a },
        sae: { config: names.config, weights: names.weights },
      };
      const phases = {};
      let [phase, since, longest, last] = ['loading', performance.now(), 0, performance.now()];
      const begin = since;
      const { report } = await client.run(files, request, (progress) => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        if (progress.phase === phase) return;
        phases[phase] = now - since;
        [phase, since] = [progress.phase, now];
      });
      client.cancel();
      // Digests are not what NumPy does.
      return {
        ms: since - begin,
        longest,
        phases,
        found: [report.sparsity.s, report.fidelity.cosine, report.completeness[2].total],
      };
    },
    workers,
  );
}

/** Scores a folder natively, with so many threads; returns how long that took, in ms. @param {string} folder @param {string} kind @param {number} threads */
async function natively(folder, kind, threads) {
  const args = ['evaluate', '--activations', join(folder, 'a.npy'), '--sae', join(folder, kind), '--json'];
  const begin = performance.now();
  const text = await output(CLI, args, { RAYON_NUM_THREADS: String(threads) });
  return { ms: performance.now() - begin, found: JSON.parse(text) };
}

if (spawnSync(PYTHON, ['-c', 'import scipy.sparse']).status !== 0)
  throw new Error(`this needs SciPy: ${PYTHON} -m pip install scipy`);
const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const numpy = python('evaluate_rounds.py', 'numpy', '1', folder, rows, features);
await numpy.line();
const hasTorch = spawnSync(PYTORCH, ['-c', 'import torch, numpy']).status === 0;
const torch = hasTorch
  ? python.with(PYTORCH, 'evaluate_rounds.py', 'torch', String(threads), folder, rows, features)
  : null;
await torch?.line();
/** @param {ReturnType<typeof python>} of @param {string} kind */
const beside = async (of, kind) => ({
  ms: await of.once(kind),
  found: (await of.line()).split(' ').map(Number),
});

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.route('**/bench-data/**', (route) =>
    route.fulfill({ path: join(folder, new URL(route.request().url()).pathname.split('bench-data/')[1]) }),
  );
  // Files as a reader chooses them: the browser reads them where they lie.
  await page.evaluate(() => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', id: 'bench-files', multiple: true, hidden: true });
    document.body.append(input);
  });
  await page.waitForTimeout(1_000);
  const sizes = [rows, features].map((size) => Number(size).toLocaleString('en'));
  console.log('\n## Evaluating a decomposition\n');
  console.log(`${sizes[0]} rows of 768 activations, ${sizes[1]} latents; Chromium ${page.context().browser()?.version()}.`);
  console.log(`${rounds} rounds in turn; median (quartiles), in seconds.\n`);
  const lines = [];
  for (const kind of kinds) {
    const times = { one: [], all: [], native: [], nativeAll: [], numpy: [], torch: [] };
    let [one, other] = [{ found: [], phases: {}, longest: 0 }, { found: [] }];
    for (let round = 0; round < rounds; round += 1) {
      one = await inPage(page, kind, 1);
      times.one.push(one.ms);
      other = await beside(numpy, kind);
      times.numpy.push(other.ms);
      times.all.push((await inPage(page, kind, threads)).ms);
      times.native.push((await natively(folder, kind, 1)).ms);
      times.nativeAll.push((await natively(folder, kind, threads)).ms);
      if (torch) times.torch.push((await beside(torch, kind)).ms);
    }
    const phases = Object.entries(one.phases).map(([phase, ms]) => `${phase} ${(ms / 1e3).toFixed(1)}`);
    const found = [one.found, other.found].map((values) => values.map((value) => value.toFixed(5)).join(', '));
    console.log(`${kind}: S, F, C by the active subspace ${found[0]} (NumPy ${found[1]}); one worker: ${phases.join(', ')}; progress is told every ${one.longest.toFixed(0)} ms at the least.\n`);
    const seconds = (all) => show(all.map((ms) => ms / 1e3), 2);
    const [inWorkers, inThreads] = [ratios(times.one, times.all), ratios(times.native, times.nativeAll)];
    lines.push([
      kind,
      seconds(times.one),
      seconds(times.numpy),
      show(ratios(times.one, times.numpy), 2),
      seconds(times.all),
      show(ratios(inThreads, inWorkers), 2),
      seconds(times.nativeAll),
      ...(torch ? [seconds(times.torch), show(ratios(times.nativeAll, times.torch), 2)] : []),
    ]);
  }
  const beyond = torch ? [`PyTorch, ${threads} threads`, 'native ÷ PyTorch'] : [];
  table(
    ['', 'one worker', 'NumPy, one thread', 'worker ÷ NumPy', `${threads} workers`, `threads' gain ÷ workers'`, `native, ${threads} threads`, ...beyond],
    lines,
  );
  const peak = (await numpy.once('peak'), Number(await numpy.line()));
  const [wasmPeak, rough] = await page.evaluate(async () => {
    const core = await import(new URL('www/pkg/sfc_bench_lab.js', document.baseURI).href);
    await core.default();
    const products = new core.RoughBench();
    const speed = (/** @type {() => number} */ work) => {
      work();
      const begin = performance.now();
      let flops = 0;
      while (performance.now() - begin < 2_000) flops += work();
      return flops / (performance.now() - begin) / 1e6;
    };
    return [speed(() => core.LittleBench.peak(5_000_000)), speed(() => products.products())];
  });
  console.log(`\nOf one core, in billions of multiplications and additions a second: NumPy's products ${peak.toFixed(0)}; registers of simd128 alone, f32 ${wasmPeak.toFixed(0)}; rough products ${rough.toFixed(0)}, ${(rough / wasmPeak).toFixed(2)} of these.`);
  await reading(page, folder);
});
numpy.end();
torch?.end();
await harness.close();
await rm(folder, { recursive: true });
