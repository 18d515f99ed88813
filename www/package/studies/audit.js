// @ts-check
/** The audit for programs: every metric on the same subjects, and what each can be trusted for. */

import { auditJobs, noReport, reportOf } from '../../workers/audit.js';
import { plain } from '../given.js';
import { asked } from '../refusal.js';
import { configured } from './checks.js';
import { runJobs } from './jobs.js';
import { figureTable, figureText } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'audit' | 'auditFigure' | 'auditTable' | 'auditWords' | 'auditMetrics'>}
 */
export function createAuditApi(tools) {
  const { withCore, open } = tools;

  /** @param {Lab} core @param {unknown} report */
  const viewOf = (core, report) => core.Study.open('audit', reportOf(core, plain('report', report)));

  return {
    async audit(draft = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const { settings, jobs } = asked(() => {
        const wanted = configured(core, 'audit', draft);
        return { settings: wanted, jobs: auditJobs(core, wanted) };
      });
      const report = noReport(settings);
      await runJobs(tools, core, report, jobs, { onProgress, signal });
      // In the order in which they are asked for, in whichever they came.
      const order = jobs.map(({ name }) => name);
      report.jobs.sort((a, b) => order.indexOf(a.job) - order.indexOf(b.job));
      return report;
    },
    auditFigure: (report, name, options) =>
      withCore((core) => figureText(core, 'audit', viewOf(core, report), name, options)),
    auditTable: (report, name) => withCore((core) => figureTable(core, 'audit', viewOf(core, report), name)),
    auditWords: (report) =>
      withCore((core) => {
        const view = viewOf(core, report);
        try {
          return view.audit_table();
        } finally {
          view.free();
        }
      }),
    auditMetrics: () => withCore((core) => core.audit_metrics()),
  };
}
