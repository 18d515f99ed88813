// @ts-check
/** Measurement theory's page: all fifteen metrics as their parts come, and one opened. */

import { MeasuredParts } from '../../little/measured-parts.js';
import { ProgressLine } from '../../little/progress-line.js';
import { passingButton } from '../../little/passing-button.js';
import { createStudySettings } from '../../little/study-settings.js';
import { el, need } from '../../shell/dom.js';
import { exportables } from '../../shell/exportables.js';
import { Figures } from '../../shell/figures.js';
import { whenNearViewport } from '../../shell/near-viewport.js';
import { inOneFile } from '../../shell/views.js';
import { partJob, pictureJob } from '../../workers/measurement.js';
import { showClaims } from './claims.js';
import { createEdges } from './edges.js';
import { createOwn } from './own.js';
import { conditionWords, showSaid } from './said.js';

/** What all fifteen depend on. */
const ALL = ['n_prompts', 'seeds'];
/** Sections of figures that are of all fifteen. */
const SECTIONS = ['measure-all', 'measure-verdicts'];
/** The section of the metric that is opened. */
const ONE = 'measure-one';
/** What its limits can reach. */
const REACH = 'measure-reach';
/** Before any part: somebody looks at what is opened. */
const LOOKED_AT = 1_000;

/**
 * @typedef {object} Parts
 * @property {HTMLElement} view
 * @property {Lab} core
 * @property {import('../../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {() => void} onState the address is to follow
 * @property {() => void} onComplete all that was asked for is there
 */

export class Measurement {
  #parts;
  #figures;
  #settings;
  #measured;
  #status;
  #pictured;
  #metrics;
  /** Whether anybody has come near the metric that is opened. */
  #near = false;
  /** What is shown or on its way. @type {StudySettings} */
  #wanted;
  /** Which built case is shown. */
  #case = 0;
  /** The metric whose cases there are buttons for. */
  #casesOf = '';
  /** @type {MeasureView | null} */
  #view = null;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { view, core, pool, announce } = parts;
    this.#wanted = core.study_defaults('measurement');
    this.#metrics = core.measure_metrics();
    this.#figures = new Figures(
      view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]')),
      announce,
      () => this.#view,
    );
    const [all, one] = ['#measure-all-settings', '#measure-one-settings'].map((id) => need(id, view));
    this.#settings = createStudySettings({
      study: 'measurement',
      formOf: (name) => (ALL.includes(name) ? all : one) ?? null,
      general: need('#measure-error', view),
      core,
      onSettings: (settings) => this.#ask(settings),
    });
    this.#status = new ProgressLine(need('#measure-status', view), 'parts');
    /** @param {StudySettings} settings */
    const partsOf = (settings) => core.measure_parts(settings).map((name) => partJob(core, settings, name));
    /** @type {MeasuredParts<import('../../types/core.d.ts').MeasurementLine[]>} */
    this.#measured = new MeasuredParts(core, pool, partsOf, {
      onFound: () => this.#found(),
      onEnd: () => this.#ended(),
    });
    /** @type {MeasuredParts<import('../../types/core.d.ts').MeasurementPicture>} */
    this.#pictured = new MeasuredParts(core, pool, (settings) => [{ ...pictureJob(core, settings), priority: LOOKED_AT }], {
      onFound() {},
      onEnd: () => this.#drawn(),
    });
    this.#watch(need('#measure-one', view));
    createOwn({ place: need('#measure-own-place', view), pool, announce });
    createEdges({ place: need('#measure-edges-place', view), core, pool, announce, settings: () => this.#wanted });
    showClaims(need('#measure-claims-list', view), core.measure_claims());
  }

  /** For the address. */
  get state() {
    return { settings: this.#wanted, open: 0 };
  }

  get digest() {
    return this.#view?.digest() ?? null;
  }

  /** What is shown; null before. */
  get shown() {
    return this.#view;
  }

  redraw() {
    this.#figures.redraw();
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings }) {
    this.#settings.show(settings);
    this.#wanted = settings;
    this.#figures.show(this.#open());
    this.#go();
    this.#picture();
  }

  /** What is opened is measured once the reader comes near it. @param {HTMLElement} section */
  #watch(section) {
    const come = () => {
      this.#near = true;
      this.#picture();
    };
    whenNearViewport(section, come, '600px');
  }

  /** @param {StudySettings} settings that the core allows */
  #ask(settings) {
    const former = this.#wanted;
    const changed = Object.keys(settings).filter((name) => settings[name] !== former[name]);
    if (changed.length === 0) return;
    if (changed.includes('metric')) {
      this.#case = 0;
      // What the former one took where nothing was said is not what this one takes.
      const { top_k, n_features } = this.#metric(settings);
      const usual = this.#metric(former);
      if (settings.top_k === usual.top_k) settings = { ...settings, top_k };
      if (settings.n_features === usual.n_features) settings = { ...settings, n_features };
      this.#settings.show(settings);
    }
    this.#wanted = settings;
    this.#open();
    this.#picture();
    if (changed.some((name) => !ALL.includes(name))) this.#figures.refresh(this.#inSections([ONE, REACH]));
    if (changed.some((name) => ALL.includes(name))) {
      this.#figures.refresh(this.#inSections([...SECTIONS, ONE]));
      this.#go();
    }
    this.#parts.onState();
  }

  /** @param {StudySettings} settings @returns {MeasureMetric} */
  #metric(settings) {
    const found = this.#metrics.find(({ about }) => about.id === settings.metric);
    if (!found) throw new Error(`there is no metric ${settings.metric}`);
    return found;
  }

  /** The study under what is wanted now, with what there is of it. */
  #open() {
    const { core, view } = this.#parts;
    const settings = this.#wanted;
    const former = this.#view;
    const metric = this.#metric(settings);
    const [, picture = null] = this.#pictured.of(settings)[0] ?? [];
    const parts = this.#measured.of(settings).map(([part, lines]) => ({ part, lines }));
    this.#view = core.Study.open('measurement', { settings, parts, picture, case: this.#case });
    this.#offerCases(settings.metric);
    showSaid(need('#measure-said', view), metric);
    for (const { name } of core.study_fields('measurement')) {
      if (name !== 'metric' && !ALL.includes(name)) this.#settings.setShown(name, metric.takes.includes(name));
    }
    need('#measure-headline', view).textContent = this.#view.headline();
    if (!inOneFile()) exportables.view = this.#view;
    const panels = picture?.panels.length ?? 1;
    for (const [nth, id] of ['measure-picture', 'measure-picture-2', 'measure-picture-3'].entries()) {
      const figure = need(`figure[data-figure=${id}]`, view);
      figure.hidden = nth >= panels;
      // Tables keep their width on a narrow page, pictures take what there is.
      figure.parentElement?.classList.toggle('ce-scroll', picture?.panels[nth]?.shown.kind === 'table');
    }
    this.#figures.follow(this.#view);
    former?.free();
    return this.#view;
  }

  /** A button for each case that is built of a metric. @param {string} metric */
  #offerCases(metric) {
    if (this.#casesOf === metric) return;
    this.#casesOf = metric;
    const { core, view, announce } = this.#parts;
    const buttons = core.measure_reached(metric).map(({ condition, reading, kind, holds }, at) => {
      const words = `${conditionWords(condition)}: ${kind} case, ${reading === 'code' ? 'code' : 'text'}`;
      const button = el('button', { type: 'button', 'aria-pressed': String(at === 0) }, words, el('span', {}, holds ? ' ✓' : ' ✗'));
      button.addEventListener('click', () => {
        this.#case = at;
        for (const [nth, other] of buttons.entries()) other.setAttribute('aria-pressed', String(nth === at));
        this.#open();
        this.#figures.refresh(this.#inSections([REACH]));
        announce(this.#view?.summary('measure-reach') ?? '');
      });
      return button;
    });
    need('#measure-cases', view).replaceChildren(...buttons);
  }

  /** The figures of some sections. @param {readonly string[]} sections */
  #inSections(sections) {
    const figures = this.#view?.figures() ?? [];
    return figures.filter(({ section }) => sections.includes(section)).map(({ id }) => id);
  }

  /** Measures the metric that is opened, if anybody is near. */
  #picture() {
    const status = need('#measure-one-status', this.#parts.view);
    if (!this.#near) {
      status.textContent = 'Measured when you come here.';
      return;
    }
    if (this.#pictured.whole(this.#wanted)) {
      this.#pictured.stop();
      status.textContent = '';
      return;
    }
    this.#pictured.measure(this.#wanted);
    const metric = this.#metric(this.#wanted);
    status.replaceChildren(`Measuring ${metric.about.id.toUpperCase()} … `, passingButton('Cancel', () => this.#pictured.cancel()));
  }

  /** It is there, or will not be. */
  #drawn() {
    const status = need('#measure-one-status', this.#parts.view);
    status.textContent = '';
    const { cancelled, missing } = this.#pictured;
    const why = cancelled ? 'cancelled' : [...missing.values()].join();
    if (why) status.append(`It is not measured (${why.replace(/\.$/, '')}). `, passingButton('Try again', () => this.#picture()));
    this.#open();
    this.#figures.refresh(this.#inSections([ONE]));
  }

  /** Measures what is missing. */
  #go() {
    if (this.#measured.whole(this.#wanted)) {
      this.#measured.stop();
      this.#done();
      return;
    }
    this.#status.begin(this.#measured.count(this.#wanted).all, () => this.#measured.cancel());
    this.#progress();
    this.#measured.measure(this.#wanted);
  }

  #found() {
    this.#open();
    this.#figures.refresh(this.#inSections(SECTIONS));
    this.#progress();
  }

  #progress() {
    this.#status.progress(this.#measured.count(this.#wanted).done);
  }

  #ended() {
    const { announce } = this.#parts;
    if (this.#measured.whole(this.#wanted)) {
      this.#done();
      announce(this.#status.text);
      return;
    }
    const { done, all } = this.#measured.count(this.#wanted);
    announce(this.#status.unfinished(done, all, this.#measured, () => this.#go()));
  }

  /** All of it is there. */
  #done() {
    const { n_prompts, seeds } = this.#wanted;
    const { took } = this.#measured;
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    this.#status.say(
      `Ten tasks of ${n_prompts} prompts each, ${seeds} seed${seeds === 1 ? '' : 's'} of what is planted or trained for this${seconds}.`,
    );
    this.#parts.onComplete();
  }
}
