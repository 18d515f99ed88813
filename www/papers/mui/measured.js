// @ts-check
/**
 * The index of the toy model, checkpoint by checkpoint, how it grows, and the experiments. What was measured under other
 * settings is kept, since readers go back and forth.
 */

import { littleFiles } from '../../little/files.js';
import { MeasuredParts } from '../../little/measured-parts.js';
import { reason } from '../../shell/dom.js';
import { checkpointJob, experimentJob, growthJob, keyOf, noExperiments, openedKeyOf } from '../../workers/mui.js';

/** @typedef {import('../../types/core.d.ts').MuiCheckpointFound} Found */
/** @typedef {import('../../types/core.d.ts').MuiGrowth} Growth */
/** @typedef {import('../../types/core.d.ts').MuiExperiments} Experiments */

/** What the growth is called among what is measured. */
const GROWTH = 'the growth';

/** All checkpoints and the growth: what the reader has opened comes first. @param {Lab} core @param {StudySettings} settings */
function partsOf(core, settings) {
  const names = core.little_checkpoints();
  names.sort((a, b) => Number(b === settings.checkpoint) - Number(a === settings.checkpoint));
  const [opened, ...others] = names.map((name) => checkpointJob(core, settings, name));
  return [...(opened ? [opened] : []), { ...growthJob(core, settings), name: GROWTH }, ...others];
}

/**
 * @typedef {object} Told
 * @property {() => void} onFound something more is there
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

/** @extends {MeasuredParts<Found | Growth>} */
export class Measured extends MeasuredParts {
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
    super(core, pool, (settings) => partsOf(core, settings), {
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
  checkpointsOf(settings) {
    return this.of(settings).flatMap(([name, found]) => (name === GROWTH ? [] : [/** @type {Found} */ (found)]));
  }

  /** @param {StudySettings} settings */
  growthOf(settings) {
    const found = this.of(settings).find(([name]) => name === GROWTH);
    return found ? /** @type {Growth} */ (found[1]) : null;
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

  /** @param {StudySettings} settings @override */
  measure(settings) {
    this.#key = keyOf(settings);
    return super.measure(settings);
  }
}
