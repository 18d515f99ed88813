// @ts-check
/** The worker that reads a reader's files, and what is asked of it. */

import { compile, startWorker } from '../../workers/assets.js';
import { Connection } from '../../workers/connection.js';
import { GROWN, Refusal } from '../../workers/pool.js';

/**
 * @typedef {object} OwnJob
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {FilesTask['kind']} kind
 * @property {((progress: OwnProgress) => void) | undefined} tell
 */

/** After these nothing is left in the worker that whoever comes next would miss. @type {ReadonlySet<FilesTask['kind']>} */
const ENDS = new Set(/** @type {const} */ (['files-run', 'files-given']));

/** The reader ended it. */
export class Cancelled extends Error {}

/** Its worker ended, and nobody had asked for that. */
class Lost extends Error {}

/** Does something, and once more where the worker ended over it. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
const twice = (work) =>
  work().catch((error) => {
    if (error instanceof Lost) return work();
    throw error;
  });

/**
 * One worker after another: a new one is started where there is none, and opens the files again that
 * the one before it had.
 */
export class OwnClient {
  /** @type {Connection | null} */
  #connection = null;
  /** @type {Map<number, OwnJob>} */
  #pending = new Map();
  /** What the worker has open. @type {Map<string, File>} */
  #open = new Map();
  #lastId = 0;
  /** What was planned last. @type {[files: ReadonlyMap<string, File>, request: OwnRequest] | null} */
  #planned = null;
  /** Counts the ends, for files that are being opened. */
  #ends = 0;

  /** Ends what is being done; whoever waits for it is told. @param {Error} why */
  end(why = new Cancelled('cancelled')) {
    this.#ends += 1;
    this.#connection?.end();
    this.#connection = null;
    this.#open.clear();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(why);
  }

  /** Lets a worker go whose memory would not come back; the next opens the files by their headers. */
  #retire() {
    if (this.#pending.size > 0) return;
    this.#connection?.end();
    this.#connection = null;
    this.#open.clear();
  }

  #start() {
    return new Connection(() => startWorker('worker-lab', 'sfc-bench files'), compile, {
      hear: (message) => this.#hear(message),
      lost: (reason) => this.end(new Lost(reason)),
    });
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.type === 'alive' || message.type === 'up' || message.type === 'ready') return;
    const job = this.#pending.get(message.id);
    if (!job) return;
    switch (message.type) {
      case 'progress':
        job.tell?.(/** @type {OwnProgress} */ (message.detail));
        return;
      case 'done':
        this.#pending.delete(message.id);
        if (ENDS.has(job.kind) && (message.memory ?? 0) > GROWN) this.#retire();
        job.resolve(message.result);
        return;
      case 'failed':
        this.#pending.delete(message.id);
        if (ENDS.has(job.kind) && (message.memory ?? 0) > GROWN) this.#retire();
        job.reject(new Refusal(message.problem));
        return;
      case 'crashed':
        this.end(new Error(message.message));
        return;
    }
  }

  /**
   * @param {FilesTask} task
   * @param {(progress: OwnProgress) => void} [tell]
   * @returns {Promise<any>}
   */
  #ask(task, tell) {
    const connection = (this.#connection ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { kind: task.kind, resolve, reject, tell });
      connection.ask(id, 'sfc_bench_lab', task);
    });
  }

  /** Opens a file; its headers are read. @param {string} name @param {File} file @returns {Promise<OwnDescription>} */
  async open(name, file) {
    const description = await twice(() => this.#ask({ kind: 'files-add', name, file }));
    this.#open.set(name, file);
    return description;
  }

  /** @param {string} name */
  async close(name) {
    if (this.#open.delete(name)) await this.#ask({ kind: 'files-remove', name });
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
  plan(files, request) {
    this.#planned = [files, request];
    return twice(() => this.#plan(files, request));
  }

  /** @param {ReadonlyMap<string, File>} files @param {OwnRequest} request @returns {Promise<OwnPlan>} */
  async #plan(files, request) {
    await this.#reopen(files);
    return this.#ask({ kind: 'files-plan', request });
  }

  /**
   * Activations as a world; where rows are asked for, that many of it.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnGiven} request
   * @param {number} [rows]
   * @returns {Promise<any>}
   */
  given(files, request, rows) {
    return twice(async () => {
      await this.#reopen(files);
      return this.#ask({ kind: 'files-given', request, ...(rows === undefined ? {} : { rows }) });
    });
  }

  /**
   * Measures what was planned last.
   *
   * @param {(progress: OwnProgress) => void} tell
   * @returns {Promise<{ report: OwnReport, script: string }>}
   */
  run(tell) {
    let planned = true;
    return twice(async () => {
      // The plan went with its worker.
      if (!planned && this.#planned) await this.#plan(...this.#planned);
      planned = false;
      return this.#ask({ kind: 'files-run' }, tell);
    });
  }

  /** Files to try it with. @returns {Promise<{ role: OwnRole, file: File }[]>} */
  example() {
    return twice(() => this.#ask({ kind: 'files-example' }));
  }

  /** The same files in a .zip. @returns {Promise<{ name: string, bytes: Uint8Array<ArrayBuffer> }>} */
  exampleZip() {
    return twice(() => this.#ask({ kind: 'files-example-zip' }));
  }
}
