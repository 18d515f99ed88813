// @ts-check
/**
 * A study in an <sfc-bench> that is measured job by job: as much of it as a figure shows. What several elements ask for
 * is measured once.
 */

import { loadToyModelFiles } from '../toy-model/model-files.js';
import * as audit from '../workers/audit-jobs.js';
import * as measurement from '../workers/measurement-jobs.js';
import * as mui from '../workers/mui-jobs.js';
import { RefCountedCache } from '../workers/shared-promise.js';
import { StudyPresenter } from './element-study.js';

/** @typedef {import('../workers/report-jobs.js').Job} Job */

/**
 * @typedef {object} Study
 * @property {(core: Lab, settings: StudySettings) => any} createEmptyReport
 * @property {(core: Lab, given: unknown) => any} parseReport
 * @property {(core: Lab, settings: StudySettings, figure: string, section: string) => Job[]} jobsOf what a figure shows, which
 *   stands in a section of the study's page
 */

/** @type {Record<string, Study>} */
const STUDIES = {
  audit: { ...audit, jobsOf: audit.createAuditJobs },
  measurement: {
    ...measurement,
    jobsOf(core, settings, _figure, section) {
      if (section === 'measure-one') return [measurement.createDetailJob(core, settings)];
      const all = ['measure-all', 'measure-verdicts'].includes(section);
      return all ? core.measure_parts(settings).map((name) => measurement.createPartJob(core, settings, name)) : [];
    },
  },
  mui: {
    ...mui,
    jobsOf(core, settings, figure, section) {
      if (figure === 'mui-growth') return [mui.createGrowthJob(core, settings)];
      if (figure === 'mui-tasks') return [mui.createCheckpointJob(core, settings, settings.checkpoint)];
      if (section === 'mui-model')
        return core.little_checkpoints().map((name) => mui.createCheckpointJob(core, settings, name));
      return core.mui_experiments_of(figure).map((name) => mui.createExperimentJob(core, settings, name));
    },
  },
};

/** Under way, and on show, by the jobs' keys. @type {RefCountedCache<{ found: Promise<any>, ending: AbortController }>} */
const measurements = new RefCountedCache();

/**
 * A share in a measurement, which is given up with the last one.
 *
 * @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {Job} job
 */
function acquireMeasurement(core, pool, { key, needs, task }) {
  const share = measurements.acquire(key, () => {
    const ending = new AbortController();
    const run = async () => pool.submit(task(await loadToyModelFiles(core, needs)), { signal: ending.signal });
    return { found: run(), ending };
  });
  share.made.found.catch(share.forget);
  return share;
}

/** A study in one element. @extends {StudyPresenter<MuiView | ScriptedView | AuditView>} */
export class JobsPresenter extends StudyPresenter {
  /** As far as it has come; nothing where what was given is no report, which is told. @type {any} */
  report;

  /** What is measured, and how much of it is there. */
  #done = 0;
  #of = 0;
  #hears;
  #core;
  #study;
  #figure;
  /** @type {ReturnType<typeof acquireMeasurement>[]} */
  #shares = [];

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {import('./element-state.js').Wish} wish
   * @param {import('./element-study.js').Hears} hears
   * @param {unknown} given a report, which is shown instead of measuring anything; null where there is none
   */
  constructor(core, pool, wish, hears, given) {
    super(wish);
    const { study, settings } = /** @type {import('./element-state.js').LittleWish} */ (wish.little);
    const figure = wish.id;
    this.#core = core;
    this.#study = study;
    this.#figure = figure;
    this.#hears = hears;
    const { createEmptyReport, parseReport, jobsOf } = /** @type {Study} */ (STUDIES[study]);
    try {
      this.report = given ? parseReport(core, given) : createEmptyReport(core, settings);
    } catch (error) {
      queueMicrotask(() => hears.onFail(error));
      return;
    }
    const section = core.figure_named(figure)?.section ?? '';
    this.#measure(pool, given ? [] : jobsOf(core, settings, figure, section));
  }

  /** Measures, if anything is to be measured. @param {import('../workers/pool.js').Pool} pool @param {Job[]} jobs */
  async #measure(pool, jobs) {
    const { report } = this;
    this.settings = report.settings;
    this.#of = jobs.length;
    if (jobs.length === 0) {
      this.#updateView();
      this.ms = 0;
      return;
    }
    const start = performance.now();
    this.#shares = jobs.map((job) => acquireMeasurement(this.#core, pool, job));
    const all = this.#shares.map(async ({ made }, at) => {
      const one = await made.found;
      if (this.closed) return;
      jobs[at]?.addToReport(report, one);
      this.#done += 1;
      if (this.#done === this.#of) this.ms = performance.now() - start;
      this.#updateView();
      this.#hears.onChange();
    });
    try {
      await Promise.all(all);
    } catch (error) {
      if (!this.closed) this.#hears.onFail(error);
    }
  }

  /** Figures are of what there is now. */
  #updateView() {
    this.setView(this.#core.Study.open(/** @type {'mui'} */ (this.#study), this.report));
  }

  /** @override */
  summarize() {
    return this.view && !this.elsewhere ? this.view.summary(this.#figure) : '';
  }

  /** @override */
  progressText() {
    if (this.#done >= this.#of) return '';
    return this.#of === 1 ? 'Measuring…' : `${this.#done} of ${this.#of} measured so far.`;
  }

  /** @override */
  release() {
    for (const share of this.#shares) share.release();
  }
}
