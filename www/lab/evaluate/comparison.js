// @ts-check
/** Several autoencoders side by side: the table, which any column sorts, what is on the front, and both as files. */

import { createButton, el, setScrollRegion } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';
import { saveJson } from '../../shell/download.js';
import { formatInteger, formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('../../types/core.d.ts').DecompositionsReport} Compared */
/** @typedef {import('../../types/core.d.ts').DecompositionRow} Row */

const FIGURES = ['decompositions-front', 'decompositions-sc', 'decompositions-fc'];

/** @typedef {{ label: string, title?: string, of: (row: Row) => string | number | null, text?: (row: Row) => string }} Column */

/** @type {Column[]} */
const COLUMNS = [
  { label: 'Decomposition', of: ({ name }) => name },
  { label: 'Role', of: ({ role }) => role },
  { label: 'K', title: 'latents', of: ({ report }) => report.k, text: ({ report }) => formatInteger(report.k) },
  { label: 'SFC', of: ({ sfc }) => sfc },
  { label: 'S', title: 'sparsity, 1 − L0/K', of: ({ sparsity }) => sparsity },
  { label: 'F', title: 'fidelity', of: ({ fidelity }) => fidelity },
  { label: 'C', title: 'completeness', of: ({ completeness }) => completeness },
  { label: 'L0', title: 'active latents a row', of: ({ report }) => report.sparsity.l0, text: ({ report }) => formatFixed(report.sparsity.l0, 2) },
  { label: 'R²', of: ({ report }) => report.fidelity.r2 },
  { label: 'Dead', title: 'latents active on no row', of: ({ report }) => report.features.dead, text: ({ report }) => formatInteger(report.features.dead) },
  { label: 'Front', title: 'no other row beats it in S, F and C', of: ({ on_front: front }) => (front === null ? null : Number(front)), text: ({ on_front: front }) => (front === null ? '–' : front ? 'yes' : 'no') },
  { label: 'Alone', title: 'the volume that it alone adds', of: ({ contribution }) => contribution, text: ({ contribution }) => formatFixed(contribution, 4) },
];

/** What has no value comes last, whichever way it is sorted. @param {string | number | null} a @param {string | number | null} b @param {number} sign */
function compareValues(a, b, sign) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'string' || typeof b === 'string') return sign * String(a).localeCompare(String(b), 'en');
  return sign * (a - b);
}

/** The table of a report; a heading sorts its rows. @param {Compared} report */
function createComparisonTable(report) {
  let by = { at: 3, sign: -1 };
  const body = el('tbody');
  const headings = COLUMNS.map(({ label, title }, at) => {
    const button = createButton(label, { class: 'quiet', title: title ?? false }, () => {
      // Names ascend at first, numbers fall.
      by = by.at === at ? { at, sign: -by.sign } : { at, sign: at < 2 ? 1 : -1 };
      fill();
    });
    return el('th', { scope: 'col' }, button);
  });
  function fill() {
    const { at, sign } = by;
    headings.forEach((heading, column) =>
      heading.setAttribute('aria-sort', column !== at ? 'none' : sign < 0 ? 'descending' : 'ascending'),
    );
    const { of } = /** @type {Column} */ (COLUMNS[at]);
    const rows = [...report.rows].sort((a, b) => compareValues(of(a), of(b), sign));
    body.replaceChildren(
      ...rows.map((row) =>
        el(
          'tr',
          { 'data-role': row.role },
          ...COLUMNS.map(({ of, text }, column) => {
            const value = of(row);
            const said = text ? text(row) : typeof value === 'number' || value === null ? formatFixed(value, 3) : value;
            return column === 0 ? el('th', { scope: 'row' }, said) : el('td', {}, said);
          }),
        ),
      ),
    );
  }
  fill();
  return el('table', { class: 'data', id: 'own-compared-table' }, el('thead', {}, el('tr', {}, ...headings)), body);
}

export class ComparisonReport {
  #core;
  #weights;
  /** @type {Exportable | null} */
  #view = null;
  #figures;
  #headline = el('p', { id: 'own-compared-headline' });
  #notes = el('ul', { id: 'own-compared-notes' });
  #outdated = el('p', { class: 'note', id: 'own-compared-outdated', hidden: true }, 'Files or settings have changed since this comparison was made: compare again.');
  #table = el('div', { class: 'own-scrolls' });
  #pictures = FIGURES.map((id) => el('figure', { 'data-figure': id }));

  element = el('div', { id: 'own-compared', hidden: true });

  /** @param {{ core: Lab, weights: () => Weights, announce: (text: string) => void }} parts */
  constructor({ core, weights, announce }) {
    this.#core = core;
    this.#weights = weights;
    this.#figures = new Figures(this.#pictures, announce, () => this.#view);
    const keep = createButton('Save the comparison as JSON', { id: 'own-compared-save' }, () => {
      const view = this.#view;
      if (view) saveJson(view.file_name('report', 'json'), `${view.json()}\n`);
    });
    setScrollRegion(this.#table, 'Decompositions side by side');
    this.element.append(
      ...[this.#outdated, this.#headline, this.#notes, this.#table],
      el('div', { class: 'benchmark-bar' }, keep),
      el('div', { class: 'grid' }, ...this.#pictures),
    );
  }

  /** @param {Compared} report */
  show(report) {
    const former = this.#view;
    const view = (this.#view = this.#core.Study.open('decompositions', report));
    this.element.hidden = false;
    this.setOutdated(false);
    this.#notes.replaceChildren(...report.notes.map((note) => el('li', {}, note)));
    this.#notes.hidden = report.notes.length === 0;
    view.set_weights(...this.#weights());
    this.#figures.show(view);
    former?.free();
    this.#updateText(view);
  }

  /** @param {Exportable} view */
  #updateText(view) {
    this.#headline.textContent = view.summary('decompositions-table');
    this.#table.replaceChildren(createComparisonTable(JSON.parse(view.json())));
  }

  /** Says whether it is of other files or settings than there are now. @param {boolean} on */
  setOutdated(on) {
    this.#outdated.hidden = !on;
  }

  /** Scores what is there anew. */
  rescore() {
    if (!this.#view) return;
    this.#view.set_weights(...this.#weights());
    this.#figures.redraw();
    this.#updateText(this.#view);
  }

  redraw() {
    this.#figures.redraw();
  }
}
