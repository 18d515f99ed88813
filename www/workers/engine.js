// @ts-check
/**
 * The wasm core, in two builds. The first draws the paper: compiled once, used on the main thread
 * for drawing and checking, in workers for runs. The lab has everything else and comes later.
 */

import { compile, importLab, startWorker } from './assets.js';
import { importCore } from './assets-site.js';
import { instantiate, createCoreLoader } from './instantiate.js';
import { Pool } from './pool.js';

/**
 * Loads everything.
 *
 * @returns {Promise<{ core: Core, pool: Pool }>} the core, ready on this thread, and its workers
 */
export async function startEngine() {
  const pool = new Pool(() => startWorker('worker', 'sfc-bench'), compile, { build: 'sfc_bench' });
  pool.warmUp();
  const [core, module] = await Promise.all([importCore(), compile('sfc_bench')]);
  await instantiate(core, module);
  return { core, pool };
}

/** Everything beyond the paper, loaded when first asked for. */
export const openLab = createCoreLoader(() => Promise.all([importLab(), compile('sfc_bench_lab')]));
