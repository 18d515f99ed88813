// @ts-check
/** What was found: in a sentence, in figures, and as files. */

import { createButton, el } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';
import { saveJson } from '../../shell/save.js';
import { exportables } from '../../shell/exportables.js';

/** Figures of a report, the wide ones marked. @type {[string, boolean][]} */
const FIGURES = [
  ['own-score', false],
  ['own-readings', false],
  ['own-measures', true],
  ['own-frequencies', false],
  ['own-similarity', false],
];

export class Report {
  /** What is shown: of all rows, or of those so far; a NumPy program where there is one. @type {{ view: OwnView, whole: boolean, program?: string } | null} */
  #found = null;
  /** What was shown before a run that is under way. @type {{ report: OwnReport, program?: string } | null} */
  #former = null;
  /** @type {OwnReport | null} */
  #last = null;
  #figures;
  #core;
  #headline = el('p', { id: 'own-headline' });
  #notes = el('ul', { id: 'own-notes' });
  #digests = el('ul', { class: 'own-digests' });
  #pictures = FIGURES.map(([id, wide]) => el('figure', { class: wide ? 'wide' : '', 'data-figure': id }));

  element = el('div', { id: 'own-result', hidden: true });
  #check;

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {(program: string, file: string, words: string) => void} parts.script shows a program
   * @param {(text: string) => void} parts.announce
   */
  constructor({ core, script, announce }) {
    this.#core = core;
    this.#figures = new Figures(this.#pictures, announce, () => this.#found?.view ?? null);
    const check = (this.#check = createButton('Check this in NumPy', { id: 'own-script' }, () => {
      if (this.#found?.program)
        script(
          this.#found.program,
          'sfc_evaluate.py',
          'The same from the same files, which are to lie beside the program, in nothing but NumPy. It refuses files with other bytes, and prints the same measures; with --json, at full precision.',
        );
    }));
    const keep = createButton('Save the report as JSON', { id: 'own-save' }, () => {
      const view = this.#found?.view;
      if (view) saveJson(view.file_name('report', 'json'), view.report());
    });
    this.element.append(
      this.#headline,
      this.#notes,
      el('div', { class: 'benchmark-bar' }, check, keep),
      el('div', { class: 'grid' }, ...this.#pictures),
      el(
        'p',
        { class: 'help' },
        'What was read. A link to this page cannot hold your files; by these you know that somebody else has the same.',
      ),
      this.#digests,
    );
  }

  /** What is found of the rows so far. @param {OwnReport} report @param {Weights} weights @param {OwnAxes} axes */
  sketch(report, weights, axes) {
    if (this.#last && this.#found?.whole) this.#former = { report: this.#last, program: this.#found.program };
    this.#show(report, { whole: false }, weights, axes);
  }

  /**
   * The run ended before its end: shows what was there before it; where there was nothing, what is found so far stays.
   *
   * @param {Weights} weights
   * @param {OwnAxes} axes
   * @returns {string} what is shown now, in a sentence
   */
  restore(weights, axes) {
    const former = this.#former;
    if (former) this.show(former.report, former.program, weights, axes);
    if (!this.#found) return '';
    return this.#found.whole ? ' The report below is the former one.' : ' The report below is of the rows until then.';
  }

  /**
   * @param {OwnReport} report of all rows
   * @param {string | undefined} program the same in NumPy, where it can be written
   * @param {Weights} weights
   * @param {OwnAxes} axes
   */
  show(report, program, weights, axes) {
    this.#former = null;
    this.#show(report, { whole: true, program }, weights, axes);
  }

  /**
   * @param {OwnReport} report
   * @param {{ whole: boolean, program?: string }} what
   * @param {Weights} weights
   * @param {OwnAxes} axes
   */
  #show(report, { whole, program }, weights, axes) {
    const former = this.#found;
    this.#last = report;
    this.element.dataset.state = whole ? 'whole' : 'provisional';
    this.#check.disabled = !program;
    this.#check.title = whole && !program ? 'No NumPy program is written for autoencoders of this architecture or codes in this form.' : '';
    const view = this.#core.Study.open('own', report);
    view.set_weights(...weights);
    view.set_axes(axes);
    this.#found = { view, whole, program };
    exportables.own = view;
    this.element.hidden = false;
    this.#notes.replaceChildren(...report.notes.map((note) => el('li', {}, note)));
    this.#notes.hidden = report.notes.length === 0;
    this.#digests.replaceChildren(
      ...report.files.map(({ role, file, sha256 }) =>
        el(
          'li',
          {},
          `${role}: ${file} `,
          el('span', { class: 'digest' }, 'SHA-256 ', el('code', {}, sha256 ?? 'not taken')),
        ),
      ),
    );
    this.#figures.show(view);
    former?.view.free();
    this.#tell();
  }

  #tell() {
    if (!this.#found) return;
    const { view, whole } = this.#found;
    this.#headline.textContent = `${whole ? '' : 'So far: '}${view.summary('own-score')}`;
  }

  /** Takes what is shown away. */
  clear() {
    delete this.element.dataset.state;
    this.#found?.view.free();
    [this.#found, this.#former, this.#last] = [null, null, null];
    this.#figures.clear();
    exportables.own = null;
    this.element.hidden = true;
  }

  /** Scores what is there anew. @param {{ weights?: Weights, axes?: OwnAxes }} by */
  rescore({ weights, axes }) {
    if (!this.#found) return;
    if (weights) this.#found.view.set_weights(...weights);
    if (axes) this.#found.view.set_axes(axes);
    this.#figures.redraw();
    this.#tell();
  }

  redraw() {
    this.#figures.redraw();
  }
}
