// @ts-check
/** The worker that holds a reader's own model: one at a time, and kept however large it has grown. */

import { compile, startWorker } from '../workers/assets.js';
import { Connection } from '../workers/connection.js';
import { Refusal } from '../workers/pool.js';

/** @typedef {{ resolve: (result: any) => void, reject: (error: unknown) => void, onProgress: ((fraction: number) => void) | undefined }} Waiting */

/** What is cancelled and has not ended by itself within so many milliseconds is ended with its worker. */
const PATIENCE = 200;

/** Somebody no longer wanted it. */
export class Cancelled extends Error {
  /** @override */
  name = 'Cancelled';
}

export class ModelClient {
  /** @type {Connection | null} */
  #connection = null;
  /** @type {Map<number, Waiting>} */
  #pending = new Map();
  #lastId = 0;
  /** An address that is there as long as what was asked is wanted: a worker at work hears of nothing else. */
  #sign = '';
  #onLost;

  /** @param {() => void} onLost the model went with its worker, when something was cancelled */
  constructor(onLost) {
    this.#onLost = onLost;
  }

  /** Whether something is under way. */
  get busy() {
    return this.#pending.size > 0;
  }

  /** Lets the model go; whoever waits is told why. @param {unknown} why */
  end(why) {
    this.#connection?.end();
    this.#connection = null;
    this.#withdraw();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(typeof why === 'string' ? new Error(why) : why);
  }

  /** Ends what is under way; the model stays, unless its worker hears of nothing. */
  cancel() {
    if (!this.busy) return;
    this.#withdraw();
    const asked = this.#lastId;
    setTimeout(() => {
      if (![...this.#pending.keys()].some((id) => id <= asked)) return;
      this.end(new Cancelled('it was cancelled'));
      this.#onLost();
    }, PATIENCE);
  }

  #withdraw() {
    if (this.#sign) URL.revokeObjectURL(this.#sign);
    this.#sign = '';
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.type === 'crashed') {
      this.end(message.message);
      return;
    }
    if (message.type === 'progress') this.#pending.get(message.id)?.onProgress?.(message.fraction);
    if (message.type !== 'done' && message.type !== 'failed') return;
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'done') waiting?.resolve(message.result);
    else if (message.problem.code === 'cancelled') waiting?.reject(new Cancelled('it was cancelled'));
    else waiting?.reject(new Refusal(message.problem));
  }

  /** @template {keyof ModelTasks} K @param {K} kind @param {Omit<ModelTasks[K]['task'], 'kind'>} rest @param {(fraction: number) => void} [onProgress] @returns {Promise<ModelTasks[K]['answer']>} */
  ask(kind, rest, onProgress) {
    this.#connection ??= new Connection(() => startWorker('worker-lab', 'sfc-bench model'), compile, {
      hear: (message) => this.#hear(message),
      lost: (why) => this.end(`the model’s worker ended: ${why}`),
    });
    this.#sign ||= URL.createObjectURL(new Blob(['wanted']));
    const connection = this.#connection;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress });
      connection.ask(id, 'sfc_bench_lab', /** @type {Task} */ ({ kind, sign: this.#sign, ...rest }));
    });
  }
}
