// @ts-check
/**
 * The index of the little model, checkpoint by checkpoint: each is fetched, measured by a worker and told as soon
 * as it is there. What was measured under other settings is kept, since readers go back and forth.
 */

import { littleFiles } from '../../little/files.js';
import { reason } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').MuiCheckpointFound} Found */
/** @typedef {import('../../types/core.d.ts').MuiGrowth} Growth */
/** @typedef {import('../../types/core.d.ts').MuiExperiments} Experiments */

/** What the paper's corollaries ask, in the order of the page. */
export const EXPERIMENTS = /** @type {const} */ ([
  'diversity',
  'domains',
  'difficulty',
  'length',
  'masking',
  'scores',
  'cutoffs',
  'selection',
  'contamination',
  'correctness',
  'models',
  'features',
]);

/** What a measurement depends on; the checkpoint only says which is opened. */
export const KNOBS = ['prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'];

/** @param {StudySettings} settings */
const keyOf = (settings) => JSON.stringify(KNOBS.map((name) => settings[name]));
/** @param {StudySettings} settings */
const growthKeyOf = (settings) => JSON.stringify([keyOf(settings), settings.checkpoint, settings.task]);

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
    return this.#growth.get(growthKeyOf(settings)) ?? null;
  }

  /** Whether all of it is there. @param {StudySettings} settings */
  whole(settings) {
    return this.of(settings).length === this.#core.little_checkpoints().length && this.growthOf(settings) !== null;
  }

  /** @param {StudySettings} settings @returns {Experiments} */
  experimentsOf(settings) {
    const none = EXPERIMENTS.map((name) => /** @type {const} */ ([name, null]));
    return { .../** @type {Experiments} */ (Object.fromEntries(none)), ...this.#experiments.get(growthKeyOf(settings)) };
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
    const key = growthKeyOf(settings);
    const found = this.#experiments.get(key) ?? {};
    this.#experiments.set(key, found);
    let failed = '';
    for (const name of EXPERIMENTS) {
      if (found[name]) continue;
      tell(name);
      try {
        const files = await littleFiles(this.#core, this.#core.mui_experiment_needs(settings, name));
        if (signal.aborted) return;
        const one = await this.#pool.submit({ kind: 'study-experiment', settings, name, files }, { signal });
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
      const files = await littleFiles(this.#core, this.#core.little_needs('mui', name));
      if (signal.aborted) return;
      const task = /** @type {const} */ ({ kind: 'study-checkpoint', settings, checkpoint: name, files });
      found.set(name, await this.#pool.submit(task, { signal, priority: name === settings.checkpoint ? 2 : 0 }));
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
    const files = await littleFiles(this.#core, this.#core.little_needs('mui', settings.checkpoint));
    if (signal.aborted) return;
    const found = await this.#pool.submit({ kind: 'study-growth', settings, files }, { signal, priority: 1 });
    this.#growth.set(growthKeyOf(settings), found);
    if (!signal.aborted) this.#told.onFound();
  }
}
