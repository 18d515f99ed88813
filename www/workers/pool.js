// @ts-check
/**
 * A pool of plain workers: no shared memory, so no special headers. A module is compiled once and
 * posted to each. A task goes to one worker and is answered whole; a worker that dies is replaced
 * and its task done again, as often as the task allows.
 */

import { Connection } from './connection.js';

/** The core said no, in its own words. */
export class RefusalError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** A worker died over a task, or none came to life, and nobody else may try it. The message says which. */
export class CrashError extends Error {
  /** @override */
  name = 'Crash';
}

/** A task of higher rank waits this long, in milliseconds, before it takes a worker from another. */
const PREEMPT_DELAY = 150;
/** Where one did not come up beside others that did, none is added for this long, in milliseconds. */
const GROW_DELAY = 5_000;
/** Workers beyond the first are let go after this long without work, in milliseconds. */
const IDLE_TIMEOUT = 20_000;
/** A worker whose memory has come to more than this, in bytes, has grown: WebAssembly gives none back. */
export const RECYCLE_BYTES = 2 ** 28;
/** Grown workers are let go after this long without work, in milliseconds. */
const GROWN_IDLE_TIMEOUT = 1_000;
/** More workers than this are no help on any machine, and each has memory of its own. */
const WORKERS_MAX = 32;

/** What the paper's build can do; everything else needs the lab's. @type {ReadonlySet<Task['kind']>} */
const PAPER_TASKS = new Set(/** @type {const} */ (['run', 'seeds']));

/** One core is left to the page itself. */
export function defaultWorkerCount() {
  return Math.min(WORKERS_MAX, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
}

/** Where nothing is known of the memory, in bytes: what a phone can spare. */
const DEFAULT_MEMORY = 2 ** 30;
/** The share of the memory that one run may take. */
const MEMORY_SHARE = 1 / 4;

/** What a run may take of the memory, in bytes: few browsers tell of it, and none of more than 32 GiB. */
export function runMemoryLimit() {
  const { deviceMemory } = /** @type {Navigator & { deviceMemory?: number }} */ (navigator);
  return deviceMemory ? deviceMemory * 2 ** 30 * MEMORY_SHARE : DEFAULT_MEMORY;
}

/**
 * @typedef {object} Job
 * @property {number} id
 * @property {Task} task
 * @property {number} priority
 * @property {number} tries how many workers may still be lost over it
 * @property {(stage: string, fraction: number, detail?: any) => void} onProgress
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/**
 * @typedef {object} Slot
 * @property {Connection} connection
 * @property {Job | null} job
 * @property {number} memory bytes that its core has come to hold
 * @property {boolean} cameUp whether it ever said that it is ready
 */

/**
 * @typedef {object} TaskOptions
 * @property {number} [priority] higher goes first
 * @property {number} [tries] how many workers may die over it; 2 when left out. One that does not come up beside others
 *   is not counted
 * @property {AbortSignal} [signal]
 * @property {(stage: string, fraction: number, detail?: any) => void} [onProgress]
 */

export class Pool {
  #makeWorker;
  #modules;
  #build;
  #size;
  #limit;
  /** @type {Slot[]} */
  #slots = [];
  /** By falling priority, then by age. @type {Job[]} */
  #queue = [];
  #lastId = 0;
  /** From when on a worker may be added to those that there are, by `performance.now()`. */
  #growsFrom = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #preempting;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #idle;
  #closed = false;

  /**
   * @param {() => Worker} makeWorker
   * @param {(build: Build) => Promise<WebAssembly.Module>} modules asked for whenever a worker needs one
   * @param {object} [options]
   * @param {Build} [options.build] what every worker gets, and what the paper's tasks are done with
   * @param {number} [options.size]
   */
  constructor(makeWorker, modules, { build = 'sfc_bench_lab', size = defaultWorkerCount() } = {}) {
    this.#makeWorker = makeWorker;
    this.#modules = modules;
    this.#build = build;
    this.#size = size;
    this.#limit = size;
  }

  /** How many workers there may be. */
  get size() {
    return this.#size;
  }

  /** How many there are. */
  get workerCount() {
    return this.#slots.length;
  }

  /** How many there are that came up. */
  get readyCount() {
    return this.#slots.filter(({ cameUp }) => cameUp).length;
  }

  /** How many may work at once; the others wait. @param {number} count */
  setLimit(count) {
    this.#limit = Math.min(this.#size, Math.max(1, Math.floor(count)));
    this.#dispatch();
  }

  /** Fetches a worker's code before there is work for it. */
  warmUp() {
    if (this.#slots.length === 0) this.#spawnWorker();
  }

  /**
   * Has a task done.
   *
   * @template [Result=any]
   * @param {Task} task
   * @param {TaskOptions} [options]
   * @returns {Promise<Result>} rejects with a {@link RefusalError}, a {@link CrashError}, the signal's reason, or what
   *   `onProgress` throws
   */
  submit(task, { priority = 0, tries = 2, signal, onProgress = () => {} } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted || this.#closed) {
        reject(signal?.reason ?? new CrashError('the pool is closed'));
        return;
      }
      const abort = () => {
        this.#cancelJob(job);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', abort);
      /** @type {Job} */
      const job = {
        id: ++this.#lastId,
        task,
        priority,
        tries,
        onProgress,
        resolve: (result) => {
          settled();
          resolve(result);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#enqueue(job);
      this.#dispatch();
    });
  }

  /** Ends every worker; what is under way is rejected. */
  close() {
    this.#closed = true;
    const jobs = [...this.#queue, ...this.#slots.flatMap(({ job }) => job ?? [])];
    this.#queue = [];
    for (const slot of [...this.#slots]) this.#removeSlot(slot);
    clearTimeout(this.#preempting);
    clearTimeout(this.#idle);
    for (const job of jobs) job.reject(new CrashError('the pool is closed'));
  }

  /** @param {Job} job @param {boolean} [first] ahead of its equals */
  #enqueue(job, first = false) {
    const at = this.#queue.findIndex(({ priority }) =>
      first ? priority <= job.priority : priority < job.priority,
    );
    this.#queue.splice(at < 0 ? this.#queue.length : at, 0, job);
  }

  /** Gives waiting tasks to idle workers, and to new ones while there may be more. */
  #dispatch() {
    clearTimeout(this.#preempting);
    while (this.#queue.length > 0 && !this.#closed) {
      const busy = this.#slots.filter(({ job }) => job).length;
      if (busy >= this.#limit) break;
      const idle = this.#slots.find(({ job }) => !job);
      if (!idle && busy > 0 && performance.now() < this.#growsFrom) break;
      const slot = idle ?? this.#spawnWorker();
      const job = /** @type {Job} */ (this.#queue.shift());
      slot.job = job;
      const build = PAPER_TASKS.has(job.task.kind) ? this.#build : 'sfc_bench_lab';
      slot.connection.sendTask(job.id, build, job.task);
    }
    if (this.#queue.length > 0) {
      // While none comes up, none is ended either: it would not be made up for.
      const pause = this.#growsFrom - performance.now();
      this.#preempting =
        pause > 0 ? setTimeout(() => this.#dispatch(), pause) : setTimeout(() => this.#preempt(), PREEMPT_DELAY);
    }
    this.#scheduleRelease();
  }

  /** Takes the worker of a task of lower rank than the first that waits; that one is done later. */
  #preempt() {
    const [waiting] = this.#queue;
    if (!waiting) return;
    const [slot] = this.#slots
      .filter(({ job }) => job && job.priority < waiting.priority)
      .sort((a, b) => (b.job?.id ?? 0) - (a.job?.id ?? 0));
    if (!slot) return;
    const { job } = slot;
    this.#removeSlot(slot);
    if (job) this.#enqueue(job, true);
    this.#dispatch();
  }

  /** @param {Job} job */
  #cancelJob(job) {
    this.#queue = this.#queue.filter((other) => other !== job);
    const slot = this.#slots.find((other) => other.job === job);
    if (slot) {
      // A task is one synchronous call: ending it means ending its worker.
      this.#removeSlot(slot);
      this.warmUp();
    }
    this.#dispatch();
  }

  /** @param {Slot} slot */
  #removeSlot(slot) {
    slot.connection.end();
    slot.job = null;
    this.#slots = this.#slots.filter((other) => other !== slot);
  }

  /** @returns {Slot} */
  #spawnWorker() {
    const connection = new Connection(this.#makeWorker, this.#modules, {
      hear: (message) => this.#handleMessage(slot, message),
      lost: (reason) => this.#handleLost(slot, reason),
    });
    /** @type {Slot} */
    const slot = { connection, job: null, memory: 0, cameUp: false };
    this.#slots.push(slot);
    connection.sendModule(this.#build);
    return slot;
  }

  /** @param {Slot} slot @param {FromWorker} message */
  #handleMessage(slot, message) {
    if (message.type === 'ready') slot.cameUp = true;
    const { job } = slot;
    if (!job || !('id' in message) || message.id !== job.id) return;
    switch (message.type) {
      case 'progress':
        try {
          job.onProgress(message.stage, message.fraction, message.detail);
        } catch (error) {
          // Whoever asked hears of it by the promise: uncaught, it would end a program in Node.
          this.#cancelJob(job);
          job.reject(error);
        }
        return;
      case 'crashed':
        this.#handleLost(slot, message.message);
        return;
      case 'done':
      case 'failed':
        slot.job = null;
        slot.memory = message.memory ?? 0;
        this.#dispatch();
        if (message.type === 'done') job.resolve(message.result);
        else job.reject(new RefusalError(message.problem));
        return;
    }
  }

  /** @param {Slot} slot @param {string} reason */
  #handleLost(slot, reason) {
    if (!this.#slots.includes(slot)) return;
    const { job, cameUp, connection } = slot;
    this.#removeSlot(slot);
    // Where none comes to life, another try is the same again: it was started more than once already.
    const hopeless = !connection.hasLived && !this.#slots.some((other) => other.connection.hasLived);
    // Without a network, say, none is added: those that there are do its work.
    const isExtra = !cameUp && this.#slots.some((other) => other.cameUp);
    if (isExtra) this.#growsFrom = performance.now() + GROW_DELAY;
    if (job) {
      if (!isExtra) job.tries -= 1;
      if (job.tries > 0 && !hopeless) this.#enqueue(job, true);
      else job.reject(new CrashError(reason));
    }
    // One that never came up is not replaced at once, or a missing file would loop.
    if (cameUp) this.warmUp();
    this.#dispatch();
  }

  /** Lets workers go that nobody needs any more; one stays, unless it has grown. */
  #scheduleRelease() {
    clearTimeout(this.#idle);
    const idle = () => this.#slots.filter(({ job }) => !job);
    const grown = () => idle().filter(({ memory }) => memory > RECYCLE_BYTES);
    const soon = grown().length > 0;
    if (this.#slots.length <= 1 && !soon) return;
    this.#idle = setTimeout(
      () => {
        for (const slot of soon ? grown() : idle().slice(0, this.#slots.length - 1)) this.#removeSlot(slot);
        if (soon) this.#scheduleRelease();
      },
      soon ? GROWN_IDLE_TIMEOUT : IDLE_TIMEOUT,
    );
    // In Node a timer keeps the program from ending; nobody waits for this one.
    /** @type {any} */ (this.#idle).unref?.();
  }
}
