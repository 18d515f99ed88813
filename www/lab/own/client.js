// @ts-check
/** The worker that reads a reader's files, and what is asked of it. */

import { RECYCLE_BYTES } from '../../workers/pool.js';
import { together } from './hands.js';
import { Cancelled, Lost, RpcClient } from '../../workers/rpc-client.js';
import { workersFor } from './workers.js';

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
  /** @type {RpcClient | null} */
  #rpc = null;
  /** What the worker has open. @type {Map<string, File>} */
  #open = new Map();
  /** Ends the others that help with a run. @type {(why: Error) => void} */
  #endOthers = () => {};
  /** Counts the ends, for files that are being opened. */
  #ends = 0;

  /** Ends what is being done; whoever waits for it is told. */
  end() {
    this.#ends += 1;
    const why = new Cancelled('cancelled');
    this.#endOthers(why);
    this.#rpc?.end(why);
    this.#open.clear();
  }

  /** Lets a worker go whose memory would not come back; the next opens the files by their headers. */
  #retire() {
    if (!this.#rpc?.idle || this.#rpc.memory <= RECYCLE_BYTES) return;
    this.#rpc.end(new Cancelled('cancelled'));
    this.#open.clear();
  }

  /** The worker that there is, or a new one, which has nothing open. */
  #there() {
    if (this.#rpc?.alive) return this.#rpc;
    this.#open.clear();
    return (this.#rpc = new RpcClient('sfc-bench files'));
  }

  /**
   * @param {FilesTask} task
   * @param {(progress: OwnProgress) => void} [tell]
   * @returns {Promise<any>}
   */
  #ask(task, tell) {
    return this.#there().ask(task, tell);
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
    // Where the worker is lost meanwhile, another has nothing open.
    for (let rpc = null; rpc !== this.#there(); ) {
      rpc = this.#there();
      for (const [name, file] of files) {
        if (this.#open.get(name) !== file) await this.open(name, file);
        if (ends !== this.#ends) throw new Cancelled('cancelled');
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
  plan(files, request) {
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
      try {
        return await this.#ask({ kind: 'files-given', request, rows });
      } finally {
        this.#retire();
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
    return twice(async () => {
      const plan = await this.#plan(files, request);
      try {
        const { workers } = workersFor(plan, request.options?.memory);
        if (workers === 1) return await this.#ask({ kind: 'files-run' }, tell);
        const onEnd = (/** @type {(why: Error) => void} */ end) => (this.#endOthers = end);
        return await together({ lead: this.#there(), workers, files, request, tell, onEnd });
      } finally {
        this.#retire();
      }
    });
  }

  /** The autoencoders among these files. @param {ReadonlyMap<string, File>} files @returns {Promise<OwnMember[]>} */
  autoencoders(files) {
    return twice(async () => {
      await this.#reopen(files);
      return this.#ask({ kind: 'files-autoencoders' });
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
    return twice(async () => {
      await this.#reopen(files);
      try {
        return await this.#ask({ kind: 'files-compare', request }, (progress) =>
          tell(/** @type {OwnCompared} */ (/** @type {unknown} */ (progress))),
        );
      } finally {
        this.#retire();
      }
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
