// @ts-check
/** Members of a study of families. */

import { unpackArrays } from '../packed-arrays.js';
import { LatestCache } from './latest-cache.js';

/** With the world of a study. @type {LatestCache<InstanceType<Lab['FamiliesRunner']>>} */
const runners = new LatestCache();

/** @type {Handlers} */
export const handlers = {
  /** One member. */
  async families(core, { config, job, drawn }) {
    const runner = await runners.get(config, async () => new core.FamiliesRunner(config, await unpackArrays(drawn)));
    return runner.run(job);
  },
};
