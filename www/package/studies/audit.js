// @ts-check
/** The audit for programs: every metric on the same subjects, and what each can be trusted for. */

import { createAuditJobs, createEmptyReport, parseReport } from '../../workers/audit-jobs.js';
import { clonePlain } from '../arguments.js';
import { runStudy } from './jobs.js';
import { createViews } from './views.js';

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'audit' | 'auditFigure' | 'auditTable' | 'auditWords' | 'auditMetrics'>}
 */
export function createAuditApi(tools) {
  const { withView, figure, table } = createViews(tools, 'audit', (core, report) =>
    core.Study.open('audit', parseReport(core, clonePlain('report', report))),
  );

  return {
    audit: (draft = {}, options = {}) => runStudy(tools, 'audit', draft, { createEmptyReport, jobsOf: createAuditJobs }, options),
    auditFigure: figure,
    auditTable: table,
    auditWords: (report) => withView(report, (view) => view.audit_table()),
    auditMetrics: () => tools.withCore((core) => core.audit_metrics()),
  };
}
