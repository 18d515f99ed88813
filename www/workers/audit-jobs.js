// @ts-check
/** What the audit measures, a job each: the page's, the element's and the package's. */

import { createReportReader } from './report-jobs.js';

/** @typedef {import('../types/core.d.ts').AuditReport} Report */
/** @typedef {import('../types/core.d.ts').AuditJob} Found */

/** A job is measured the same whatever it is judged by. @param {StudySettings} settings @param {string} name */
const jobKey = ({ preset }, name) => `${preset} ${name}`;

/**
 * All subjects of a world under a seed.
 *
 * @param {Lab} core @param {StudySettings} settings @param {string} name "stream1-0"
 * @returns {import('./report-jobs.js').Job<Report, Found>}
 */
const createAuditJob = (core, settings, name) => ({
  name,
  key: jobKey(settings, name),
  needs: core.audit_job_needs(settings.preset, name),
  task: (files) => ({ kind: 'study-call', call: 'audit_job', args: [settings, name], files }),
  addToReport(report, found) {
    report.jobs.push(found);
  },
});

/** Everything that settings ask for. @param {Lab} core @param {StudySettings} settings */
export const createAuditJobs = (core, settings) => core.audit_jobs(settings).map((name) => createAuditJob(core, settings, name));

/** Before any job: somebody waits for it. */
const TOP_PRIORITY = 900;

/**
 * A file with a report, read and judged by a worker.
 *
 * @param {Lab} core @param {import('./pool.js').Pool} pool @param {Uint8Array} bytes
 */
export async function openAuditFile(core, pool, bytes) {
  return core.AuditFile.of_judged(await pool.submit({ kind: 'study-audit-report', bytes }, { priority: TOP_PRIORITY, tries: 1 }));
}

/** A report in which nothing is measured yet. @param {Lab} _core @param {StudySettings} settings @returns {Report} */
export const createEmptyReport = (_core, settings) => ({ settings: /** @type {Report['settings']} */ (settings), jobs: [], own: undefined });

/** A report of which somebody has a part. */
export const parseReport = createReportReader('audit', 'audit', createEmptyReport);
