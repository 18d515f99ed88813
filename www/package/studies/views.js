// @ts-check
/** Reports that a caller holds, as figures and words under weights. */

import { parseWeights } from '../arguments.js';
import { createRefusal } from '../refusal.js';

/** @typedef {'sfc' | 'families' | 'own' | LittleStudy} StudyName */
/** @typedef {import('../../types/sfc-bench.d.ts').FigureOptions & import('../../types/sfc-bench.d.ts').CeBenchReading} Options */

/** @param {Lab} core @param {string} name @param {StudyName} study */
function findFigureId(core, name, study) {
  const found = core.figure_named(String(name));
  if (found?.study === study) return found.id;
  const names = core.figure_names(study);
  const allowed = `one of ${names.map((row) => row.name).join(', ')}`;
  throw createRefusal('figure.unknown', 'figure', JSON.stringify(String(name)), allowed);
}

/**
 * What is asked of the reports of a study.
 *
 * @template {Exportable} V
 * @param {import('./checks.js').Tools} tools
 * @param {StudyName} study
 * @param {(core: Lab, report: any, options: Options) => V} open
 */
export function createViews({ withCore }, study, open) {
  /**
   * Does something with a report's view, which is let go afterwards.
   *
   * @template T
   * @param {unknown} report
   * @param {(view: V, core: Lab) => T} work
   * @param {Options} [options]
   */
  const withView = (report, work, options = {}) =>
    withCore((core) => {
      const view = open(core, report, options);
      try {
        if (options.weights !== undefined) view.set_weights(...parseWeights(options.weights));
        return work(view, core);
      } finally {
        view.free();
      }
    });

  return {
    withView,
    /** A figure as the text of a file. @param {unknown} report @param {string} name @param {Options} [options] */
    async figure(report, name, options = {}) {
      const { format = 'svg', width = 720, dark = false } = options;
      return withView(
        report,
        (view, core) => view.export_text(findFigureId(core, name, study), format, Number(width), Boolean(dark)),
        options,
      );
    },
    /** A figure's numbers. @param {unknown} report @param {string} name @param {Options} [options] */
    table: (report, name, options) => withView(report, (view, core) => view.table(findFigureId(core, name, study)), options),
  };
}
