// @ts-check
/** What measurement theory measures, a job each: the page's, the element's and the package's. */

/** @typedef {import('../types/core.d.ts').MeasurementLine} Line */

/** What the parts depend on besides their names. */
const KNOBS = ['n_prompts'];

/** What tells pictures apart. @param {MeasureMetric} metric @param {StudySettings} settings */
const keyOf = ({ about, takes }, settings) => JSON.stringify([about.id, ...[...KNOBS, ...takes].map((knob) => settings[knob])]);

/**
 * One metric, opened.
 *
 * @param {Lab} core @param {MeasureMetric} metric @param {StudySettings} settings
 */
export const pictureJob = (core, metric, settings) => ({
  name: metric.about.id,
  key: keyOf(metric, settings),
  needs: core.measure_picture_needs(settings),
  /** @param {Record<string, ArrayBuffer>} files @returns {StudyTasks['study-picture']['task']} */
  task: (files) => ({ kind: 'study-picture', settings, files }),
});

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
