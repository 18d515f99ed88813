// @ts-check
/**
 * Studies that are measured job by job, for the page, the element and the package. The core says which jobs there are and
 * what each depends on; the result of a job is a report that holds nothing else.
 */

/**
 * @typedef {object} Job
 * @property {string} name "ck-12000", "growth", "masking"
 * @property {string} key jobs with one key come to the same
 * @property {string[]} needs files of the toy model, by name
 * @property {(files: Record<string, ArrayBuffer>) => Task} task
 */

/**
 * A job by its name, also one that is not among those of a whole report.
 *
 * @param {Lab} core @param {JobStudy} study @param {StudySettings} settings @param {string} name @returns {Job}
 */
export const createJob = (core, study, settings, name) => ({
  ...core.study_job(study, settings, name),
  task: (files) => ({ kind: 'study-call', call: 'study_measure', args: [study, settings, name], files }),
});

/** The jobs of a whole report. @param {Lab} core @param {JobStudy} study @param {StudySettings} settings */
export const createJobs = (core, study, settings) =>
  core.study_jobs(study, settings).map((name) => createJob(core, study, settings, name));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adds the result of a job to a report of the same settings: lists are appended to, results by name are set.
 *
 * @template {object} R
 * @param {R} report @param {R} part
 */
export function addToReport(report, part) {
  const held = /** @type {Record<string, unknown>} */ (report);
  for (const [key, value] of Object.entries(part)) {
    const there = held[key];
    if (key === 'settings') continue;
    if (Array.isArray(there)) there.push(...value);
    else if (isObject(value)) held[key] = isObject(there) ? { ...there, ...withoutNulls(value) } : { ...value };
  }
}

/** @param {Record<string, unknown>} values */
const withoutNulls = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Functions that give such a report, as refusals name them. @type {Record<JobStudy, string>} */
const MAKERS = { audit: 'audit', measurement: 'measure', mui: 'mui', synth: 'synth' };

/**
 * A report of which somebody has a part: what is left out is as where nothing is measured yet, and its settings are
 * checked. Throws as the core does where it is none.
 *
 * @template {JobStudy} S
 * @param {Lab} core @param {S} study @param {unknown} given
 * @returns {JobReports[S]}
 */
export function parseReport(core, study, given) {
  const none = /** @type {Record<string, unknown>} */ (core.study_empty_report(study, core.study_defaults(study)));
  // The one field that a report has only where there is something.
  const known = study === 'audit' ? [...Object.keys(none), 'own'] : Object.keys(none);
  /** @param {string} field @param {string} found @param {string} allowed */
  const refused = (field, found, allowed) =>
    /** @type {Problem} */ ({ code: 'report.malformed', field, message: `${field} is ${found}; allowed: ${allowed}` });
  if (!isObject(given)) throw refused('report', given === null ? 'null' : typeof given, `what ${MAKERS[study]} gives, or a part of it`);
  const odd = Object.keys(given).find((key) => !known.includes(key));
  if (odd !== undefined) throw refused(odd.slice(0, 40), 'unknown', `one of ${known.join(', ')}`);
  const { settings = {}, ...rest } = given;
  const checked = core.study_check(study, settings);
  if (!checked.settings) throw checked.problems[0];
  const report = { ...none, ...rest, settings: checked.settings };
  if (isObject(none.experiments)) Object.assign(report, { experiments: { ...none.experiments, .../** @type {{}} */ (rest.experiments) } });
  return /** @type {JobReports[S]} */ (/** @type {unknown} */ (report));
}
