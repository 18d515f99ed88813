// @ts-check
/** Measurement theory's page: all fifteen metrics as their parts come, and one opened. */

import { MeasuredPage } from '../../little/measured-page.js';
import { MeasuredParts } from '../../little/measured-parts.js';
import { passingButton } from '../../little/passing-button.js';
import { ProgressLine } from '../../little/progress-line.js';
import { clause, createButton, el, need } from '../../shell/dom.js';
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

/** @extends {MeasuredPage<ScriptedView, MeasuredParts<import('../../types/core.d.ts').MeasurementLine[]>>} */
export class Measurement extends MeasuredPage {
  #pictured;
  #metrics;
  /** How far the metric is that is opened. */
  #line;
  /** Whether anybody has come near the metric that is opened. */
  #near = false;
  /** Which built case is shown. */
  #case = 0;
  /** The metric whose cases there are buttons for. */
  #casesOf = '';

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    /** @param {StudySettings} settings */
    const partsOf = (settings) => core.measure_parts(settings).map((name) => partJob(core, settings, name));
    super(parts, {
      ...{ study: 'measurement', status: '#measure-status', things: 'parts', error: '#measure-error' },
      measure: (told) => new MeasuredParts(core, pool, partsOf, told),
      formOf: (name) => need(ALL.includes(name) ? '#measure-all-settings' : '#measure-one-settings', view),
    });
    this.#metrics = core.measure_metrics();
    this.#line = new ProgressLine(need('#measure-one-status', view));
    /** @type {MeasuredParts<import('../../types/core.d.ts').MeasurementPicture>} */
    this.#pictured = new MeasuredParts(core, pool, (settings) => [{ ...pictureJob(core, settings), priority: LOOKED_AT }], {
      onFound() {},
      onEnd: () => this.#drawn(),
    });
    this.watch(need('#measure-one', view), () => {
      this.#near = true;
      this.#picture();
    });
    createOwn(parts, { place: need('#measure-own-place', view) });
    createEdges(parts, { place: need('#measure-edges-place', view), settings: () => this.wanted });
    showClaims(need('#measure-claims-list', view), core.measure_claims());
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings }) {
    this.adopt(settings);
    this.figures.show(this.#open());
    this.go();
    this.#picture();
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    const { wanted: former } = this;
    const changed = this.changed(settings);
    if (changed.length === 0) return;
    if (changed.includes('metric')) {
      this.#case = 0;
      // What the former one took where nothing was said is not what this one takes.
      const { top_k, n_features } = this.#metric(settings);
      const usual = this.#metric(former);
      if (settings.top_k === usual.top_k) settings = { ...settings, top_k };
      if (settings.n_features === usual.n_features) settings = { ...settings, n_features };
      this.form.show(settings);
    }
    this.wanted = settings;
    this.#open();
    this.#picture();
    if (changed.some((name) => !ALL.includes(name))) this.figures.refresh(this.inSections([ONE, REACH]));
    if (changed.some((name) => ALL.includes(name))) {
      this.figures.refresh(this.inSections([...SECTIONS, ONE]));
      this.go();
    }
    this.parts.onState();
  }

  /** @param {StudySettings} settings @returns {MeasureMetric} */
  #metric(settings) {
    const found = this.#metrics.find(({ about }) => about.id === settings.metric);
    if (!found) throw new Error(`there is no metric ${settings.metric}`);
    return found;
  }

  /** The study under what is wanted now, with what there is of it. */
  #open() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const metric = this.#metric(settings);
    const [, picture = null] = this.#pictured.of(settings)[0] ?? [];
    const parts = this.measured.of(settings).map(([part, lines]) => ({ part, lines }));
    const shown = core.Study.open('measurement', { settings, parts, picture, case: this.#case });
    this.#offerCases(settings.metric);
    showSaid(need('#measure-said', view), metric);
    for (const { name } of core.study_fields('measurement')) {
      if (name !== 'metric' && !ALL.includes(name)) this.form.setShown(name, metric.takes.includes(name));
    }
    need('#measure-headline', view).textContent = shown.headline();
    const panels = picture?.panels.length ?? 1;
    for (const [nth, id] of ['measure-picture', 'measure-picture-2', 'measure-picture-3'].entries()) {
      const figure = need(`figure[data-figure=${id}]`, view);
      figure.hidden = nth >= panels;
      // Tables keep their width on a narrow page, pictures take what there is.
      figure.parentElement?.classList.toggle('ce-scroll', picture?.panels[nth]?.shown.kind === 'table');
    }
    return this.replace(shown);
  }

  /** A button for each case that is built of a metric. @param {string} metric */
  #offerCases(metric) {
    if (this.#casesOf === metric) return;
    this.#casesOf = metric;
    const { core, view, announce } = this.parts;
    const buttons = core.measure_reached(metric).map(({ condition, reading, kind, holds }, at) => {
      const words = `${conditionWords(condition)}: ${kind} case, ${reading === 'code' ? 'code' : 'text'}`;
      const sign = el('span', {}, holds ? ' ✓' : ' ✗');
      return createButton([words, sign], { 'aria-pressed': String(at === 0) }, () => {
        this.#case = at;
        for (const [nth, other] of buttons.entries()) other.setAttribute('aria-pressed', String(nth === at));
        this.#open();
        this.figures.refresh(this.inSections([REACH]));
        announce(this.view?.summary('measure-reach') ?? '');
      });
    });
    need('#measure-cases', view).replaceChildren(...buttons);
  }

  /** Measures the metric that is opened, if anybody is near. */
  #picture() {
    if (!this.#near) {
      this.#line.say('Measured when you come here.');
      return;
    }
    if (this.#pictured.whole(this.wanted)) {
      this.#pictured.stop();
      this.#line.say();
      return;
    }
    this.#pictured.measure(this.wanted);
    const metric = this.#metric(this.wanted);
    this.#line.say(`Measuring ${metric.about.id.toUpperCase()} … `, passingButton('Cancel', () => this.#pictured.cancel()));
  }

  /** It is there, or will not be. */
  #drawn() {
    const { cancelled, missing } = this.#pictured;
    const why = cancelled ? 'cancelled' : [...missing.values()].join();
    if (why) this.#line.unfinished(`It is not measured (${clause(why)}). `, () => this.#picture());
    else this.#line.say();
    this.#open();
    this.figures.refresh(this.inSections([ONE]));
  }

  /** @override */
  found() {
    this.#open();
    this.figures.refresh(this.inSections(SECTIONS));
    this.progress();
  }

  /** @override */
  done() {
    const { n_prompts, seeds } = this.wanted;
    const { took } = this.measured;
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    this.status.say(
      `Ten tasks of ${n_prompts} prompts each, ${seeds} seed${seeds === 1 ? '' : 's'} of what is planted or trained for this${seconds}.`,
    );
    this.parts.onComplete();
  }
}
