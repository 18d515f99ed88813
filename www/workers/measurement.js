// @ts-check
/** What measurement theory measures, a job each: the page's, the element's and the package's. */

/** @typedef {import('../types/core.d.ts').MeasurementLine} Line */

/** What the parts depend on besides their names. */
const KNOBS = ['n_prompts'];

/**
 * A part of all fifteen.
 *
 * @param {Lab} core @param {StudySettings} settings @param {string} name
 */
export const partJob = (core, settings, name) => ({
  name,
  key: JSON.stringify([name, ...KNOBS.map((knob) => settings[knob])]),
  needs: core.measure_part_needs(name),
  /** @param {Record<string, ArrayBuffer>} files @returns {StudyTasks['study-part']['task']} */
  task: (files) => ({ kind: 'study-part', settings, name, files }),
});
