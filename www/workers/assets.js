// @ts-check
/**
 * Where the core and the workers come from. A page packed otherwise, as one file for instance, has
 * another module in the place of this one.
 */

import { holdLivenessLock } from './liveness.js';

/**
 * What is fetched, by name. Each address is written out, since that is how bundlers find the file; those that
 * only the site's own pages need are added by assets-site.js, which no package has.
 *
 * @type {Record<string, URL>}
 */
export const addresses = {
  sfc_bench_lab: new URL('../pkg/sfc_bench_lab_bg.wasm', import.meta.url),
  'worker-lab': new URL('./worker-lab.js', import.meta.url),
};

/** @param {string} name */
function requireAddress(name) {
  const address = addresses[name];
  if (!address) throw new Error(`${name} is not a file of this page`);
  return address;
}

/** @returns {Promise<Lab>} the glue of the lab's */
export const importLab = () => import('../pkg/sfc_bench_lab.js');

/**
 * What a worker from a blob does: it says that it lives, and has the real code loaded, which may take a
 * network its time; what it is told meanwhile it keeps. The import is one that a page's policy judges as
 * a script's: a worker's static ones would have to be allowed as workers are.
 *
 * @param {URL} script
 */
const buildBridgeScript = (script) => `const early = [], hear = ({ data }) => {
  if (data.type === 'init') (${holdLivenessLock})(data.lock).then((sign) =>
    postMessage({ type: 'alive', ...sign }, sign.pulse ? [sign.pulse] : []));
  else early.push(data);
};
addEventListener('message', hear);
import(${JSON.stringify(script)}).then(() => {
  removeEventListener('message', hear);
  for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
}, (error) => setTimeout(() => { throw error; }));`;

/** A worker whose first lines come over a network may be waited for so long, in milliseconds. */
const NETWORK_TIMEOUT = 20_000;

/** Whether this page's policy has refused workers from blobs. */
let blobWorkersRefused = false;

/** Makes addresses that a page takes which asks for trusted ones. @type {{ createScriptURL(address: string): string } | null | undefined} */
let trustedTypesPolicy;

/** @param {string} address of ours @returns {string} */
function toTrustedUrl(address) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  if (trustedTypesPolicy === undefined) {
    trustedTypesPolicy = null;
    try {
      trustedTypesPolicy = trustedTypes?.createPolicy('sfc-bench', { createScriptURL: (/** @type {string} */ own) => own }) ?? null;
    } catch {
      // The page's policy does not name ours, or another copy of the package has it: the browser says which.
    }
  }
  return trustedTypesPolicy ? trustedTypesPolicy.createScriptURL(address) : address;
}

/** @param {URL} script @param {string} name @returns {import('./startup.js').Newborn} */
const startFromFile = (script, name) =>
  Object.assign(new Worker(toTrustedUrl(script.href), { type: 'module', name }), { patience: NETWORK_TIMEOUT });

/** Whether this page is one of the site's, which go by no policy of their own. */
const isSitePage = () => document.documentElement.dataset.page !== undefined;

/**
 * Starts a worker. On the site's own pages it is from a blob: it lives at once, and so is known to have
 * ended if it is not heard of. So it is where workers from our address may not start: on a page of
 * another origin (an element's), and in a frame without one. Elsewhere, and where a policy allows workers
 * of its own origin alone, the file itself is taken.
 *
 * @param {'worker' | 'worker-lab'} file
 * @param {string} name what debuggers call it
 * @returns {import('./startup.js').Newborn}
 */
export function startWorker(file, name) {
  const script = requireAddress(file);
  const ours = script.origin === origin;
  if (ours && (blobWorkersRefused || !isSitePage())) return startFromFile(script, name);
  const address = URL.createObjectURL(new Blob([buildBridgeScript(script)], { type: 'text/javascript' }));
  let spoke = false;
  try {
    const worker = new Worker(toTrustedUrl(address), { name });
    worker.addEventListener('message', () => (spoke = true), { once: true });
    worker.addEventListener('error', () => (blobWorkersRefused ||= !spoke), { once: true });
    // Its first word, or its last, says that it has been loaded.
    for (const event of ['message', 'error'])
      worker.addEventListener(event, () => URL.revokeObjectURL(address), { once: true });
    return worker;
  } catch (error) {
    if (!ours) throw error;
    blobWorkersRefused = true;
    return startFromFile(script, name);
  }
}

/** The bytes of a build. @param {Build} build @param {RequestInit} [options] @returns {Promise<Response>} */
export async function fetchWasm(build, options) {
  const address = requireAddress(build);
  const response = await fetch(address, options);
  if (!response.ok)
    throw new Error(`the WebAssembly file did not arrive (status ${response.status} for ${address})`);
  return response;
}

/** @type {Map<Build, Promise<WebAssembly.Module>>} */
const compiledModules = new Map();

/** A build, compiled once for all who ask. @param {Build} build @returns {Promise<WebAssembly.Module>} */
export function compile(build) {
  let module = compiledModules.get(build);
  if (!module) {
    compiledModules.set(build, (module = fetchAndCompile(build)));
    // A connection that failed once may be back: the next one who asks tries again.
    module.catch(() => compiledModules.delete(build));
  }
  return module;
}

/** Has an address compiled and posts the module; null where it could not be. */
const COMPILER_SCRIPT = `onmessage = ({ data }) =>
  WebAssembly.compileStreaming(fetch(data)).then((module) => postMessage(module)).catch(() => postMessage(null));`;

/**
 * A build that is compiled beside the page's thread, which would do nothing else meanwhile; null where that cannot be.
 *
 * @param {URL} address
 * @returns {Promise<WebAssembly.Module | null>}
 */
function compileInWorker(address) {
  return new Promise((resolve) => {
    const source = URL.createObjectURL(new Blob([COMPILER_SCRIPT], { type: 'text/javascript' }));
    /** @type {Worker} */
    let worker;
    const end = (/** @type {WebAssembly.Module | null} */ module) => {
      clearTimeout(patience);
      worker.terminate();
      URL.revokeObjectURL(source);
      resolve(module);
    };
    worker = new Worker(toTrustedUrl(source), { name: 'sfc-bench compiler' });
    // One that ended says nothing.
    const patience = setTimeout(() => end(null), NETWORK_TIMEOUT);
    worker.onmessage = ({ data }) => end(data);
    worker.onmessageerror = () => end(null);
    worker.onerror = (event) => {
      event.preventDefault();
      end(null);
    };
    worker.postMessage(address.href);
  });
}

/** @param {Build} build */
async function fetchAndCompile(build) {
  // A page that has drawn by another build is at work already.
  if (build === 'sfc_bench_lab' && compiledModules.has('sfc_bench') && /^http/.test(location.protocol) && !blobWorkersRefused) {
    const module = await compileInWorker(requireAddress(build)).catch(() => null);
    if (module) return module;
  }
  const response = await fetchWasm(build);
  const type = response.headers.get('Content-Type') ?? '';
  // Streaming insists on this MIME type, without a parameter; a plain static host may not know it.
  if (typeof WebAssembly.compileStreaming !== 'function' || type !== 'application/wasm')
    return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response).catch(async () =>
    WebAssembly.compile(await (await fetchWasm(build)).arrayBuffer()),
  );
}
