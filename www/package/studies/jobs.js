// @ts-check
/** A report that is measured job by job, in workers. */

import { forEachConcurrent } from '../../workers/concurrent.js';
import { callCore } from '../refusal.js';
import { configureStudy } from './checks.js';

/**
 * A report of what settings ask for.
 *
 * @template R
 * @param {import('./checks.js').Tools} tools
 * @param {LittleStudy} study
 * @param {unknown} draft settings, as far as the caller says them
 * @param {{
 *   createEmptyReport: (core: Lab, settings: StudySettings) => R,
 *   jobsOf: (core: Lab, settings: StudySettings) => import('../../workers/report-jobs.js').Job<R>[],
 * }} how
 * @param {{ onProgress?: (name: string, part: number) => void, signal?: AbortSignal }} options
 */
export async function runStudy(tools, study, draft, { createEmptyReport, jobsOf }, { onProgress, signal }) {
  signal?.throwIfAborted();
  const core = await tools.open();
  const { report, jobs } = callCore(() => {
    const settings = configureStudy(core, study, draft);
    return { report: createEmptyReport(core, settings), jobs: jobsOf(core, settings) };
  });
  const { size } = await tools.pool();
  /** @type {unknown[]} */
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
  jobs.forEach(({ addToReport }, at) => addToReport(report, found[at]));
  return report;
}
