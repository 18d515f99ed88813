// @ts-check
/** The worker that reads a reader's files, and what is asked of it. */

import { compile, startWorker } from '../workers/assets.js';
import { Refusal } from '../workers/pool.js';

/**
 * @typedef {object} OwnJob
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((progress: OwnProgress) => void) | undefined} tell
 */

/** The reader ended it. */
export class Cancelled extends Error {}

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/** The lab's build, which the worker is handed compiled. */
function moduleOnce() {
  compiled ??= compile('sfc_bench_lab');
  compiled.catch(() => (compiled = undefined));
  return compiled;
}

/**
 * One worker after another: a new one is started where there is none, and opens the files again that
 * the one before it had.
 */
export class OwnClient {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, OwnJob>} */
  #pending = new Map();
  /** What the worker has open. @type {Map<string, File>} */
  #open = new Map();
  #lastId = 0;
  /** Counts the ends, for what had not come to the worker yet. */
  #ends = 0;

  /** Ends what is being done; whoever waits for it is told. @param {Error} why */
  end(why = new Cancelled('cancelled')) {
    this.#ends += 1;
    this.#worker?.terminate();
    this.#worker = null;
    this.#open.clear();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(why);
  }

  async #start() {
    const module = await moduleOnce();
    if (this.#worker) return this.#worker;
    const worker = startWorker('worker-own', 'sfc-bench files');
    worker.addEventListener('message', ({ data }) => this.#onMessage(data));
    worker.addEventListener('error', (event) => {
      if (worker === this.#worker)
        this.end(new Error(event.message || 'the worker could not be started'));
    });
    worker.postMessage({ module });
    this.#worker = worker;
    return worker;
  }

  /** @param {FromOwn} message */
  #onMessage(message) {
    const job = this.#pending.get(message.id);
    if (!job) return;
    if (message.type === 'progress') {
      job.tell?.(message.progress);
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === 'done') job.resolve(message.result);
    else if (message.type === 'failed') job.reject(new Refusal(message.problem));
    else {
      job.reject(new Error(message.message));
      this.end(new Error(message.message));
    }
  }

  /**
   * @param {OwnTask['kind']} kind
   * @param {object} [task]
   * @param {(progress: OwnProgress) => void} [tell]
   * @returns {Promise<any>}
   */
  async ask(kind, task = {}, tell) {
    const ends = this.#ends;
    const worker = await this.#start();
    if (ends !== this.#ends) throw new Cancelled('cancelled');
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, tell });
      worker.postMessage({ ...task, id, kind });
    });
  }

  /** Opens a file; its headers are read. @param {string} name @param {File} file @returns {Promise<OwnDescription>} */
  async open(name, file) {
    const description = await this.ask('add', { name, file });
    this.#open.set(name, file);
    return description;
  }

  /** @param {string} name */
  async close(name) {
    if (this.#open.delete(name)) await this.ask('remove', { name });
  }

  /** Has a worker with these files open. @param {ReadonlyMap<string, File>} files */
  async #reopen(files) {
    const ends = this.#ends;
    for (const [name, file] of files) {
      if (this.#open.get(name) !== file) await this.open(name, file);
      if (ends !== this.#ends) throw new Cancelled('cancelled');
    }
  }

  /**
   * Has a worker with these files open, and plans.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnRequest} request
   * @returns {Promise<OwnPlan>}
   */
  async plan(files, request) {
    await this.#reopen(files);
    return this.ask('plan', { request });
  }

  /**
   * Activations as a world; where rows are asked for, that many of it.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnGiven} request
   * @param {number} [rows]
   * @returns {Promise<any>}
   */
  async given(files, request, rows) {
    await this.#reopen(files);
    return this.ask('given', { request, ...(rows === undefined ? {} : { rows }) });
  }
}
