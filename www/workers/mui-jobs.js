// @ts-check
/** What the Model Utilization Index measures of the toy model, a job each: the page's, the element's and the package's. */

import { createReportReader } from './report-jobs.js';

/** @typedef {import('../types/core.d.ts').MuiReport} Report */
/** @typedef {import('../types/core.d.ts').MuiExperiments} Experiments */
/** @typedef {import('../types/core.d.ts').MuiCheckpointFound} Found */
/** @typedef {import('../types/core.d.ts').MuiGrowth} Growth */

/** What a measurement depends on; the checkpoint only says which is opened. */
export const PARAMETER_KEYS = ['prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'];

/** What tells measurements of checkpoints apart. @param {StudySettings} settings */
export const measurementKey = (settings) => JSON.stringify(PARAMETER_KEYS.map((name) => settings[name]));
/** The same of what is measured of the opened checkpoint. @param {StudySettings} settings */
export const openedCheckpointKey = (settings) => JSON.stringify([measurementKey(settings), settings.checkpoint, settings.task]);

/** @template [Found=any] @typedef {import('./report-jobs.js').Job<Report, Found>} Job */

/**
 * Every task's index at a checkpoint.
 *
 * @param {Lab} core @param {StudySettings} settings @param {string} checkpoint
 * @returns {Job<Found>}
 */
export function createCheckpointJob(core, settings, checkpoint) {
  const order = core.little_checkpoints();
  return {
    name: checkpoint,
    key: JSON.stringify([checkpoint, measurementKey(settings)]),
    needs: core.little_needs('mui', checkpoint),
    task: (files) => ({ kind: 'study-call', call: 'mui_checkpoint', args: [settings, checkpoint], files }),
    addToReport(report, found) {
      report.checkpoints.push(found);
      report.checkpoints.sort((a, b) => order.indexOf(a.checkpoint) - order.indexOf(b.checkpoint));
    },
  };
}

/**
 * How the index of the opened checkpoint grows with the number of answers.
 *
 * @param {Lab} core @param {StudySettings} settings
 * @returns {Job<Growth>}
 */
export const createGrowthJob = (core, settings) => ({
  name: 'growth',
  key: JSON.stringify(['growth', openedCheckpointKey(settings)]),
  needs: core.little_needs('mui', settings.checkpoint),
  task: (files) => ({ kind: 'study-call', call: 'mui_growth', args: [settings], files }),
  addToReport(report, found) {
    report.growth = found;
  },
});

/**
 * One of the experiments.
 *
 * @param {Lab} core @param {StudySettings} settings @param {string} name
 * @returns {Job<Experiments>}
 */
export const createExperimentJob = (core, settings, name) => ({
  name,
  key: JSON.stringify(['experiment', name, openedCheckpointKey(settings)]),
  needs: core.mui_experiment_needs(settings, name),
  task: (files) => ({ kind: 'study-call', call: 'mui_experiment', args: [settings, name], files }),
  addToReport(report, found) {
    Object.assign(report.experiments, { [name]: found[/** @type {keyof Experiments} */ (name)] });
  },
});

/** No experiment yet. @param {Lab} core @returns {Experiments} */
export const createEmptyExperiments = (core) =>
  /** @type {Experiments} */ (Object.fromEntries(core.mui_experiments().map((name) => [name, null])));

/** A report in which nothing is measured yet. @param {Lab} core @param {StudySettings} settings @returns {Report} */
export const createEmptyReport = (core, settings) => ({
  settings: /** @type {Report['settings']} */ (settings),
  checkpoints: [],
  growth: null,
  experiments: createEmptyExperiments(core),
  trained: [],
  own: null,
});

const readReport = createReportReader('mui', 'mui', createEmptyReport);

/** A report of which somebody has a part. @param {Lab} core @param {unknown} given @returns {Report} */
export function parseReport(core, given) {
  const report = readReport(core, given);
  return { ...report, experiments: { ...createEmptyExperiments(core), ...report.experiments } };
}
