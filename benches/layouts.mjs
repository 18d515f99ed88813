// Autoencoders of each architecture on 20,000 rows of 512 activations, 4,096 latents: `sfc-bench evaluate` natively against
// SAELens' own classes, which are PyTorch's, on as many threads; in turn, so that whatever slows the machine slows both. The
// command line starts, reads its files and measures completeness and similarity besides; SAELens has everything in memory and
// encodes, decodes and measures S, the cosine and R².
//
//   PYTORCH=python cargo xtask bench layouts
//
// PYTORCH is a Python in which there is SAELens. SIZES=4000,256,1024 takes other rows, dimensions and latents.

import { availableParallelism, tmpdir } from 'node:os';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { output, program, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 5);
const sizes = (process.env.SIZES ?? '20000,512,4096').split(',');
const PYTORCH = process.env.PYTORCH ?? process.env.PYTHON ?? 'python3';
const CLI = process.env.SFC_BENCH ?? 'target/release/sfc-bench';
const SCRIPT = fileURLToPath(new URL('../tests/torch/sae_lens_rounds.py', import.meta.url));
const threads = availableParallelism();

if (spawnSync(PYTORCH, ['-c', 'import sae_lens']).status !== 0)
  throw new Error(`this needs SAELens: ${PYTORCH} -m pip install sae-lens, or another Python as PYTORCH`);
const folder = await mkdtemp(join(tmpdir(), 'sfc-bench-'));
const lens = program(PYTORCH, SCRIPT, String(threads), folder, ...sizes);
await lens.line();
console.log('\n## Autoencoders of each architecture\n');
const [rows, width, latents] = sizes.map((size) => Number(size).toLocaleString('en'));
console.log(`${rows} rows of ${width} activations, ${latents} latents, ${threads} threads; ${rounds} rounds in turn, median (quartiles), in seconds.\n`);
const lines = [];
for (const kind of ['standard', 'topk', 'jumprelu', 'gated', 'batchtopk']) {
  const times = { native: [], lens: [] };
  let [own, other] = ['', ''];
  // The first of each is not counted.
  for (let round = -1; round < rounds; round += 1) {
    const begin = performance.now();
    const args = ['evaluate', '--activations', join(folder, 'a.npy'), '--sae', join(folder, kind), '--json'];
    const report = JSON.parse(await output(CLI, args, { RAYON_NUM_THREADS: String(threads) }));
    const ms = performance.now() - begin;
    const theirs = await lens.once(kind);
    other = (await lens.line()).split(' ').map((value) => Number(value).toFixed(5)).join(', ');
    own = [report.sparsity.s, report.fidelity.cosine, report.fidelity.r2].map((value) => value.toFixed(5)).join(', ');
    if (round < 0) continue;
    times.native.push(ms);
    times.lens.push(theirs);
  }
  console.log(`${kind}: S, cosine, R² ${own} (SAELens ${other})`);
  const seconds = (/** @type {number[]} */ all) => show(all.map((ms) => ms / 1e3), 2);
  lines.push([kind, seconds(times.native), seconds(times.lens), show(ratios(times.native, times.lens), 2)]);
}
console.log();
table(['', 'sfc-bench evaluate', 'SAELens', 'ratio'], lines);
lens.end();
await rm(folder, { recursive: true });
