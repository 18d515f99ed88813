// @ts-check
/** A run of the paper's study under some settings. */

/** @type {Handlers} */
export const handlers = {
  run(core, { settings }, tell) {
    const start = performance.now();
    const report = core.run(settings, tell);
    return { report, ms: performance.now() - start };
  },
};
