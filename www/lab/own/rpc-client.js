// @ts-check
/** One worker that has a reader's files open, and what is asked of it. */

import { compile, startWorker } from '../../workers/assets.js';
import { Connection } from '../../workers/connection.js';
import { Refusal } from '../../workers/pool.js';

/** The reader ended it. */
export class Cancelled extends Error {}

/** Its worker ended, and nobody had asked for that. */
export class Lost extends Error {}

/**
 * @typedef {object} Asked
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((progress: OwnProgress) => void) | undefined} tell
 */

export class Wire {
  /** Bytes that its core has come to hold. */
  memory = 0;
  /** @type {Map<number, Asked>} */
  #pending = new Map();
  #lastId = 0;
  #ended = false;
  #connection = new Connection(() => startWorker('worker-lab', 'sfc-bench files'), compile, {
    hear: (message) => this.#hear(message),
    lost: (reason) => this.end(new Lost(reason)),
  });

  /** Whether it still answers. */
  get alive() {
    return !this.#ended;
  }

  /** Whether it has nothing to do. */
  get idle() {
    return this.#pending.size === 0;
  }

  /** Ends the worker; whoever waits for it is told. @param {Error} why */
  end(why) {
    this.#ended = true;
    this.#connection.end();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(why);
  }

  /**
   * @param {FilesTask} task
   * @param {(progress: OwnProgress) => void} [tell]
   * @returns {Promise<any>}
   */
  ask(task, tell) {
    if (this.#ended) return Promise.reject(new Lost('its worker ended'));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, tell });
      this.#connection.ask(id, 'sfc_bench_lab', task);
    });
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.type === 'alive' || message.type === 'up' || message.type === 'ready') return;
    const asked = this.#pending.get(message.id);
    if (!asked) return;
    if (message.type === 'progress') {
      asked.tell?.(/** @type {OwnProgress} */ (message.detail));
      return;
    }
    if (message.type === 'crashed') {
      this.end(new Error(message.message));
      return;
    }
    this.#pending.delete(message.id);
    this.memory = message.memory ?? 0;
    if (message.type === 'done') asked.resolve(message.result);
    else asked.reject(new Refusal(message.problem));
  }
}
