// @ts-check
/** The page of a study that is measured in parts: figures of what there is, and a line that says how far it is. */

import { exportables } from '../shell/exportables.js';
import { need } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { saveJson } from '../shell/save.js';
import { inOneFile } from '../shell/views.js';
import { ProgressLine } from './progress-line.js';

/**
 * @typedef {object} Parts
 * @property {HTMLElement} view
 * @property {Lab} core
 * @property {import('../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {() => void} onState the address is to follow
 * @property {() => void} onComplete all that was asked for is there
 */

/** @typedef {Exportable & { digest(): string | null }} StudyView */

/**
 * @template {StudyView} View
 * @template {import('./measured-parts.js').MeasuredParts<any>} Measured
 */
export class MeasuredPage {
  parts;
  figures;
  status;
  measured;
  /** What is shown or on its way. @type {StudySettings} */
  wanted;
  /** What there is of it. @type {View | null} */
  view = null;

  /**
   * @param {Parts} parts
   * @param {object} of
   * @param {PageStudy} of.study
   * @param {string} of.status the selector of the line
   * @param {string} of.things what is counted there: "checkpoints"
   * @param {(told: import('./measured-parts.js').Told<any>) => Measured} of.measure
   */
  constructor(parts, { study, status, things, measure }) {
    this.parts = parts;
    const { view, core, announce } = parts;
    this.wanted = core.study_defaults(study);
    this.figures = new Figures(view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]')), announce, () => this.shown);
    this.status = new ProgressLine(need(status, view), things);
    this.measured = measure({ onFound: (_, found) => this.found(found), onEnd: () => this.ended() });
  }

  /** For the address. */
  get state() {
    return { settings: this.wanted, open: 0 };
  }

  /** What is shown; null before. */
  get shown() {
    return this.view;
  }

  get digest() {
    return this.shown?.digest() ?? null;
  }

  redraw() {
    this.figures.redraw();
  }

  /** Has exports and figures read a view. @param {View} view */
  present(view) {
    if (!inOneFile()) exportables.view = view;
    this.figures.follow(view);
  }

  /** Takes another view in the place of the one there was, which is read until then. @param {View} view */
  replace(view) {
    const former = this.view;
    this.view = view;
    this.present(view);
    former?.free();
    return view;
  }

  /** Has a button of the page save the report that is shown. @param {string} selector */
  offerSave(selector) {
    need(selector, this.parts.view).addEventListener('click', () => {
      const { shown } = this;
      if (!shown) return;
      const name = shown.file_name('', 'json');
      saveJson(name, shown.json());
      this.parts.announce(`${name} is saved.`);
    });
  }

  /** The names of what is asked for otherwise than before. @param {StudySettings} settings */
  changed(settings) {
    return Object.keys(settings).filter((name) => settings[name] !== this.wanted[name]);
  }

  /** The figures of some sections. @param {readonly string[]} sections */
  inSections(sections) {
    const figures = this.view?.figures() ?? [];
    return figures.filter(({ section }) => sections.includes(section)).map(({ id }) => id);
  }

  /** What is dear is done once the reader comes near what it is for. @param {HTMLElement} section @param {() => void} come */
  watch(section, come) {
    whenNearViewport(section, come, '600px');
  }

  /** How many of what is counted there are, and should be. */
  count() {
    return this.measured.count(this.wanted);
  }

  /** Whether nothing is missing. */
  isWhole() {
    return this.measured.whole(this.wanted);
  }

  /** Measures what is missing. */
  go() {
    if (this.isWhole()) {
      this.measured.stop();
      this.done();
      return;
    }
    this.status.begin(this.count().all, () => this.measured.cancel());
    this.progress();
    this.measured.measure(this.wanted);
  }

  /** @param {number} [left] how long the rest will take, in milliseconds */
  progress(left) {
    this.status.progress(this.count().done, left);
  }

  /** A part is there. @param {any} _found */
  found(_found) {
    this.progress();
  }

  /** Nothing more comes, for whatever reason. */
  ended() {
    const { announce } = this.parts;
    if (this.isWhole()) {
      this.done();
      announce(this.status.text);
      return;
    }
    const { done, all } = this.count();
    announce(this.status.unfinished(done, all, this.measured, () => this.go()));
  }

  /** All of it is there. */
  done() {
    this.parts.onComplete();
  }
}
