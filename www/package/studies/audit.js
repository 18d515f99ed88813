// @ts-check
/** The audit for programs: every metric on the same subjects, and what each can be trusted for. */

import { parseReport } from '../../workers/study-jobs.js';
import { clonePlain } from '../arguments.js';
import { runStudy } from './jobs.js';
import { createViews } from './views.js';

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'audit' | 'auditFigure' | 'auditTable' | 'auditWords' | 'auditMetrics'>}
 */
export function createAuditApi(tools) {
  const { withView, figure, table } = createViews(tools, 'audit', (core, report) =>
    core.Study.open('audit', parseReport(core, 'audit', clonePlain('report', report))),
  );

  return {
    audit: (draft = {}, options = {}) => runStudy(tools, 'audit', draft, options),
    auditFigure: figure,
    auditTable: table,
    auditWords: (report) => withView(report, (view) => view.audit_table()),
    auditMetrics: () => tools.withCore((core) => core.audit_metrics()),
  };
}
