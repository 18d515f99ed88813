// @ts-check
/** A share of an ensemble: the same study under some of its seeds. */

/** The plan of the last seeds: the next are of the same, as a rule. @type {{ key: string, runner: InstanceType<Core['SeedRunner']> } | null} */
let kept = null;

/** @param {Core} core @param {Plan} plan */
function runnerOf(core, plan) {
  const key = JSON.stringify(plan);
  if (kept?.key !== key) {
    kept?.runner.free();
    kept = null;
    kept = { key, runner: new core.SeedRunner(plan.settings, plan.varied) };
  }
  return kept.runner;
}

/** @type {Handlers} */
export const handlers = {
  seeds(core, { plan, from, to }) {
    const start = performance.now();
    const members = runnerOf(core, plan).members(from, to);
    return { members, ms: performance.now() - start };
  },
};
