// @ts-check
/** FADE on the toy model: what ties its page together. */

import { faithfulClaim } from '../papers/fade/claim.js';
import { createDifferences } from '../papers/fade/differences.js';
import { createFeatures } from '../papers/fade/features.js';
import { explain } from '../papers/fade/formulas.js';
import { createOpened } from '../papers/fade/opened.js';
import { createOwn } from '../papers/fade/own.js';
import { createRun } from '../papers/fade/run.js';
import { Session } from '../papers/fade/session.js';
import { createSettings } from '../papers/fade/settings.js';
import { createTrain } from '../papers/fade/train.js';
import { createControlMeans } from '../papers/fade/control-means.js';
import { need } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';
import { createStudyScript } from './study-script.js';

/** Figures of all features, and of the one that is opened. */
const OF_ALL = ['fade-scores', 'fade-table'];
const OF_ONE = ['fade-densities', 'fade-precision', 'fade-dose'];
/** The view of a link whose feature is the first; without it, and without a feature, the best is opened. */
const FIRST = 'first';
/** What is shown is brought up to date this often while features are steered, in milliseconds. */
const REFRESH = 250;

class Page {
  #core;
  #view;
  #session;
  #charts;
  #run;
  #settings;
  #controlMeans;
  #link;
  #features = createFeatures((index) => this.#open(index));
  #differences = createDifferences((index) => this.#goTo(index));
  #opened;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #refreshing;
  /** Figures that are to be drawn anew. @type {Set<string>} */
  #stale = new Set();

  /** @param {import('./start.js').Place} place @param {Lab} core @param {import('../workers/pool.js').Pool} pool */
  constructor({ view, announce }, core, pool) {
    this.#core = core;
    this.#view = view;
    const session = (this.#session = new Session({
      core,
      pool,
      onReport: () => this.#showReport(),
      onSteered: (index) => this.#showSteered(index),
      onStage: () => this.#showStage(),
    }));
    const figures = [...view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]'))];
    this.#charts = new Figures(figures, announce, () => session.held?.view ?? null);
    this.#run = createRun({ place: view, session, announce });
    this.#opened = createOpened(core);
    this.#settings = createSettings({ core, onSettings: (wanted) => this.#ask(wanted) });
    this.#settings.offerOwn(false);
    this.#controlMeans = createControlMeans({ element: need('#fade-truth', view), core, pool, session, announce });
    createTrain({
      element: need('#fade-train', view),
      onTrained: (own) => this.#takeOwn(own),
      ...{ core, pool, announce },
    });
    createOwn({ element: need('#fade-own', view), pool, session, announce });
    createStudyScript({
      place: need('#fade-script', view),
      ...{ core, announce },
      view: () => session.held?.view ?? null,
      words: 'With --steer it measures faithfulness too, of the features that have been steered here.',
    });
    this.#place();
    this.#link = createStudyLink({
      study: 'fade',
      ...{ view, core, announce },
      state: () => this.#state(),
      digest: () => (session.whole ? (session.held?.view.digest() ?? null) : null),
      groups: ['the scores of texts', 'what was written'],
      apply: (page) => this.#follow(page),
    });
    this.#link.open();
  }

  /** Everything in its place. */
  #place() {
    const view = this.#view;
    const { title, about, texts, writings } = this.#opened;
    need('#fade-settings-place', view).append(this.#settings.element);
    need('#fade-features-place', view).append(this.#features.element);
    need('#fade-opened-place', view).append(title, about);
    need('#fade-texts-place', view).append(texts, writings);
    need('#fade-readings-place', view).append(this.#differences.element);
    explain(view);
  }

  /** Somebody asks for other settings. @param {StudySettings} settings */
  #ask(settings) {
    this.#session.run(settings);
    this.#link.remember();
  }

  /** What a link says: a feature only if somebody chose it, and the first, whose place a link leaves out, by a word. */
  #state() {
    const { settings, opened, chosen } = this.#session;
    return { settings, open: chosen ? opened : 0, ...(chosen && opened === 0 ? { view: FIRST } : {}) };
  }

  /** Shows what a link says. @param {StudyPage} page */
  #follow({ settings, open, view }) {
    const session = this.#session;
    this.#settings.set(settings);
    session.open(open > 0 || view === FIRST ? open : null);
    const textOf = (/** @type {StudySettings} */ of) => this.#core.study_print('fade', of, 0);
    if (session.stage === 'idle' || textOf(settings) !== textOf(session.settings)) session.run(settings);
    else this.#showOpened();
  }

  /** An autoencoder was trained here: it is rated at once. @param {LittleAutoencoder} own */
  #takeOwn(own) {
    this.#session.own = own;
    this.#controlMeans.forgetOwn();
    this.#settings.offerOwn(true);
    this.#settings.choose('own');
  }

  /** @param {number} index */
  #failuresOf(index) {
    return this.#session.held?.view.failures()[index] ?? [];
  }

  #showOpened() {
    const { held, opened } = this.#session;
    const feature = held?.report.features[opened];
    if (!feature) return;
    this.#features.mark(opened);
    this.#opened.show(feature, this.#failuresOf(opened), held.report.settings.factors);
    this.#charts.refresh(OF_ONE);
  }

  /** @param {number} index */
  #open(index) {
    this.#session.open(index);
    this.#showOpened();
    this.#link.remember();
  }

  /** Opens a feature and leads there. @param {number} index */
  #goTo(index) {
    this.#open(index);
    const { title } = this.#opened;
    title.scrollIntoView({ block: 'start' });
    title.focus({ preventScroll: true });
  }

  #showReport() {
    const { held } = this.#session;
    if (!held) return;
    this.#features.show(held.report.features, held.view.failures());
    this.#differences.show(held.report.features);
    this.#charts.show(held.view);
    this.#claim();
    this.#showOpened();
    this.#controlMeans.take();
    // Whoever measures how long the page takes looks for this, and for the one below.
    performance.mark('fade:scores');
  }

  /** Draws what features were steered for since the last time. */
  #refresh() {
    clearTimeout(this.#refreshing);
    this.#refreshing = undefined;
    const { held } = this.#session;
    if (!held || this.#stale.size === 0) return;
    const ids = [...this.#stale];
    this.#stale.clear();
    this.#differences.show(held.report.features);
    this.#charts.refresh(ids);
    this.#claim();
    this.#run.show();
  }

  /** @param {number} index */
  #showSteered(index) {
    const { held, opened } = this.#session;
    const feature = held?.report.features[index];
    if (!feature) return;
    this.#features.update(index, feature, this.#failuresOf(index));
    for (const id of OF_ALL) this.#stale.add(id);
    if (index === opened) this.#showOpened();
    this.#refreshing ??= setTimeout(() => this.#refresh(), REFRESH);
  }

  #showStage() {
    const { stage } = this.#session;
    this.#view.dataset.stage = stage;
    if (stage !== 'steering') this.#refresh();
    this.#claim();
    this.#run.show();
    if (stage !== 'done') return;
    performance.mark('fade:faithfulness');
    this.#link.check();
    this.#controlMeans.follow();
  }

  /** What the scores of faithfulness rest on, once all are there. */
  #claim() {
    const { held, whole } = this.#session;
    const text = held && whole ? faithfulClaim(held.report, this.#core.language()) : null;
    // Until then, and where nothing is faithful, the means; they stand below the figure otherwise.
    need('#fade-claim', this.#view).textContent = text ?? held?.view.headline() ?? '';
    need('#fade-headline', this.#view).hidden = !text;
  }

  redraw() {
    this.#charts.redraw();
    this.#controlMeans.redraw();
  }

  /** Comes to the front again, where it is one of several pages. */
  shown() {
    this.#link.remember();
  }
}

startPage('fade', async (place) => {
  const { core, pool } = await openBench(true);
  const page = new Page(place, core, pool);
  return { redraw: () => page.redraw(), shown: () => page.shown() };
});
