// @ts-check
/** A study of families shared out to workers: the page's, the element's and the package's. */

import { forEachConcurrent } from './concurrent.js';

/** How many workers may die over one member, or over a training. */
export const TRIES = 3;

/**
 * Whoever does a task: a pool, or what wraps one.
 *
 * @typedef {(task: Task, options: import('./pool.js').TaskOptions) => Promise<any>} Submit
 */

/** What members depend on: everything but what they are measured by. @param {FamiliesConfig} config @returns {FamiliesConfig} */
export const plainOf = (config) => ({ ...config, completeness: 'reconstruction' });

/**
 * Has each job done, as many at a time as there are workers.
 *
 * @param {object} study
 * @param {Submit} study.submit
 * @param {number} study.size workers
 * @param {FamiliesConfig} study.config
 * @param {Iterable<FamiliesJob>} study.jobs
 * @param {GivenBlobs} [study.drawn] the rows of a given world
 * @param {AbortSignal} [study.signal]
 * @param {(found: FamiliesResult) => void} study.onResult
 */
export function shareOut({ submit, size, config, jobs, drawn, signal, onResult }) {
  return forEachConcurrent(jobs, size, signal, async (job, ending) => {
    const task = /** @type {const} */ ({ kind: 'families', config, job, ...(drawn ? { drawn } : {}) });
    const found = await submit(task, { tries: TRIES, signal: ending });
    // What was on its way when all ended is not told any more.
    ending.throwIfAborted();
    onResult(found);
  });
}

/**
 * The circuit of a nonlinear study read out by sums alone, for the sentence that compares; of another
 * study nothing.
 *
 * @param {Lab} core
 * @param {Omit<Parameters<typeof shareOut>[0], 'jobs' | 'onResult'>} study
 * @returns {Promise<FamiliesResult[]>}
 */
export async function linearOf(core, study) {
  const { config } = study;
  /** @type {FamiliesResult[]} */
  const results = [];
  if (config.world.world !== 'nonlinear') return results;
  /** @type {FamiliesConfig} */
  const linear = { ...config, world: { ...config.world, interaction: 0 }, methods: ['svd'] };
  const jobs = core.families_jobs(linear);
  // One after the other: their order is that of the jobs.
  await shareOut({ ...study, size: 1, config: linear, jobs, onResult: (found) => results.push(found) });
  return results;
}
