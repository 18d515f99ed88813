// @ts-check
/** What measurement theory measures, a job each: the page's, the element's and the package's. */

import { createReportReader } from './report-jobs.js';

/** @typedef {import('../types/core.d.ts').MeasurementReport} Report */
/** @typedef {import('../types/core.d.ts').MeasurementLine} Line */
/** @typedef {import('../types/core.d.ts').MeasurementPicture} Picture */

/** What a part depends on besides its name, and what a picture does. */
const PART_KEYS = ['n_prompts'];
const DETAIL_KEYS = [...PART_KEYS, 'seeds'];

/** The metric that settings open. @param {Lab} core @param {StudySettings} settings */
const findMetric = (core, { metric }) => core.measure_metrics().find(({ about }) => about.id === metric);

/**
 * One metric, opened.
 *
 * @param {Lab} core @param {StudySettings} settings
 * @returns {import('./report-jobs.js').Job<Report, Picture>}
 */
export const createDetailJob = (core, settings) => ({
  name: String(settings.metric),
  key: JSON.stringify([settings.metric, ...[...DETAIL_KEYS, ...(findMetric(core, settings)?.takes ?? [])].map((knob) => settings[knob])]),
  needs: core.measure_picture_needs(settings),
  task: (files) => ({ kind: 'study-call', call: 'measure_picture', args: [settings], files }),
  addToReport(report, found) {
    report.picture = found;
  },
});

/**
 * A part of all fifteen.
 *
 * @param {Lab} core @param {StudySettings} settings @param {string} name
 * @returns {import('./report-jobs.js').Job<Report, Line[]>}
 */
export const createPartJob = (core, settings, name) => ({
  name,
  key: JSON.stringify([name, ...PART_KEYS.map((knob) => settings[knob])]),
  needs: core.measure_part_needs(name),
  task: (files) => ({ kind: 'study-call', call: 'measure_part', args: [settings, name], files }),
  addToReport(report, lines) {
    report.parts.push({ part: name, lines });
  },
});

/** A report in which nothing is measured yet. @param {Lab} _core @param {StudySettings} settings @returns {Report} */
export const createEmptyReport = (_core, settings) => ({
  settings: /** @type {Report['settings']} */ (settings),
  parts: [],
  picture: null,
  case: 0,
});

/** A report of which somebody has a part. */
export const parseReport = createReportReader('measurement', 'measure', createEmptyReport);
