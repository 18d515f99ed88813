// @ts-check
/**
 * What a worker does for the benchmark. The clock is JavaScript's, and coarse: a timing covers as
 * many repeats as make it long enough, found once and then kept.
 */

import { LatestCache } from './latest-cache.js';

/** Code runs this long, in ms, before it is timed: browsers compile it anew once it has proved hot. */
const WARM_UP_MS = 60;
/** Repeats of one call are counted in 32 bits, and nothing here needs more. */
const REPEATS_MAX = 1 << 24;

/** @type {Map<number, InstanceType<Lab['KernelBench']>>} */
const kernelBenches = new Map();
/** @type {LatestCache<InstanceType<Lab['StageBench']>>} */
const stageBenches = new LatestCache();
/** How often each case is repeated. @type {Map<string, number>} */
const repeatCounts = new Map();

/** @param {(repeats: number) => void} work @param {number} repeats */
function timeRepeats(work, repeats) {
  const start = performance.now();
  work(repeats);
  return performance.now() - start;
}

/**
 * @param {string} key of the case
 * @param {number} least how long a timing is to last, in ms
 * @param {(repeats: number) => void} work
 * @returns {{ ms: number, repeats: number }} time of one repeat
 */
function timePerRepeat(key, least, work) {
  let repeats = repeatCounts.get(key) ?? 0;
  if (repeats === 0) {
    repeats = 1;
    const start = performance.now();
    for (;;) {
      const ms = timeRepeats(work, repeats);
      const warm = performance.now() - start >= WARM_UP_MS;
      if ((ms >= least && warm) || repeats >= REPEATS_MAX) break;
      if (ms < least) repeats *= 2;
    }
  }
  let ms = timeRepeats(work, repeats);
  // Code that has become faster since needs more repeats.
  while (ms < least && repeats < REPEATS_MAX) {
    repeats *= 2;
    ms = timeRepeats(work, repeats);
  }
  repeatCounts.set(key, repeats);
  return { ms: ms / repeats, repeats };
}

/** @param {Lab} core @param {number} index */
function getKernelBench(core, index) {
  const there = kernelBenches.get(index);
  if (there) return there;
  const bench = new core.KernelBench(index);
  // A kernel that computes something else may be as fast as it likes.
  if (bench.run(false, 1) !== bench.run(true, 1))
    throw new Error(`the two paths of kernel ${index} differ`);
  kernelBenches.set(index, bench);
  return bench;
}

/** @type {Handlers} */
export const handlers = {
  /** One kernel by one path. */
  'bench-kernel'(core, { index, simd, least }) {
    const bench = getKernelBench(core, index);
    return timePerRepeat(`kernel ${index} ${simd}`, least, (repeats) => bench.run(simd, repeats));
  },
  /** One stage, or a whole run. */
  async 'bench-stages'(core, { settings, index, least }) {
    const bench = await stageBenches.get(settings, () => new core.StageBench(settings));
    return timePerRepeat(`stage ${index}`, least, (repeats) => bench.run(index, repeats));
  },
};
