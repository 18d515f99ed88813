// The whole paper (four configurations, six dictionary sizes, seven profiles) in a Chromium worker
// and in native NumPy on one thread, in turn, so that whatever slows the machine slows both.
//
//   cargo xtask bench [--rounds N]
//
// Absolute times depend on the machine and the hour; the ratios are what counts.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { start } from '../tests/page/lib/harness.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const WARM_UP = 25;

/** NumPy, waiting for a line to run the job once. @param {string} method */
function numpy(method) {
  const script = fileURLToPath(new URL('../tests/numpy/rounds.py', import.meta.url));
  const child = spawn(process.env.PYTHON ?? 'python3', [script, method], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async once() {
      child.stdin.write('\n');
      const { value, done } = await lines.next();
      if (done) throw new Error(`NumPy ended: is it installed for ${process.env.PYTHON}?`);
      return Number(value);
    },
    end: () => child.stdin.end(),
  };
}

/** The core in one worker of its own, inside an opened page. @param {import('playwright-core').Page} page */
async function chromium(page) {
  await page.evaluate(async () => {
    const folder = new URL('www/', document.baseURI);
    const bytes = await (await fetch(new URL('pkg/sfc_bench_bg.wasm', folder))).arrayBuffer();
    const module = await WebAssembly.compile(bytes);
    const core = await import(new URL('pkg/sfc_bench.js', folder).href);
    await core.default({ module_or_path: module });
    const worker = new Worker(new URL('worker.js', folder), { type: 'module' });
    worker.postMessage({ type: 'init', module });
    let id = 0;
    Object.assign(window, {
      runOnce: () =>
        new Promise((resolve, reject) => {
          const mine = ++id;
          worker.onmessage = ({ data }) => {
            if (data.id !== mine || data.type === 'progress') return;
            if (data.type === 'done') resolve(data.ms);
            else reject(new Error(JSON.stringify(data)));
          };
          worker.postMessage({ type: 'run', id: mine, settings: core.defaults() });
        }),
    });
  });
  return { once: () => page.evaluate('runOnce()') };
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const at = (values, share) => sorted(values)[Math.round(share * (values.length - 1))];
const show = (values, digits) =>
  `${at(values, 0.5).toFixed(digits)} (${at(values, 0.25).toFixed(digits)}–${at(values, 0.75).toFixed(digits)})`;

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const wasm = await chromium(page);
  const [svd, gram] = [numpy('svd'), numpy('gram')];
  const first = await wasm.once();
  for (let i = 0; i < WARM_UP; i += 1) await wasm.once();
  for (let i = 0; i < 2; i += 1) await Promise.all([await svd.once(), await gram.once()]);

  const times = { wasm: [], svd: [], gram: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.wasm.push(await wasm.once());
    times.svd.push(await svd.once());
    times.wasm.push(await wasm.once());
    times.gram.push(await gram.once());
  }
  svd.end();
  gram.end();
  // Each NumPy round against the browser's round just before it.
  const ratios = (numpyTimes, offset) => numpyTimes.map((ms, i) => times.wasm[2 * i + offset] / ms);
  console.log(`Whole paper, ${rounds} interleaved rounds; median (quartiles).`);
  console.log(`Chromium ${page.context().browser()?.version()}, one worker; its first run took ${first.toFixed(0)} ms.\n`);
  console.log('| | ms | Chromium ÷ it |');
  console.log('|---|---|---|');
  console.log(`| Chromium, one worker, wasm simd128 | ${show(times.wasm, 1)} | |`);
  console.log(`| NumPy, one thread, SVD | ${show(times.svd, 1)} | ${show(ratios(times.svd, 0), 3)} |`);
  console.log(`| NumPy, one thread, eigenvectors of HᵀH | ${show(times.gram, 1)} | ${show(ratios(times.gram, 1), 3)} |`);
});
await harness.close();
