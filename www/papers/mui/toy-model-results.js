// @ts-check
/**
 * The index of the toy model, checkpoint by checkpoint, how it grows, and the experiments. What was measured under other
 * settings is kept, since readers go back and forth.
 */

import { loadToyModelFiles } from '../../toy-model/model-files.js';
import { JobResults } from '../../study/job-results.js';
import { describeError } from '../../shell/dom.js';
import { addToReport, createJob } from '../../workers/study-jobs.js';

/** @typedef {import('../../types/core.d.ts').MuiReport} Report */

/** What the growth is called among what is measured. */
const GROWTH_PART = 'the growth';

/** All checkpoints and the growth: what the reader has opened comes first. @param {Lab} core @param {StudySettings} settings */
function listParts(core, settings) {
  const names = core.little_checkpoints();
  names.sort((a, b) => Number(b === settings.checkpoint) - Number(a === settings.checkpoint));
  const [opened, ...others] = names.map((name) => createJob(core, 'mui', settings, name));
  return [...(opened ? [opened] : []), { ...createJob(core, 'mui', settings, 'growth'), name: GROWTH_PART }, ...others];
}

/**
 * @typedef {object} Told
 * @property {() => void} onFound something more is there
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

/** @extends {JobResults<'mui'>} */
export class MuiMeasurement extends JobResults {
  #core;
  #pool;
  #told;
  /** Experiments, by their jobs' keys. @type {Map<string, Report>} */
  #experiments = new Map();
  /** @type {{ settings: StudySettings, jobs: import('../../workers/study-jobs.js').Job[] } | null} */
  #list = null;
  /** @type {AbortController | null} */
  #asking = null;
  /** How long all checkpoints took, in milliseconds, by what was asked for. @type {Map<string, number>} */
  #took = new Map();
  /** What was asked for last. */
  #key = '';

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool @param {Told} told */
  constructor(core, pool, told) {
    const onEnd = () => {
      if (this.took !== null) this.#took.set(this.#key, this.took);
      told.onEnd();
    };
    super(core, pool, 'mui', { onFound: told.onFound, onEnd }, (settings) => listParts(core, settings));
    this.#core = core;
    this.#pool = pool;
    this.#told = told;
  }

  /** @param {StudySettings} settings @override */
  report(settings) {
    const report = super.report(settings);
    for (const { key } of this.#experimentsFor(settings)) {
      const found = this.#experiments.get(key);
      if (found) addToReport(report, found);
    }
    return report;
  }

  /** How many checkpoints are measured. @param {StudySettings} settings */
  countCheckpoints(settings) {
    return this.listMeasured(settings).filter((name) => name !== GROWTH_PART).length;
  }

  /** The experiments, which are looked up once for the same settings. @param {StudySettings} settings */
  #experimentsFor(settings) {
    if (this.#list?.settings !== settings) {
      const jobs = this.#core.mui_experiments().map((name) => createJob(this.#core, 'mui', settings, name));
      this.#list = { settings, jobs };
    }
    return this.#list.jobs;
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
    let failed = '';
    for (const { name, key, needs, task } of this.#experimentsFor(settings)) {
      if (this.#experiments.has(key)) continue;
      tell(name);
      try {
        const files = await loadToyModelFiles(this.#core, needs);
        if (signal.aborted) return;
        this.#experiments.set(key, await this.#pool.submit(task(files), { signal }));
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
    return this.#took.get(this.#durationKey(settings)) ?? null;
  }

  /** All checkpoints depend on the same. @param {StudySettings} settings */
  #durationKey(settings) {
    return createJob(this.#core, 'mui', settings, this.#core.little_checkpoints()[0] ?? '').key;
  }

  /** @param {StudySettings} settings @override */
  measure(settings) {
    this.#key = this.#durationKey(settings);
    return super.measure(settings);
  }
}
