// The whole paper (four configurations, six dictionary sizes, seven profiles) in a Chromium worker
// and in native NumPy on one thread, in turn, so that whatever slows the machine slows both.
//
//   cargo xtask bench paper [--rounds N]
//
// Absolute times depend on the machine and the hour; the ratios are what counts.

import { start } from '../tests/page/lib/harness.mjs';
import { python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const WARM_UP = 25;

/** The core in one worker of its own, inside an opened page. @param {import('playwright-core').Page} page */
async function chromium(page) {
  await page.evaluate(async () => {
    const folder = new URL('www/', document.baseURI);
    const bytes = await (await fetch(new URL('pkg/sfc_bench_bg.wasm', folder))).arrayBuffer();
    const module = await WebAssembly.compile(bytes);
    const core = await import(new URL('pkg/sfc_bench.js', folder).href);
    await core.default({ module_or_path: module });
    const worker = new Worker(new URL('workers/worker.js', folder), { type: 'module' });
    worker.postMessage({ type: 'init', lock: 'against-numpy' });
    worker.postMessage({ type: 'module', build: 'sfc_bench', module });
    let id = 0;
    Object.assign(window, {
      runOnce: () =>
        new Promise((resolve, reject) => {
          const mine = ++id;
          worker.onmessage = ({ data }) => {
            if (data.id !== mine || data.type === 'progress') return;
            if (data.type === 'done') resolve(data.result.ms);
            else reject(new Error(JSON.stringify(data)));
          };
          const task = { kind: 'run', settings: core.defaults() };
          worker.postMessage({ type: 'task', id: mine, build: 'sfc_bench', task });
        }),
    });
  });
  return { once: () => page.evaluate('runOnce()') };
}

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const wasm = await chromium(page);
  const [svd, gram] = [python('rounds.py', 'svd'), python('rounds.py', 'gram')];
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
  const beside = (offset) => times.wasm.filter((_, i) => i % 2 === offset);
  const browser = `Chromium ${page.context().browser()?.version()}`;
  console.log(`\n## The whole paper\n\n${rounds} interleaved rounds; median (quartiles).`);
  console.log(`${browser}, one worker; its first run took ${first.toFixed(0)} ms.\n`);
  table(
    ['', 'ms', 'Chromium ÷ it'],
    [
      ['Chromium, one worker, wasm simd128', show(times.wasm, 1), ''],
      ['NumPy, one thread, SVD', show(times.svd, 1), show(ratios(beside(0), times.svd), 3)],
      [
        'NumPy, one thread, eigenvectors of HᵀH',
        show(times.gram, 1),
        show(ratios(beside(1), times.gram), 3),
      ],
    ],
  );
});
await harness.close();
