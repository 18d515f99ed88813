// @ts-check
/**
 * On paper a figure is its vector graphic, in light colours, whatever the screen shows; what has none is
 * drawn anew with a printer's pixels. Folds of prose are open.
 */

import { figureSets } from './figures.js';

/** Widths that figures are drawn for, in CSS pixels: a sheet's, and half of it. */
const SHEET = 690;
const HALF = 335;
/** So much of a graphic’s own margin is left away on every side: on the page it stands in its column. */
const MARGIN = 12;
/** Pixels of a printed canvas to a CSS pixel. */
const DENSITY = 3;

/** What is to be undone. @type {(() => void)[]} */
let undo = [];

/** A figure's graphic, to stand where its canvas is. @param {Exportable} view @param {string} id @param {number} width */
function graphic(view, id, width) {
  const text = view.export_text(id, 'svg', width + 2 * MARGIN, false);
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const svg = document.importNode(parsed.documentElement, true);
  // In units of its own.
  const [, , wide = 0, high = 0] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  const margin = (MARGIN * wide) / (width + 2 * MARGIN);
  svg.setAttribute('viewBox', [margin, margin, wide - 2 * margin, high - 2 * margin].join(' '));
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.classList.add('on-paper');
  return svg;
}

function prepare() {
  restore();
  for (const fold of document.querySelectorAll('.background details:not([open])')) {
    fold.setAttribute('open', '');
    undo.push(() => fold.removeAttribute('open'));
  }
  for (const set of figureSets) {
    for (const { figure, view, exportable } of set.shown()) {
      if (figure.asText || !figure.element.offsetParent) continue;
      const width = figure.element.classList.contains('wide') ? SHEET : HALF;
      try {
        if (exportable) {
          const svg = graphic(exportable, figure.id, width);
          figure.element.dataset.paper = '';
          figure.stage.append(svg);
          undo.push(() => {
            delete figure.element.dataset.paper;
            svg.remove();
          });
          continue;
        }
      } catch {
        // As the screen has it, then.
      }
      figure.drawFor(view, DENSITY, false);
      undo.push(() => figure.draw(view));
    }
  }
}

function restore() {
  for (const one of undo) one();
  undo = [];
}

let ready = false;

/** Makes the page ready for a printer whenever it is asked for one. */
export function preparePrint() {
  if (ready) return;
  ready = true;
  addEventListener('beforeprint', prepare);
  addEventListener('afterprint', restore);
}
