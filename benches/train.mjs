// Training TopK autoencoders (batches of 256): one Chromium worker against NumPy on one thread, in turn, so that
// whatever slows the machine slows both; and against PyTorch on one thread, where PYTORCH names a Python that has it.
//
//   cargo xtask bench train

import { spawnSync } from 'node:child_process';

import { start } from '../tests/page/lib/harness.mjs';
import { python, ratios, show, table } from './lib/rounds.mjs';
import { worker } from './lib/worker.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
/** Inputs, latents, k, steps a round. */
const SHAPES = [
  [64, 256, 8, 200],
  [512, 4_096, 32, 4],
  [768, 8_192, 32, 2],
  [768, 16_384, 32, 2],
];
const PYTORCH = process.env.PYTORCH ?? process.env.PYTHON ?? 'python3';

const WORKER = `
import init, { TrainSession, train_defaults, world_defaults } from './pkg/sfc_bench_lab.js';
let session;
const ready = init();
self.onmessage = async ({ data: [d, latents, k, steps] }) => {
  try {
    await ready;
    if (!session) {
      const config = { ...train_defaults('topk'), latents, k, batch: 256, aux_k: 0, decay: 0 };
      const features = Math.min(latents, 1_024);
      const world = { ...world_defaults('superposition'), features, dimensions: d, zipf: 0,
        p_max: 8 / features, p_min: 8 / features, repulsion: 0 };
      session = new TrainSession(config, world, latents > 1_000 ? 4_096 : 20_000, 2);
    }
    const begin = performance.now();
    const { explained } = session.step(steps);
    self.postMessage({ ms: performance.now() - begin, explained });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const browser = `Chromium ${page.context().browser()?.version()}`;
  console.log('\n## Training TopK autoencoders\n');
  console.log(`Batches of 256; ${rounds} rounds in turn; steps a second, median (quartiles). ${browser}.\n`);
  const hasTorch = spawnSync(PYTORCH, ['-c', 'import torch, numpy']).status === 0;
  const lines = [];
  for (const shape of SHAPES) {
    const [d, latents, k, steps] = shape;
    const chromium = await worker(page, 'www/bench-train.js', WORKER);
    const sizes = [d, latents, k].map(String);
    const others = {
      numpy: python('train_rounds.py', ...sizes),
      ...(hasTorch ? { torch: python.with(PYTORCH, 'train_torch.py', ...sizes) } : {}),
    };
    const times = { wasm: [], numpy: [], torch: [] };
    let explained = 0;
    // The first round lets V8 optimise the code, and the others have their pages.
    for (let round = 0; round <= rounds; round += 1) {
      const found = { wasm: (({ ms, explained: share }) => ((explained = share), ms))(await chromium.ask(shape)) };
      for (const [name, other] of Object.entries(others)) {
        found[name] = await other.once(String(steps));
        await other.line();
      }
      if (round > 0) for (const [name, ms] of Object.entries(found)) times[name].push(ms);
    }
    for (const other of Object.values(others)) other.end();
    await chromium.end();
    const speed = (ms) => show(ms.map((one) => (1e3 * steps) / one), latents > 1_000 ? 2 : 0);
    lines.push([
      `${d} inputs, ${latents.toLocaleString('en')} latents, k = ${k}`,
      speed(times.wasm),
      speed(times.numpy),
      show(ratios(times.numpy, times.wasm), 2),
      ...(hasTorch ? [speed(times.torch), show(ratios(times.torch, times.wasm), 2)] : []),
      explained.toFixed(3),
    ]);
  }
  const beyond = hasTorch ? ['PyTorch, one thread', 'Chromium ÷ it'] : [];
  table(
    ['', 'Chromium, one worker', 'NumPy, one thread', 'Chromium ÷ it', ...beyond, 'variance explained at the end'],
    lines,
  );
});
await harness.close();
