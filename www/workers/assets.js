// @ts-check
/**
 * Where the core and the workers come from. A page packed otherwise, as one file for instance, has
 * another module in the place of this one.
 */

/** @param {string} path */
const at = (path) => new URL(path, import.meta.url);

/** @returns {Promise<Core>} the glue of the first build */
export const importCore = () => import('../pkg/sfc_bench.js');

/** @returns {Promise<Lab>} the glue of the lab's */
export const importLab = () => import('../pkg/sfc_bench_lab.js');

/**
 * What a worker from a blob does: it has the real code loaded, and keeps what it is told until that
 * is here. The import is one that a page's policy judges as a script's: a worker's static ones would
 * have to be allowed as workers are.
 *
 * @param {URL} script
 */
const bridge = (script) => `const early = [], keep = ({ data }) => early.push(data);
addEventListener('message', keep);
import(${JSON.stringify(script)}).then(() => {
  removeEventListener('message', keep);
  for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
}, (error) => setTimeout(() => { throw error; }));`;

/**
 * Workers start only from their page's own origin. Where that is another than ours (an element on
 * somebody's page) or none (a frame whose sandbox allows scripts and no more), from a blob.
 *
 * @param {'worker' | 'worker-lab'} file
 * @param {string} name what debuggers call it
 */
export function startWorker(file, name) {
  const script = at(`./${file}.js`);
  if (script.origin === origin) return new Worker(script, { type: 'module', name });
  const address = URL.createObjectURL(new Blob([bridge(script)], { type: 'text/javascript' }));
  const worker = new Worker(address, { name });
  // Its first word says that it has been loaded.
  for (const event of ['message', 'error'])
    worker.addEventListener(event, () => URL.revokeObjectURL(address), { once: true });
  return worker;
}

/** Keeps the page for when there is no network; null where the page is not to be kept. @type {URL | null} */
export const offlineWorker = at('../../sw.js');

/** The bytes of a build. @param {Build} build @param {RequestInit} [options] @returns {Promise<Response>} */
export async function fetchWasm(build, options) {
  const response = await fetch(at(`../pkg/${build}_bg.wasm`), options);
  if (!response.ok)
    throw new Error(`the WebAssembly file did not arrive (status ${response.status})`);
  return response;
}

/** @type {Map<Build, Promise<WebAssembly.Module>>} */
const modules = new Map();

/** A build, compiled once for all who ask. @param {Build} build @returns {Promise<WebAssembly.Module>} */
export function compile(build) {
  let module = modules.get(build);
  if (!module) {
    modules.set(build, (module = compiled(build)));
    // A connection that failed once may be back: the next one who asks tries again.
    module.catch(() => modules.delete(build));
  }
  return module;
}

/** @param {Build} build */
async function compiled(build) {
  const response = await fetchWasm(build);
  const type = response.headers.get('Content-Type') ?? '';
  // Streaming insists on the MIME type; a plain static host may not know it.
  return typeof WebAssembly.compileStreaming === 'function' && type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}
