// @ts-check
/**
 * The page's end of one worker: the core's modules on their way to it, tasks, and news of its death,
 * which is watched for from its birth. `serve.js` is the other end.
 */

import { startWithRetry } from './startup.js';

/** How often a pulse is listened for, in milliseconds. */
const TICK_MS = 100;
/** A worker whose pulse is missed more often than this has ended. */
const MISSED_TICKS_MAX = 15;

/**
 * @typedef {object} Listener
 * @property {(message: FromWorker) => void} hear
 * @property {(reason: string) => void} lost told once: nothing comes from this worker any more
 */

export class Connection {
  /** @type {Worker | null} */
  #worker = null;
  #modules;
  #listener;
  /** What waits until it lives. @type {ToWorker[]} */
  #early = [];
  /** Builds that the worker has, or that are on their way. @type {Set<Build>} */
  #given = new Set();
  /** Ends the watch over its life. */
  #life = new AbortController();
  /** Ends what has not come to life. */
  #unborn;

  /**
   * @param {() => Worker} make starts one; asked again where it ends before it has said a word
   * @param {(build: Build) => Promise<WebAssembly.Module>} modules compiled once for all workers
   * @param {Listener} listener
   */
  constructor(make, modules, listener) {
    this.#modules = modules;
    this.#listener = listener;
    this.#unborn = startWithRetry(make, {
      lives: (worker, sign) => this.#handleAlive(worker, sign),
      hear: listener.hear,
      failed: (reason) => this.#reportLost(reason),
    });
  }

  /** Whether it ever lived. */
  get hasLived() {
    return this.#worker !== null;
  }

  /** Has the worker get a build, once it is compiled. @param {Build} build */
  async sendModule(build) {
    if (this.#given.has(build)) return;
    this.#given.add(build);
    try {
      const module = await this.#modules(build);
      this.#post({ type: 'module', build, module });
    } catch (error) {
      this.#reportLost(error instanceof Error ? error.message : String(error));
    }
  }

  /** Asks for a task, with a build that the worker gets first if it has not got it. @param {number} id @param {Build} build @param {Task} task */
  sendTask(id, build, task) {
    this.#post({ type: 'task', id, build, task });
    this.sendModule(build);
  }

  /** Ends the worker; nothing is heard of it any more. */
  end() {
    this.#life.abort();
    this.#unborn();
    this.#worker?.terminate();
  }

  /** @param {Worker} worker @param {Sign} sign */
  #handleAlive(worker, { lock, pulse }) {
    this.#worker = worker;
    const { signal } = this.#life;
    // A message may already be on its way when its worker is ended. (The signal alone would shut it out, but Node may have
    // collected what takes a listener away.)
    worker.addEventListener(
      'message',
      (/** @type {MessageEvent<FromWorker>} */ { data }) => {
        if (!signal.aborted) this.#listener.hear(data);
      },
      { signal },
    );
    worker.addEventListener(
      'error',
      (event) => this.#reportLost(event.message || 'its code could not be loaded'),
      { signal },
    );
    worker.addEventListener('messageerror', () => this.#reportLost('its answer could not be read'), {
      signal,
    });
    if (lock) this.#watchLock(lock);
    if (pulse) this.#watchPulse(pulse);
    for (const message of this.#early.splice(0)) worker.postMessage(message);
  }

  /** @param {ToWorker} message */
  #post(message) {
    if (this.#life.signal.aborted) return;
    if (this.#worker) this.#worker.postMessage(message);
    else this.#early.push(message);
  }

  /** @param {string} reason */
  #reportLost(reason) {
    if (this.#life.signal.aborted) return;
    this.end();
    this.#listener.lost(reason);
  }

  /**
   * A worker may end without a word (no memory, killed). It holds a lock as long as it lives, so
   * getting that lock is news of its death.
   *
   * @param {string} lock
   */
  #watchLock(lock) {
    navigator.locks
      ?.request(lock, { signal: this.#life.signal }, () => this.#reportLost('its worker ended'))
      .catch(() => {});
  }

  /**
   * Where there are no locks, the worker's pulse stops with it. Silence is counted from its first beat,
   * and by this page's own ticks: a page that sleeps hears no beats, but has no ticks either.
   *
   * @param {MessagePort} pulse
   */
  #watchPulse(pulse) {
    const { signal } = this.#life;
    let silent = -Infinity;
    pulse.onmessage = () => (silent = 0);
    const clock = setInterval(() => {
      silent += 1;
      if (silent > MISSED_TICKS_MAX) this.#reportLost('its worker ended');
    }, TICK_MS);
    signal.addEventListener('abort', () => {
      clearInterval(clock);
      pulse.close();
    });
  }
}
