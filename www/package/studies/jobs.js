// @ts-check
/** A report that is measured job by job, in workers. */

import { forEachConcurrent } from '../../workers/concurrent.js';
import { addToReport, createJob } from '../../workers/study-jobs.js';
import { callCore } from '../refusal.js';
import { configureStudy } from './checks.js';

/**
 * A report of what settings ask for.
 *
 * @template {JobStudy & LittleStudy} S
 * @param {import('./checks.js').Tools} tools
 * @param {S} study
 * @param {unknown} draft settings, as far as the caller says them
 * @param {{ onProgress?: (name: string, part: number) => void, signal?: AbortSignal }} options
 * @param {(core: Lab, settings: StudySettings) => string[]} [namesOf] the jobs that are done, by name; those of a whole report where
 *   none is said
 * @returns {Promise<JobReports[S]>}
 */
export async function runStudy(tools, study, draft, { onProgress, signal }, namesOf = (core, settings) => core.study_jobs(study, settings)) {
  signal?.throwIfAborted();
  const core = await tools.open();
  const { report, jobs } = callCore(() => {
    const settings = configureStudy(core, study, draft);
    const jobs = namesOf(core, settings).map((name) => createJob(core, study, settings, name));
    return { report: core.study_empty_report(study, settings), jobs };
  });
  const { size } = await tools.pool();
  /** @type {JobReports[S][]} */
  const found = [];
  let done = 0;
  await forEachConcurrent(jobs.entries(), size, signal, async ([at, { name, needs, task }], ending) => {
    const files = await tools.littleFiles(core, needs);
    ending.throwIfAborted();
    found[at] = await tools.submit(task(files), { signal: ending });
    done += 1;
    onProgress?.(name, done / jobs.length);
  });
  // In the order in which they are asked for, in whichever they came.
  for (const part of found) addToReport(report, part);
  return report;
}
