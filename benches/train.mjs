// Training a TopK autoencoder (64 inputs, 256 latents, k = 8, batches of 256): one Chromium worker
// against NumPy on one thread, in turn, so that whatever slows the machine slows both.
//
//   cargo xtask bench train

import { start } from '../tests/page/lib/harness.mjs';
import { python, ratios, show, table } from './lib/rounds.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
/** Steps a round. */
const STEPS = 200;

// A module worker needs an address of the page's own: this one is answered here, not by the host.
const WORKER_PATH = 'www/bench-train.js';
const WORKER = `
import init, { TrainSession, train_defaults, world_defaults } from './pkg/sfc_bench_lab.js';
const ready = init().then(() => {
  const config = { ...train_defaults('topk'), latents: 256, k: 8, batch: 256, aux_k: 0, decay: 0 };
  const world = { ...world_defaults('superposition'), features: 256, dimensions: 64, zipf: 0,
    p_max: 8 / 256, p_min: 8 / 256, repulsion: 0 };
  return new TrainSession(config, world, 20_000);
});
self.onmessage = async ({ data: steps }) => {
  try {
    const session = await ready;
    const begin = performance.now();
    const { explained } = session.step(steps);
    self.postMessage({ ms: performance.now() - begin, explained });
  } catch (error) {
    self.postMessage({ error: error.message ?? String(error) });
  }
};`;

/** @param {import('playwright-core').Page} page */
async function chromium(page) {
  await page.route(`**/${WORKER_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: WORKER }),
  );
  await page.evaluate((path) => {
    const worker = new Worker(new URL(path, document.baseURI), { type: 'module' });
    Object.assign(window, {
      train: (/** @type {number} */ steps) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) =>
            data.error ? reject(new Error(data.error)) : resolve(data);
          worker.onerror = () => reject(new Error('the worker did not start'));
          worker.postMessage(steps);
        }),
    });
  }, WORKER_PATH);
  // @ts-expect-error: the lines above have put it there
  return (/** @type {number} */ steps) => page.evaluate((steps) => window.train(steps), steps);
}

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const train = await chromium(page);
  const numpy = python('train_rounds.py');
  const beside = async () => ({
    ms: await numpy.once(String(STEPS)),
    explained: Number(await numpy.line()),
  });
  // Until V8 has optimised the code, and NumPy has its pages.
  await train(STEPS);
  await beside();

  const times = { wasm: [], numpy: [] };
  let last = { wasm: 0, numpy: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const [mine, other] = [await train(STEPS), await beside()];
    times.wasm.push(mine.ms);
    times.numpy.push(other.ms);
    last = { wasm: mine.explained, numpy: other.explained };
  }
  numpy.end();
  const browser = `Chromium ${page.context().browser()?.version()}`;
  console.log('\n## Training a TopK autoencoder\n');
  console.log(`64 inputs, 256 latents, k = 8, batches of 256; ${rounds} rounds of ${STEPS} steps each,`);
  console.log(`in turn; median (quartiles). ${browser}.\n`);
  const perSecond = (ms) => (1e3 * STEPS) / ms;
  table(
    ['', 'steps a second', 'Chromium ÷ it', 'variance explained at the end'],
    [
      ['Chromium, one worker, wasm simd128', show(times.wasm.map(perSecond), 0), '', last.wasm.toFixed(3)],
      [
        'NumPy, one thread',
        show(times.numpy.map(perSecond), 0),
        show(ratios(times.numpy, times.wasm), 2),
        last.numpy.toFixed(3),
      ],
    ],
  );
});
await harness.close();
