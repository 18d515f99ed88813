// @ts-check
/** A figure as the text of a file, whoever makes it. */

/** @typedef {'svg' | 'csv' | 'json' | 'tex' | 'md'} TextFormat */

/** @param {Exportable} view @param {string} id @param {TextFormat} format @param {number} width @param {boolean} dark */
export const textOf = (view, id, format, width, dark) =>
  view.export_text(id, format, width, dark);
