// A language model of SmolLM2-135M's sizes, six layers of it: the logits after every position of eight texts of 64
// tokens, in one Chromium worker, natively on one thread and on all, in NumPy on one thread and in PyTorch on as many as
// there are (in NumPy where there is no PyTorch), in turn, so that whatever slows the machine slows all. Beside them how
// fast the kernel of products is by itself, and how fast registers alone multiply and add.
//
//   PYTORCH=python cargo xtask bench language-model
//
// PYTORCH names another Python, in which there is PyTorch.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { start } from '../tests/page/lib/harness.mjs';
import { program, python, ratios, show, table } from './lib/rounds.mjs';
import { worker } from './lib/worker.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const NATIVE = process.env.LANGUAGE_MODEL_ROUNDS ?? 'target/release/examples/language_model_rounds';

const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const native = program(NATIVE, folder);
const { tokens, flops, threads } = JSON.parse(await native.line());
const numpy = python('language_model_rounds.py', folder);
const PYTORCH = process.env.PYTORCH ?? process.env.PYTHON ?? 'python3';
const hasTorch = spawnSync(PYTORCH, ['-c', 'import torch, numpy']).status === 0;
const other = hasTorch ? 'PyTorch' : 'NumPy';
const all = hasTorch
  ? python.with(PYTORCH, 'language_model_rounds.py', folder, 'torch', String(threads))
  : python('language_model_rounds.py', folder, 'numpy', String(threads));

const FILES = ['config.json', 'model.safetensors', 'tokens.json'];
const WORKER = `
import init, { LanguageModelBench, LittleBench } from './pkg/sfc_bench_lab.js';
const PEAK_ROUNDS = 20_000_000;
let bench;
const works = { peak: () => LittleBench.peak(PEAK_ROUNDS), forward: () => bench.forward() };
self.onmessage = async ({ data: work }) => {
  try {
    if (Array.isArray(work)) {
      await init();
      const [config, weights, texts] = await Promise.all(work.map((file) => file.arrayBuffer()));
      bench = new LanguageModelBench(new Uint8Array(config), new Uint8Array(weights), new TextDecoder().decode(texts));
      self.postMessage({});
      return;
    }
    const begin = performance.now();
    const found = works[work]();
    self.postMessage({ ms: performance.now() - begin, found });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

/** @type {Record<string, number[]>} */
const times = { wasm: [], wasmPeak: [], forward: [], all: [], kernel: [], peak: [], numpy: [], allPython: [] };
/** @type {Record<string, number>} */
const found = {};
const harness = await start();
await harness.visit({}, async ({ page }) => {
  const browser = await worker(page, 'www/bench-language-model.js', WORKER);
  await browser.give(FILES.map((name) => join(folder, name)));
  /** @param {string} name */
  const once = async (name) => {
    if (name === 'wasm' || name === 'wasmPeak') return browser.ask(name === 'wasm' ? 'forward' : 'peak');
    const child = name === 'numpy' ? numpy : name === 'allPython' ? all : native;
    const ms = await child.once(name);
    return { ms, found: Number(await child.line()) };
  };
  // The first time is not counted: V8 has to optimise the code, and NumPy to have its pages.
  for (let round = -1; round < rounds; round += 1)
    for (const name of Object.keys(times)) {
      const done = await once(name);
      found[name] = done.found;
      if (round >= 0) times[name].push(done.ms);
    }
});
await harness.close();
if (found.wasm !== found.forward) throw new Error('the browser and the native program computed different bits');
if (found.all !== found.forward) throw new Error('one thread and all computed different bits');
for (const name of ['numpy', 'allPython']) {
  const apart = Math.abs(found.forward - found[name]);
  if (!(apart < 1e-3 * tokens)) throw new Error(`${name}: the logits come to ${found[name]}, not ${found.forward}`);
}

const gigaflops = (/** @type {string} */ name, /** @type {number} */ count) =>
  times[name].map((ms) => count / ms / 1e6);
const [forward, kernel, peak] = [
  gigaflops('forward', flops),
  gigaflops('kernel', found.kernel),
  gigaflops('peak', found.peak),
];
const [wasm, wasmPeak] = [gigaflops('wasm', flops), gigaflops('wasmPeak', found.wasmPeak)];
const second = (/** @type {string} */ name) => show(times[name].map((ms) => (1e3 * tokens) / ms), 0);
console.log('\n## A language model\n');
console.log(`Six layers of SmolLM2-135M’s sizes, ${tokens} tokens at once; ${rounds} rounds in turn; median (quartiles).\n`);
table(
  ['', 'tokens a second', '÷ NumPy', 'GFLOP/s', '÷ the kernel alone', '÷ peak of registers'],
  [
    ['one Chromium worker', second('wasm'), show(ratios(times.numpy, times.wasm), 2), show(wasm, 1), '', show(ratios(wasm, wasmPeak), 2)],
    ['natively, one thread', second('forward'), show(ratios(times.numpy, times.forward), 2), show(forward, 1), show(ratios(forward, kernel), 2), show(ratios(forward, peak), 2)],
    ['NumPy, one thread, float32', second('numpy'), '', show(gigaflops('numpy', flops), 1), '', ''],
  ],
);
console.log();
table(
  [`${threads} threads`, 'tokens a second', `÷ ${other}`, '÷ one thread'],
  [
    ['natively', second('all'), show(ratios(times.allPython, times.all), 2), show(ratios(times.forward, times.all), 2)],
    [`${other}, float32`, second('allPython'), '', ''],
  ],
);
native.end();
numpy.end();
all.end();
await rm(folder, { recursive: true });
