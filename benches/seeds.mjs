// Ensembles over seeds (Standard, eight levels, hypervolume): one Chromium worker against NumPy on one
// thread, then more workers against as many native processes; in turn, chunk by chunk.
//
//   cargo xtask bench seeds

import { availableParallelism } from 'node:os';

import { start } from '../tests/page/lib/harness.mjs';
import { output, python, ratios, show, table } from './lib/rounds.mjs';

const SEEDS = 200;
const CHUNK = 20;
/** Seeds of one process or worker in a round of the scaling. */
const SHARE = 100;
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const MOST = Math.min(availableParallelism(), 8);
const CLI = process.env.SFC_BENCH ?? 'target/release/sfc-bench';

// A module worker needs an address of the page's own: this one is answered here, not by the host.
const WORKER_PATH = 'www/bench-seeds.js';
const WORKER = `
import init, { SeedRunner, defaults } from './pkg/sfc_bench.js';
const ready = init().then(() => new SeedRunner(defaults(), 'model'));
self.onmessage = async ({ data: [from, to] }) => {
  try {
    const { length } = (await ready).members(from, to);
    if (length !== to - from) throw new Error(length + ' members of seeds ' + from + '..' + to);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(error.message ?? String(error));
  }
};`;

/**
 * Workers inside an opened page; `run(ranges)` gives each a range of seeds and says how long it took
 * until the last was done, in ms.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} count
 */
async function chromium(page, count) {
  await page.route(`**/${WORKER_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: WORKER }),
  );
  await page.evaluate(
    ([path, count]) => {
      const url = new URL(String(path), document.baseURI);
      const workers = Array.from({ length: Number(count) }, () => new Worker(url, { type: 'module' }));
      const answer = (/** @type {Worker} */ worker, /** @type {number[]} */ range) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => (data === null ? resolve(null) : reject(new Error(data)));
          worker.onerror = () => reject(new Error('the worker did not start'));
          worker.postMessage(range);
        });
      Object.assign(window, {
        runSeeds: async (/** @type {number[][]} */ ranges) => {
          const start = performance.now();
          await Promise.all(ranges.map((range, i) => answer(workers[i], range)));
          return performance.now() - start;
        },
      });
    },
    [WORKER_PATH, count],
  );
  return (/** @type {number[][]} */ ranges) =>
    // @ts-expect-error: the lines above have put it there
    page.evaluate((ranges) => window.runSeeds(ranges), ranges);
}

/** As many ranges as processes, one after the other. */
const shares = (count, first = 1_000) =>
  Array.from({ length: count }, (_, i) => [first + i * SHARE, first + (i + 1) * SHARE]);

/** The command line, one thread a process, from its start until the last has ended; ms. */
async function native(ranges) {
  const begin = performance.now();
  await Promise.all(
    ranges.map(([from, to]) =>
      output(CLI, ['ensemble', '--seed-range', `${from}..${to}`, '--json'], {
        RAYON_NUM_THREADS: '1',
      }),
    ),
  );
  return performance.now() - begin;
}

const harness = await start();
await harness.visit({}, async ({ page }) => {
  await page.waitForTimeout(1_000);
  const run = await chromium(page, MOST);
  const numpies = Array.from({ length: MOST }, () => python('rounds.py', 'seeds', 'svd'));
  const gram = python('rounds.py', 'seeds', 'gram');
  const numpy = async (ranges) => {
    const begin = performance.now();
    await Promise.all(ranges.map(([from, to], i) => numpies[i].once(`${from} ${to}`)));
    return performance.now() - begin;
  };

  // Until V8 has optimised the code, and NumPy has its pages.
  for (let i = 0; i < 3; i += 1) await run(shares(MOST));
  await Promise.all([...numpies, gram].map((numpy) => numpy.once('0 4')));

  const chunks = { wasm: [], svd: [], gram: [] };
  for (let from = 0; from < SEEDS; from += CHUNK) {
    const range = [from, from + CHUNK];
    chunks.wasm.push(await run([range]));
    chunks.svd.push(await numpies[0].once(range.join(' ')));
    chunks.gram.push(await gram.once(range.join(' ')));
  }
  gram.end();
  const total = (times) => times.reduce((sum, ms) => sum + ms, 0) / 1e3;
  const a_seed = (times) => show(times.map((ms) => ms / CHUNK), 2);
  const row = (name, times) => [name, a_seed(times), total(times).toFixed(2)];
  console.log(`\n## ${SEEDS} seeds\n`);
  console.log(`Standard, eight levels, hypervolume; chunks of ${CHUNK} seeds in turn; median (quartiles).\n`);
  table(
    ['', 'ms a seed', `s for ${SEEDS}`, 'Chromium ÷ it'],
    [
      [...row('Chromium, one worker, wasm simd128', chunks.wasm), ''],
      [...row('NumPy, one thread, SVD', chunks.svd), show(ratios(chunks.wasm, chunks.svd), 3)],
      [
        ...row('NumPy, one thread, eigenvectors of HᵀH', chunks.gram),
        show(ratios(chunks.wasm, chunks.gram), 3),
      ],
    ],
  );

  const runners = { chromium: run, native, numpy };
  const rates = Object.fromEntries(
    Object.keys(runners).map((name) => [name, Array.from({ length: MOST }, () => [])]),
  );
  for (let round = 0; round < Math.min(ROUNDS, 9); round += 1) {
    for (let count = 1; count <= MOST; count += 1) {
      for (const [name, once] of Object.entries(runners)) {
        // NumPy's processes run whole already; a tenth of the seeds is enough to time them.
        const ranges = shares(count).map(([from, to]) =>
          name === 'numpy' ? [from, from + SHARE / 10] : [from, to],
        );
        const seeds = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
        rates[name][count - 1].push((1e3 * seeds) / (await once(ranges)));
      }
    }
  }
  numpies.forEach((numpy) => numpy.end());
  console.log(`\n## Scaling\n\nSeeds a second, median (quartiles), and × what one alone reaches.\n`);
  const cell = (name, count) => {
    const mine = rates[name][count - 1];
    const gain = count > 1 ? `, × ${show(ratios(mine, rates[name][0]), 2)}` : '';
    return show(mine, 0) + gain;
  };
  table(
    ['workers or processes', 'Chromium', 'native, this core', 'NumPy, SVD'],
    Array.from({ length: MOST }, (_, i) => [
      String(i + 1),
      ...Object.keys(runners).map((name) => cell(name, i + 1)),
    ]),
  );
  console.log('\nChromium\'s rate ÷ that of as many native processes:');
  for (let count = 1; count <= MOST; count += 1) {
    const of = ratios(rates.chromium[count - 1], rates.native[count - 1]);
    console.log(`- ${count}: ${show(of, 3)}`);
  }
});
await harness.close();
