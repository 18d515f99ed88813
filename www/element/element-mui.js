// @ts-check
/**
 * The Model Utilization Index in an <sfc-bench>: its paper's tables, or as much of the toy model as a figure
 * shows. What several elements ask for is measured once. Loaded with the first element that shows one.
 */

import { checkpointJob, experimentJob, growthJob, noReport, reportOf } from '../workers/mui.js';
import { JobsShow } from './element-jobs.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */
/** @typedef {import('../workers/mui.js').Job} Job */
/** @typedef {import('../types/core.d.ts').MuiReport} Report */

/** By section of the page. @type {Readonly<Record<string, import('./element-jobs.js').Elsewhere>>} */
const ELSEWHERE = {
  'mui-train': {
    words: 'A training takes its time and is not begun here: it is done on the page of the Model Utilization Index.',
    link: 'Train there',
  },
  'mui-own': {
    words: 'Files of neurons are read on the page of the Model Utilization Index.',
    link: 'Give your files there',
  },
};

/** What a figure shows. @param {Lab} core @param {any} settings @param {string} figure @param {string} section of the page @returns {Job[]} */
function jobsOf(core, settings, figure, section) {
  if (figure === 'mui-growth') return [growthJob(core, settings)];
  if (figure === 'mui-tasks') return [checkpointJob(core, settings, settings.checkpoint)];
  if (section === 'mui-model')
    return core.little_checkpoints().map((name) => checkpointJob(core, settings, name));
  return core.mui_experiments_of(figure).map((name) => experimentJob(core, settings, name));
}

/**
 * The index in one element.
 *
 * @extends {JobsShow<Report, MuiView>}
 */
export class MuiShow extends JobsShow {
  #core;
  #figure;
  #report;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {LittleWish} wish
   * @param {string} figure
   * @param {import('./element-jobs.js').Hears} hears
   * @param {unknown} given a report, which is shown instead of measuring anything; null where there is none
   */
  constructor(core, pool, wish, figure, hears, given) {
    super(wish, figure, hears, (report) => core.Study.open('mui', report));
    this.#core = core;
    this.#figure = figure;
    const report = this.read(() => (given ? reportOf(core, given) : noReport(core, wish.settings)));
    this.#report = report ?? noReport(core, wish.settings);
    if (!report) return;
    const section = core.figure_named(figure)?.section ?? '';
    const lacks = section === 'mui-own' ? !this.#report.own : this.#report.trained.length === 0;
    if (lacks) this.elsewhere = ELSEWHERE[section] ?? null;
    this.measure(core, pool, this.#report, given ? [] : jobsOf(core, wish.settings, figure, section));
  }

  /** What its numbers say of a claim, or what they are. @override */
  says() {
    if (!this.view || this.elsewhere) return '';
    const all = this.#core.mui_judgements(this.#report.experiments);
    const own = all.filter(({ figure }) => figure === this.#figure);
    const judged = own.map(({ words, found, claim }) => `${words}: ${found}. ${claim}.`);
    return judged.length > 0 ? judged.join(' ') : super.says();
  }

  /** Where every checkpoint is measured: a part has none that a link could have. @override */
  digest() {
    const whole = this.#report.checkpoints.length === this.#core.little_checkpoints().length;
    return whole ? super.digest() : null;
  }
}
