// @ts-check
/** Reports that a caller holds, as figures and words under weights. */

import { three } from '../given.js';
import { refusal } from '../refusal.js';

/** @param {Lab} core @param {string} name @param {StudyName} study */
function idOf(core, name, study) {
  const found = core.figure_named(String(name));
  if (found?.study === study) return found.id;
  const names = core.figure_names(study);
  const allowed = `one of ${names.map((row) => row.name).join(', ')}`;
  throw refusal('figure.unknown', 'figure', JSON.stringify(String(name)), allowed);
}

/**
 * @template {View | FamiliesView | OwnView | FadeView | CeBenchView | MuiView | MeasureView | AuditView} V
 * @template T
 * @param {V} view
 * @param {unknown} weights
 * @param {(view: V) => T} work
 */
export function weighed(view, weights, work) {
  try {
    if (weights !== undefined) view.set_weights(...three(weights));
    return work(view);
  } finally {
    view.free();
  }
}

/** @typedef {'sfc' | 'families' | 'own' | LittleStudy} StudyName */

/**
 * A figure as the text of a file.
 *
 * @param {Lab} core
 * @param {StudyName} study
 * @param {View | FamiliesView | OwnView | FadeView | CeBenchView | MuiView | MeasureView | AuditView} view
 * @param {string} name
 * @param {import('../../types/sfc-bench.d.ts').FigureOptions} [options]
 */
export const figureText = (core, study, view, name, { format = 'svg', width = 720, dark = false, weights } = {}) =>
  weighed(view, weights, (shown) =>
    shown.export_text(idOf(core, name, study), format, Number(width), Boolean(dark)),
  );

/**
 * A figure's numbers.
 *
 * @param {Lab} core
 * @param {StudyName} study
 * @param {View | FamiliesView | OwnView | FadeView | CeBenchView | MuiView | MeasureView | AuditView} view
 * @param {string} name
 * @param {{ weights?: Weights }} [options]
 */
export const figureTable = (core, study, view, name, { weights } = {}) =>
  weighed(view, weights, (shown) => shown.table(idOf(core, name, study)));
