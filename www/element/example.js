// @ts-check
/** The example's own few lines: it listens to an element, and calls the package. */

import { hypervolume, sparsity } from '../package/package.js';

const resultLine = document.querySelector('#heard');
document.querySelector('#controlled')?.addEventListener('sfc-bench:result', (event) => {
  const { detail } = /** @type {import('../types/sfc-bench-element.d.ts').SfcBenchEvents['sfc-bench:result']} */ (
    event
  );
  if (detail.kind !== 'run') return;
  const { scores, digest } = detail;
  const best = scores.reduce((a, b) => (b.sfc > a.sfc ? b : a));
  if (resultLine)
    resultLine.textContent = `Best: λ = ${best.level} with SFC ${best.sfc.toFixed(3)}; digest ${digest}.`;
});

const codes = Float64Array.from({ length: 1600 }, (_, index) => (index % 4 === 0 ? 1 : 0));
const s = await sparsity({ data: codes, rows: 100, cols: 16 });
const { hypervolume: volume } = await hypervolume([
  [0.5, 0.9, 0.9],
  [0.8, 0.7, 0.9],
]);
const metricsLine = document.querySelector('#own');
if (metricsLine) metricsLine.textContent = `S = ${s}, hypervolume ${volume.toFixed(3)}.`;
