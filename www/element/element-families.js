// @ts-check
/**
 * A study of families in an <sfc-bench>: its members are shared out to the workers once for all elements
 * of the page that show it. Loaded with the first element that does.
 */

import { RefCountedCache } from '../workers/shared-promise.js';
import { runLinearJobs, toMemberConfig, runFamiliesJobs } from '../workers/families-jobs.js';
import { StudyPresenter } from './element-study.js';

/** @typedef {import('./element-state.js').Wish} Wish */

/**
 * @typedef {object} Shared a study that several may wait for
 * @property {FamiliesJob[]} jobs
 * @property {FamiliesResult[]} results as they come
 * @property {FamiliesResult[]} linear the same circuit read out by sums alone, where it is nonlinear
 * @property {Set<(found: FamiliesResult) => void>} listeners
 * @property {Promise<number>} finished after how many milliseconds
 * @property {AbortController} ending
 */

/** Studies under way and those that are on show. @type {RefCountedCache<Shared>} */
const studies = new RefCountedCache();

/** @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {FamiliesConfig} config @returns {Shared} */
function startStudy(core, pool, config) {
  /** @type {Shared} */
  const study = {
    jobs: core.families_jobs(config),
    results: [],
    linear: [],
    listeners: new Set(),
    finished: Promise.resolve(0),
    ending: new AbortController(),
  };
  const shared = { pool, config, signal: study.ending.signal };
  const all = async () => {
    const start = performance.now();
    await runFamiliesJobs({
      ...shared,
      jobs: study.jobs,
      onResult(found) {
        study.results.push(found);
        for (const listener of study.listeners) listener(found);
      },
    });
    study.linear = await runLinearJobs(core, shared);
    return performance.now() - start;
  };
  study.finished = all();
  return study;
}

/** A study in one element, under its reading of completeness. @extends {StudyPresenter<FamiliesView>} */
export class FamiliesPresenter extends StudyPresenter {
  #gathered;
  #share;
  #study;
  #listener;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {Wish} wish
   * @param {import('./element-study.js').Hears} hears
   */
  constructor(core, pool, wish, { onChange, onProgress, onFail }) {
    super(wish);
    const config = /** @type {FamiliesConfig} */ (wish.study);
    const view = (this.#gathered = core.gather_families(config));
    const plain = toMemberConfig(config);
    this.#share = studies.acquire(JSON.stringify(plain), () => startStudy(core, pool, plain));
    const study = (this.#study = this.#share.made);
    /** Whether its method has all of its members now. @param {FamiliesResult} found */
    const add = (found) => {
      const finished = view.add_result(found);
      // There is nothing to draw before.
      if (finished) this.view = view;
      return finished;
    };
    study.results.forEach(add);
    /** @param {FamiliesResult} found */
    this.#listener = (found) => (add(found) ? onChange() : onProgress());
    study.listeners.add(this.#listener);
    study.finished.then(
      (ms) => {
        if (this.closed) return;
        view.set_linear(study.linear);
        this.ms = ms;
        onChange();
      },
      (error) => {
        this.#share.forget();
        if (!this.closed) onFail(error);
      },
    );
  }

  /** @param {Wish} wish @override */
  static keyOf({ study }) {
    return JSON.stringify(study);
  }

  /** @override */
  summarize() {
    return this.ms === null ? '' : this.#gathered.headline();
  }

  /** @override */
  progressText() {
    const { results, jobs } = this.#study;
    return this.ms === null ? `Comparing: ${results.length} of ${jobs.length} members.` : '';
  }

  /** @override */
  warnings() {
    return this.ms === null ? [] : this.#gathered.warnings();
  }

  /** @param {Wish} wish @returns {import('./element-study.js').Result | null} @override */
  result({ settings: { weights } }) {
    if (this.ms === null) return null;
    return { kind: 'families', report: JSON.parse(this.#gathered.json()), weights, ms: this.ms };
  }

  /** @override */
  release() {
    this.#study.listeners.delete(this.#listener);
    this.#share.release();
    this.view = this.#gathered;
  }
}
