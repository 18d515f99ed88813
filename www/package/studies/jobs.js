// @ts-check
/** A report that is measured job by job, in workers. */

import { asked } from '../refusal.js';
import { configured } from './checks.js';

/** @typedef {{ onProgress?: (name: string, part: number) => void, signal?: AbortSignal }} Options */

/**
 * Does all jobs, side by side, and has the report hold what is found. One that fails ends the others.
 *
 * @template R
 * @param {import('./checks.js').Tools} tools
 * @param {Lab} core
 * @param {R} report
 * @param {readonly import('../../workers/report.js').Job<R>[]} jobs
 * @param {Options} options
 */
async function runJobs({ submit, littleFiles }, core, report, jobs, { onProgress, signal }) {
  // Each has a signal of its own: Node warns of one that many listen to.
  const running = jobs.map((job) => ({ job, ending: new AbortController() }));
  const stop = (/** @type {unknown} */ reason) => running.forEach(({ ending }) => ending.abort(reason));
  const abort = () => stop(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let done = 0;
  try {
    await Promise.all(
      running.map(async ({ job: { name, needs, task, take }, ending }) => {
        const files = await littleFiles(core, needs);
        ending.signal.throwIfAborted();
        take(report, await submit(task(files), { tries: 2, signal: ending.signal }));
        done += 1;
        onProgress?.(name, done / jobs.length);
      }),
    );
  } catch (error) {
    stop(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * A report of what settings ask for.
 *
 * @template R
 * @param {import('./checks.js').Tools} tools
 * @param {LittleStudy} study
 * @param {unknown} draft settings, as far as the caller says them
 * @param {{
 *   noReport: (core: Lab, settings: StudySettings) => R,
 *   jobsOf: (core: Lab, settings: StudySettings) => import('../../workers/report.js').Job<R>[],
 * }} how
 * @param {Options} options
 */
export async function runStudy(tools, study, draft, { noReport, jobsOf }, options) {
  options.signal?.throwIfAborted();
  const core = await tools.open();
  const { report, jobs } = asked(() => {
    const settings = configured(core, study, draft);
    return { report: noReport(core, settings), jobs: jobsOf(core, settings) };
  });
  await runJobs(tools, core, report, jobs, options);
  return { report, jobs };
}
