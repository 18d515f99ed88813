// @ts-check
/** What was found: in a sentence, in figures, and as files. */

import { createButton, el } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';
import { saveJson } from '../../shell/download.js';
import { exportables } from '../../shell/exportables.js';

/** Figures of a report, the wide ones marked. @type {[string, boolean][]} */
const FIGURES = [
  ['own-score', false],
  ['own-readings', false],
  ['own-measures', true],
  ['own-frequencies', false],
  ['own-similarity', false],
];

export class ReportSection {
  /** What is shown: of all rows, or of those so far; a NumPy program where there is one. @type {{ view: OwnView, report: OwnReport, whole: boolean, program?: string } | null} */
  #found = null;
  /** What was shown before a run that is under way. @type {{ report: OwnReport, program?: string } | null} */
  #former = null;
  #figures;
  #core;
  #scoring;
  #headline = el('p', { id: 'own-headline' });
  #notes = el('ul', { id: 'own-notes' });
  #digests = el('ul', { class: 'own-digests' });
  #pictures = FIGURES.map(([id, wide]) => el('figure', { 'data-figure': id, class: wide && 'wide' }));

  element = el('div', { id: 'own-result', hidden: true });
  #check;

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {() => { weights: Weights, axes: OwnAxes }} parts.scoring of the moment
   * @param {(program: string, file: string, words: string) => void} parts.script shows a program
   * @param {(text: string) => void} parts.announce
   */
  constructor({ core, scoring, script, announce }) {
    this.#core = core;
    this.#scoring = scoring;
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

  /** What is found of the rows so far. @param {OwnReport} report */
  showPartial(report) {
    if (this.#found?.whole) this.#former = this.#found;
    this.#showReport(report, { whole: false });
  }

  /**
   * The run ended before its end: shows what was there before it; where there was nothing, what is found so far stays.
   *
   * @returns {string} what is shown now, in a sentence
   */
  restoreFormer() {
    if (this.#former) this.show(this.#former.report, this.#former.program);
    if (!this.#found) return '';
    return this.#found.whole ? ' The report below is the former one.' : ' The report below is of the rows until then.';
  }

  /**
   * @param {OwnReport} report of all rows
   * @param {string} [program] the same in NumPy, where it can be written
   */
  show(report, program) {
    this.#former = null;
    this.#showReport(report, { whole: true, program });
  }

  /** @param {OwnReport} report @param {{ whole: boolean, program?: string }} what */
  #showReport(report, { whole, program }) {
    const former = this.#found;
    this.element.dataset.state = whole ? 'whole' : 'provisional';
    this.#check.disabled = !program;
    this.#check.title = whole && !program ? 'No NumPy program is written for autoencoders of this architecture or codes in this form.' : '';
    const view = this.#core.Study.open('own', report);
    this.#found = { view, report, whole, program };
    this.#applyScoring(view);
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
    this.#updateHeadline();
  }

  /** @param {OwnView} view */
  #applyScoring(view) {
    const { weights, axes } = this.#scoring();
    view.set_weights(...weights);
    view.set_axes(axes);
  }

  #updateHeadline() {
    if (!this.#found) return;
    const { view, whole } = this.#found;
    this.#headline.textContent = `${whole ? '' : 'So far: '}${view.summary('own-score')}`;
  }

  /** Takes what is shown away. */
  clear() {
    delete this.element.dataset.state;
    this.#found?.view.free();
    [this.#found, this.#former] = [null, null];
    this.#figures.clear();
    exportables.own = null;
    this.element.hidden = true;
  }

  /** Scores what is there anew. */
  rescore() {
    if (!this.#found) return;
    this.#applyScoring(this.#found.view);
    this.#figures.redraw();
    this.#updateHeadline();
  }

  redraw() {
    this.#figures.redraw();
  }
}
