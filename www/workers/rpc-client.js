// @ts-check
/** One worker that holds something of a reader's, files or a model, and what is asked of it. */

import { compile, startWorker } from './assets.js';
import { Connection } from './connection.js';
import { RefusalError } from './pool.js';

/** Somebody no longer wanted it. */
export class CancelledError extends Error {
  /** @override */
  name = 'Cancelled';
}

/** Its worker ended, and nobody had asked for that. */
export class WorkerLostError extends Error {}

/**
 * @typedef {object} Asked
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((detail: any, fraction: number) => void) | undefined} tell
 */

export class RpcClient {
  /** Bytes that its core has come to hold. */
  memory = 0;
  /** @type {Map<number, Asked>} */
  #pending = new Map();
  #lastId = 0;
  #ended = false;
  #connection;
  #onLost;

  /** @param {string} name of the worker @param {(why: Error) => void} [onLost] takes its end, and ends this */
  constructor(name, onLost = (why) => this.end(why)) {
    this.#onLost = onLost;
    this.#connection = new Connection(() => startWorker('worker-lab', name), compile, {
      hear: (message) => this.#handleMessage(message),
      lost: (why) => onLost(new WorkerLostError(why)),
    });
  }

  /** Whether it still answers. */
  get isAlive() {
    return !this.#ended;
  }

  /** Whether it has nothing to do. */
  get isIdle() {
    return this.#pending.size === 0;
  }

  /** The number of what was asked last. */
  get lastId() {
    return this.#lastId;
  }

  /** Whether something is under way of what was asked until then. @param {number} id */
  isPending(id) {
    return [...this.#pending.keys()].some((one) => one <= id);
  }

  /** Ends the worker; whoever waits for it is told. @param {unknown} why */
  end(why) {
    this.#ended = true;
    this.#connection.end();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(why);
  }

  /**
   * @param {Task} task
   * @param {(detail: any, fraction: number) => void} [tell]
   * @returns {Promise<any>}
   */
  call(task, tell) {
    if (this.#ended) return Promise.reject(new WorkerLostError('its worker ended'));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, tell });
      this.#connection.sendTask(id, 'sfc_bench_lab', task);
    });
  }

  /** @param {FromWorker} message */
  #handleMessage(message) {
    if (message.type === 'alive' || message.type === 'up' || message.type === 'ready') return;
    if (message.type === 'crashed') {
      this.#onLost(new Error(message.message));
      return;
    }
    const asked = this.#pending.get(message.id);
    if (!asked) return;
    if (message.type === 'progress') {
      asked.tell?.(message.detail, message.fraction);
      return;
    }
    this.#pending.delete(message.id);
    this.memory = message.memory ?? 0;
    if (message.type === 'done') asked.resolve(message.result);
    else if (message.problem.code === 'cancelled') asked.reject(new CancelledError('it was cancelled'));
    else asked.reject(new RefusalError(message.problem));
  }
}
