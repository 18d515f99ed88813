// @ts-check
/**
 * The index of the toy model, checkpoint by checkpoint, how it grows, and the experiments. What was measured under other
 * settings is kept, since readers go back and forth.
 */

import { loadToyModelFiles } from '../../toy-model/model-files.js';
import { JobResults } from '../../study/job-results.js';
import { describeError } from '../../shell/dom.js';
import { createCheckpointJob, createExperimentJob, createGrowthJob, measurementKey, createEmptyExperiments, openedCheckpointKey } from '../../workers/mui-jobs.js';

/** @typedef {import('../../types/core.d.ts').MuiCheckpointFound} Found */
/** @typedef {import('../../types/core.d.ts').MuiGrowth} Growth */
/** @typedef {import('../../types/core.d.ts').MuiExperiments} Experiments */

/** What the growth is called among what is measured. */
const GROWTH_PART = 'the growth';

/** All checkpoints and the growth: what the reader has opened comes first. @param {Lab} core @param {StudySettings} settings */
function listParts(core, settings) {
  const names = core.little_checkpoints();
  names.sort((a, b) => Number(b === settings.checkpoint) - Number(a === settings.checkpoint));
  const [opened, ...others] = names.map((name) => createCheckpointJob(core, settings, name));
  return [...(opened ? [opened] : []), { ...createGrowthJob(core, settings), name: GROWTH_PART }, ...others];
}

/**
 * @typedef {object} Told
 * @property {() => void} onFound something more is there
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

/** @extends {JobResults<Found | Growth>} */
export class MuiMeasurement extends JobResults {
  #core;
  #pool;
  #told;
  /** By what was asked for. @type {Map<string, Partial<Experiments>>} */
  #experiments = new Map();
  /** @type {AbortController | null} */
  #asking = null;
  /** How long all checkpoints took, in milliseconds, by what was asked for. @type {Map<string, number>} */
  #took = new Map();
  /** What was asked for last. */
  #key = '';

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool @param {Told} told */
  constructor(core, pool, told) {
    super(core, pool, (settings) => listParts(core, settings), {
      onFound: told.onFound,
      onEnd: () => {
        if (this.took !== null) this.#took.set(this.#key, this.took);
        told.onEnd();
      },
    });
    this.#core = core;
    this.#pool = pool;
    this.#told = told;
  }

  /** The checkpoints that there are under these settings. @param {StudySettings} settings */
  listCheckpoints(settings) {
    return this.listMeasured(settings).flatMap(([name, found]) => (name === GROWTH_PART ? [] : [/** @type {Found} */ (found)]));
  }

  /** @param {StudySettings} settings */
  findGrowth(settings) {
    const found = this.listMeasured(settings).find(([name]) => name === GROWTH_PART);
    return found ? /** @type {Growth} */ (found[1]) : null;
  }

  /** @param {StudySettings} settings @returns {Experiments} */
  listExperiments(settings) {
    return { ...createEmptyExperiments(this.#core), ...this.#experiments.get(openedCheckpointKey(settings)) };
  }

  /**
   * Does the experiments that are missing, one after the other; those under other settings end.
   *
   * @param {StudySettings} settings
   * @param {(name: string | null, why?: string) => void} tell which is under way; none at the end, and why one failed
   */
  async runExperiments(settings, tell) {
    this.#asking?.abort();
    const { signal } = (this.#asking = new AbortController());
    const key = openedCheckpointKey(settings);
    const found = this.#experiments.get(key) ?? {};
    this.#experiments.set(key, found);
    let failed = '';
    for (const name of /** @type {(keyof Experiments)[]} */ (this.#core.mui_experiments())) {
      if (found[name]) continue;
      tell(name);
      try {
        const { needs, task } = createExperimentJob(this.#core, settings, name);
        const files = await loadToyModelFiles(this.#core, needs);
        if (signal.aborted) return;
        const one = await this.#pool.submit(task(files), { signal });
        Object.assign(found, { [name]: one[name] });
        if (signal.aborted) return;
        this.#told.onFound();
      } catch (error) {
        if (signal.aborted) return;
        failed ||= `${name}: ${describeError(error)}`;
      }
    }
    tell(null, failed);
  }

  /** How long all of it took, in milliseconds, where it was measured at one go. @param {StudySettings} settings */
  measuredDuration(settings) {
    return this.#took.get(measurementKey(settings)) ?? null;
  }

  /** @param {StudySettings} settings @override */
  measure(settings) {
    this.#key = measurementKey(settings);
    return super.measure(settings);
  }
}
