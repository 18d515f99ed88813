// @ts-check
/**
 * The wasm core, in two builds. The first draws the paper: compiled once, used on the main thread
 * for drawing and checking, in workers for runs. The lab has everything else and comes later.
 */

import { Pool } from './pool.js';

const WASM = new URL('./pkg/sfc_bench_bg.wasm', import.meta.url);
const LAB = new URL('./pkg/sfc_bench_lab_bg.wasm', import.meta.url);
const WORKER = new URL('./worker.js', import.meta.url);

/**
 * A page without an origin (in a frame whose sandbox allows it scripts and no more) may start workers
 * from its own blobs only. Such a one asks for the module as the page's scripts do, and keeps what
 * it is sent until the module listens.
 */
function startWorker() {
  if (origin !== 'null') return new Worker(WORKER, { type: 'module', name: 'sfc-bench' });
  const text = `const early = [], keep = ({ data }) => early.push(data);
addEventListener('message', keep);
import(${JSON.stringify(WORKER)}).then(() => {
  removeEventListener('message', keep);
  for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
}, (error) => setTimeout(() => { throw error; }));`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  return new Worker(url, { name: 'sfc-bench' });
}

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function compile(url) {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`the WebAssembly file did not arrive (status ${response.status})`);
  const type = response.headers.get('Content-Type') ?? '';
  // Streaming insists on the MIME type; a plain static host may not know it.
  return typeof WebAssembly.compileStreaming === 'function' && type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Loads everything.
 *
 * @returns {Promise<{ core: Core, pool: Pool }>} the core, ready on this thread, and its workers
 */
export async function startEngine() {
  const pool = new Pool(startWorker);
  pool.warm();
  const [core, module] = await Promise.all([import('./pkg/sfc_bench.js'), compile(WASM)]);
  pool.start(module);
  await core.default({ module_or_path: module });
  return { core, pool };
}

/** @type {Promise<Lab> | undefined} */
let lab;

/** Everything beyond the paper, loaded when first asked for. @returns {Promise<Lab>} */
export function openLab() {
  lab ??= Promise.all([import('./pkg/sfc_bench_lab.js'), compile(LAB)]).then(
    async ([core, module]) => {
      await core.default({ module_or_path: module });
      return core;
    },
  );
  // A connection that failed once may be back: the next one who asks tries again.
  lab.catch(() => (lab = undefined));
  return lab;
}
