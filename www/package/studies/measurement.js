// @ts-check
/** Measurement theory's fifteen metrics for programs: on subjects that are good or bad, one opened, of a reader's own files. */

import { createEmptyReport, createPartJob, createDetailJob, parseReport } from '../../workers/measurement-jobs.js';
import { clonePlain } from '../arguments.js';
import { runStudy } from './jobs.js';
import { createViews } from './views.js';

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'measure' | 'measureFigure' | 'measureTable' | 'measureMetrics' | 'measureReached'>}
 */
export function createMeasurementApi(tools) {
  const { withCore } = tools;
  const { figure, table } = createViews(tools, 'measurement', (core, report) =>
    core.Study.open('measurement', parseReport(core, clonePlain('report', report))),
  );

  return {
    async measure(draft = {}, { picture = false, all = true, ...options } = {}) {
      /** @param {Lab} core @param {StudySettings} settings */
      const jobsOf = (core, settings) => [
        ...(all ? core.measure_parts(settings).map((name) => createPartJob(core, settings, name)) : []),
        ...(picture ? [createDetailJob(core, settings)] : []),
      ];
      return runStudy(tools, 'measurement', draft, { createEmptyReport, jobsOf }, options);
    },
    measureFigure: figure,
    measureTable: table,
    measureMetrics: () => withCore((core) => core.measure_metrics()),
    measureReached: (metric) => withCore((core) => core.measure_reached(String(metric))),
  };
}
