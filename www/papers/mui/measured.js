// @ts-check
/**
 * The index of the toy model, checkpoint by checkpoint: each is fetched, measured by a worker and told as soon
 * as it is there. What was measured under other settings is kept, since readers go back and forth.
 */

import { littleFiles } from '../../little/files.js';
import { reason } from '../../shell/dom.js';
import { checkpointJob, experimentJob, growthJob, keyOf, noExperiments, openedKeyOf } from '../../workers/mui.js';

/** @typedef {import('../../types/core.d.ts').MuiCheckpointFound} Found */
/** @typedef {import('../../types/core.d.ts').MuiGrowth} Growth */
/** @typedef {import('../../types/core.d.ts').MuiExperiments} Experiments */

/**
 * @typedef {object} Told
 * @property {() => void} onFound something more is there
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

export class Measured {
  #core;
  #pool;
  #told;
  /** By what was asked for. @type {Map<string, Map<string, Found>>} */
  #found = new Map();
  /** @type {Map<string, Growth>} */
  #growth = new Map();
  /** @type {Map<string, Partial<Experiments>>} */
  #experiments = new Map();
  /** @type {AbortController | null} */
  #asking = null;
  /** @type {AbortController | null} */
  #running = null;
  /** Why something is missing, by checkpoint. @type {Map<string, string>} */
  missing = new Map();
  cancelled = false;
  /** How long all checkpoints took, in milliseconds, by what was asked for. @type {Map<string, number>} */
  #took = new Map();

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool @param {Told} told */
  constructor(core, pool, told) {
    this.#core = core;
    this.#pool = pool;
    this.#told = told;
  }

  get running() {
    return this.#running !== null;
  }

  /** The checkpoints that there are under these settings. @param {StudySettings} settings */
  of(settings) {
    return [...(this.#found.get(keyOf(settings))?.values() ?? [])];
  }

  /** @param {StudySettings} settings */
  growthOf(settings) {
    return this.#growth.get(openedKeyOf(settings)) ?? null;
  }

  /** Whether all of it is there. @param {StudySettings} settings */
  whole(settings) {
    return this.of(settings).length === this.#core.little_checkpoints().length && this.growthOf(settings) !== null;
  }

  /** @param {StudySettings} settings @returns {Experiments} */
  experimentsOf(settings) {
    return { ...noExperiments(this.#core), ...this.#experiments.get(openedKeyOf(settings)) };
  }

  /**
   * Does the experiments that are missing, one after the other; those under other settings end.
   *
   * @param {StudySettings} settings
   * @param {(name: string | null, why?: string) => void} tell which is under way; none at the end, and why one failed
   */
  async ask(settings, tell) {
    this.#asking?.abort();
    const { signal } = (this.#asking = new AbortController());
    const key = openedKeyOf(settings);
    const found = this.#experiments.get(key) ?? {};
    this.#experiments.set(key, found);
    let failed = '';
    for (const name of /** @type {(keyof Experiments)[]} */ (this.#core.mui_experiments())) {
      if (found[name]) continue;
      tell(name);
      try {
        const { needs, task } = experimentJob(this.#core, settings, name);
        const files = await littleFiles(this.#core, needs);
        if (signal.aborted) return;
        const one = await this.#pool.submit(task(files), { signal });
        Object.assign(found, { [name]: one[name] });
        if (signal.aborted) return;
        this.#told.onFound();
      } catch (error) {
        if (signal.aborted) return;
        failed ||= `${name}: ${reason(error)}`;
      }
    }
    tell(null, failed);
  }

  /** How long all of it took, in milliseconds, where it was measured at one go. @param {StudySettings} settings */
  tookOf(settings) {
    return this.#took.get(keyOf(settings)) ?? null;
  }

  cancel() {
    const running = this.#running;
    if (!running) return;
    this.#end(running);
    this.cancelled = true;
    this.#told.onEnd();
  }

  /** Ends what is under way: what comes of it later is nobody's. */
  stop() {
    if (this.#running) this.#end(this.#running);
  }

  /** @param {AbortController} running */
  #end(running) {
    this.#running = null;
    running.abort('no longer wanted');
  }

  /**
   * Measures what is missing; what else is under way ends.
   *
   * @param {StudySettings} settings
   */
  async measure(settings) {
    this.stop();
    const running = (this.#running = new AbortController());
    const { signal } = running;
    this.missing = new Map();
    this.cancelled = false;
    const start = performance.now();
    const key = keyOf(settings);
    /** @type {Map<string, Found>} */
    const found = this.#found.get(key) ?? new Map();
    this.#found.set(key, found);
    const names = this.#core.little_checkpoints().filter((name) => !found.has(name));
    // What the reader has opened comes first.
    names.sort((a, b) => Number(b === settings.checkpoint) - Number(a === settings.checkpoint));
    const jobs = names.map(async (name) => {
      const { needs, task } = checkpointJob(this.#core, settings, name);
      const files = await littleFiles(this.#core, needs);
      if (signal.aborted) return;
      const priority = name === settings.checkpoint ? 2 : 0;
      found.set(name, await this.#pool.submit(task(files), { signal, priority }));
      if (!signal.aborted) this.#told.onFound();
    });
    if (!this.growthOf(settings)) jobs.push(this.#grow(settings, signal));
    const ends = await Promise.allSettled(jobs);
    if (this.#running !== running) return;
    this.#running = null;
    if (names.length === this.#core.little_checkpoints().length) this.#took.set(key, performance.now() - start);
    ends.forEach((end, at) => {
      if (end.status === 'rejected') this.missing.set(names[at] ?? 'the growth', reason(end.reason));
    });
    this.#told.onEnd();
  }

  /** @param {StudySettings} settings @param {AbortSignal} signal */
  async #grow(settings, signal) {
    const { needs, task } = growthJob(this.#core, settings);
    const files = await littleFiles(this.#core, needs);
    if (signal.aborted) return;
    const found = await this.#pool.submit(task(files), { signal, priority: 1 });
    this.#growth.set(openedKeyOf(settings), found);
    if (!signal.aborted) this.#told.onFound();
  }
}
