// @ts-check
/** Measurement theory's page: all fifteen metrics as their parts come, and one opened. */

import { JobsPage } from '../../study/jobs-page.js';
import { JobResults } from '../../study/job-results.js';
import { createTransientButton } from '../../study/one-time-button.js';
import { ProgressLine } from '../../study/progress-line.js';
import { stripFullStop, createButton, el, requireElement } from '../../shell/dom.js';
import { createJob } from '../../workers/study-jobs.js';
import { showClaims } from './claims.js';
import { createEdgesSection } from './edges.js';
import { createUserMeasurement } from './user-files.js';
import { formatCondition, showMetricInfo } from './definitions.js';

/** What all fifteen depend on. */
const SHARED_SETTINGS = ['n_prompts', 'seeds'];
/** Sections of figures that are of all fifteen. */
const OVERVIEW_SECTIONS = ['measure-all', 'measure-verdicts'];
/** The section of the metric that is opened. */
const METRIC_SECTION = 'measure-one';
/** What its limits can reach. */
const REACH_SECTION = 'measure-reach';
/** Before any part: somebody looks at what is opened. */
const OPENED_PRIORITY = 1_000;

/** @extends {JobsPage<ScriptedView, JobResults<'measurement'>>} */
export class MeasurementPage extends JobsPage {
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

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    super(parts, {
      ...{ study: 'measurement', status: '#measure-status', things: 'parts', error: '#measure-error' },
      measure: (told) => new JobResults(core, pool, 'measurement', told),
      formOf: (name) => requireElement(SHARED_SETTINGS.includes(name) ? '#measure-all-settings' : '#measure-one-settings', view),
    });
    this.#metrics = core.measure_metrics();
    this.#line = new ProgressLine(requireElement('#measure-one-status', view));
    /** @param {StudySettings} settings */
    const openedOf = (settings) => [
      { ...createJob(core, 'measurement', settings, String(settings.metric)), priority: OPENED_PRIORITY },
    ];
    const told = { onFound() {}, onEnd: () => this.#handleMeasured() };
    this.#pictured = new JobResults(core, pool, 'measurement', told, openedOf);
    this.runWhenNear(requireElement('#measure-one', view), () => {
      this.#near = true;
      this.#measureOpenedMetric();
    });
    createUserMeasurement(parts, { place: requireElement('#measure-own-place', view) });
    createEdgesSection(parts, { place: requireElement('#measure-edges-place', view), settings: () => this.wanted });
    showClaims(requireElement('#measure-claims-list', view), core.measure_claims());
  }

  /** Shows what a link says. @param {StudyPage} page */
  followLink({ settings }) {
    this.adoptSettings(settings);
    this.figures.show(this.#openStudy());
    this.measureMissing();
    this.#measureOpenedMetric();
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    const { wanted: former } = this;
    const changed = this.changedSettings(settings);
    if (changed.length === 0) return;
    if (changed.includes('metric')) {
      this.#case = 0;
      // What the former one took where nothing was said is not what this one takes.
      const { top_k, n_features } = this.#findMetric(settings);
      const usual = this.#findMetric(former);
      if (settings.top_k === usual.top_k) settings = { ...settings, top_k };
      if (settings.n_features === usual.n_features) settings = { ...settings, n_features };
      this.form.show(settings);
    }
    this.wanted = settings;
    this.#openStudy();
    this.#measureOpenedMetric();
    if (changed.some((name) => !SHARED_SETTINGS.includes(name))) this.figures.refresh(this.figuresInSections([METRIC_SECTION, REACH_SECTION]));
    if (changed.some((name) => SHARED_SETTINGS.includes(name))) {
      this.figures.refresh(this.figuresInSections([...OVERVIEW_SECTIONS, METRIC_SECTION]));
      this.measureMissing();
    }
    this.parts.onState();
  }

  /** @param {StudySettings} settings @returns {MeasureMetric} */
  #findMetric(settings) {
    const found = this.#metrics.find(({ about }) => about.id === settings.metric);
    if (!found) throw new Error(`there is no metric ${settings.metric}`);
    return found;
  }

  /** The study under what is wanted now, with what there is of it. */
  #openStudy() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const metric = this.#findMetric(settings);
    const { picture } = this.#pictured.report(settings);
    const shown = core.Study.open('measurement', { ...this.measured.report(settings), picture, case: this.#case });
    this.#showCaseButtons(settings.metric);
    showMetricInfo(requireElement('#measure-said', view), metric);
    for (const { name } of core.study_fields('measurement')) {
      if (name !== 'metric' && !SHARED_SETTINGS.includes(name)) this.form.setShown(name, metric.takes.includes(name));
    }
    requireElement('#measure-headline', view).textContent = shown.headline();
    const panels = picture?.panels.length ?? 1;
    for (const [nth, id] of ['measure-picture', 'measure-picture-2', 'measure-picture-3'].entries()) {
      const figure = requireElement(`figure[data-figure=${id}]`, view);
      figure.hidden = nth >= panels;
      // Tables keep their width on a narrow page, pictures take what there is.
      figure.parentElement?.classList.toggle('ce-scroll', picture?.panels[nth]?.shown.kind === 'table');
    }
    return this.replaceView(shown);
  }

  /** A button for each case that is built of a metric. @param {string} metric */
  #showCaseButtons(metric) {
    if (this.#casesOf === metric) return;
    this.#casesOf = metric;
    const { core, view, announce } = this.parts;
    const buttons = core.measure_reached(metric).map(({ condition, reading, kind, holds }, at) => {
      const words = `${formatCondition(condition)}: ${kind} case, ${reading === 'code' ? 'code' : 'text'}`;
      const sign = el('span', {}, holds ? ' ✓' : ' ✗');
      return createButton([words, sign], { 'aria-pressed': String(at === 0) }, () => {
        this.#case = at;
        for (const [nth, other] of buttons.entries()) other.setAttribute('aria-pressed', String(nth === at));
        this.#openStudy();
        this.figures.refresh(this.figuresInSections([REACH_SECTION]));
        announce(this.view?.summary('measure-reach') ?? '');
      });
    });
    requireElement('#measure-cases', view).replaceChildren(...buttons);
  }

  /** Measures the metric that is opened, if anybody is near. */
  #measureOpenedMetric() {
    if (!this.#near) {
      this.#line.setContent('Measured when you come here.');
      return;
    }
    if (this.#pictured.isComplete(this.wanted)) {
      this.#pictured.stop();
      this.#line.setContent();
      return;
    }
    this.#pictured.measure(this.wanted);
    const metric = this.#findMetric(this.wanted);
    this.#line.setContent(`Measuring ${metric.about.id.toUpperCase()} … `, createTransientButton('Cancel', () => this.#pictured.cancel()));
  }

  /** It is there, or will not be. */
  #handleMeasured() {
    const { cancelled, missing } = this.#pictured;
    const why = cancelled ? 'cancelled' : [...missing.values()].join();
    if (why) this.#line.showUnfinished(`It is not measured (${stripFullStop(why)}). `, () => this.#measureOpenedMetric());
    else this.#line.setContent();
    this.#openStudy();
    this.figures.refresh(this.figuresInSections([METRIC_SECTION]));
  }

  /** @override */
  handlePart() {
    this.#openStudy();
    this.figures.refresh(this.figuresInSections(OVERVIEW_SECTIONS));
    this.showProgress();
  }

  /** @override */
  handleComplete() {
    const { n_prompts, seeds } = this.wanted;
    const { took } = this.measured;
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    this.status.setContent(
      `Ten tasks of ${n_prompts} prompts each, ${seeds} seed${seeds === 1 ? '' : 's'} of what is planted or trained for this${seconds}.`,
    );
    this.parts.onComplete();
  }
}
