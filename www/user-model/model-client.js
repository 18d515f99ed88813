// @ts-check
/**
 * The worker that holds a reader's own model, kept however large it has grown; and others that hold it too, for studies: all
 * begin the same one, of each step every worker does a share, and has those of the others from them.
 */

import { CancelledError, WorkerLostError, RpcClient } from '../workers/rpc-client.js';

/** What is cancelled and has not ended by itself within so many milliseconds is ended with its worker. */
const CANCEL_TIMEOUT = 200;

/** Shares are exchanged so often within a step, at most: workers that need more do not hold the same. */
const EXCHANGES_MAX = 4;

/** What makes a worker one that holds the model as it is. @type {ReadonlySet<string>} */
const OPENING_TASKS = new Set(['model-open', 'model-read', 'model-sae']);

/** What a worker is started for: all else is asked of the one that has the model. @type {ReadonlySet<string>} */
const STARTING_TASKS = new Set(['model-open', 'model-directions']);

export class ModelClient {
  /** @type {RpcClient | null} */
  #rpc = null;
  /** An address that is there as long as what was asked is wanted: a worker at work hears of nothing else. */
  #sign = '';
  /** What has opened the model and its autoencoder, each the last of its kind. @type {Map<keyof ModelTasks, object>} */
  #opened = new Map();
  /** Those that hold the model as well. @type {ModelClient[]} */
  #others = [];
  /** Who takes part in what was begun. @type {ModelClient[]} */
  #joined = [];
  #workers = 1;
  /** What was begun is no longer wanted: a step may end before its worker hears so. */
  #isStopped = false;
  #onLost;

  /** @param {() => void} onLost the model went with its worker, when something was cancelled */
  constructor(onLost) {
    this.#onLost = onLost;
  }

  /** How many workers studies have, this one among them. */
  get workers() {
    return this.#workers;
  }

  set workers(count) {
    this.#workers = count;
    this.#closeHelpers(count - 1);
  }

  /** Whether something is under way. */
  get isBusy() {
    return this.#rpc?.isIdle === false;
  }

  /** Lets the model go; whoever waits is told why. @param {unknown} why */
  close(why) {
    const rpc = this.#rpc;
    this.#rpc = null;
    this.#opened.clear();
    for (const other of this.#others.splice(0)) other.close(why);
    this.#joined = [];
    this.#revokeTaskUrl();
    rpc?.end(typeof why === 'string' ? new Error(why) : why);
  }

  /** Ends what is under way; the model stays, unless its worker hears of nothing. */
  cancel() {
    this.#isStopped = true;
    for (const other of this.#others) other.cancel();
    const rpc = this.#rpc;
    if (!rpc || rpc.isIdle) return;
    this.#revokeTaskUrl();
    const asked = rpc.lastId;
    setTimeout(() => {
      if (!rpc.isPending(asked)) return;
      this.close(new CancelledError('it was cancelled'));
      this.#onLost();
    }, CANCEL_TIMEOUT);
  }

  #revokeTaskUrl() {
    if (this.#sign) URL.revokeObjectURL(this.#sign);
    this.#sign = '';
  }

  /** @template {keyof ModelTasks} K @param {K} kind @param {Omit<ModelTasks[K]['task'], 'kind'>} rest @param {(fraction: number) => void} [onProgress] @returns {Promise<ModelTasks[K]['answer']>} */
  async ask(kind, rest, onProgress) {
    if (kind === 'model-open') this.#opened.clear();
    if (OPENING_TASKS.has(kind)) this.#opened.delete(kind);
    const found = await this.#send(kind, rest, onProgress);
    if (OPENING_TASKS.has(kind)) this.#opened.set(kind, rest);
    return found;
  }

  /**
   * Begins a study on as many workers as it may have; how many steps there are.
   *
   * @template {'model-study' | 'model-gather' | 'model-metric'} K
   * @param {K} kind @param {Omit<ModelTasks[K]['task'], 'kind'>} rest @returns {Promise<number>}
   */
  async beginStudy(kind, rest) {
    this.#isStopped = false;
    while (this.#others.length < this.#workers - 1) {
      /** @type {ModelClient} */
      const other = new ModelClient(() => this.#removeWorkers([other]));
      this.#others.push(other);
    }
    // One that cannot hold the model is done without.
    await this.#askAll(this.#others, (other) => other.#syncModel(this.#opened).catch((error) => {
      if (!(error instanceof CancelledError)) other.close(error);
      throw error;
    }));
    await this.#joinWorkers();
    const [steps] = await this.#askAll([this, ...this.#others], (one) => one.ask(kind, rest));
    return /** @type {number} */ (steps);
  }

  /** Goes on with what was cancelled: alone, since the others may not have come as far. */
  async resume() {
    this.#isStopped = false;
    this.#closeHelpers();
    await this.#joinWorkers();
  }

  /**
   * Takes the next step of what was begun, or as many as there are workers; how many have been taken.
   *
   * @param {'model-study-step' | 'model-gather-step' | 'model-metric-step'} kind @returns {Promise<number>}
   */
  async step(kind) {
    /** @type {Uint8Array[] | undefined} */
    let shares;
    for (let exchanges = 0; exchanges <= EXCHANGES_MAX; exchanges += 1) {
      if (this.#isStopped) throw new CancelledError('it was cancelled');
      // Without one of them, what it was to do is dealt anew.
      while (this.#joined.length > 1 + this.#others.length) {
        shares = undefined;
        await this.#joinWorkers();
      }
      const found = await this.#askAll(this.#joined, (one) => one.ask(kind, { shares }));
      if (typeof found[0] === 'number') return found[0];
      shares = /** @type {Uint8Array[]} */ (found);
    }
    throw new Error('the workers of the model do not agree on what is to be done');
  }

  /** Tokens that all workers have read so far, and their memory in bytes. @returns {Promise<ModelTasks['model-meter']['answer']>} */
  async readMeter() {
    const all = await this.#askAll([this, ...this.#others], (one) => one.ask('model-meter', {}));
    const sum = (/** @type {'tokens' | 'bytes'} */ name) => all.reduce((sum, one) => sum + one[name], 0);
    return { tokens: sum('tokens'), bytes: sum('bytes') };
  }

  /** Lets the other workers go, and what they hold; the next study has others. @param {number} [but] so many are kept */
  #closeHelpers(but = 0) {
    for (const other of this.#others.splice(Math.max(0, but))) other.close('it is not needed');
  }

  /** What was gathered, which the other workers hold as well. */
  async collectActivations() {
    this.#closeHelpers();
    return this.ask('model-gathered', {});
  }

  /** Tells all of how many they are. */
  async #joinWorkers() {
    const all = [this, ...this.#others];
    this.#joined = all;
    await this.#askAll(all, (one) => one.ask('model-join', { rank: all.indexOf(one), worldSize: all.length }));
  }

  /** Brings this worker to hold what another holds. @param {Map<keyof ModelTasks, object>} opened */
  async #syncModel(opened) {
    const kinds = /** @type {(keyof ModelTasks)[]} */ (['model-open', 'model-read', 'model-sae']);
    for (const kind of kinds) {
      const rest = opened.get(kind);
      if (rest && this.#opened.get(kind) !== rest) await this.ask(kind, /** @type {any} */ (rest));
    }
  }

  /**
   * Asks workers; those beside this one that end are done without. What is refused or cancelled is thrown.
   *
   * @template Found @param {ModelClient[]} all @param {(one: ModelClient) => Promise<Found>} work
   */
  async #askAll(all, work) {
    const found = await Promise.allSettled(all.map(work));
    const lost = all.filter((one, at) => found[at]?.status === 'rejected' && one !== this && !one.#rpc);
    this.#removeWorkers(lost);
    return found.flatMap((one, at) => {
      if (one.status === 'fulfilled') return [one.value];
      if (one.reason instanceof CancelledError || !lost.includes(/** @type {ModelClient} */ (all[at]))) throw one.reason;
      return [];
    });
  }

  /** @param {ModelClient[]} lost */
  #removeWorkers(lost) {
    this.#others = this.#others.filter((other) => !lost.includes(other));
  }

  /** @template {keyof ModelTasks} K @param {K} kind @param {Omit<ModelTasks[K]['task'], 'kind'>} rest @param {(fraction: number) => void} [onProgress] @returns {Promise<ModelTasks[K]['answer']>} */
  #send(kind, rest, onProgress) {
    if (!this.#rpc && !STARTING_TASKS.has(kind)) return Promise.reject(new Error('the model’s worker has ended'));
    this.#rpc ??= new RpcClient('sfc-bench model', (why) =>
      this.close(why instanceof WorkerLostError ? `the model’s worker ended: ${why.message}` : why),
    );
    this.#sign ||= URL.createObjectURL(new Blob(['wanted']));
    const task = /** @type {Task} */ ({ kind, sign: this.#sign, ...rest });
    return this.#rpc.call(task, (_, fraction) => onProgress?.(fraction));
  }
}
