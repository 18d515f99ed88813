// @ts-check
/**
 * A study of families in an <sfc-bench>: its members are shared out to the workers once for all elements
 * of the page that show it. Loaded with the first element that does.
 */

import { Sharing } from '../workers/sharing.js';
import { linearOf, plainOf, shareOut } from '../workers/study.js';

/**
 * @typedef {object} Shared a study that several may wait for
 * @property {FamiliesJob[]} jobs
 * @property {FamiliesResult[]} results as they come
 * @property {FamiliesResult[]} linear the same circuit read out by sums alone, where it is nonlinear
 * @property {Set<(found: FamiliesResult) => void>} listeners
 * @property {Promise<number>} finished after how many milliseconds
 * @property {AbortController} ending
 */

/** Studies under way and those that are on show. @type {Sharing<Shared>} */
const studies = new Sharing();

/** What tells studies apart. @param {FamiliesConfig} config */
export const studyKey = (config) => JSON.stringify(config);

/** @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {FamiliesConfig} config @returns {Shared} */
function begin(core, pool, config) {
  /** @type {Shared} */
  const study = {
    jobs: core.families_jobs(config),
    results: [],
    linear: [],
    listeners: new Set(),
    finished: Promise.resolve(0),
    ending: new AbortController(),
  };
  const shared = {
    /** @type {import('../workers/study.js').Submit} */
    submit: (task, options) => pool.submit(task, options),
    size: pool.size,
    config,
    signal: study.ending.signal,
  };
  const all = async () => {
    const start = performance.now();
    await shareOut({
      ...shared,
      jobs: study.jobs,
      onResult(found) {
        study.results.push(found);
        for (const listener of study.listeners) listener(found);
      },
    });
    study.linear = await linearOf(core, shared);
    return performance.now() - start;
  };
  study.finished = all();
  return study;
}

/** A study in one element, under its reading of completeness. */
export class FamiliesShow {
  view;
  /** Milliseconds it took; null until all members are there. @type {number | null} */
  ms = null;

  #share;
  #study;
  #listener;
  #closed = false;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {FamiliesConfig} config
   * @param {object} hears
   * @param {(method: boolean) => void} hears.onChange a member arrived; whether it was its method's last
   * @param {() => void} hears.onDone
   * @param {(error: unknown) => void} hears.onFail
   */
  constructor(core, pool, config, { onChange, onDone, onFail }) {
    this.view = core.gather_families(config);
    const plain = plainOf(config);
    this.#share = studies.take(studyKey(plain), () => begin(core, pool, plain));
    const study = (this.#study = this.#share.made);
    for (const found of study.results) this.view.add_result(found);
    /** @param {FamiliesResult} found */
    this.#listener = (found) => onChange(this.view.add_result(found));
    study.listeners.add(this.#listener);
    study.finished.then(
      (ms) => {
        if (this.#closed) return;
        this.view.set_linear(study.linear);
        this.ms = ms;
        onDone();
      },
      (error) => {
        this.#share.forget();
        if (!this.#closed) onFail(error);
      },
    );
  }

  /** How far it is, in words. */
  progress() {
    const { results, jobs } = this.#study;
    return `${results.length} of ${jobs.length} members`;
  }

  /** A study that nobody shows any more is given up. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#study.listeners.delete(this.#listener);
    this.#share.release();
    this.view.free();
  }
}
