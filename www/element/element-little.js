// @ts-check
/**
 * FADE or CE-Bench on the toy model in an <sfc-bench>. A study that several elements ask for is run
 * once. Loaded with the first element that shows one.
 */

import { littleFiles } from '../little/files.js';
import { Sharing } from '../workers/sharing.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */

/**
 * @typedef {object} Shared a study that several may wait for
 * @property {Promise<{ report: any, ms: number, files: Record<string, ArrayBuffer> }>} found
 * @property {Map<number, Promise<any>>} steered by feature
 * @property {Promise<{ sae: string, means: any }[]> | null} means of every shipped autoencoder
 * @property {AbortController} ending
 */

/** @type {Sharing<Shared>} */
const studies = new Sharing();

/** Figures of FADE's that show what the model writes, of every feature. */
const STEERED = ['fade-scores', 'fade-table'];
/** Figures of FADE's that compare autoencoders. */
const COMPARED = /^fade-(clarity|responsiveness|purity|faithfulness|tells)$/;

/** What tells studies apart. @param {LittleWish} wish */
const littleKey = ({ study, settings }) => JSON.stringify([study, settings]);

/** @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {LittleWish} wish @returns {Shared} */
function begin(core, pool, { study, settings }) {
  const ending = new AbortController();
  const run = async () => {
    const start = performance.now();
    const files = await littleFiles(core, core.little_needs(study, settings.sae));
    /** @type {{ report: any }} */
    const { report } = await pool.submit(
      { kind: 'study-run', call: 'study_run', args: [study, settings], files },
      { signal: ending.signal },
    );
    return { report, files, ms: performance.now() - start };
  };
  return { found: run(), steered: new Map(), means: null, ending };
}

/** A study in one element. */
export class LittleShow {
  /** What figures are drawn from, once it is there. @type {FadeView | CeBenchView | null} */
  view = null;
  /** Milliseconds that the run took; null before. @type {number | null} */
  ms = null;
  /** What streams in after the run, and how much of it is there. */
  done = 0;
  of = 0;
  /** What is not done in an element; nothing of these. @type {import('./element-jobs.js').Elsewhere | null} */
  elsewhere = null;

  /** What is run. */
  settings;

  #share;
  #shared;
  #closed = false;
  #core;
  #pool;
  #wish;
  #hears;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {LittleWish} wish
   * @param {string} figure
   * @param {object} hears
   * @param {() => void} hears.onChange
   * @param {(error: unknown) => void} hears.onFail
   */
  constructor(core, pool, wish, figure, hears) {
    this.#core = core;
    this.#pool = pool;
    this.#wish = wish;
    this.settings = wish.settings;
    this.#hears = hears;
    this.#share = studies.take(littleKey(wish), () => begin(core, pool, wish));
    this.#shared = this.#share.made;
    this.#show(figure).catch((error) => {
      this.#share.forget();
      if (!this.#closed) hears.onFail(error);
    });
  }

  /** @param {string} figure */
  async #show(figure) {
    const { report, ms } = await this.#shared.found;
    if (this.#closed) return;
    const { study, open, view: reading } = this.#wish;
    if (study === 'fade') {
      const view = this.#core.Study.open('fade', report);
      view.open_feature(Math.min(open, report.features.length - 1));
      this.view = view;
    } else {
      const view = this.#core.Study.open('ce-bench', report);
      if (reading) view.open_reading(reading);
      view.open_pair(Math.min(open, report.pairs.length - 1));
      this.view = view;
    }
    this.ms = ms;
    const wanted = this.#steeredBy(figure, report.features?.length ?? 0);
    const compared = study === 'fade' && COMPARED.test(figure) ? this.#rated() : [];
    this.of = wanted.length + compared.length;
    this.#hears.onChange();
    await Promise.all([this.#steer(wanted), this.#compare(compared)]);
  }

  /** The features that are steered for a figure. @param {string} figure @param {number} count */
  #steeredBy(figure, count) {
    if (STEERED.includes(figure)) return Array.from({ length: count }, (_, at) => at);
    return figure === 'fade-dose' ? [Math.min(this.#wish.open, count - 1)] : [];
  }

  /** The shipped autoencoders that can be rated. */
  #rated() {
    return this.#core.little_dictionaries().flatMap(({ name, file }) => (file === '' ? [] : [name]));
  }

  /** @param {number[]} features */
  async #steer(features) {
    const { files, report } = await this.#shared.found;
    await Promise.all(
      features.map(async (at) => {
        const known = this.#shared.steered.get(at);
        const steered =
          known ??
          this.#pool.submit(
            { kind: 'study-call', call: 'fade_steered', args: [this.#wish.settings, report.features[at]], files },
            { signal: this.#shared.ending.signal },
          );
        this.#shared.steered.set(at, steered);
        const found = await steered;
        if (this.#closed || !this.view) return;
        /** @type {FadeView} */ (this.view).add_steered(at, found);
        this.done += 1;
        this.#hears.onChange();
      }),
    );
  }

  /** Autoencoders under the same settings. @param {string[]} names */
  async #compare(names) {
    const { settings } = this.#wish;
    await Promise.all(
      names.map(async (name) => {
        const mine = { ...settings, sae: name };
        const files = await littleFiles(this.#core, this.#core.little_needs('fade', name));
        const means = await this.#pool.submit(
          { kind: 'study-call', call: 'fade_means', args: [mine, false], files },
          { signal: this.#shared.ending.signal },
        );
        if (this.#closed || !this.view) return;
        /** @type {FadeView} */ (this.view).add_means(name, settings.seed, means);
        this.done += 1;
        this.#hears.onChange();
      }),
    );
  }

  /** What it comes to, in words. */
  says() {
    return this.view?.headline() ?? '';
  }

  /** Its digest, once it is there. */
  digest() {
    return this.view?.digest() ?? null;
  }

  /** How far it is, in words; nothing once all is there. */
  progress() {
    if (!this.view) return 'Reading texts…';
    return this.done < this.of ? `${this.done} of ${this.of} so far.` : '';
  }

  /** A study that nobody shows any more is given up. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#share.release();
    this.view?.free();
  }
}
