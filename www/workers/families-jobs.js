// @ts-check
/** A study of families shared out to workers: the page's, the element's and the package's. */

import { forEachConcurrent } from './concurrent.js';

/** How many workers may die over one member, or over a training. */
export const TRIES_MAX = 3;

/** @typedef {Pick<import('./pool.js').Pool, 'submit' | 'size'>} Workers a pool, or what wraps one */

/** What members depend on: everything but what they are measured by. @param {FamiliesConfig} config @returns {FamiliesConfig} */
export const toMemberConfig = (config) => ({ ...config, completeness: 'reconstruction' });

/**
 * Has each job done, as many at a time as there are workers.
 *
 * @param {object} study
 * @param {Workers} study.pool
 * @param {FamiliesConfig} study.config
 * @param {Iterable<FamiliesJob>} study.jobs
 * @param {GivenBlobs} [study.drawn] the rows of a given world
 * @param {AbortSignal} [study.signal]
 * @param {(found: FamiliesResult) => void} study.onResult
 */
export function runFamiliesJobs({ pool, config, jobs, drawn, signal, onResult }) {
  return forEachConcurrent(jobs, pool.size, signal, async (job, ending) => {
    const found = await pool.submit({ kind: 'families', config, job, drawn }, { tries: TRIES_MAX, signal: ending });
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
 * @param {{ pool: Workers, config: FamiliesConfig, signal: AbortSignal }} study
 * @returns {Promise<FamiliesResult[]>}
 */
export async function runLinearJobs(core, { pool, config, signal }) {
  if (config.world.world !== 'nonlinear') return [];
  /** @type {FamiliesConfig} */
  const linear = { ...config, world: { ...config.world, interaction: 0 }, methods: ['svd'] };
  const results = [];
  for (const job of core.families_jobs(linear))
    results.push(await pool.submit({ kind: 'families', config: linear, job }, { tries: TRIES_MAX, signal }));
  return results;
}
