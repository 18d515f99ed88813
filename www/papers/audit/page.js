// @ts-check
/** The audit's page: the table as its parts come, one metric opened, all of them beside each other. */

import { JobsPage } from '../../study/jobs-page.js';
import { JobResults } from '../../study/job-results.js';
import { createTransientButton } from '../../study/one-time-button.js';
import { Throttle } from '../../shell/throttle.js';
import { el, requireElement } from '../../shell/dom.js';
import { formatDuration } from '../../shell/duration.js';
import { canPrecompute } from '../../shell/data-saver.js';
import { createUserAudit, describeMeasured } from './user-files.js';
import { createMetricChooser } from './chooser.js';
import { countsSentence, createCountsTable } from './counts.js';
import { createReportOpener } from './reports.js';
import { formatMetricName, showMetricEntry } from './opened-metric.js';

/** @typedef {import('../../types/core.d.ts').AuditJob} Found */

/** The settings on which it depends what is measured. */
const MEASURED_SETTINGS = ['preset', 'seeds', 'first_seed', 'world', 'edition'];
/** Whether two settings ask for the same to be measured. @param {StudySettings} a @param {StudySettings} b */
const hasSameMeasurement = (a, b) => MEASURED_SETTINGS.every((name) => a[name] === b[name]);

/** The forms, by the group of their fields. @type {Record<string, string>} */
const FORM_SELECTORS = {
  measured: '#audit-measured',
  rule: '#audit-rule',
  'rule-1': '#audit-rule-1',
  'rule-2': '#audit-rule-2',
  weights: '#audit-weights',
  shown: '#audit-shown',
};
/** The limits that one edition alone has. @type {Record<string, string>} */
const EDITION_FORMS = { 1: '#audit-rule-1', 2: '#audit-rule-2' };
/** A weight is dragged in such steps. */
const WEIGHT_STEP = 0.05;
/** What came within so many milliseconds is judged at once. */
const BATCH_DELAY = 150;

/** The first of the table, where no metric was opened. */
const FIRST_METRIC = 'first';

/** @extends {JobsPage<AuditView, JobResults<'audit'>>} */
export class AuditPage extends JobsPage {
  #chooser;
  #reports;
  /** What each paper is called, by its study. @type {Map<string, string>} */
  #papers;
  /** What of it the view was opened for: those settings on which it depends what is measured. */
  #of = '';
  /** A report that was measured elsewhere. @type {import('./reports.js').Opened | null} */
  #given = null;
  /** What has come and is not judged yet. @type {Found[]} */
  #come = [];
  #taking = new Throttle(() => this.#judgeArrivedParts());

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const fields = core.study_fields('audit');
    const weights = fields.filter(({ group }) => group === 'weights');
    super(parts, {
      ...{ study: 'audit', status: '#audit-status', things: 'parts', error: '#audit-error' },
      measure: (told) => new JobResults(core, pool, 'audit', told),
      formOf: (name) => {
        const group = fields.find((field) => field.name === name)?.group ?? '';
        return requireElement(name === 'metric' ? '#audit-one-settings' : (FORM_SELECTORS[group] ?? '#audit-shown'), view);
      },
      sliders: Object.fromEntries(weights.map(({ name }) => [name, WEIGHT_STEP])),
    });
    const table = this.figures.findById('audit-table');
    if (table) table.onChoose = ({ series }) => this.#openMetric(series);
    // Readings of one metric have one name.
    for (const metric of core.audit_metrics()) {
      const option = view.querySelector(`#audit-metric option[value="${metric.id}"]`);
      if (option) option.textContent = formatMetricName(metric);
    }
    const papers = fields.find(({ name }) => name === 'paper')?.options ?? [];
    this.#papers = new Map(papers.map(({ value, label }) => [value, label]));
    createUserAudit(parts, {
      place: requireElement('#audit-own-place', view),
      settings: () => this.wanted,
      onMeasured: (found) => this.#openUserReport(found),
    });
    this.#chooser = createMetricChooser({ place: requireElement('#audit-choose', view), onOpen: (metric) => this.#openMetric(metric) });
    this.#reports = createReportOpener({ ...parts, onOpen: (report) => this.#openReport(report) });
    this.bindSaveButton('#audit-save');
  }

  /** @override */
  get digest() {
    // A link does not hold a reader's own: whoever follows it measures what the settings say.
    if (this.#isFromReport() && this.#given?.own) return null;
    return super.digest;
  }

  /** @override */
  get shownView() {
    return this.#isFromReport() ? (this.#given?.view ?? null) : this.view;
  }

  /** Shows what a link says. @param {StudyPage} page */
  followLink({ settings }) {
    this.adoptSettings(settings);
    // Whoever asks for nothing else is shown what took ten models, at once.
    if ((location.search === '' || settings.preset === 'full') && canPrecompute() && this.#reports.isShipped) {
      this.#openShippedReport(location.search === '');
      return;
    }
    this.#showFigures();
    this.measureMissing();
  }

  /**
   * Shows the site's own report; where it does not come or is not what a link asks for, or something else was asked for
   * meanwhile, what is measured here.
   *
   * @param {boolean} isAny nothing was asked for
   */
  async #openShippedReport(isAny) {
    const [wanted, given] = [this.wanted, this.#given];
    const place = requireElement('#audit-counts', this.parts.view);
    place.dataset.coming = '';
    this.status.setContent('Opening the report of ten models…');
    const report = await this.#reports.shipped(String(wanted.edition));
    delete place.dataset.coming;
    const isFree = this.#given === given && hasSameMeasurement(this.wanted, wanted);
    if (report && isFree && (isAny || hasSameMeasurement(report.settings, wanted))) {
      this.#openReport(report, false);
      return;
    }
    report?.view.free();
    if (this.#given !== given) return;
    this.#showFigures();
    this.measureMissing();
  }

  /** Whether what is wanted is in the report that was measured elsewhere. */
  #isFromReport() {
    const given = this.#given;
    if (!given) return false;
    // A reader's own stays until something else is asked for.
    if (given.own) return hasSameMeasurement(given.settings, this.wanted);
    if (given.settings.preset !== this.wanted.preset) return false;
    return this.parts.core.study_jobs('audit', this.wanted).every((name) => given.jobs.has(name));
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    const changed = this.changedSettings(settings);
    if (changed.length === 0) return;
    this.wanted = settings;
    this.#updateVerdicts();
    if (changed.some((name) => MEASURED_SETTINGS.includes(name))) this.measureMissing();
    this.parts.onState();
  }

  /** @param {string} metric by its id */
  #openMetric(metric) {
    const { view, announce } = this.parts;
    this.setSettings({ ...this.wanted, metric });
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    requireElement('#audit-one', view).scrollIntoView({ behavior: still ? 'instant' : 'smooth' });
    const opened = this.shownView?.audit_entry()?.metric;
    announce(`${opened ? formatMetricName(opened) : metric} is opened.`);
  }

  /** @param {import('./user-files.js').Measured} found */
  #openUserReport(found) {
    const settings = this.wanted;
    const view = this.parts.core.Study.open('audit', { settings, jobs: [], own: found.rows });
    this.#openReport({ view, settings, jobs: new Set(), own: true, from: `your files, ${describeMeasured(found)}` });
  }

  /** @param {import('./reports.js').Opened} report @param {boolean} [isAsked] the address is to say so */
  #openReport(report, isAsked = true) {
    this.measured.stop();
    // Whose own it is stands in the place of what was asked for.
    if (report.own) report.settings = this.wanted;
    this.#switchReport(report, report.settings, isAsked);
  }

  /**
   * Shows a report that was measured elsewhere, or none; it is judged by the limits that stand here.
   *
   * @param {import('./reports.js').Opened | null} report @param {StudySettings} of what was measured
   * @param {boolean} isAsked the address is to say so
   */
  #switchReport(report, of, isAsked) {
    // Whoever draws from the former one is given the new one first.
    const former = this.#given;
    this.#given = report;
    this.adoptSettings({ ...this.wanted, ...Object.fromEntries(MEASURED_SETTINGS.map((name) => [name, of[name]])) });
    this.#showFigures();
    former?.view.free();
    this.measureMissing();
    if (isAsked) this.parts.onState();
  }

  /** Shows what there is of what is wanted. */
  #showFigures() {
    this.figures.show(this.#updateView());
  }

  /** Judges what there is by what is wanted now. */
  #updateVerdicts() {
    this.#updateView();
    this.figures.redraw();
  }

  /** The view of what is wanted, with its words beside it. */
  #updateView() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const given = this.#isFromReport() ? this.#given : null;
    const of = JSON.stringify(MEASURED_SETTINGS.map((name) => settings[name]));
    if (given) {
      given.view.audit_judge(settings);
    } else if (this.view && of === this.#of) {
      this.view.audit_judge(settings);
    } else {
      this.#come = [];
      this.#of = of;
      this.replaceView(core.Study.open('audit', this.measured.report(settings)));
    }
    const shown = /** @type {AuditView} */ (given?.view ?? this.view);
    for (const [edition, form] of Object.entries(EDITION_FORMS)) requireElement(form, view).hidden = settings.edition !== edition;
    const counts = shown.audit_counts();
    requireElement('#audit-headline', view).textContent = counts ? countsSentence(counts) : shown.headline();
    requireElement('#audit-counts', view).replaceChildren(...(counts ? createCountsTable(counts) : []));
    // Which metric comes first is no word on a part, and what stands below it is not moved about while parts come.
    const isOpen = settings.metric !== FIRST_METRIC || given !== null || this.measured.isComplete(settings);
    requireElement('#audit-one', view).toggleAttribute('data-undecided', !isOpen);
    requireElement('[data-figure=audit-controls]', view).hidden = !isOpen;
    if (isOpen) showMetricEntry(requireElement('#audit-said', view), shown.audit_entry(), (paper) => this.#papers.get(paper) ?? paper);
    else requireElement('#audit-said', view).replaceChildren(el('p', {}, 'The metric that comes first is shown once all parts are measured. Open another one in the table, or by its name.'));
    this.#chooser.follow(shown);
    this.publishView(shown);
    return shown;
  }

  /** @override */
  isComplete() {
    return this.#isFromReport() || super.isComplete();
  }

  /** @param {import('../../types/core.d.ts').AuditReport} found @override */
  handlePart({ jobs }) {
    this.#come.push(...jobs);
    this.#taking.schedule(BATCH_DELAY);
    this.showProgress(this.measured.remainingTime);
  }

  /** Judges what has come. */
  #judgeArrivedParts() {
    const come = this.#come;
    this.#come = [];
    if (come.length === 0) return;
    this.view?.audit_take(come);
    this.#updateVerdicts();
  }

  /** @override */
  handleEnd() {
    this.#taking.runNow();
    super.handleEnd();
  }

  /** @override */
  handleComplete() {
    const { core } = this.parts;
    const given = this.#isFromReport() ? this.#given : null;
    if (given) {
      this.status.setContent(
        `From ${given.from}. `,
        createTransientButton('Measure in this tab instead', () => this.#closeReport()),
      );
    } else {
      const jobs = core.study_jobs('audit', this.wanted).length;
      const { took } = this.measured;
      this.status.setContent(`All ${jobs} parts are measured${took === null ? '' : `: ${formatDuration(took)} on this machine`}.`);
    }
    this.parts.onComplete();
  }

  /** Leaves the report that was measured elsewhere. */
  #closeReport() {
    // What was asked for before a reader's own stands there still.
    this.#switchReport(null, this.#given?.own ? this.wanted : this.parts.core.study_defaults('audit'), true);
  }
}
