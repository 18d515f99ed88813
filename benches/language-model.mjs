// A language model of SmolLM2-135M's sizes, six layers of it: the logits after every position of eight texts of 64
// tokens, natively and in NumPy on one thread, in turn, so that whatever slows the machine slows both. Beside them how
// fast the kernel of products is by itself, and how fast registers alone multiply and add.
//
//   cargo xtask bench language-model

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { program, python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const NATIVE = process.env.LANGUAGE_MODEL_ROUNDS ?? 'target/release/examples/language_model_rounds';

const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const native = program(NATIVE, folder);
const { tokens, flops } = JSON.parse(await native.line());
const numpy = python('language_model_rounds.py', folder);

/** @type {Record<string, number[]>} */
const times = { forward: [], kernel: [], peak: [], numpy: [] };
/** @type {Record<string, number>} */
const found = {};
for (let round = -1; round < rounds; round += 1)
  for (const name of Object.keys(times)) {
    const child = name === 'numpy' ? numpy : native;
    const ms = await child.once(name);
    found[name] = Number(await child.line());
    if (round >= 0) times[name].push(ms);
  }
const apart = Math.abs(found.forward - found.numpy);
if (!(apart < 1e-3 * tokens)) throw new Error(`NumPy’s logits come to ${found.numpy}, not ${found.forward}`);

const gigaflops = (/** @type {string} */ name, /** @type {number} */ count) =>
  times[name].map((ms) => count / ms / 1e6);
const [forward, kernel, peak] = [
  gigaflops('forward', flops),
  gigaflops('kernel', found.kernel),
  gigaflops('peak', found.peak),
];
const second = (/** @type {string} */ name) => show(times[name].map((ms) => (1e3 * tokens) / ms), 0);
console.log('\n## A language model\n');
console.log(`Six layers of SmolLM2-135M’s sizes, ${tokens} tokens at once; ${rounds} rounds in turn; median (quartiles).\n`);
table(
  ['', 'tokens a second', '÷ NumPy', 'GFLOP/s', '÷ the kernel alone', '÷ peak of registers'],
  [
    ['natively, one thread', second('forward'), show(ratios(times.numpy, times.forward), 2), show(forward, 1), show(ratios(forward, kernel), 2), show(ratios(forward, peak), 2)],
    ['NumPy, one thread, float32', second('numpy'), '', show(gigaflops('numpy', flops), 1), '', ''],
  ],
);
native.end();
numpy.end();
await rm(folder, { recursive: true });
