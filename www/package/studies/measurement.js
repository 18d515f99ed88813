// @ts-check
/** Measurement theory's fifteen metrics for programs: on subjects that are good or bad, one opened, of a reader's own files. */

import { noReport, partJob, pictureJob, reportOf } from '../../workers/measurement.js';
import { plain } from '../given.js';
import { asked } from '../refusal.js';
import { configured } from './checks.js';
import { figureTable, figureText } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'measure' | 'measureFigure' | 'measureTable' | 'measureMetrics' | 'measureReached'>}
 */
export function createMeasurementApi(tools) {
  const { withCore, open, submit, littleFiles } = tools;

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
      // One that fails ends the others. Each has a signal of its own: Node warns of one that many listen to.
      const stops = jobs.map(() => new AbortController());
      const stop = (/** @type {unknown} */ reason) => stops.forEach((one) => one.abort(reason));
      const abort = () => stop(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      let done = 0;
      const running = stops.map(async ({ signal: ending }, at) => {
        const { name, needs, task, take } = /** @type {ReturnType<typeof partJob>} */ (jobs[at]);
        const files = await littleFiles(core, needs);
        ending.throwIfAborted();
        take(report, await submit(task(files), { tries: 2, signal: ending }));
        done += 1;
        onProgress?.(name, done / jobs.length);
      });
      try {
        await Promise.all(running);
      } catch (error) {
        stop(error);
        throw error;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
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
