// @ts-check
/** What studies that are measured job by job have in common. */

/**
 * @template [Report=any]
 * @template [Found=any] what a worker comes back with
 * @typedef {object} Job
 * @property {string} name "ck-12000", "growth", "masking"
 * @property {string} key jobs with one key come to the same
 * @property {string[]} needs files of the toy model, by name
 * @property {(files: Record<string, ArrayBuffer>) => Task} task
 * @property {(report: Report, found: Found) => void} addToReport has a report hold it
 */

/**
 * What reads a report of which somebody has a part: what is left out is as where nothing is measured yet, and its
 * settings are checked. Throws as the core does where it is none.
 *
 * @template {object} R
 * @param {LittleStudy} study
 * @param {string} maker the function that gives such a report, as refusals name it
 * @param {(core: Lab, settings: StudySettings) => R} createEmptyReport one in which nothing is measured yet
 * @returns {(core: Lab, given: unknown) => R}
 */
export const createReportReader = (study, maker, createEmptyReport) => (core, given) => {
  const none = createEmptyReport(core, core.study_defaults(study));
  /** @param {string} field @param {string} found @param {string} allowed */
  const refused = (field, found, allowed) =>
    /** @type {Problem} */ ({ code: 'report.malformed', field, message: `${field} is ${found}; allowed: ${allowed}` });
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refused('report', given === null ? 'null' : typeof given, `what ${maker} gives, or a part of it`);
  const odd = Object.keys(given).find((key) => !(key in none));
  if (odd !== undefined) throw refused(odd.slice(0, 40), 'unknown', `one of ${Object.keys(none).join(', ')}`);
  const { settings = {}, ...rest } = /** @type {{ settings?: {} }} */ (given);
  const checked = core.study_check(study, settings);
  if (!checked.settings) throw checked.problems[0];
  return { ...none, ...rest, settings: checked.settings };
};
