// @ts-check
/** The seeds of an ensemble, shared out to the workers. */

import { isSameRun } from '../../shell/state.js';
import { forEachConcurrent } from '../../workers/concurrent.js';

/** A share of seeds is to take about this long, in milliseconds: results flow and cancelling is quick. */
const CHUNK_DURATION = 80;
const CHUNK_SEEDS_MAX = 64;
/** How many workers may die over one share. */
const TRIES_MAX = 3;

/**
 * Runs the seeds of a plan, in shares that grow until they take about {@link CHUNK_DURATION}.
 *
 * @param {import('../../workers/pool.js').Pool} pool
 * @param {Plan} plan
 * @param {readonly number[]} seeds ascending
 * @param {(members: Member[]) => void} onMembers
 * @param {AbortSignal} signal
 */
export async function runSeeds(pool, plan, seeds, onMembers, signal) {
  let share = 1;
  /** Runs of neighbouring seeds: the first of each, and the one after its last. @returns {Generator<[from: number, to: number]>} */
  function* shares() {
    for (let next = 0; next < seeds.length; ) {
      const from = /** @type {number} */ (seeds[next]);
      // Near the end shares shrink, so that no worker is left alone with the last one.
      const fair = Math.max(1, Math.ceil((seeds.length - next) / (2 * pool.size)));
      const most = Math.min(share, fair);
      let count = 1;
      while (count < most && seeds[next + count] === from + count) count += 1;
      next += count;
      yield [from, from + count];
    }
  }
  await forEachConcurrent(shares(), pool.size, signal, async ([from, to], ending) => {
    const { members, ms } = await pool.submit(
      { kind: 'seeds', plan, from, to },
      { tries: TRIES_MAX, signal: ending },
    );
    share = Math.min(CHUNK_SEEDS_MAX, Math.max(1, Math.round((CHUNK_DURATION * (to - from)) / ms)));
    onMembers(members);
  });
}

/** What members depend on, but for their own seeds and the weights. @param {Plan} plan @returns {Settings} */
const withoutSeeds = ({ settings, varied }) => ({
  ...settings,
  model_seed: 0,
  data_seed: varied === 'model' ? settings.data_seed : 0,
});

/** What tells a plan's members from those of another. @param {Plan} plan */
export const planKey = (plan) => ({ ...withoutSeeds(plan), weights: null, varied: plan.varied });

/** Whether two plans have the same members. @param {Plan} a @param {Plan} b */
export function isSamePlan(a, b) {
  return a.varied === b.varied && isSameRun(withoutSeeds(a), withoutSeeds(b));
}

/** The command that prints the same. @param {Plan} plan @param {Settings} paper @param {number} seeds */
export function formatCommand({ settings, varied }, paper, seeds) {
  const flags = Object.entries(settings)
    .filter(
      ([key, value]) =>
        String(value) !== String(paper[/** @type {SettingKey} */ (key)]) &&
        key !== 'model_seed' &&
        !(varied === 'model-and-data' && key === 'data_seed') &&
        // The network's name stands for its sizes.
        !(settings.config !== 'custom' && /^(inputs|hidden|outputs|circuit)$/.test(key)),
    )
    .map(([key, value]) => {
      const flag = `--${key.replaceAll('_', '-')}`;
      return value === true ? flag : `${flag} ${String(value)}`;
    });
  const vary = varied === 'model-and-data' ? ['--vary-data'] : [];
  return ['sfc-bench ensemble', `--seeds ${seeds}`, ...vary, ...flags, '--json'].join(' ');
}
