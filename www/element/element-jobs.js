// @ts-check
/**
 * A study in an <sfc-bench> that is measured job by job: as much of it as a figure shows. What several elements ask for
 * is measured once.
 */

import { loadToyModelFiles } from '../toy-model/model-files.js';
import { RefCountedCache } from '../workers/shared-promise.js';
import { addToReport, createJob, parseReport } from '../workers/study-jobs.js';
import { StudyPresenter } from './element-study.js';

/** @typedef {import('../workers/study-jobs.js').Job} Job */

/**
 * The jobs, by name, of what a figure shows, which stands in a section of the study's page.
 *
 * @type {Record<string, (core: Lab, settings: StudySettings, figure: string, section: string) => string[]>}
 */
const JOBS_OF_FIGURE = {
  audit: (core, settings) => core.study_jobs('audit', settings),
  measurement(core, settings, _figure, section) {
    if (section === 'measure-one') return [String(settings.metric)];
    return ['measure-all', 'measure-verdicts'].includes(section) ? core.study_jobs('measurement', settings) : [];
  },
  mui(core, settings, figure, section) {
    if (figure === 'mui-growth') return ['growth'];
    if (figure === 'mui-tasks') return [String(settings.checkpoint)];
    return section === 'mui-model' ? core.little_checkpoints() : core.mui_experiments_of(figure);
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
    const { study: name, settings } = /** @type {import('./element-state.js').LittleWish} */ (wish.little);
    const study = /** @type {'audit' | 'measurement' | 'mui'} */ (name);
    const figure = wish.id;
    this.#core = core;
    this.#study = study;
    this.#figure = figure;
    this.#hears = hears;
    try {
      this.report = given ? parseReport(core, study, given) : core.study_empty_report(study, settings);
    } catch (error) {
      queueMicrotask(() => hears.onFail(error));
      return;
    }
    const section = core.figure_named(figure)?.section ?? '';
    const names = given ? [] : (JOBS_OF_FIGURE[study]?.(core, settings, figure, section) ?? []);
    this.#measure(pool, names.map((job) => createJob(core, study, settings, job)));
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
    const all = this.#shares.map(async ({ made }) => {
      const one = await made.found;
      if (this.closed) return;
      addToReport(report, one);
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
