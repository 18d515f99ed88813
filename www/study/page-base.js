// @ts-check
/** What the page of any study has: its parameters, what is shown in figures and exports, and how far that is. */

import { requireElement } from '../shell/dom.js';
import { exportables } from '../shell/exportables.js';
import { Figures } from '../shell/figures.js';
import { saveJson } from '../shell/download.js';
import { isSingleFile } from '../shell/views.js';
import { ProgressLine } from './progress-line.js';
import { createStudyForm } from './settings.js';

/**
 * @typedef {object} StudyPlace
 * @property {HTMLElement} view
 * @property {() => void} onState the address is to follow
 * @property {() => void} onComplete all that was asked for is there
 *
 * @typedef {import('../shell/page-setup.js').PageTools & StudyPlace} Parts
 */

/** @typedef {Exportable & { digest(): string | null }} StudyView */

/**
 * What is a study's own of it.
 *
 * @typedef {object} Study
 * @property {PageStudy} study
 * @property {string} status the selector of the line
 * @property {string} error the selector of the place for a refusal that is no field's
 * @property {(name: string) => HTMLElement | null} formOf the form that a parameter is put into
 * @property {Readonly<Record<string, number>>} [sliders] steps of the numbers that are dragged
 * @property {(name: string) => string} [idOf] of a parameter's input
 * @property {boolean} [helps] whether each parameter is explained below it
 */

/** @template {StudyView} View */
export class StudyPageBase {
  parts;
  /** The parameters. */
  form;
  figures;
  status;
  /** What is shown or on its way. @type {StudySettings} */
  wanted;
  /** What there is of it. @type {View | null} */
  view = null;

  /** @param {Parts} parts @param {Study} of */
  constructor(parts, { study, status, error, ...fields }) {
    this.parts = parts;
    const { view, core, announce } = parts;
    this.wanted = core.study_defaults(study);
    const places = view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]'));
    this.figures = new Figures(places, announce, () => this.shownView);
    this.status = new ProgressLine(requireElement(status, view));
    this.form = createStudyForm({
      ...{ study, core, ...fields },
      general: requireElement(error, view),
      onSettings: (settings) => this.requestSettings(settings),
    });
  }

  /** Somebody asks for other settings. @param {StudySettings} _settings that the core allows */
  requestSettings(_settings) {}

  /** Asks for settings as if somebody had put them into the form. @param {StudySettings} settings */
  setSettings(settings) {
    this.form.show(settings);
    this.requestSettings(settings);
  }

  /** Settings that did not come from the form are what is wanted. @param {StudySettings} settings */
  adoptSettings(settings) {
    this.form.show(settings);
    this.wanted = settings;
  }

  /** For the address. */
  get state() {
    return { settings: this.wanted, open: 0 };
  }

  /** What is shown; null before. */
  get shownView() {
    return this.view;
  }

  get digest() {
    return this.shownView?.digest() ?? null;
  }

  redraw() {
    this.figures.redraw();
  }

  /** Has exports and figures read a view. @param {View} view */
  publishView(view) {
    if (!isSingleFile()) exportables.view = view;
    this.figures.setView(view);
  }

  /** Takes another view in the place of the one there was, which is read until then. @param {View} view */
  replaceView(view) {
    const former = this.view;
    this.view = view;
    this.publishView(view);
    former?.free();
    return view;
  }

  /** Has a button of the page save the report that is shown. @param {string} selector */
  bindSaveButton(selector) {
    requireElement(selector, this.parts.view).addEventListener('click', () => {
      const { shownView: shown } = this;
      if (shown) saveJson(shown.file_name('', 'json'), shown.json(), this.parts.announce);
    });
  }

  /** The names of what is asked for otherwise than before. @param {StudySettings} settings */
  changedSettings(settings) {
    return Object.keys(settings).filter((name) => String(settings[name]) !== String(this.wanted[name]));
  }

  /** The figures of some sections. @param {readonly string[]} sections */
  figuresInSections(sections) {
    const figures = this.view?.figures() ?? [];
    return figures.filter(({ section }) => sections.includes(section)).map(({ id }) => id);
  }
}
