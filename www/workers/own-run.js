// @ts-check
/** An evaluation in a worker, from a plan to a report: the page's own worker and the package's. */

/** Progress is told this often, in ms. */
const TELL = 50;

/** The parts of a file, as the core asks for them; of workers only. @param {Blob} file */
export function partsOf(file) {
  const reader = new FileReaderSync();
  return (/** @type {number} */ offset, /** @type {number} */ length) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

/**
 * @param {import('../pkg/sfc_bench_lab.js').EvaluateRun} run
 * @param {(progress: OwnProgress) => void} tell
 * @returns {{ report: OwnReport, script: string }}
 */
export function measure(run, tell) {
  let last = -Infinity;
  for (;;) {
    const progress = run.step();
    const now = performance.now();
    if (progress.phase === 'done') break;
    if (now - last >= TELL) {
      last = now;
      tell(progress);
    }
  }
  tell({ phase: 'digests', done: 0, total: 0 });
  return { report: run.finish(true), script: run.script() };
}
