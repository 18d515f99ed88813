// @ts-check
/** MUI's page: the paper's tables derived anew at once, and the toy model measured as it comes. */

import { JobsPage } from '../../study/jobs-page.js';
import { ProgressLine } from '../../study/progress-line.js';
import { stripFullStop, requireElement } from '../../shell/dom.js';
import { claimCountsSentence, createClaimTable, showClaims, showJudgements } from './claims.js';
import { MuiMeasurement } from './toy-model-results.js';
import { createUserModels } from './user-files.js';
import { ToyModelTrainingSection } from './train.js';
import { TRAINING_FIELDS } from './trainings.js';

/** The forms of the page, and the fields in each. */
const FORM_FIELDS = {
  'mui-paper-settings': ['data_set', 'without'],
  'mui-ranking-settings': ['reference', 'alpha'],
  'mui-model-settings': ['task', 'checkpoint', 'prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'],
  'mui-train-settings': TRAINING_FIELDS,
};

/** Sections whose figures are of what is measured. */
const MEASURED_SECTIONS = ['mui-model', 'mui-asked'];
/** Sections whose figures are of what is trained. */
const TRAINED_SECTIONS = ['mui-train'];
/** What a reader's files grow to. */
const GROWTH_FIGURE = 'mui-own-growth';
/** Figures that a field of the paper's tables changes. */
const FIGURES_BY_FIELD = {
  data_set: ['mui-law', 'mui-pretraining', 'mui-specialised', 'mui-contaminated', 'mui-thresholds'],
  without: ['mui-law', 'mui-laws'],
  alpha: ['mui-ranking', 'mui-alpha', 'mui-tasks'],
  reference: ['mui-ranking', 'mui-alpha'],
};

/** @typedef {import('../../types/core.d.ts').MuiOwn} Own */

/** @extends {JobsPage<MuiView, MuiMeasurement>} */
export class MuiPage extends JobsPage {
  #training;
  /** What the reader's own files hold, once some are read. @type {Own | null} */
  #own = null;
  /** How many claims hold, in words. */
  #claimCounts = '';
  /** Whether the reader has come near what is measured, or a link claims something of it. */
  #near = false;
  /** The same of what the corollaries ask. */
  #asked = false;

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    super(parts, {
      ...{ study: 'mui', status: '#mui-model-status', things: 'checkpoints', error: '#mui-model-error' },
      measure: ({ onFound, onEnd }) => new MuiMeasurement(core, pool, { onFound: () => onFound('', null), onEnd }),
      formOf(name) {
        const [form] = Object.entries(FORM_FIELDS).find(([, names]) => names.includes(name)) ?? [];
        return form ? requireElement(`#${form}`, view) : null;
      },
      sliders: { alpha: 0.05 },
    });
    const claims = core.mui_claims();
    this.#claimCounts = claimCountsSentence(claims);
    const counts = requireElement('#mui-counts', view);
    counts.replaceChildren(createClaimTable(claims));
    counts.removeAttribute('data-coming');
    showClaims(requireElement('#mui-claims-list', view), claims);
    const [found, all] = claims.find(({ id }) => id === 'law')?.count ?? [];
    requireElement('#mui-law-count', view).textContent = all ? `Over all general-purpose models the fall is significant (p < 0.05) on ${found} of ${all} data sets.` : '';
    // One that its own numbers contradict, case by case.
    const clear = claims.find(({ verdict, count }) => verdict === 'fails' && count) ?? claims[0];
    showClaims(requireElement('#mui-claims-first', view), clear ? [clear] : []);
    this.#training = new ToyModelTrainingSection({
      ...parts,
      place: requireElement('#mui-train-place', view),
      settings: () => this.wanted,
      onPreset: (changes) => this.setSettings({ ...this.wanted, ...changes }),
      onLook: () => {
        this.#openStudy();
        this.figures.refresh(this.figuresInSections(TRAINED_SECTIONS));
        this.#updateTrainingSentence();
      },
      onDone: () => parts.onComplete(),
    });
    createUserModels(parts, {
      place: requireElement('#mui-own-place', view),
      alpha: () => this.wanted.alpha,
      growth: requireElement('#mui-own-growth-place', view),
      onFound: (found) => this.#showUserModels(found),
    });
    // Weights are fetched once the reader comes near what they are for.
    this.runWhenNear(requireElement('#mui-model', view), () => {
      this.#near = true;
      this.measureMissing();
    });
    this.runWhenNear(requireElement('#mui-asked', view), () => {
      this.#asked = true;
      this.measureMissing();
    });
  }

  /** @override */
  get digest() {
    return this.isComplete() && this.#training.isComplete(this.wanted) ? super.digest : null;
  }

  /** Shows what a link says. @param {StudyPage} page */
  followLink({ settings, digest }) {
    // What a link claims can be told of only when all of it is there.
    if (digest) this.#near = true;
    this.adoptSettings(settings);
    this.figures.show(this.#openStudy());
    this.#training.handleSettings();
    this.#updateTrainingSentence();
    this.measureMissing();
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    const changed = this.changedSettings(settings);
    if (changed.length === 0) return;
    this.wanted = settings;
    this.#openStudy();
    const drawn = changed.flatMap((name) => {
      if (TRAINING_FIELDS.includes(name)) return this.figuresInSections(TRAINED_SECTIONS);
      return FIGURES_BY_FIELD[/** @type {keyof typeof FIGURES_BY_FIELD} */ (name)] ?? this.figuresInSections([...MEASURED_SECTIONS, ...TRAINED_SECTIONS]);
    });
    this.figures.refresh([...new Set(drawn)]);
    if (changed.some((name) => !(name in FIGURES_BY_FIELD) && !TRAINING_FIELDS.includes(name))) this.measureMissing();
    this.#training.handleSettings();
    this.#updateTrainingSentence();
    this.parts.onState();
  }

  /** The study under what is wanted now, with what there is of it; figures that differ are to be drawn anew. */
  #openStudy() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const report = { ...this.measured.report(settings), trained: this.#training.report(settings), own: this.#own };
    const shown = core.Study.open('mui', report);
    showJudgements(view, core.mui_judgements(report.experiments));
    // Those that say nothing under this threshold.
    const byNumber = ['topk', 'global-topk'].includes(settings.threshold);
    this.form.setShown('k', byNumber);
    this.form.setShown('share', !byNumber);
    this.form.setShown('layers', settings.begin === 'new');
    this.form.setShown('width', settings.begin === 'new');
    requireElement('#mui-headline', view).textContent = `${shown.headline()} ${this.#claimCounts}`;
    return this.replaceView(shown);
  }

  /** What a reader's files hold. @param {Own} found */
  #showUserModels(found) {
    this.#own = found;
    this.#openStudy();
    requireElement(`figure[data-figure=${GROWTH_FIGURE}]`, this.parts.view).hidden = found.files.every(({ growth }) => growth.length === 0);
    this.figures.refresh([GROWTH_FIGURE]);
  }

  /** What a training comes to, in a line. */
  #updateTrainingSentence() {
    const there = this.#training.report(this.wanted).some(({ points }) => points.length > 0);
    requireElement('#mui-train-verdict', this.parts.view).textContent = there ? (this.view?.summary('mui-trained-path') ?? '') : '';
  }

  /** Does the experiments that are missing, if anybody is near. */
  #runExperiments() {
    const line = new ProgressLine(requireElement('#mui-asked-status', this.parts.view));
    if (!this.#asked) {
      line.setContent('Done when you come here.');
      return;
    }
    this.measured.runExperiments(this.wanted, (name, why) => {
      const { checkpoint, task } = this.wanted;
      if (why) line.showUnfinished(`Not all of it is there (${stripFullStop(why)}). `, () => this.#runExperiments());
      else line.setContent(name ? `Measuring ${name} …` : `At ${checkpoint}, opened at ${task}.`);
    });
  }

  /** Measures what is missing, if anybody is near. @override */
  measureMissing() {
    this.#runExperiments();
    if (this.#near) super.measureMissing();
    else this.status.setContent('Measured when you come here.');
  }

  /** @override */
  countParts() {
    const all = this.parts.core.little_checkpoints().length;
    return { done: this.measured.countCheckpoints(this.wanted), all };
  }

  /** @override */
  handlePart() {
    this.#openStudy();
    this.figures.refresh(this.figuresInSections(MEASURED_SECTIONS));
    this.showProgress();
  }

  /** @override */
  handleComplete() {
    const took = this.measured.measuredDuration(this.wanted);
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    const { all } = this.countParts();
    const { prompts } = this.wanted;
    this.status.setContent(`${all} checkpoints, ten tasks, ${prompts} prompt${prompts === 1 ? '' : 's'} each${seconds}.`);
    this.parts.onComplete();
  }
}
