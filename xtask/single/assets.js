/**
 * What www/workers/assets.js, assets-site.js and assets-weights.js are to the ordinary page, for the page in
 * one file: everything is in the file, and nothing is fetched. `bundle.mjs` puts this in their place.
 */

import * as lab from 'page:pkg/sfc_bench_lab.js';
import wasm from 'packed:wasm';
import worker from 'packed:worker';
import weights from 'packed:weights';

/** The lab's build is the only one; it has what the first has. */
export const importCore = async () => lab;
export const importLab = async () => lab;

/** A file on disk is there without a network anyway. */
export const offlineWorker = null;

/** @type {string | undefined} */
let address;

export function startWorker(_file, name) {
  address ??= URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
  return new Worker(address, { name });
}

/** What `bundle.mjs` packed, unpacked. @param {string} packed */
function unpacked(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

export async function fetchWasm(_build, { signal } = {}) {
  signal?.throwIfAborted();
  return unpacked(wasm);
}

/** The file would be twice as large with every checkpoint in it. */
export async function fetchToyModelFile(file) {
  const packed = JSON.parse(weights);
  if (!Object.hasOwn(packed, file))
    throw new Error(
      `${file} is not in this file, which has the last checkpoint and the autoencoders; the page of several files has the others`,
    );
  return unpacked(packed[file]).arrayBuffer();
}

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

export function compile(build) {
  compiled ??= fetchWasm(build)
    .then((response) => response.arrayBuffer())
    .then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}
