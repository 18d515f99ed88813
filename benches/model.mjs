// The toy model: the logits after every position of 128 prompts of each of the ten tasks, in one Chromium
// worker, natively, and in NumPy on one thread, in turn, so that whatever slows the machine slows all. Beside
// them how fast registers alone multiply and add without fusing the two, which is the most there can be, and
// steps of training.
//
//   cargo xtask bench model

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../tests/page/lib/harness.mjs';
import { program, python, ratios, show, table } from './lib/rounds.mjs';
import { worker } from './lib/worker.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const NATIVE = process.env.MODEL_ROUNDS ?? 'target/release/examples/model_rounds';
const WEIGHTS = fileURLToPath(new URL('../assets/little/ck-12000.safetensors', import.meta.url));

const WORKER = `
import init, { LittleBench, little_give } from './pkg/sfc_bench_lab.js';
const PEAK_ROUNDS = 20_000_000;
const ready = init().then(async () => {
  const response = await fetch(new URL('little/ck-12000.safetensors', import.meta.url));
  little_give('ck-12000', new Uint8Array(await response.arrayBuffer()));
  return new LittleBench();
});
self.onmessage = async ({ data: work }) => {
  try {
    const bench = await ready;
    const begin = performance.now();
    const found = work === 'peak' ? LittleBench.peak(PEAK_ROUNDS) : bench[work]();
    self.postMessage({ ms: performance.now() - begin, found });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

/** @typedef {{ ms: number, found: number }} Done */

/** @param {ReturnType<typeof program>} child @returns {(work: string) => Promise<Done>} */
const asked = (child) => async (work) => ({
  ms: await child.once(work),
  found: Number(await child.line()),
});

const native = program(NATIVE);
const { tokens, flops, lesson, lessonTokens, prompts } = JSON.parse(await native.line());
const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const file = join(folder, 'prompts.json');
await writeFile(file, JSON.stringify(prompts));
const numpy = python('model_rounds.py', WEIGHTS, file);
const learnt = join(folder, 'lesson.json');
await writeFile(learnt, JSON.stringify(lesson));
const numpyTraining = python('model_training.py', WEIGHTS, learnt);

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const [wasm, own, other, learner] = [(await worker(page, 'www/bench-model.js', WORKER)).ask, asked(native), asked(numpy), asked(numpyTraining)];
  /** @type {Record<string, () => Promise<Done>>} */
  const works = {
    wasm: () => wasm('forward'),
    wasmPeak: () => wasm('peak'),
    f8: () => other('f8'),
    native: () => own('forward'),
    nativePeak: () => own('peak'),
    f4: () => other('f4'),
    wasmTrain: () => wasm('train'),
    f4Train: () => learner('f4'),
    nativeTrain: () => own('train'),
    f8Train: () => learner('f8'),
  };
  // Until V8 has optimised the code, and NumPy has its pages.
  for (let warm = 0; warm < 3; warm += 1) for (const work of Object.values(works)) await work();

  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  /** @type {Record<string, number>} */
  const last = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const { ms, found } = await work();
      times[name].push(ms);
      last[name] = found;
    }
  }
  if (last.wasm !== last.native || last.wasmTrain !== last.nativeTrain) {
    throw new Error('the browser and the native program computed different bits');
  }
  for (const [name, apart] of /** @type {const} */ ([['f4Train', 1e-4], ['f8Train', 1e-4]]))
    if (Math.abs(last[name] - last.nativeTrain) > apart * last.nativeTrain)
      throw new Error(`NumPy’s loss after as many steps is ${last[name]}, not ${last.nativeTrain}`);
  /** Thousands a second. @param {number[]} all @param {number} count */
  const thousands = (all, count) => all.map((ms) => count / ms);
  const gigaflops = (/** @type {string} */ name, /** @type {number} */ count) =>
    times[name].map((ms) => count / ms / 1e6);
  /** @param {string} name */
  const row = (name) => {
    const [speed, peak] = [gigaflops(name, flops), gigaflops(`${name}Peak`, last[`${name}Peak`])];
    return [
      show(thousands(times[name], tokens), 0),
      show(ratios(times.f8, times[name]), 2),
      show(ratios(times.f4, times[name]), 2),
      show(speed, 1),
      show(peak, 1),
      show(ratios(speed, peak), 2),
      last[name].toFixed(1),
    ];
  };
  const beside = (/** @type {string} */ name) => [
    show(thousands(times[name], tokens), 0),
    show(ratios(times.f8, times[name]), 2),
    show(ratios(times.f4, times[name]), 2),
    '',
    '',
    '',
    last[name].toFixed(1),
  ];
  const browser = `Chromium ${page.context().browser()?.version()}`;
  console.log('\n## The toy model\n');
  console.log(`${tokens.toLocaleString('en')} tokens: 128 prompts of each task at once; ${rounds} rounds in turn;`);
  console.log(`median (quartiles). ${browser}.\n`);
  table(
    ['', '1,000 tokens a second', '÷ NumPy float64', '÷ NumPy float32', 'GFLOP/s', 'peak, GFLOP/s', '÷ peak', 'sum of logits'],
    [
      ['Chromium, one worker, wasm simd128', ...row('wasm')],
      ['natively, one thread, SSE2', ...row('native')],
      ['NumPy, one thread, float64', ...beside('f8')],
      ['NumPy, one thread, float32', ...beside('f4')],
    ],
  );
  console.log('\nSteps of training, 64 texts each; 1,000 tokens a second:\n');
  table(
    ['', 'forth, back and AdamW', '÷ NumPy float32', '÷ NumPy float64', 'time of a token ÷ forward’s'],
    [
      ['Chromium', 'wasm'],
      ['natively', 'native'],
      ['NumPy, float32', 'f4'],
      ['NumPy, float64', 'f8'],
    ].map(([label, name]) => {
      const [train, forward] = [times[`${name}Train`], times[name]];
      const each = train.map((ms) => ms / lessonTokens);
      return [
        label,
        show(thousands(train, lessonTokens), 1),
        show(ratios(times.f4Train, train), 2),
        show(ratios(times.f8Train, train), 2),
        show(ratios(each, forward.map((ms) => ms / tokens)), 1),
      ];
    }),
  );
});
native.end();
numpy.end();
numpyTraining.end();
await harness.close();
await rm(folder, { recursive: true });
