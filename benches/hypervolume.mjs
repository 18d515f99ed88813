// The hypervolume of points on a sphere's octant, natively: the core against moocore, in turn.
//
//   cargo xtask bench hypervolume

import { fileURLToPath } from 'node:url';

import { output, ratios, show, table } from './lib/rounds.mjs';

const script = fileURLToPath(new URL('../tests/numpy/against_moocore.py', import.meta.url));
const program = process.env.HYPERVOLUME ?? 'target/release/examples/hypervolume_rounds';
const rounds = process.env.ROUNDS ?? '15';

const text = await output(process.env.PYTHON ?? 'python3', [script, program, rounds], {
  PYTHONDONTWRITEBYTECODE: '1',
});
const sets = text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
console.log('\n## Hypervolume\n');
if (sets.length === 0) {
  console.log('moocore is not installed (python3 -m pip install moocore): nothing to compare with.');
} else {
  console.log(`Volume alone, one thread, ${rounds} interleaved rounds; median (quartiles).\n`);
  table(
    ['points', 'this core, ms', 'moocore, ms', 'core ÷ moocore', 'relative difference'],
    sets.map(({ points, core, moocore, difference }) => [
      points.toLocaleString('en'),
      show(core, 2),
      show(moocore, 2),
      show(ratios(core, moocore), 2),
      `≤ ${difference.toExponential(0)}`,
    ]),
  );
}
