// @ts-check
/** The audit in an <sfc-bench>: its table, or what a metric rests on. Loaded with the first element that shows one. */

import { auditJobs, noReport, reportOf } from '../workers/audit.js';
import { JobsShow } from './element-jobs.js';

/** @typedef {import('../types/core.d.ts').AuditReport} Report */

/**
 * The audit in one element.
 *
 * @extends {JobsShow<Report, AuditView>}
 */
export class AuditShow extends JobsShow {
  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {import('./element-state.js').LittleWish} wish
   * @param {string} figure
   * @param {import('./element-jobs.js').Hears} hears
   * @param {unknown} given a report, which is shown instead of measuring anything; null where there is none
   */
  constructor(core, pool, wish, figure, hears, given) {
    super(wish, figure, hears, (report) => core.Study.open('audit', report));
    const report = this.read(() => (given ? reportOf(core, given) : noReport(wish.settings)));
    if (report) this.measure(core, pool, report, given ? [] : auditJobs(core, wish.settings));
  }
}
