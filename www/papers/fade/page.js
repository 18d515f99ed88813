// @ts-check
/** FADE's page: what ties its parts together. */

import { StudyPageBase } from '../../study/page-base.js';
import { Throttle } from '../../shell/throttle.js';
import { requireElement } from '../../shell/dom.js';
import { faithfulnessSentence } from './claim.js';
import { ControlMeans } from './control-means.js';
import { createDifferencesTable } from './differences.js';
import { createFeatureList } from './features.js';
import { fillExplanations } from './formulas.js';
import { createFeatureDetail } from './opened-feature.js';
import { createUserFeatures } from './user-files.js';
import { createRunStatus } from './run.js';
import { FadeSession } from './session.js';
import { bindChangedNote } from './settings.js';
import { createTrainingSection } from './train.js';

/** Figures of all features, and of the one that is opened. */
const ALL_FEATURES_FIGURES = ['fade-scores', 'fade-table'];
const ONE_FEATURE_FIGURES = ['fade-densities', 'fade-precision', 'fade-dose'];
/** The view of a link whose feature is the first; without it, and without a feature, the best is opened. */
const FIRST_FEATURE = 'first';
/** What is shown is brought up to date this often while features are steered, in milliseconds. */
const REFRESH_INTERVAL = 250;

/** @extends {StudyPageBase<FadeView>} */
export class FadePage extends StudyPageBase {
  #session;
  #run;
  #tellChanged;
  #controlMeans;
  #features = createFeatureList((index) => this.#openFeature(index));
  #differences = createDifferencesTable((index) => this.#openAndScroll(index));
  #opened;
  #refreshing = new Throttle(() => this.#refresh());
  /** Figures that are to be drawn anew. @type {Set<string>} */
  #stale = new Set();

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const form = requireElement('#fade-form', view);
    const [first, ...rest] = core.study_fields('fade');
    // The others are in a fold below the first.
    const fold = [...form.children];
    super(parts, {
      ...{ study: 'fade', status: '#fade-run', error: '#fade-settings-error', helps: true },
      formOf: (name) => (name === first?.name ? form : requireElement('.fields', form)),
      idOf: (name) => `fade-set-${name}`,
    });
    form.append(...fold);
    // Before, its button would do nothing.
    form.hidden = false;
    this.#tellChanged = bindChangedNote(form, rest, this.wanted, (usual) => this.setSettings(usual));
    const session = (this.#session = new FadeSession({
      core,
      pool,
      onReport: () => this.#showReport(),
      onSteered: (index) => this.#showSteered(index),
      onStage: () => this.#showStage(),
    }));
    this.#run = createRunStatus(parts, { line: this.status, session });
    this.#opened = createFeatureDetail(core);
    this.form.offer('sae', 'own', false);
    this.#controlMeans = new ControlMeans({ ...parts, session, element: requireElement('#fade-truth', view) });
    createTrainingSection(parts, { element: requireElement('#fade-train', view), onTrained: (own) => this.#runTrainedAutoencoder(own) });
    createUserFeatures(parts, { element: requireElement('#fade-own', view), session });
    this.#placeParts();
  }

  /** Everything in its place. */
  #placeParts() {
    const { view } = this.parts;
    const { title, about, texts, writings } = this.#opened;
    requireElement('#fade-features-place', view).append(this.#features.element);
    requireElement('#fade-opened-place', view).append(title, about);
    requireElement('#fade-texts-place', view).append(texts, writings);
    requireElement('#fade-readings-place', view).append(this.#differences.element);
    fillExplanations(view);
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    if (this.changedSettings(settings).length > 0) this.#startRun(settings);
  }

  /** @param {StudySettings} settings */
  #startRun(settings) {
    this.wanted = settings;
    this.#tellChanged(settings);
    this.#session.run(settings);
    this.parts.onState();
  }

  /** @override */
  get shownView() {
    return this.#session.held?.view ?? null;
  }

  /** Of the results that are shown, once all are there. @override */
  get digest() {
    return this.#session.isComplete ? super.digest : null;
  }

  /** What a link says: a feature only if somebody chose it, and the first, whose place a link leaves out, by a word. @override */
  get state() {
    const { opened, chosen } = this.#session;
    return { settings: this.wanted, open: chosen ? opened : 0, ...(chosen && opened === 0 ? { view: FIRST_FEATURE } : {}) };
  }

  /** Shows what a link says. @param {StudyPage} page */
  followLink({ settings, open, view }) {
    const session = this.#session;
    const same = session.stage !== 'idle' && this.changedSettings(settings).length === 0;
    this.adoptSettings(settings);
    this.#tellChanged(settings);
    session.openFeature(open > 0 || view === FIRST_FEATURE ? open : null);
    if (same) this.#showOpenedFeature();
    else session.run(settings);
  }

  /** An autoencoder was trained here: it is rated at once. @param {LittleAutoencoder} own */
  #runTrainedAutoencoder(own) {
    this.#session.own = own;
    this.#controlMeans.forgetTrained();
    this.form.offer('sae', 'own', true);
    const settings = { ...this.wanted, sae: 'own' };
    this.form.show(settings);
    this.#startRun(settings);
  }

  /** @param {number} index */
  #listFailures(index) {
    return this.#session.held?.view.failures()[index] ?? [];
  }

  #showOpenedFeature() {
    const { held, opened } = this.#session;
    const feature = held?.report.features[opened];
    if (!feature) return;
    this.#features.mark(opened);
    this.#opened.show(feature, this.#listFailures(opened), held.report.settings.factors);
    this.figures.refresh(ONE_FEATURE_FIGURES);
  }

  /** @param {number} index */
  #openFeature(index) {
    this.#session.openFeature(index);
    this.#showOpenedFeature();
    this.parts.onState();
  }

  /** Opens a feature and leads there. @param {number} index */
  #openAndScroll(index) {
    this.#openFeature(index);
    const { title } = this.#opened;
    title.scrollIntoView({ block: 'start' });
    title.focus({ preventScroll: true });
  }

  #showReport() {
    const { held } = this.#session;
    if (!held) return;
    this.#features.show(held.report.features, held.view.failures());
    this.#differences.show(held.report.features);
    this.publishView(held.view);
    this.figures.show(held.view);
    this.#updateClaim();
    this.#showOpenedFeature();
    this.#controlMeans.showReport();
    // Whoever measures how long the page takes looks for this, and for the one below.
    performance.mark('fade:scores');
  }

  /** Draws what features were steered for since the last time. */
  #refresh() {
    const { held } = this.#session;
    if (!held || this.#stale.size === 0) return;
    const ids = [...this.#stale];
    this.#stale.clear();
    this.#differences.show(held.report.features);
    this.figures.refresh(ids);
    this.#updateClaim();
    this.#run.show();
  }

  /** @param {number} index */
  #showSteered(index) {
    const { held, opened } = this.#session;
    const feature = held?.report.features[index];
    if (!feature) return;
    this.#features.update(index, feature, this.#listFailures(index));
    for (const id of ALL_FEATURES_FIGURES) this.#stale.add(id);
    if (index === opened) this.#showOpenedFeature();
    this.#refreshing.schedule(REFRESH_INTERVAL);
  }

  #showStage() {
    const { stage } = this.#session;
    this.parts.view.dataset.stage = stage;
    if (stage !== 'steering') this.#refreshing.runNow();
    this.#updateClaim();
    this.#run.show();
    if (stage !== 'done') return;
    performance.mark('fade:faithfulness');
    this.parts.onComplete();
    this.#controlMeans.startAutomatically();
  }

  /** What the scores of faithfulness rest on, once all are there. */
  #updateClaim() {
    const { core, view } = this.parts;
    const { held, isComplete: whole } = this.#session;
    const text = held && whole ? faithfulnessSentence(held.report, core.language()) : null;
    // Until then, and where nothing is faithful, the means; they stand below the figure otherwise.
    requireElement('#fade-claim', view).textContent = text ?? held?.view.headline() ?? '';
    requireElement('#fade-headline', view).hidden = !text;
  }

  /** @override */
  redraw() {
    super.redraw();
    this.#controlMeans.redraw();
  }
}
