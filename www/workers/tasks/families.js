// @ts-check
/** Members of a study of families. */

import { unpacked } from '../given.js';

/** The world of the last study: the next job is of the same, as a rule. @type {{ key: string, runner: InstanceType<Lab['FamiliesRunner']> } | undefined} */
let study;

/** @param {Lab} core @param {FamiliesConfig} config @param {GivenBlobs} [drawn] of a given world */
async function runnerOf(core, config, drawn) {
  const key = JSON.stringify(config);
  if (study?.key !== key) {
    const numbers = await unpacked(drawn);
    study?.runner.free();
    study = undefined;
    study = { key, runner: new core.FamiliesRunner(config, numbers) };
  }
  return study.runner;
}

/** @type {Handlers} */
export const handlers = {
  /** One member. */
  async families(core, { config, job, drawn }) {
    return (await runnerOf(core, config, drawn)).run(job);
  },
};
