// @ts-check
/** A share of an ensemble: the same study under some of its seeds. */

import { LatestCache } from './latest-cache.js';

/** @type {LatestCache<InstanceType<Core['SeedRunner']>>} */
const runners = new LatestCache();

/** @type {Handlers} */
export const handlers = {
  async seeds(core, { plan, from, to }) {
    const start = performance.now();
    const runner = await runners.get(plan, () => new core.SeedRunner(plan.settings, plan.varied));
    const members = runner.members(from, to);
    return { members, ms: performance.now() - start };
  },
};
