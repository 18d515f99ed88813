// @ts-check
/**
 * Measurement theory in an <sfc-bench>: all fifteen metrics, one of them opened, or what its limits can reach. Loaded
 * with the first element that shows one.
 */

import { noReport, partJob, pictureJob, reportOf } from '../workers/measurement.js';
import { JobsShow } from './element-jobs.js';

/** @typedef {import('../types/core.d.ts').MeasurementReport} Report */

/** What a figure shows. @param {Lab} core @param {any} settings @param {string} section of the page */
function jobsOf(core, settings, section) {
  if (section === 'measure-one') return [pictureJob(core, settings)];
  const all = ['measure-all', 'measure-verdicts'].includes(section);
  return all ? core.measure_parts(settings).map((name) => partJob(core, settings, name)) : [];
}

/**
 * The fifteen metrics in one element.
 *
 * @extends {JobsShow<Report, MeasureView>}
 */
export class MeasurementShow extends JobsShow {
  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {import('./element-state.js').LittleWish} wish
   * @param {string} figure
   * @param {import('./element-jobs.js').Hears} hears
   * @param {unknown} given a report, which is shown instead of measuring anything; null where there is none
   */
  constructor(core, pool, wish, figure, hears, given) {
    super(wish, figure, hears, (report) => core.Study.open('measurement', report));
    const section = core.figure_named(figure)?.section ?? '';
    const report = this.read(() => (given ? reportOf(core, given) : noReport(wish.settings)));
    if (report) this.measure(core, pool, report, given ? [] : jobsOf(core, wish.settings, section));
  }
}
