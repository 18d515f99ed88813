// @ts-check
/** The Model Utilization Index for programs: on the toy model, from print, of a reader's own models. */

import { parseReport } from '../../workers/study-jobs.js';
import { clonePlain, describeValue } from '../arguments.js';
import { createRefusal } from '../refusal.js';
import { createFileReader } from './files.js';
import { runStudy } from './jobs.js';
import { createViews } from './views.js';

/**
 * The experiments that are asked for, by name.
 *
 * @param {Lab} core @param {unknown} wanted
 * @returns {string[]}
 */
function parseExperiments(core, wanted) {
  const all = core.mui_experiments();
  if (typeof wanted === 'boolean') return wanted ? all : [];
  const allowed = `true, false or a list of ${all.join(', ')}`;
  if (!Array.isArray(wanted)) throw createRefusal('mui.experiment', 'experiments', describeValue(wanted), allowed);
  const odd = wanted.find((name) => !all.includes(name));
  if (odd !== undefined) throw createRefusal('mui.experiment', 'experiments', describeValue(odd), allowed);
  return all.filter((name) => wanted.includes(name));
}

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'mui' | 'muiFigure' | 'muiTable' | 'muiPrinted' | 'muiLaw' | 'muiOwn'>}
 */
export function createMuiApi(tools) {
  const { withCore, submit } = tools;
  const opened = createFileReader(tools, 'given');
  const { figure, table } = createViews(tools, 'mui', (core, report) =>
    core.Study.open('mui', parseReport(core, 'mui', clonePlain('report', report))),
  );

  return {
    async mui(draft = {}, { experiments = false, ...options } = {}) {
      /** @param {Lab} core @param {StudySettings} settings */
      const namesOf = (core, settings) => [...core.study_jobs('mui', settings), ...parseExperiments(core, experiments)];
      return runStudy(tools, 'mui', draft, options, namesOf);
    },
    muiFigure: figure,
    muiTable: table,
    muiPrinted: () => withCore((core) => ({ cells: core.mui_tables(), claims: core.mui_claims() })),
    muiLaw: (rows) => withCore((core) => core.mui_law(clonePlain('rows', rows))),
    async muiOwn(files, wanted = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      return submit(
        { kind: 'study-own', call: 'mui_own', files: await opened(files), wanted: clonePlain('wanted', wanted) },
        { tries: 1, signal, onProgress: (file, part) => onProgress?.(file, part) },
      );
    },
  };
}
