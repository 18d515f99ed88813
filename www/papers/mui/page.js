// @ts-check
/** MUI's page: the paper's tables derived anew at once, and the toy model measured as it comes. */

import { MeasuredPage } from '../../little/measured-page.js';
import { ProgressLine } from '../../little/progress-line.js';
import { clause, need } from '../../shell/dom.js';
import { claimCounts, claimTable, showClaims, showJudgements } from './claims.js';
import { Measured } from './measured.js';
import { createOwn } from './own.js';
import { ToyModelTraining } from './train.js';
import { FIELDS } from './trainings.js';

/** The forms of the page, and the fields in each. */
const FORMS = {
  'mui-paper-settings': ['data_set', 'without'],
  'mui-ranking-settings': ['reference', 'alpha'],
  'mui-model-settings': ['task', 'checkpoint', 'prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'],
  'mui-train-settings': FIELDS,
};

/** Sections whose figures are of what is measured. */
const MEASURED = ['mui-model', 'mui-asked'];
/** Sections whose figures are of what is trained. */
const TRAINED = ['mui-train'];
/** What a reader's files grow to. */
const GROWTH = 'mui-own-growth';
/** Figures that a field of the paper's tables changes. */
const OF = {
  data_set: ['mui-law', 'mui-pretraining', 'mui-specialised', 'mui-contaminated', 'mui-thresholds'],
  without: ['mui-law', 'mui-laws'],
  alpha: ['mui-ranking', 'mui-alpha', 'mui-tasks'],
  reference: ['mui-ranking', 'mui-alpha'],
};

/** @typedef {import('../../types/core.d.ts').MuiOwn} Own */

/** @extends {MeasuredPage<MuiView, Measured>} */
export class Mui extends MeasuredPage {
  #training;
  /** What the reader's own files hold, once some are read. @type {Own | null} */
  #own = null;
  /** How many claims hold, in words. */
  #claimCounts = '';
  /** Whether the reader has come near what is measured, or a link claims something of it. */
  #near = false;
  /** The same of what the corollaries ask. */
  #asked = false;

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    super(parts, {
      ...{ study: 'mui', status: '#mui-model-status', things: 'checkpoints', error: '#mui-model-error' },
      measure: ({ onFound, onEnd }) => new Measured(core, pool, { onFound: () => onFound('', null), onEnd }),
      formOf(name) {
        const [form] = Object.entries(FORMS).find(([, names]) => names.includes(name)) ?? [];
        return form ? need(`#${form}`, view) : null;
      },
      sliders: { alpha: 0.05 },
    });
    const claims = core.mui_claims();
    this.#claimCounts = claimCounts(claims);
    const counts = need('#mui-counts', view);
    counts.replaceChildren(claimTable(claims));
    counts.removeAttribute('data-coming');
    showClaims(need('#mui-claims-list', view), claims);
    const [found, all] = claims.find(({ id }) => id === 'law')?.count ?? [];
    need('#mui-law-count', view).textContent = all ? `Over all general-purpose models the fall is significant (p < 0.05) on ${found} of ${all} data sets.` : '';
    // One that its own numbers contradict, case by case.
    const clear = claims.find(({ verdict, count }) => verdict === 'fails' && count) ?? claims[0];
    showClaims(need('#mui-claims-first', view), clear ? [clear] : []);
    this.#training = new ToyModelTraining({
      ...parts,
      place: need('#mui-train-place', view),
      settings: () => this.wanted,
      onPreset: (changes) => this.choose({ ...this.wanted, ...changes }),
      onLook: () => {
        this.#open();
        this.figures.refresh(this.inSections(TRAINED));
        this.#sayTrained();
      },
      onDone: () => parts.onComplete(),
    });
    createOwn(parts, {
      place: need('#mui-own-place', view),
      alpha: () => this.wanted.alpha,
      growth: need('#mui-own-growth-place', view),
      onFound: (found) => this.#showOwn(found),
    });
    // Weights are fetched once the reader comes near what they are for.
    this.watch(need('#mui-model', view), () => {
      this.#near = true;
      this.go();
    });
    this.watch(need('#mui-asked', view), () => {
      this.#asked = true;
      this.go();
    });
  }

  /** @override */
  get digest() {
    return this.isWhole() && this.#training.whole(this.wanted) ? super.digest : null;
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings, digest }) {
    // What a link claims can be told of only when all of it is there.
    if (digest) this.#near = true;
    this.adopt(settings);
    this.figures.show(this.#open());
    this.#training.follow();
    this.#sayTrained();
    this.go();
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    const changed = this.changed(settings);
    if (changed.length === 0) return;
    this.wanted = settings;
    this.#open();
    const drawn = changed.flatMap((name) => {
      if (FIELDS.includes(name)) return this.inSections(TRAINED);
      return OF[/** @type {keyof typeof OF} */ (name)] ?? this.inSections([...MEASURED, ...TRAINED]);
    });
    this.figures.refresh([...new Set(drawn)]);
    if (changed.some((name) => !(name in OF) && !FIELDS.includes(name))) this.go();
    this.#training.follow();
    this.#sayTrained();
    this.parts.onState();
  }

  /** The study under what is wanted now, with what there is of it; figures that differ are to be drawn anew. */
  #open() {
    const { core, view } = this.parts;
    const settings = this.wanted;
    const checkpoints = this.measured.checkpointsOf(settings);
    const experiments = this.measured.experimentsOf(settings);
    const shown = core.Study.open('mui', {
      ...{ settings, checkpoints, experiments },
      growth: this.measured.growthOf(settings),
      trained: this.#training.report(settings),
      own: this.#own,
    });
    showJudgements(view, core.mui_judgements(experiments));
    // Those that say nothing under this threshold.
    const byNumber = ['topk', 'global-topk'].includes(settings.threshold);
    this.form.setShown('k', byNumber);
    this.form.setShown('share', !byNumber);
    this.form.setShown('layers', settings.begin === 'new');
    this.form.setShown('width', settings.begin === 'new');
    need('#mui-headline', view).textContent = `${shown.headline()} ${this.#claimCounts}`;
    return this.replace(shown);
  }

  /** What a reader's files hold. @param {Own} found */
  #showOwn(found) {
    this.#own = found;
    this.#open();
    need(`figure[data-figure=${GROWTH}]`, this.parts.view).hidden = found.files.every(({ growth }) => growth.length === 0);
    this.figures.refresh([GROWTH]);
  }

  /** What a training comes to, in a line. */
  #sayTrained() {
    const there = this.#training.report(this.wanted).some(({ points }) => points.length > 0);
    need('#mui-train-verdict', this.parts.view).textContent = there ? (this.view?.summary('mui-trained-path') ?? '') : '';
  }

  /** Does the experiments that are missing, if anybody is near. */
  #experiment() {
    const line = new ProgressLine(need('#mui-asked-status', this.parts.view));
    if (!this.#asked) {
      line.say('Done when you come here.');
      return;
    }
    this.measured.ask(this.wanted, (name, why) => {
      const { checkpoint, task } = this.wanted;
      if (why) line.unfinished(`Not all of it is there (${clause(why)}). `, () => this.#experiment());
      else line.say(name ? `Measuring ${name} …` : `At ${checkpoint}, opened at ${task}.`);
    });
  }

  /** Measures what is missing, if anybody is near. @override */
  go() {
    this.#experiment();
    if (this.#near) super.go();
    else this.status.say('Measured when you come here.');
  }

  /** @override */
  count() {
    const all = this.parts.core.little_checkpoints().length;
    return { done: this.measured.checkpointsOf(this.wanted).length, all };
  }

  /** @override */
  found() {
    this.#open();
    this.figures.refresh(this.inSections(MEASURED));
    this.progress();
  }

  /** @override */
  done() {
    const took = this.measured.tookOf(this.wanted);
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    const { all } = this.count();
    const { prompts } = this.wanted;
    this.status.say(`${all} checkpoints, ten tasks, ${prompts} prompt${prompts === 1 ? '' : 's'} each${seconds}.`);
    this.parts.onComplete();
  }
}
