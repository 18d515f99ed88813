// Measurement theory's metrics: natively on one thread, and in Python as their reference code has them, NumPy on one
// thread, in turn, so that whatever slows the machine slows both. Both must find the same values, to 1e-9.
//
//   cargo xtask bench measurement
//
// METRICS=m07,m13 takes these alone. Then the memory of M07, M11 and M13 with 24,576 features, natively;
// WIDE=0 leaves that out.

import { program, python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const NATIVE = process.env.MEASUREMENT_ROUNDS ?? 'target/release/examples/measurement_rounds';
const NEAR = 1e-9;

/** What is computed, how Python goes about it, and the most that ours may take of its time. */
const METRICS = [
  ['m07', 'M07: 2 × 8,192 features × 8,192 rows × 768', 'BLAS', 2],
  ['m11', 'M11: 2,048 in 8,192 features × 8,192 rows', 'BLAS', 2],
  ['m13', 'M13: 8,192 rows × 768', 'LAPACK', 2],
  ['m13_features', 'M13: 8,192 directions × 768', 'BLAS', 2],
  ['m08', 'M08: 512 features × 1,024 rows, 4,096 words', 'loops', 0.25],
  ['m10', 'M10: 100 of 2,048 features, 400 contexts', 'loops', 0.25],
  ['m12', 'M12: 4,096 rows × 2,048 features', 'loops', 0.25],
  ['m14', 'M14: 24 layers × 2 × 40 prompts × 768', 'LAPACK, loops', 2],
  ['ex1', 'EX1: 2 × 1,000 prompts', 'loops', 0.25],
  ['ex2', 'EX2: 6 × 500 prompts', 'loops', 0.25],
  ['ex11', 'EX11: 16 heads, 500 prompts', 'loops', 0.25],
  ['ex24', 'EX24: 1,000 tasks × 5 seeds', 'loops', 0.25],
  ['ex25', 'EX25: 20 runs × 300 of 400 prompts', 'loops', 0.25],
  ['ex34', 'EX34: 100 directions × 256, 2,000 rows, 4,096 words', 'loops', 0.25],
  ['mib', 'MIB: 1,792 edges, 100 prompts', 'loops', 0.25],
];
const WIDE = ['m07', 'm11', 'm13', 'm13_features'];

/** @typedef {{ ms: number, found: Record<string, number> }} Done */

/** @param {ReturnType<typeof program>} child @returns {(name: string) => Promise<Done>} */
const asked = (child) => async (name) => ({
  ms: await child.once(name),
  found: JSON.parse(await child.line()),
});

/** The greatest difference, relative above 1. @param {Done['found']} ours @param {Done['found']} theirs */
function apart(ours, theirs) {
  const names = Object.keys(theirs);
  if (names.sort().join() !== Object.keys(ours).sort().join())
    throw new Error(`other quantities: ${Object.keys(ours)} and ${names}`);
  return Math.max(...names.map((name) => {
    const difference = Math.abs(ours[name] - theirs[name]) / Math.max(1, Math.abs(theirs[name]));
    // NaN is no number that agrees.
    return difference <= NEAR ? difference : Infinity;
  }));
}

const only = process.env.METRICS?.split(',');
const native = program(NATIVE, 'large');
const numpy = python('measurement.py', 'large');
const [ours, theirs] = [asked(native), asked(numpy)];
const rows = [];
for (const [name, label, kind, most] of METRICS.filter(([name]) => only?.includes(String(name)) ?? true)) {
  /** @type {{ native: number[], numpy: number[] }} */
  const times = { native: [], numpy: [] };
  let furthest = 0;
  // The first round of each warms both up.
  for (let round = 0; round <= rounds; round += 1) {
    const [found, wanted] = [await ours(String(name)), await theirs(String(name))];
    furthest = Math.max(furthest, apart(found.found, wanted.found));
    if (furthest > NEAR)
      throw new Error(`${name}: ${JSON.stringify(found.found)}, not ${JSON.stringify(wanted.found)}`);
    if (round === 0) continue;
    times.native.push(found.ms);
    times.numpy.push(wanted.ms);
  }
  const each = ratios(times.native, times.numpy);
  rows.push([
    String(label),
    String(kind),
    show(times.native, 2),
    show(times.numpy, 2),
    show(each, 3),
    `${Math.min(...each).toFixed(3)}–${Math.max(...each).toFixed(3)}`,
    String(most),
    furthest.toExponential(0),
  ]);
  console.error(rows.at(-1)?.join(' | '));
}
native.end();
numpy.end();
console.log('\n## Measurement theory\n');
console.log(`One thread each, float64; ${rounds} rounds in turn; median (quartiles).\n`);
table(
  ['', 'in Python', 'this core, ms', 'Python, ms', 'core ÷ Python', 'least–most', 'wanted: at most', 'apart by'],
  rows,
);

if (process.env.WIDE !== '0') {
  console.log('\n24,576 features, this core alone; memory with all arrays:\n');
  const memory = [];
  for (const name of WIDE.filter((name) => only?.includes(name) ?? true)) {
    // A program of its own: what is told is the most that it ever held.
    const wide = program(NATIVE, 'wide');
    const { ms, found } = await asked(wide)(name);
    wide.end();
    memory.push([name, (ms / 1e3).toFixed(1), ((found.memory ?? NaN) / 2 ** 20).toFixed(0)]);
  }
  table(['', 'seconds', 'MiB'], memory);
}
