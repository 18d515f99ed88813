// @ts-check
/** FADE's page: what ties its parts together. */

import { PageBase } from '../../little/page-base.js';
import { Coalesced } from '../../shell/coalesced.js';
import { need } from '../../shell/dom.js';
import { faithfulClaim } from './claim.js';
import { ControlMeans } from './control-means.js';
import { createDifferences } from './differences.js';
import { createFeatures } from './features.js';
import { explain } from './formulas.js';
import { createOpened } from './opened.js';
import { createOwn } from './own.js';
import { createRun } from './run.js';
import { Session } from './session.js';
import { createChanged } from './settings.js';
import { createTrain } from './train.js';

/** Figures of all features, and of the one that is opened. */
const OF_ALL = ['fade-scores', 'fade-table'];
const OF_ONE = ['fade-densities', 'fade-precision', 'fade-dose'];
/** The view of a link whose feature is the first; without it, and without a feature, the best is opened. */
const FIRST = 'first';
/** What is shown is brought up to date this often while features are steered, in milliseconds. */
const REFRESH = 250;

/** @extends {PageBase<FadeView>} */
export class Fade extends PageBase {
  #session;
  #run;
  #tellChanged;
  #controlMeans;
  #features = createFeatures((index) => this.#open(index));
  #differences = createDifferences((index) => this.#goTo(index));
  #opened;
  #refreshing = new Coalesced(() => this.#refresh());
  /** Figures that are to be drawn anew. @type {Set<string>} */
  #stale = new Set();

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const form = need('#fade-form', view);
    const [first, ...rest] = core.study_fields('fade');
    // The others are in a fold below the first.
    const fold = [...form.children];
    super(parts, {
      ...{ study: 'fade', status: '#fade-run', error: '#fade-settings-error', helps: true },
      formOf: (name) => (name === first?.name ? form : need('.fields', form)),
      idOf: (name) => `fade-set-${name}`,
    });
    form.append(...fold);
    this.#tellChanged = createChanged(form, rest, this.wanted, (usual) => this.choose(usual));
    const session = (this.#session = new Session({
      core,
      pool,
      onReport: () => this.#showReport(),
      onSteered: (index) => this.#showSteered(index),
      onStage: () => this.#showStage(),
    }));
    this.#run = createRun(parts, { line: this.status, session });
    this.#opened = createOpened(core);
    this.form.offer('sae', 'own', false);
    this.#controlMeans = new ControlMeans({ ...parts, session, element: need('#fade-truth', view) });
    createTrain(parts, { element: need('#fade-train', view), onTrained: (own) => this.#takeOwn(own) });
    createOwn(parts, { element: need('#fade-own', view), session });
    this.#place();
  }

  /** Everything in its place. */
  #place() {
    const { view } = this.parts;
    const { title, about, texts, writings } = this.#opened;
    need('#fade-features-place', view).append(this.#features.element);
    need('#fade-opened-place', view).append(title, about);
    need('#fade-texts-place', view).append(texts, writings);
    need('#fade-readings-place', view).append(this.#differences.element);
    explain(view);
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    if (this.changed(settings).length > 0) this.#start(settings);
  }

  /** @param {StudySettings} settings */
  #start(settings) {
    this.wanted = settings;
    this.#tellChanged(settings);
    this.#session.run(settings);
    this.parts.onState();
  }

  /** @override */
  get shown() {
    return this.#session.held?.view ?? null;
  }

  /** Of the results that are shown, once all are there. @override */
  get digest() {
    return this.#session.whole ? super.digest : null;
  }

  /** What a link says: a feature only if somebody chose it, and the first, whose place a link leaves out, by a word. @override */
  get state() {
    const { opened, chosen } = this.#session;
    return { settings: this.wanted, open: chosen ? opened : 0, ...(chosen && opened === 0 ? { view: FIRST } : {}) };
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings, open, view }) {
    const session = this.#session;
    const same = session.stage !== 'idle' && this.changed(settings).length === 0;
    this.adopt(settings);
    this.#tellChanged(settings);
    session.open(open > 0 || view === FIRST ? open : null);
    if (same) this.#showOpened();
    else session.run(settings);
  }

  /** An autoencoder was trained here: it is rated at once. @param {LittleAutoencoder} own */
  #takeOwn(own) {
    this.#session.own = own;
    this.#controlMeans.forgetOwn();
    this.form.offer('sae', 'own', true);
    const settings = { ...this.wanted, sae: 'own' };
    this.form.show(settings);
    this.#start(settings);
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
    this.figures.refresh(OF_ONE);
  }

  /** @param {number} index */
  #open(index) {
    this.#session.open(index);
    this.#showOpened();
    this.parts.onState();
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
    this.present(held.view);
    this.figures.show(held.view);
    this.#claim();
    this.#showOpened();
    this.#controlMeans.take();
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
    this.#refreshing.soon(REFRESH);
  }

  #showStage() {
    const { stage } = this.#session;
    this.parts.view.dataset.stage = stage;
    if (stage !== 'steering') this.#refreshing.now();
    this.#claim();
    this.#run.show();
    if (stage !== 'done') return;
    performance.mark('fade:faithfulness');
    this.parts.onComplete();
    this.#controlMeans.follow();
  }

  /** What the scores of faithfulness rest on, once all are there. */
  #claim() {
    const { core, view } = this.parts;
    const { held, whole } = this.#session;
    const text = held && whole ? faithfulClaim(held.report, core.language()) : null;
    // Until then, and where nothing is faithful, the means; they stand below the figure otherwise.
    need('#fade-claim', view).textContent = text ?? held?.view.headline() ?? '';
    need('#fade-headline', view).hidden = !text;
  }

  /** @override */
  redraw() {
    super.redraw();
    this.#controlMeans.redraw();
  }
}
