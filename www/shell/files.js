// @ts-check
/** A figure as the text of a file, whoever makes it. */

import * as core from '../pkg/sfc_bench_lab.js';

/** @typedef {'svg' | 'csv' | 'json' | 'tex' | 'md'} TextFormat */

/** Whether it makes its files itself. @param {Exportable} view @returns {view is Exclude<Exportable, View>} */
export const makesFiles = (view) => 'export_text' in view;

/** @param {Exportable} view @param {string} id @param {TextFormat} format @param {number} width @param {boolean} dark */
export const textOf = (view, id, format, width, dark) =>
  makesFiles(view)
    ? view.export_text(id, format, width, dark)
    : core.export_text(view, id, format, width, dark);
