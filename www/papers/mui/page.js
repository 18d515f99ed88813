// @ts-check
/** MUI's page: the paper's tables derived anew at once, and the toy model measured as it comes. */

import { ProgressLine } from '../../little/progress-line.js';
import { passingButton } from '../../little/passing-button.js';
import { createStudySettings } from '../../little/study-settings.js';
import { need } from '../../shell/dom.js';
import { exportables } from '../../shell/exportables.js';
import { Figures } from '../../shell/figures.js';
import { whenNearViewport } from '../../shell/near-viewport.js';
import { inOneFile } from '../../shell/views.js';
import { claimCounts, showClaims, showJudgements } from './claims.js';
import { Measured } from './measured.js';
import { createOwn } from './own.js';
import { TrainingSection } from './train.js';
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

/**
 * @typedef {object} Parts
 * @property {HTMLElement} view
 * @property {Lab} core
 * @property {import('../../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {() => void} onState the address is to follow
 * @property {() => void} onComplete all that was asked for is there
 */

export class Mui {
  #parts;
  #figures;
  #settings;
  #measured;
  #training;
  #status;
  /** What is shown or on its way. @type {StudySettings} */
  #wanted;
  /** @type {MuiView | null} */
  #view = null;
  /** What the reader's own files hold, once some are read. @type {Own | null} */
  #own = null;
  /** How many claims hold, in words. */
  #claimCounts = '';
  /** Whether the reader has come near what is measured, or a link claims something of it. */
  #near = false;
  /** The same of what the corollaries ask. */
  #asked = false;

  /** @param {Parts} parts */
  constructor(parts) {
    const { view, core, pool, announce } = parts;
    this.#parts = parts;
    this.#wanted = core.study_defaults('mui');
    this.#status = new ProgressLine(need('#mui-model-status', view), 'checkpoints');
    this.#figures = new Figures(
      view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]')),
      announce,
      () => this.#view,
    );
    const forms = Object.entries(FORMS).map(([id, names]) => /** @type {const} */ ([need(`#${id}`, view), names]));
    this.#settings = createStudySettings({
      study: 'mui',
      formOf: (name) => forms.find(([, names]) => names.includes(name))?.[0] ?? null,
      general: need('#mui-model-error', view),
      core,
      onSettings: (settings) => this.#ask(settings),
      sliders: { alpha: 0.05 },
    });
    this.#measured = new Measured(core, pool, {
      onFound: () => this.#found(),
      onEnd: () => this.#ended(),
    });
    const claims = core.mui_claims();
    this.#claimCounts = claimCounts(claims);
    showClaims(need('#mui-claims-list', view), claims);
    // One that its own numbers contradict, case by case.
    const clear = claims.find(({ verdict, count }) => verdict === 'fails' && count) ?? claims[0];
    showClaims(need('#mui-claims-first', view), clear ? [clear] : []);
    this.#training = new TrainingSection({
      place: need('#mui-train-place', view),
      core,
      pool,
      announce,
      settings: () => this.#wanted,
      onPreset: (changes) => {
        const settings = { ...this.#wanted, ...changes };
        this.#settings.show(settings);
        this.#ask(settings);
      },
      onLook: () => {
        this.#open();
        this.#figures.refresh(this.#inSections(TRAINED));
        this.#sayTrained();
      },
      onDone: () => parts.onComplete(),
    });
    createOwn({
      place: need('#mui-own-place', view),
      ...{ core, pool, announce },
      alpha: () => this.#wanted.alpha,
      growth: need('#mui-own-growth-place', view),
      onFound: (found) => this.#showOwn(found),
    });
    this.#watch(need('#mui-model', view), () => (this.#near = true));
    this.#watch(need('#mui-asked', view), () => (this.#asked = true));
  }

  /** For the address. */
  get state() {
    return { settings: this.#wanted, open: 0 };
  }

  get digest() {
    return this.#view && this.#measured.whole(this.#wanted) && this.#training.whole(this.#wanted) ? this.#view.digest() : null;
  }

  /** What is shown; null before. */
  get shown() {
    return this.#view;
  }

  redraw() {
    this.#figures.redraw();
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings, digest }) {
    // What a link claims can be told of only when all of it is there.
    if (digest) this.#near = true;
    this.#settings.show(settings);
    this.#wanted = settings;
    this.#figures.show(this.#open());
    this.#training.follow();
    this.#sayTrained();
    this.#go();
  }

  /** Weights are fetched once the reader comes near what they are for. @param {HTMLElement} section @param {() => void} note */
  #watch(section, note) {
    const come = () => {
      note();
      this.#go();
    };
    whenNearViewport(section, come, '600px');
  }

  /** @param {StudySettings} settings that the core allows */
  #ask(settings) {
    const former = this.#wanted;
    const changed = Object.keys(settings).filter((name) => settings[name] !== former[name]);
    if (changed.length === 0) return;
    this.#wanted = settings;
    this.#open();
    const drawn = changed.flatMap((name) => {
      if (FIELDS.includes(name)) return this.#inSections(TRAINED);
      return OF[/** @type {keyof typeof OF} */ (name)] ?? this.#inSections([...MEASURED, ...TRAINED]);
    });
    this.#figures.refresh([...new Set(drawn)]);
    if (changed.some((name) => !(name in OF) && !FIELDS.includes(name))) this.#go();
    this.#training.follow();
    this.#sayTrained();
    this.#parts.onState();
  }

  /** The study under what is wanted now, with what there is of it; figures that differ are to be drawn anew. */
  #open() {
    const { core, view } = this.#parts;
    const settings = this.#wanted;
    const former = this.#view;
    const checkpoints = this.#measured.checkpointsOf(settings);
    const experiments = this.#measured.experimentsOf(settings);
    this.#view = core.Study.open('mui', {
      ...{ settings, checkpoints, experiments },
      growth: this.#measured.growthOf(settings),
      trained: this.#training.report(settings),
      own: this.#own,
    });
    showJudgements(view, core.mui_judgements(experiments));
    // Those that say nothing under this threshold.
    const byNumber = ['topk', 'global-topk'].includes(settings.threshold);
    this.#settings.setShown('k', byNumber);
    this.#settings.setShown('share', !byNumber);
    this.#settings.setShown('layers', settings.begin === 'new');
    this.#settings.setShown('width', settings.begin === 'new');
    need('#mui-headline', view).textContent = `${this.#view.headline()} ${this.#claimCounts}`;
    if (!inOneFile()) exportables.view = this.#view;
    this.#figures.follow(this.#view);
    former?.free();
    return this.#view;
  }

  /** The figures of some sections. @param {readonly string[]} sections */
  #inSections(sections) {
    const figures = this.#view?.figures() ?? [];
    return figures.filter(({ section }) => sections.includes(section)).map(({ id }) => id);
  }

  /** What a reader's files hold. @param {Own} found */
  #showOwn(found) {
    this.#own = found;
    this.#open();
    need(`figure[data-figure=${GROWTH}]`, this.#parts.view).hidden = found.files.every(({ growth }) => growth.length === 0);
    this.#figures.refresh([GROWTH]);
  }

  /** What a training comes to, in a line. */
  #sayTrained() {
    const there = this.#training.report(this.#wanted).some(({ points }) => points.length > 0);
    need('#mui-train-verdict', this.#parts.view).textContent = there ? (this.#view?.summary('mui-trained-path') ?? '') : '';
  }

  /** Does the experiments that are missing, if anybody is near. */
  #experiment() {
    const status = need('#mui-asked-status', this.#parts.view);
    if (!this.#asked) {
      status.textContent = 'Done when you come here.';
      return;
    }
    this.#measured.ask(this.#wanted, (name, why) => {
      const { checkpoint, task } = this.#wanted;
      const end = why ? `Not all of it is there (${why.replace(/\.$/, '')}). ` : `At ${checkpoint}, opened at ${task}.`;
      status.replaceChildren(name ? `Measuring ${name} …` : end);
      if (why) status.append(passingButton('Try again', () => this.#experiment()));
    });
  }

  /** Measures what is missing, if anybody is near. */
  #go() {
    this.#experiment();
    if (!this.#near) {
      this.#status.say('Measured when you come here.');
      return;
    }
    if (this.#measured.whole(this.#wanted)) {
      this.#measured.stop();
      this.#done();
      return;
    }
    this.#measured.measure(this.#wanted);
    const { core } = this.#parts;
    this.#status.begin(core.little_checkpoints().length, () => this.#measured.cancel());
    this.#progress();
  }

  #found() {
    this.#open();
    this.#figures.refresh(this.#inSections(MEASURED));
    this.#progress();
  }

  #progress() {
    this.#status.progress(this.#measured.checkpointsOf(this.#wanted).length);
  }

  #ended() {
    const { core, announce } = this.#parts;
    if (this.#measured.whole(this.#wanted)) {
      this.#done();
      announce(this.#status.text);
      return;
    }
    const all = core.little_checkpoints().length;
    const done = this.#measured.checkpointsOf(this.#wanted).length;
    announce(this.#status.unfinished(done, all, this.#measured, () => this.#go()));
  }

  /** All of it is there. */
  #done() {
    const { core, onComplete } = this.#parts;
    const took = this.#measured.tookOf(this.#wanted);
    const seconds = took === null ? '' : `: ${(took / 1000).toFixed(1)} s`;
    const all = core.little_checkpoints().length;
    const { prompts } = this.#wanted;
    this.#status.say(`${all} checkpoints, ten tasks, ${prompts} prompt${prompts === 1 ? '' : 's'} each${seconds}.`);
    onComplete();
  }
}
