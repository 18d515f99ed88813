// @ts-check
/** The worker that holds a reader's own model: one at a time, and kept however large it has grown. */

import { compile, startWorker } from '../workers/assets.js';
import { Connection } from '../workers/connection.js';
import { Refusal } from '../workers/pool.js';

/** @typedef {{ resolve: (result: any) => void, reject: (error: unknown) => void }} Waiting */

export class ModelClient {
  /** @type {Connection | null} */
  #connection = null;
  /** @type {Map<number, Waiting>} */
  #pending = new Map();
  #lastId = 0;

  /** Lets the model go; whoever waits is told why. @param {string} why */
  end(why) {
    this.#connection?.end();
    this.#connection = null;
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(new Error(why));
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.type === 'crashed') {
      this.end(message.message);
      return;
    }
    if (message.type !== 'done' && message.type !== 'failed') return;
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.type === 'done') waiting?.resolve(message.result);
    else waiting?.reject(new Refusal(message.problem));
  }

  /** @template {keyof ModelTasks} K @param {K} kind @param {Omit<ModelTasks[K]['task'], 'kind'>} rest @returns {Promise<ModelTasks[K]['answer']>} */
  ask(kind, rest) {
    this.#connection ??= new Connection(() => startWorker('worker-lab', 'sfc-bench model'), compile, {
      hear: (message) => this.#hear(message),
      lost: (why) => this.end(`the model’s worker ended: ${why}`),
    });
    const connection = this.#connection;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      connection.ask(id, 'sfc_bench_lab', /** @type {Task} */ ({ kind, ...rest }));
    });
  }
}
