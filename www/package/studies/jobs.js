// @ts-check
/** The jobs of one report, in workers. */

/**
 * Does all jobs, side by side, and has the report hold what is found. One that fails ends the others.
 *
 * @template R
 * @param {import('./checks.js').Tools} tools
 * @param {Lab} core
 * @param {R} report
 * @param {readonly import('../../workers/report.js').Job<R>[]} jobs
 * @param {{ onProgress?: (name: string, part: number) => void, signal?: AbortSignal }} options
 */
export async function runJobs({ submit, littleFiles }, core, report, jobs, { onProgress, signal }) {
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
