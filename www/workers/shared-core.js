// @ts-check
/**
 * One core and one pool of workers for everybody on a page who uses the package: every element, and
 * the functions of the module.
 */

import { compile, importLab, startWorker } from './assets.js';
import { createCoreLoader } from './instantiate.js';
import { Pool } from './pool.js';
import { RefCountedCache } from './shared-promise.js';

const loadLab = createCoreLoader(() => Promise.all([importLab(), compile('sfc_bench_lab')]));
/** @type {Lab | null} */
let loadedCore = null;

/** The core on this thread, if it is there already. */
export const getLoadedCore = () => loadedCore;

/** The core on this thread, loaded when first asked for. @returns {Promise<Lab>} */
export async function openCore() {
  loadedCore = await loadLab();
  return loadedCore;
}

/** @type {Pool | null} */
let pool = null;
let poolUsers = 0;

/**
 * A share in the pool. The workers go with the last one's share.
 *
 * @returns {{ pool: Pool, release: () => void }}
 */
export function acquirePool() {
  poolUsers += 1;
  pool ??= new Pool(() => startWorker('worker-lab', 'sfc-bench'), compile);
  const shared = pool;
  let held = true;
  return {
    pool: shared,
    release() {
      if (!held) return;
      held = false;
      poolUsers -= 1;
      if (poolUsers > 0) return;
      shared.close();
      pool = null;
    },
  };
}

/**
 * @typedef {object} SharedRun a run that several may wait for
 * @property {Promise<{ report: Report, ms: number }>} result
 * @property {Set<(fraction: number) => void>} listeners
 * @property {AbortController} ending
 * @property {{ report: Report, ms: number }} [found]
 */

/** Runs under way and those whose results are on show, by their settings. @type {RefCountedCache<SharedRun>} */
const runs = new RefCountedCache();

/** What a run depends on: everything but the weights. @param {Settings} settings */
export const runKey = (settings) => JSON.stringify({ ...settings, weights: [1, 1, 1] });

/** The last run of {@link runOnMainThread}. @type {{ key: string, found: { report: Report, ms: number } } | null} */
let latestMainThreadRun = null;

/** Runs settings on this thread, for a printer that waits for nothing. @param {Lab} core @param {Settings} settings */
export function runOnMainThread(core, settings) {
  const key = runKey(settings);
  const found = runs.get(key)?.found ?? (latestMainThreadRun?.key === key ? latestMainThreadRun.found : null);
  if (found) return found;
  const start = performance.now();
  const report = core.run({ ...settings, weights: [1, 1, 1] }, () => {});
  latestMainThreadRun = { key, found: { report, ms: performance.now() - start } };
  return latestMainThreadRun.found;
}

/** @param {Pool} on @param {Settings} settings @returns {SharedRun} */
function startRun(on, settings) {
  const ending = new AbortController();
  /** @type {SharedRun['listeners']} */
  const listeners = new Set();
  const result = on.submit(
    { kind: 'run', settings: { ...settings, weights: [1, 1, 1] } },
    {
      signal: ending.signal,
      onProgress: (_, fraction) => listeners.forEach((listener) => listener(fraction)),
    },
  );
  /** @type {SharedRun} */
  const run = { result, listeners, ending };
  result.then((found) => (run.found = found), () => {});
  return run;
}

/**
 * Runs settings, once for all who want them at the same time.
 *
 * @param {Pool} on
 * @param {Settings} settings
 * @param {(fraction: number) => void} onProgress
 * @returns {{ result: SharedRun['result'], release: () => void }} a run that nobody waits for is given up
 */
export function acquireRun(on, settings, onProgress) {
  const { made, forget, release } = runs.acquire(runKey(settings), () => startRun(on, settings));
  made.listeners.add(onProgress);
  made.result.catch(forget);
  return {
    result: made.result,
    release() {
      made.listeners.delete(onProgress);
      release();
    },
  };
}
