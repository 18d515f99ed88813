// @ts-check
/** MUI's page: the paper's tables derived anew at once, and the little model measured as it comes. */

import { createStudySettings } from '../../little/study-settings.js';
import { el, need } from '../../shell/dom.js';
import { exportables } from '../../shell/exportables.js';
import { Figures } from '../../shell/figures.js';
import { inOneFile } from '../../shell/views.js';
import { showClaims } from './claims.js';
import { Measured } from './measured.js';
import { createOwnLaw } from './own.js';

/** The forms of the page, and the fields in each. */
const FORMS = {
  'mui-paper-settings': ['data_set', 'without'],
  'mui-ranking-settings': ['reference', 'alpha'],
  'mui-model-settings': ['task', 'checkpoint', 'prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'],
};

/** Figures of what is measured. */
const MEASURED = ['mui-tasks', 'mui-path', 'mui-model-laws', 'mui-model-steps', 'mui-growth'];
/** Figures that a field of the paper's tables changes. */
const OF = {
  data_set: ['mui-law', 'mui-pretraining', 'mui-specialised', 'mui-contaminated', 'mui-thresholds'],
  without: ['mui-law', 'mui-laws'],
  alpha: ['mui-ranking', 'mui-alpha', 'mui-tasks'],
  reference: ['mui-ranking', 'mui-alpha'],
};

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
  #status;
  /** What is shown or on its way. @type {StudySettings} */
  #wanted;
  /** @type {MuiView | null} */
  #view = null;
  /** Whether the reader has come near what is measured, or a link claims something of it. */
  #near = false;

  /** @param {Parts} parts */
  constructor(parts) {
    const { view, core, pool, announce } = parts;
    this.#parts = parts;
    this.#wanted = core.study_defaults('mui');
    this.#status = need('#mui-model-status', view);
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
    showClaims(need('#mui-claims-list', view), core.mui_claims());
    createOwnLaw({ place: need('#mui-own-place', view), pool, announce });
    this.#watch(need('#mui-model', view));
  }

  /** For the address. */
  get state() {
    return { settings: this.#wanted, open: 0 };
  }

  get digest() {
    return this.#view && this.#measured.whole(this.#wanted) ? this.#view.digest() : null;
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
    this.#go();
  }

  /** Weights are fetched once the reader comes near what they are for. @param {HTMLElement} section */
  #watch(section) {
    const nearing = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        nearing.disconnect();
        this.#near = true;
        this.#go();
      },
      { rootMargin: '600px' },
    );
    nearing.observe(section);
  }

  /** @param {StudySettings} settings that the core allows */
  #ask(settings) {
    const former = this.#wanted;
    const changed = Object.keys(settings).filter((name) => settings[name] !== former[name]);
    if (changed.length === 0) return;
    this.#wanted = settings;
    this.#open();
    const drawn = changed.flatMap((name) => OF[/** @type {keyof typeof OF} */ (name)] ?? MEASURED);
    this.#figures.refresh([...new Set(drawn)]);
    if (changed.some((name) => !(name in OF))) this.#go();
    this.#parts.onState();
  }

  /** The study under what is wanted now, with what there is of it; figures that differ are to be drawn anew. */
  #open() {
    const { core, view } = this.#parts;
    const settings = this.#wanted;
    const former = this.#view;
    const checkpoints = this.#measured.of(settings);
    this.#view = core.Study.open('mui', { settings, checkpoints, growth: this.#measured.growthOf(settings) });
    // Those that say nothing under this threshold.
    const byNumber = ['topk', 'global-topk'].includes(settings.threshold);
    this.#settings.setShown('k', byNumber);
    this.#settings.setShown('share', !byNumber);
    need('#mui-headline', view).textContent = this.#view.headline();
    if (!inOneFile()) exportables.view = this.#view;
    this.#figures.follow(this.#view);
    former?.free();
    return this.#view;
  }

  /** Measures what is missing, if anybody is near. */
  #go() {
    if (!this.#near) {
      this.#say('Measured when you come here.');
      return;
    }
    if (this.#measured.whole(this.#wanted)) {
      this.#done();
      return;
    }
    this.#measured.measure(this.#wanted);
    this.#progress();
  }

  #found() {
    this.#open();
    this.#figures.refresh(MEASURED);
    this.#progress();
  }

  #progress() {
    const { core } = this.#parts;
    const all = core.little_checkpoints().length;
    const done = this.#measured.of(this.#wanted).length;
    const meter = el('progress', { max: all, value: done, 'aria-label': 'Progress of the measurement' });
    this.#say(meter, ` ${done} of ${all} checkpoints measured `, this.#button('Cancel', () => this.#measured.cancel()));
  }

  #ended() {
    const { core, announce } = this.#parts;
    if (this.#measured.whole(this.#wanted)) {
      this.#done();
      announce(this.#status.textContent ?? '');
      return;
    }
    const all = core.little_checkpoints().length;
    const done = this.#measured.of(this.#wanted).length;
    const [why = ''] = this.#measured.missing.values();
    const words = this.#measured.cancelled
      ? `Cancelled: ${done} of ${all} checkpoints are measured. `
      : `${done} of ${all} checkpoints are measured; the others are not there (${why.replace(/\.$/, '')}). `;
    this.#say(words, this.#button('Try again', () => this.#go()));
    announce(words);
  }

  /** All of it is there. */
  #done() {
    const { core, onComplete } = this.#parts;
    const seconds = this.#measured.took > 0 ? `: ${(this.#measured.took / 1000).toFixed(1)} s` : '';
    const all = core.little_checkpoints().length;
    this.#say(`${all} checkpoints, ten tasks, ${this.#wanted.prompts} prompts each${seconds}.`);
    onComplete();
  }

  /** @param {(string | Node)[]} words */
  #say(...words) {
    this.#status.replaceChildren(...words);
  }

  /** @param {string} words @param {() => void} act */
  #button(words, act) {
    const button = el('button', { type: 'button', class: 'quiet' }, words);
    button.addEventListener('click', () => {
      // The button is gone then; the focus must not be.
      need('#main').focus({ preventScroll: true });
      act();
    });
    return button;
  }
}
