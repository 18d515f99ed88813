// @ts-check
/** What SynthSAEBench trains, an autoencoder each. */

/** What of the settings a training hangs on: seeds are jobs of their own, and the printed table stands beside. */
const jobKey = (/** @type {StudySettings} */ settings, /** @type {string} */ name) =>
  JSON.stringify([{ ...settings, seeds: 0, table: '' }, name]);

/** Everything that settings ask for. @param {Lab} core @param {StudySettings} settings @returns {Omit<import('./report-jobs.js').Job, 'addToReport'>[]} */
export const createSynthJobs = (core, settings) =>
  core.synth_jobs(settings).map((name) => ({
    name,
    key: jobKey(settings, name),
    needs: [],
    task: () => ({ kind: 'study-call', call: 'synth_job', args: [settings, name] }),
  }));
