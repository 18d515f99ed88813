// @ts-check
/**
 * On paper a figure is its vector graphic, in light colours, whatever the screen shows, in pieces where a sheet is not
 * high enough for it; what has none is drawn anew with a printer's pixels. Folds of prose are open.
 */

import { figureSets } from './figures.js';

/** Widths that figures are drawn for, in CSS pixels: a sheet's, and half of it. */
const SHEET_WIDTH = 690;
const HALF_WIDTH = 335;
/** A figure whose words have no room at such a width is drawn wider by this, so many times, and so printed smaller. */
const WIDEN_FACTOR = 1.3;
const WIDEN_TRIES_MAX = 4;
/** So much of a graphic’s own margin is left away on every side: on the page it stands in its column. */
const GRAPHIC_MARGIN = 12;
/** A graphic higher than this has no room on a sheet; its pieces are at most as high as the second. */
const GRAPHIC_HEIGHT_MAX = 880;
const PIECE_HEIGHT_MAX = 300;
/** Pixels of a printed canvas to a CSS pixel. */
export const PRINT_DENSITY = 3;

/** What is to be undone. @type {(() => void)[]} */
let undoSteps = [];

/** A figure's graphic, to stand where its canvas is. @param {Exportable} view @param {string} id @param {number} width */
function createGraphic(view, id, width) {
  const text = view.export_text(id, 'svg', width + 2 * GRAPHIC_MARGIN, false);
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed.documentElement, true)));
  // In units of its own.
  const [, , wide = 0, high = 0] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  const margin = (GRAPHIC_MARGIN * wide) / (width + 2 * GRAPHIC_MARGIN);
  svg.setAttribute('viewBox', [margin, margin, wide - 2 * margin, high - 2 * margin].join(' '));
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.classList.add('on-paper');
  return svg;
}

/**
 * Looks at a graphic that is in the page, which the screen does not show.
 *
 * @template Found @param {SVGSVGElement} svg @param {() => Found} look
 */
function measureGraphic(svg, look) {
  svg.style.cssText = `display: block; position: absolute; visibility: hidden; width: ${SHEET_WIDTH}px`;
  const found = look();
  svg.removeAttribute('style');
  return found;
}

/** Whether all words of a graphic are within it. @param {SVGSVGElement} svg laid out */
function isTextInside(svg) {
  const { left, right } = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].every((word) => {
    if (!word.textContent) return true;
    const box = word.getBoundingClientRect();
    return box.left >= left - 1 && box.right <= right + 1;
  });
}

/**
 * Puts a figure's graphic where its canvas is, as wide as its words need.
 *
 * @param {{ id: string, element: HTMLElement, stage: HTMLElement }} figure @param {Exportable} view @param {number} width
 */
function placeGraphic(figure, view, width) {
  let svg = createGraphic(view, figure.id, width);
  figure.element.dataset.paper = '';
  figure.stage.append(svg);
  for (let tries = 1; tries < WIDEN_TRIES_MAX && !measureGraphic(svg, () => isTextInside(svg)); tries += 1) {
    const wider = createGraphic(view, figure.id, width * WIDEN_FACTOR ** tries);
    svg.replaceWith(wider);
    svg = wider;
  }
  return svg;
}

/**
 * Where a high graphic can be cut, between its words: from its upper edge to its lower one, in its own units.
 *
 * @param {SVGSVGElement} svg laid out @param {number} most the height of a piece
 */
function findCuts(svg, most) {
  const { y, height } = svg.viewBox.baseVal;
  const box = svg.getBoundingClientRect();
  const unit = height / box.height;
  const words = [...svg.querySelectorAll('text')].map((word) => {
    const { top, bottom } = word.getBoundingClientRect();
    return [y + (top - box.top) * unit - 1, y + (bottom - box.top) * unit + 1];
  });
  const isFree = (/** @type {number} */ at) => words.every(([from = 0, to = 0]) => at <= from || at >= to);
  const free = words.map(([from = 0]) => from).filter(isFree);
  const found = [y];
  for (let from = y; y + height - from > most; found.push(from)) {
    const near = free.filter((at) => at > from + most / 3 && at <= from + most);
    from = near.length > 0 ? Math.max(...near) : from + most;
  }
  return [...found, y + height];
}

/** What is printed of a graphic that is in the page: itself, or its pieces where it is too high. @param {SVGSVGElement} svg @param {number} width it is printed at */
function splitGraphic(svg, width) {
  const { x, width: wide, height } = svg.viewBox.baseVal;
  const unit = wide / width;
  if (height <= GRAPHIC_HEIGHT_MAX * unit) return [svg];
  const at = measureGraphic(svg, () => findCuts(svg, PIECE_HEIGHT_MAX * unit));
  const parts = at.slice(1).map((to, index) => {
    const part = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
    const from = at[index] ?? to;
    part.setAttribute('viewBox', [x, from, wide, to - from].join(' '));
    return part;
  });
  svg.replaceWith(...parts);
  return parts;
}

/** Whether a figure has nothing in it but the word that it has nothing. @param {Drawable} view @param {string} id */
function isEmpty(view, id) {
  const { columns, rows } = view.table(id);
  return columns.length === 1 && columns[0]?.title === '' && rows.length <= 1;
}

function preparePage() {
  restorePage();
  for (const fold of document.querySelectorAll('.apart:not([open]), .background details:not([open])')) {
    fold.setAttribute('open', '');
    undoSteps.push(() => fold.removeAttribute('open'));
  }
  for (const set of figureSets) {
    for (const { figure, view, exportable } of set.shownFigures()) {
      if (figure.asText || !figure.element.offsetParent) continue;
      if (isEmpty(view, figure.id)) {
        figure.element.dataset.empty = '';
        undoSteps.push(() => delete figure.element.dataset.empty);
        continue;
      }
      const width = figure.element.classList.contains('wide') ? SHEET_WIDTH : HALF_WIDTH;
      try {
        if (exportable) {
          const parts = splitGraphic(placeGraphic(figure, exportable, width), width);
          undoSteps.push(() => {
            delete figure.element.dataset.paper;
            for (const part of parts) part.remove();
          });
          continue;
        }
      } catch {
        // As the screen has it, then.
      }
      figure.drawWith(view, PRINT_DENSITY, false);
      undoSteps.push(() => figure.draw(view));
    }
  }
}

function restorePage() {
  for (const one of undoSteps) one();
  undoSteps = [];
}

let isSetUp = false;

/** Makes the page ready for a printer whenever it is asked for one. */
export function setUpPrint() {
  if (isSetUp) return;
  isSetUp = true;
  addEventListener('beforeprint', preparePage);
  addEventListener('afterprint', restorePage);
}
