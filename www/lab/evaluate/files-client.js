// @ts-check
/** The worker that reads a reader's files, and what is asked of it. */

import { RECYCLE_BYTES } from '../../workers/pool.js';
import { runInWorkers } from './parallel-run.js';
import { CancelledError, WorkerLostError, RpcClient } from '../../workers/rpc-client.js';
import { planWorkers } from './worker-count.js';

/** Does something, and once more where the worker ended over it. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
const retryOnLost = (work) =>
  work().catch((error) => {
    if (error instanceof WorkerLostError) return work();
    throw error;
  });

/**
 * One worker after another: a new one is started where there is none, and opens the files again that
 * the one before it had.
 */
export class FilesClient {
  /** @type {RpcClient | null} */
  #rpc = null;
  /** What the worker has open. @type {Map<string, File>} */
  #open = new Map();
  /** Ends the others that help with a run. @type {(why: Error) => void} */
  #endOthers = () => {};
  /** Counts the ends, for files that are being opened. */
  #ends = 0;

  /** Ends what is being done; whoever waits for it is told. */
  cancel() {
    this.#ends += 1;
    const why = new CancelledError('cancelled');
    this.#endOthers(why);
    this.#rpc?.end(why);
    this.#open.clear();
  }

  /** Lets a worker go whose memory would not come back; the next opens the files by their headers. */
  #recycleWorker() {
    if (!this.#rpc?.isIdle || this.#rpc.memory <= RECYCLE_BYTES) return;
    this.#rpc.end(new CancelledError('cancelled'));
    this.#open.clear();
  }

  /** The worker that there is, or a new one, which has nothing open. */
  #ensureWorker() {
    if (this.#rpc?.isAlive) return this.#rpc;
    this.#open.clear();
    return (this.#rpc = new RpcClient('sfc-bench files'));
  }

  /**
   * @param {FilesTask} task
   * @param {(progress: OwnProgress) => void} [tell]
   * @returns {Promise<any>}
   */
  #request(task, tell) {
    return this.#ensureWorker().call(task, tell);
  }

  /** Opens a file; its headers are read. @param {string} name @param {File} file @returns {Promise<OwnDescription>} */
  async open(name, file) {
    const description = await retryOnLost(() => this.#request({ kind: 'files-add', name, file }));
    this.#open.set(name, file);
    return description;
  }

  /** @param {string} name */
  async close(name) {
    if (this.#open.delete(name)) await this.#request({ kind: 'files-remove', name });
  }

  /** Has a worker with these files open. @param {ReadonlyMap<string, File>} files */
  async #ensureOpen(files) {
    const ends = this.#ends;
    // Where the worker is lost meanwhile, another has nothing open.
    for (let rpc = null; rpc !== this.#ensureWorker(); ) {
      rpc = this.#ensureWorker();
      for (const [name, file] of files) {
        if (this.#open.get(name) !== file) await this.open(name, file);
        if (ends !== this.#ends) throw new CancelledError('cancelled');
      }
    }
  }

  /**
   * Has a worker with these files open, and plans.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnRequest} request
   * @returns {Promise<OwnPlan>}
   */
  planRun(files, request) {
    return retryOnLost(() => this.#openAndPlan(files, request));
  }

  /** @param {ReadonlyMap<string, File>} files @param {OwnRequest} request @returns {Promise<OwnPlan>} */
  async #openAndPlan(files, request) {
    await this.#ensureOpen(files);
    return this.#request({ kind: 'files-plan', request });
  }

  /**
   * Activations as a world; where rows are asked for, that many of it.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnGiven} request
   * @param {number} [rows]
   * @returns {Promise<any>}
   */
  readActivations(files, request, rows) {
    return retryOnLost(async () => {
      await this.#ensureOpen(files);
      try {
        return await this.#request({ kind: 'files-given', request, rows });
      } finally {
        this.#recycleWorker();
      }
    });
  }

  /**
   * Plans and measures, in as many workers as there is room for.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnRequest} request
   * @param {(progress: OwnProgress) => void} tell
   * @returns {Promise<{ report: OwnReport, script?: string }>}
   */
  run(files, request, tell) {
    // A plan goes with its worker: another one plans anew.
    return retryOnLost(async () => {
      const plan = await this.#openAndPlan(files, request);
      try {
        const { workers } = planWorkers(plan, request.options?.memory);
        if (workers === 1) return await this.#request({ kind: 'files-run' }, tell);
        const onEnd = (/** @type {(why: Error) => void} */ end) => (this.#endOthers = end);
        return await runInWorkers({ lead: this.#ensureWorker(), workers, files, request, tell, onEnd });
      } finally {
        this.#recycleWorker();
      }
    });
  }

  /** The autoencoders among these files. @param {ReadonlyMap<string, File>} files @returns {Promise<OwnMember[]>} */
  listAutoencoders(files) {
    return retryOnLost(async () => {
      await this.#ensureOpen(files);
      return this.#request({ kind: 'files-autoencoders' });
    });
  }

  /**
   * Scores several side by side.
   *
   * @param {ReadonlyMap<string, File>} files
   * @param {OwnComparison} request
   * @param {(progress: OwnCompared) => void} tell
   * @returns {Promise<import('../../types/core.d.ts').DecompositionsReport>}
   */
  compare(files, request, tell) {
    return retryOnLost(async () => {
      await this.#ensureOpen(files);
      try {
        return await this.#request({ kind: 'files-compare', request }, (progress) =>
          tell(/** @type {OwnCompared} */ (/** @type {unknown} */ (progress))),
        );
      } finally {
        this.#recycleWorker();
      }
    });
  }

  /** Files to try it with. @returns {Promise<{ role: OwnRole, file: File }[]>} */
  createExample() {
    return retryOnLost(() => this.#request({ kind: 'files-example' }));
  }

  /** The same files in a .zip. @returns {Promise<{ name: string, bytes: Uint8Array<ArrayBuffer> }>} */
  createExampleZip() {
    return retryOnLost(() => this.#request({ kind: 'files-example-zip' }));
  }
}
