// @ts-check
/**
 * The measuring itself. Rounds go over all cases, not case by case, and every other round backwards,
 * so that whatever slows the machine for a while slows all cases alike. The first round warms up and
 * does not count.
 */

import { fetchWasm, startWorker } from '../workers/assets.js';
import { Connection } from '../workers/connection.js';

/** Rounds that count. */
export const ROUNDS = 9;
/** A timing lasts this long, in ms, and at least so many steps of the clock. */
const TIMING_MS_MIN = 5;
const CLOCK_STEPS_MIN = 20;
/** Seeds of one task, and tasks for each worker at a time. */
const SEEDS_PER_TASK = 8;
const TASKS_PER_WORKER = 2;

/** The smallest step of the page's clock, in ms: browsers make it coarser than it could be. */
export function measureClockStep() {
  let step = Infinity;
  for (let i = 0; i < 5; i += 1) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    step = Math.min(step, now - start);
  }
  return step;
}

/** 1, 2, 4, … and all. @param {number} size */
export function listWorkerCounts(size) {
  const counts = [];
  for (let count = 1; count < size; count *= 2) counts.push(count);
  return [...counts, size];
}

/**
 * The same module, but not the same bytes: a browser hands out code that it has compiled already for
 * bytes that it knows. What is added is a custom section, which means nothing.
 *
 * @param {Uint8Array} bytes
 */
export function makeUncachedCopy(bytes) {
  const name = [...'bench'].map((letter) => letter.charCodeAt(0));
  const random = crypto.getRandomValues(new Uint8Array(16));
  const section = [0, 1 + name.length + random.length, name.length, ...name, ...random];
  const other = new Uint8Array(bytes.length + section.length);
  other.set(bytes);
  other.set(section, bytes.length);
  return other;
}

/**
 * From the bytes to a first result in a worker that is new.
 *
 * @param {Uint8Array} bytes
 * @param {Settings} settings
 * @param {AbortSignal} signal
 * @returns {Promise<[compiling: number, worker: number, instance: number, first: number]>} in ms
 */
async function measureStartUp(bytes, settings, signal) {
  const fresh = makeUncachedCopy(bytes);
  const start = performance.now();
  const module = await WebAssembly.compile(fresh);
  const compile = performance.now() - start;
  signal.throwIfAborted();
  const spawned = performance.now();
  /** @type {Connection | undefined} */
  let connection;
  const ending = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      let worker = 0;
      let instance = 0;
      const fail = (/** @type {string} */ message) => reject(new Error(message));
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { signal: ending.signal });
      const mine = new Connection(() => startWorker('worker', 'sfc-bench start-up'), () => Promise.resolve(module), {
        lost: fail,
        hear(message) {
          switch (message.type) {
            case 'up':
              worker = performance.now() - spawned;
              mine.sendModule('sfc_bench');
              return;
            case 'ready':
              instance = message.ms;
              mine.sendTask(1, 'sfc_bench', { kind: 'run', settings });
              return;
            case 'done':
              resolve([compile, worker, instance, message.result.ms]);
              return;
            case 'failed':
              fail(message.problem.message);
              return;
            case 'crashed':
              fail(message.message);
          }
        },
      });
      connection = mine;
    });
  } finally {
    ending.abort();
    connection?.end();
  }
}

/** @param {Omit<BenchRow, 'samples' | 'quartiles'>} rest @returns {BenchRow} */
const createRow = (rest) => ({ ...rest, samples: [], quartiles: [] });

/** @typedef {{ what: string, weight: number, rows: BenchRow[], run: () => Promise<number[]> }} Case takes about `weight` ms, and gives a number for each row */

/**
 * @param {{ core: Lab, pool: BenchPool, bytes: Uint8Array, least: number, signal: AbortSignal }} of
 * @returns {Case[]}
 */
function createCases({ core, pool, bytes, least, signal }) {
  const settings = core.defaults();
  const kernels = core.kernel_cases().flatMap(({ kernel, sizes, flops }, index) =>
    [false, true].map((simd) => ({
      what: 'kernels',
      weight: least,
      rows: [createRow({ group: 'kernel', name: kernel, detail: sizes, path: simd ? 'simd' : 'plain', unit: 'GFLOP/s' })],
      async run() {
        const { ms } = await pool.submit({ kind: 'bench-kernel', index, simd, least }, { signal });
        return [flops / ms / 1e6];
      },
    })),
  );
  const count = core.StageBench.stage_count();
  const stages = core.StageBench.names().map((name, index) => ({
    what: index < count ? 'stages of a level curve' : 'whole runs',
    weight: least,
    rows: [createRow({ group: index < count ? 'stage' : 'whole', name, unit: 'ms' })],
    async run() {
      const { ms } = await pool.submit({ kind: 'bench-stages', settings, index, least }, { signal });
      return [ms];
    },
  }));
  const seeds = listWorkerCounts(pool.size).map((workers) => ({
    what: `seeds with ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    weight: 100,
    rows: [createRow({ group: 'seeds', name: String(workers), unit: '1/s' })],
    async run() {
      pool.setLimit(workers);
      const start = performance.now();
      const plan = /** @type {const} */ ({ settings, varied: 'model' });
      const parts = await Promise.all(
        Array.from({ length: workers * TASKS_PER_WORKER }, (_, at) =>
          pool.submit({ kind: 'seeds', plan, from: at * SEEDS_PER_TASK, to: at * SEEDS_PER_TASK + SEEDS_PER_TASK - 1 }, { signal }),
        ),
      );
      const seconds = (performance.now() - start) / 1000;
      return [parts.reduce((sum, part) => sum + part.members.length, 0) / seconds];
    },
  }));
  const steps = ['compiling the wasm', 'starting a worker', 'creating an instance', 'first whole paper'];
  const start = {
    what: 'start-up',
    weight: 250,
    rows: steps.map((name) => createRow({ group: 'start', name, unit: 'ms' })),
    run: () => measureStartUp(bytes, settings, signal),
  };
  return [...kernels, ...stages, ...seeds, start];
}

/**
 * Measures everything. What is measured so far stays in `rows`, also where this ends early.
 *
 * @param {object} options
 * @param {BenchPool} options.pool
 * @param {Lab} options.core
 * @param {BenchRow[]} options.rows empty; filled
 * @param {AbortSignal} options.signal
 * @param {number} options.step of the clock, in ms
 * @param {(what: string, share: number, completed: number) => void} options.tell
 */
export async function runBenchmark({ pool, core, rows, signal, step, tell }) {
  const least = Math.max(TIMING_MS_MIN, CLOCK_STEPS_MIN * step);
  const response = await fetchWasm('sfc_bench', { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());

  const cases = createCases({ core, pool, bytes, least, signal });
  rows.push(...cases.flatMap((one) => one.rows));

  const total = (ROUNDS + 1) * cases.reduce((sum, { weight }) => sum + weight, 0);
  let done = 0;
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { what, weight, rows: measured, run } of round % 2 === 0 ? cases : [...cases].reverse()) {
        signal.throwIfAborted();
        tell(round === 0 ? `warming up: ${what}` : what, done / total, Math.max(0, round - 1));
        pool.setLimit(1);
        const found = await run();
        if (round > 0) measured.forEach(({ samples }, at) => samples.push(found[at] ?? NaN));
        done += weight;
      }
    }
    tell('done', 1, ROUNDS);
  } finally {
    pool.setLimit(pool.size);
    for (const one of rows) one.quartiles = [...core.quartiles(Float64Array.from(one.samples))];
  }
}
