// @ts-check
/** The Model Utilization Index for programs: on the toy model, from print, of a reader's own models. */

import { checkpointJob, experimentJob, growthJob, noReport, reportOf } from '../../workers/mui.js';
import { plain, said } from '../given.js';
import { asked, refusal } from '../refusal.js';
import { configured } from './checks.js';
import { createOpener } from './files.js';
import { runJobs } from './jobs.js';
import { figureTable, figureText } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */

/**
 * The experiments that are asked for, by name.
 *
 * @param {Lab} core @param {unknown} wanted
 * @returns {string[]}
 */
function experimentsOf(core, wanted) {
  const all = core.mui_experiments();
  if (typeof wanted === 'boolean') return wanted ? all : [];
  const allowed = `true, false or a list of ${all.join(', ')}`;
  if (!Array.isArray(wanted)) throw refusal('mui.experiment', 'experiments', said(wanted), allowed);
  const odd = wanted.find((name) => !all.includes(name));
  if (odd !== undefined) throw refusal('mui.experiment', 'experiments', said(odd), allowed);
  return all.filter((name) => wanted.includes(name));
}

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'mui' | 'muiFigure' | 'muiTable' | 'muiPrinted' | 'muiLaw' | 'muiOwn'>}
 */
export function createMuiApi(tools) {
  const { withCore, open, submit } = tools;
  const opened = createOpener(tools, 'given');

  /** @param {Lab} core @param {unknown} report */
  const viewOf = (core, report) => core.Study.open('mui', reportOf(core, plain('report', report)));

  return {
    async mui(draft = {}, { experiments = false, onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const { settings, jobs } = asked(() => {
        const wanted = configured(core, 'mui', draft);
        const checkpoints = core.little_checkpoints().map((name) => checkpointJob(core, wanted, name));
        const further = experimentsOf(core, experiments).map((name) => experimentJob(core, wanted, name));
        return { settings: wanted, jobs: [...checkpoints, growthJob(core, wanted), ...further] };
      });
      const report = noReport(core, settings);
      await runJobs(tools, core, report, jobs, { onProgress, signal });
      return report;
    },
    muiFigure: (report, name, options) =>
      withCore((core) => figureText(core, 'mui', viewOf(core, report), name, options)),
    muiTable: (report, name) => withCore((core) => figureTable(core, 'mui', viewOf(core, report), name)),
    muiPrinted: () => withCore((core) => ({ cells: core.mui_tables(), claims: core.mui_claims() })),
    muiLaw: (rows) => withCore((core) => core.mui_law(plain('rows', rows))),
    async muiOwn(files, wanted = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      return submit(
        { kind: 'study-own', call: 'mui_own', files: await opened(files), wanted: plain('wanted', wanted) },
        { tries: 1, signal, onProgress: (file, part) => onProgress?.(file, part) },
      );
    },
  };
}
