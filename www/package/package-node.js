// @ts-check
/** The package in Node: the same core and the same pool, over worker threads. */

import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';

import { memoizeAsync, createCoreLoader } from '../workers/instantiate.js';
import { Pool } from '../workers/pool.js';
import { setHost } from './host.js';

/** Paths and not addresses: a bundler that builds for servers would take those for files of the browser's. */
const WWW_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..');
const WASM_FILE = join(WWW_FOLDER, 'pkg', 'sfc_bench_lab_bg.wasm');
const WORKER_FILE = join(WWW_FOLDER, 'workers', 'worker-node.js');

/** As much of a browser's worker as the pool uses. A thread without work does not keep Node waiting. */
class NodeWorker extends EventTarget {
  #thread = new Thread(WORKER_FILE, { name: 'sfc-bench' });
  /** Node tells of a thread's end by itself: however slow its start is, it is no end. */
  patience = Infinity;

  constructor() {
    super();
    this.#thread.unref();
    this.#thread.on('message', (data) => {
      // A task may have begun before the thread says that it is ready.
      if (['done', 'failed', 'crashed'].includes(data.type)) this.#thread.unref();
      this.dispatchEvent(new MessageEvent('message', { data }));
    });
    /** @param {unknown} error */
    const lost = (error) => {
      const message = error instanceof Error ? error.message : String(error);
      this.dispatchEvent(Object.assign(new Event('error'), { message }));
    };
    this.#thread.on('error', lost);
    this.#thread.on('exit', () => lost('its thread ended'));
    this.#thread.on('messageerror', () => this.dispatchEvent(new Event('messageerror')));
  }

  /** @param {ToWorker} message */
  postMessage(message) {
    if (message.type === 'task') this.#thread.ref();
    this.#thread.postMessage(message);
  }

  terminate() {
    this.#thread.terminate();
  }
}

const compile = memoizeAsync(async () => WebAssembly.compile(await readFile(WASM_FILE)));
const loadLab = createCoreLoader(() => Promise.all([import('../pkg/sfc_bench_lab.js'), compile()]));

/** @type {Pool | null} */
let pool = null;

setHost({
  open: loadLab,
  async pool() {
    await loadLab();
    pool ??= new Pool(
      () => /** @type {Worker} */ (/** @type {unknown} */ (new NodeWorker())),
      compile,
      { size: Math.max(1, availableParallelism() - 1) },
    );
    return pool;
  },
  // A thread of Node's reads no Blob synchronously.
  lazy: () => false,
  async readToyModelFile(file) {
    const { buffer, byteOffset, byteLength } = await readFile(join(WWW_FOLDER, 'little', basename(file)));
    return /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));
  },
  close() {
    pool?.close();
    pool = null;
  },
});

export * from './exports.js';
