// @ts-check
/** Members of a study of families. */

import { unpacked } from '../given.js';
import { Latest } from './latest.js';

/** With the world of a study. @type {Latest<InstanceType<Lab['FamiliesRunner']>>} */
const runners = new Latest();

/** @type {Handlers} */
export const handlers = {
  /** One member. */
  async families(core, { config, job, drawn }) {
    const runner = await runners.get(config, async () => new core.FamiliesRunner(config, await unpacked(drawn)));
    return runner.run(job);
  },
};
