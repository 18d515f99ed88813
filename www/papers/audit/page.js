// @ts-check
/** The audit's page: the table as its parts come, one metric opened, all of them beside each other. */

import { MeasuredPage } from '../../little/measured-page.js';
import { MeasuredParts } from '../../little/measured-parts.js';
import { passingButton } from '../../little/passing-button.js';
import { Coalesced } from '../../shell/coalesced.js';
import { el, need } from '../../shell/dom.js';
import { duration } from '../../shell/duration.js';
import { mayCompute } from '../../shell/unasked.js';
import { auditJobs } from '../../workers/audit.js';
import { createOwnAudit, ownWords } from './own.js';
import { createChooser } from './chooser.js';
import { countsClaim, countsTable } from './counts.js';
import { createReports } from './reports.js';
import { nameOf, showEntry } from './opened-metric.js';

/** @typedef {import('../../types/core.d.ts').AuditJob} Found */

/** The settings on which it depends what is measured. */
const MEASURED = ['preset', 'seeds', 'first_seed', 'world', 'edition'];
/** Whether two settings ask for the same to be measured. @param {StudySettings} a @param {StudySettings} b */
const isSame = (a, b) => MEASURED.every((name) => a[name] === b[name]);

/** The forms, by the group of their fields. @type {Record<string, string>} */
const FORMS = {
  measured: '#audit-measured',
  rule: '#audit-rule',
  'rule-1': '#audit-rule-1',
  'rule-2': '#audit-rule-2',
  weights: '#audit-weights',
  shown: '#audit-shown',
};
/** The limits that one edition alone has. @type {Record<string, string>} */
const OF_EDITION = { 1: '#audit-rule-1', 2: '#audit-rule-2' };
/** A weight is dragged in such steps. */
const STEP = 0.05;
/** What came within so many milliseconds is judged at once. */
const TOGETHER = 150;

/** The first of the table, where no metric was opened. */
const FIRST = 'first';

/** @extends {MeasuredPage<AuditView, MeasuredParts<Found>>} */
export class Audit extends MeasuredPage {
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
  #taking = new Coalesced(() => this.#take());

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const fields = core.study_fields('audit');
    const weights = fields.filter(({ group }) => group === 'weights');
    super(parts, {
      ...{ study: 'audit', status: '#audit-status', things: 'parts', error: '#audit-error' },
      measure: (told) => new MeasuredParts(core, pool, (settings) => auditJobs(core, settings), told),
      formOf: (name) => {
        const group = fields.find((field) => field.name === name)?.group ?? '';
        return need(name === 'metric' ? '#audit-one-settings' : (FORMS[group] ?? '#audit-shown'), view);
      },
      sliders: Object.fromEntries(weights.map(({ name }) => [name, STEP])),
    });
    const table = this.figures.of('audit-table');
    if (table) table.onChoose = ({ series }) => this.#openMetric(series);
    // Readings of one metric have one name.
    for (const metric of core.audit_metrics()) {
      const option = view.querySelector(`#audit-metric option[value="${metric.id}"]`);
      if (option) option.textContent = nameOf(metric);
    }
    const papers = fields.find(({ name }) => name === 'paper')?.options ?? [];
    this.#papers = new Map(papers.map(({ value, label }) => [value, label]));
    createOwnAudit(parts, {
      place: need('#audit-own-place', view),
      settings: () => this.wanted,
      onMeasured: (found) => this.#openOwn(found),
    });
    this.#chooser = createChooser({ place: need('#audit-choose', view), onOpen: (metric) => this.#openMetric(metric) });
    this.#reports = createReports({ ...parts, onOpen: (report) => this.#openReport(report) });
    this.offerSave('#audit-save');
  }

  /** @override */
  get digest() {
    // A link does not hold a reader's own: whoever follows it measures what the settings say.
    if (this.#isGiven() && this.#given?.own) return null;
    return super.digest;
  }

  /** @override */
  get shown() {
    return this.#isGiven() ? (this.#given?.view ?? null) : this.view;
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings }) {
    this.adopt(settings);
    // Whoever asks for nothing else is shown what took ten models, at once.
    if ((location.search === '' || settings.preset === 'full') && mayCompute() && this.#reports.isShipped) {
      this.#openShipped(location.search === '');
      return;
    }
    this.#show();
    this.go();
  }

  /**
   * Shows the site's own report; where it does not come or is not what a link asks for, or something else was asked for
   * meanwhile, what is measured here.
   *
   * @param {boolean} isAny nothing was asked for
   */
  async #openShipped(isAny) {
    const [wanted, given] = [this.wanted, this.#given];
    const place = need('#audit-counts', this.parts.view);
    place.dataset.coming = '';
    this.status.say('Opening the report of ten models…');
    const report = await this.#reports.shipped(String(wanted.edition));
    delete place.dataset.coming;
    const isFree = this.#given === given && isSame(this.wanted, wanted);
    if (report && isFree && (isAny || isSame(report.settings, wanted))) {
      this.#openReport(report, false);
      return;
    }
    report?.view.free();
    if (this.#given !== given) return;
    this.#show();
    this.go();
  }

  /** Whether what is wanted is in the report that was measured elsewhere. */
  #isGiven() {
    const given = this.#given;
    if (!given) return false;
    // A reader's own stays until something else is asked for.
    if (given.own) return isSame(given.settings, this.wanted);
    if (given.settings.preset !== this.wanted.preset) return false;
    return this.parts.core.audit_jobs(this.wanted).every((name) => given.jobs.has(name));
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    const changed = this.changed(settings);
    if (changed.length === 0) return;
    this.wanted = settings;
    this.#judge();
    if (changed.some((name) => MEASURED.includes(name))) this.go();
    this.parts.onState();
  }

  /** @param {string} metric by its id */
  #openMetric(metric) {
    const { view, announce } = this.parts;
    this.choose({ ...this.wanted, metric });
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    need('#audit-one', view).scrollIntoView({ behavior: still ? 'instant' : 'smooth' });
    const opened = this.shown?.audit_entry()?.metric;
    announce(`${opened ? nameOf(opened) : metric} is opened.`);
  }

  /** @param {import('./own.js').Measured} found */
  #openOwn(found) {
    const settings = this.wanted;
    const view = this.parts.core.Study.open('audit', { settings, jobs: [], own: found.rows });
    this.#openReport({ view, settings, jobs: new Set(), own: true, from: `your files, ${ownWords(found)}` });
  }

  /** @param {import('./reports.js').Opened} report @param {boolean} [isAsked] the address is to say so */
  #openReport(report, isAsked = true) {
    this.measured.stop();
    // Whose own it is stands in the place of what was asked for.
    if (report.own) report.settings = this.wanted;
    this.#turnTo(report, report.settings, isAsked);
  }

  /**
   * Shows a report that was measured elsewhere, or none; it is judged by the limits that stand here.
   *
   * @param {import('./reports.js').Opened | null} report @param {StudySettings} of what was measured
   * @param {boolean} isAsked the address is to say so
   */
  #turnTo(report, of, isAsked) {
    // Whoever draws from the former one is given the new one first.
    const former = this.#given;
    this.#given = report;
    this.adopt({ ...this.wanted, ...Object.fromEntries(MEASURED.map((name) => [name, of[name]])) });
    this.#show();
    former?.view.free();
    this.go();
    if (isAsked) this.parts.onState();
  }

  /** Shows what there is of what is wanted. */
  #show() {
    this.figures.show(this.#follow());
  }

  /** Judges what there is by what is wanted now. */
  #judge() {
    this.#follow();
    this.figures.redraw();
  }

  /** The view of what is wanted, with its words beside it. */
  #follow() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const given = this.#isGiven() ? this.#given : null;
    const of = JSON.stringify(MEASURED.map((name) => settings[name]));
    if (given) {
      given.view.audit_judge(settings);
    } else if (this.view && of === this.#of) {
      this.view.audit_judge(settings);
    } else {
      const jobs = this.measured.of(settings).map(([, found]) => found);
      this.#come = [];
      this.#of = of;
      this.replace(core.Study.open('audit', { settings, jobs }));
    }
    const shown = /** @type {AuditView} */ (given?.view ?? this.view);
    for (const [edition, form] of Object.entries(OF_EDITION)) need(form, view).hidden = settings.edition !== edition;
    const counts = shown.audit_counts();
    need('#audit-headline', view).textContent = counts ? countsClaim(counts) : shown.headline();
    need('#audit-counts', view).replaceChildren(...(counts ? countsTable(counts) : []));
    // Which metric comes first is no word on a part, and what stands below it is not moved about while parts come.
    const isOpen = settings.metric !== FIRST || given !== null || this.measured.whole(settings);
    need('#audit-one', view).toggleAttribute('data-undecided', !isOpen);
    need('[data-figure=audit-controls]', view).hidden = !isOpen;
    if (isOpen) showEntry(need('#audit-said', view), shown.audit_entry(), (paper) => this.#papers.get(paper) ?? paper);
    else need('#audit-said', view).replaceChildren(el('p', {}, 'The metric that comes first is shown once all parts are measured. Open another one in the table, or by its name.'));
    this.#chooser.follow(shown);
    this.present(shown);
    return shown;
  }

  /** @override */
  isWhole() {
    return this.#isGiven() || super.isWhole();
  }

  /** @param {Found} found @override */
  found(found) {
    this.#come.push(found);
    this.#taking.soon(TOGETHER);
    this.progress(this.measured.left);
  }

  /** Judges what has come. */
  #take() {
    const come = this.#come;
    this.#come = [];
    if (come.length === 0) return;
    this.view?.audit_take(come);
    this.#judge();
  }

  /** @override */
  ended() {
    this.#taking.now();
    super.ended();
  }

  /** @override */
  done() {
    const { core } = this.parts;
    const given = this.#isGiven() ? this.#given : null;
    if (given) {
      this.status.say(
        `From ${given.from}. `,
        passingButton('Measure in this tab instead', () => this.#leave()),
      );
    } else {
      const jobs = core.audit_jobs(this.wanted).length;
      const { took } = this.measured;
      this.status.say(`All ${jobs} parts are measured${took === null ? '' : `: ${duration(took)} on this machine`}.`);
    }
    this.parts.onComplete();
  }

  /** Leaves the report that was measured elsewhere. */
  #leave() {
    // What was asked for before a reader's own stands there still.
    this.#turnTo(null, this.#given?.own ? this.wanted : this.parts.core.study_defaults('audit'), true);
  }
}
