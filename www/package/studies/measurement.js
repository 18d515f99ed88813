// @ts-check
/** Measurement theory's fifteen metrics for programs: on subjects that are good or bad, one opened, of a reader's own files. */

import { parseReport } from '../../workers/study-jobs.js';
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
    core.Study.open('measurement', parseReport(core, 'measurement', clonePlain('report', report))),
  );

  return {
    async measure(draft = {}, { picture = false, all = true, ...options } = {}) {
      /** @param {Lab} core @param {StudySettings} settings */
      const namesOf = (core, settings) => [
        ...(all ? core.study_jobs('measurement', settings) : []),
        ...(picture ? [String(settings.metric)] : []),
      ];
      return runStudy(tools, 'measurement', draft, options, namesOf);
    },
    measureFigure: figure,
    measureTable: table,
    measureMetrics: () => withCore((core) => core.measure_metrics()),
    measureReached: (metric) => withCore((core) => core.measure_reached(String(metric))),
  };
}
