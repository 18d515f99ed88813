// @ts-check
/** Measurement theory's fifteen metrics for programs: on subjects that are good or bad, one opened, of a reader's own files. */

import { noReport, partJob, pictureJob, reportOf } from '../../workers/measurement.js';
import { plain } from '../given.js';
import { asked } from '../refusal.js';
import { configured } from './checks.js';
import { runJobs } from './jobs.js';
import { figureTable, figureText } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'measure' | 'measureFigure' | 'measureTable' | 'measureMetrics' | 'measureReached'>}
 */
export function createMeasurementApi(tools) {
  const { withCore, open } = tools;

  /** @param {Lab} core @param {unknown} report */
  const viewOf = (core, report) => core.Study.open('measurement', reportOf(core, plain('report', report)));

  return {
    async measure(draft = {}, { picture = false, all = true, onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const { settings, jobs } = asked(() => {
        const wanted = configured(core, 'measurement', draft);
        const parts = all ? core.measure_parts(wanted).map((name) => partJob(core, wanted, name)) : [];
        return { settings: wanted, jobs: [...parts, ...(picture ? [pictureJob(core, wanted)] : [])] };
      });
      const report = noReport(settings);
      await runJobs(tools, core, report, jobs, { onProgress, signal });
      // In the order in which they are asked for, in whichever they came.
      const order = core.measure_parts(settings);
      report.parts.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
      return report;
    },
    measureFigure: (report, name, options) =>
      withCore((core) => figureText(core, 'measurement', viewOf(core, report), name, options)),
    measureTable: (report, name) => withCore((core) => figureTable(core, 'measurement', viewOf(core, report), name)),
    measureMetrics: () => withCore((core) => core.measure_metrics()),
    measureReached: (metric) => withCore((core) => core.measure_reached(String(metric))),
  };
}
