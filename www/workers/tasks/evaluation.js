// @ts-check
/** An evaluation in a worker, from a plan to a report. */

/** Progress is told this often, in ms. */
const PROGRESS_INTERVAL = 50;
/** And what is found so far. */
const PROVISIONAL_INTERVAL = 500;

/** The parts of a file, as the core asks for them; those of a Blob in workers only. @param {Blob | Uint8Array} file */
export function createPartReader(file) {
  if (file instanceof Uint8Array)
    return (/** @type {number} */ offset, /** @type {number} */ length) => file.subarray(offset, offset + length);
  const reader = new FileReaderSync();
  return (/** @type {number} */ offset, /** @type {number} */ length) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

/**
 * @param {InstanceType<Lab['OwnSession']>} run
 * @param {Tell} tell
 * @returns {{ report: OwnReport, script?: string }}
 */
export function runEvaluation(run, tell) {
  /** @param {OwnProgress} progress */
  const pass = (progress) =>
    tell(progress.phase, progress.total ? progress.done / progress.total : 0, progress);
  let last = -Infinity;
  let lastFound = performance.now();
  for (;;) {
    const progress = run.step();
    const now = performance.now();
    if (progress.phase === 'done') break;
    if (now - last >= PROGRESS_INTERVAL) {
      last = now;
      const due = now - lastFound >= PROVISIONAL_INTERVAL;
      if (due) lastFound = now;
      pass(due ? withProvisional(run, progress) : progress);
    }
  }
  return finishEvaluation(run, pass);
}

/** Progress with what is found so far, if anything is. @param {InstanceType<Lab['OwnSession']>} run @param {OwnProgress} progress @returns {OwnProgress} */
export function withProvisional(run, progress) {
  const found = run.provisional();
  return found ? { ...progress, found } : progress;
}

/**
 * @param {InstanceType<Lab['OwnSession']>} run
 * @param {(progress: OwnProgress) => void} pass
 */
export function finishEvaluation(run, pass) {
  pass({ phase: 'digests', done: 0, total: 0 });
  return { report: run.finish(true), script: run.script() };
}
