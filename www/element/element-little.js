// @ts-check
/**
 * FADE or CE-Bench on the toy model in an <sfc-bench>. A study that several elements ask for is run
 * once. Loaded with the first element that shows one.
 */

import { littleFiles } from '../little/files.js';
import { Sharing } from '../workers/sharing.js';
import { StudyShow } from './element-study.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */

/**
 * @typedef {object} Shared a study that several may wait for
 * @property {Promise<{ report: any, ms: number, files: Record<string, ArrayBuffer> }>} found
 * @property {Map<number, Promise<any>>} steered by feature
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
  return { found: run(), steered: new Map(), ending };
}

/** A study in one element. @extends {StudyShow<FadeView | CeBenchView>} */
export class LittleShow extends StudyShow {
  /** What streams in after the run, and how much of it is there. */
  #done = 0;
  #of = 0;
  #share;
  #shared;
  #core;
  #pool;
  #wish;
  #hears;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {import('./element-state.js').Wish} wish
   * @param {import('./element-study.js').Hears} hears
   */
  constructor(core, pool, wish, hears) {
    super(wish);
    const little = /** @type {LittleWish} */ (wish.little);
    this.#core = core;
    this.#pool = pool;
    this.#wish = little;
    this.#hears = hears;
    this.#share = studies.take(littleKey(little), () => begin(core, pool, little));
    this.#shared = this.#share.made;
    this.#show(wish.id).catch((error) => {
      this.#share.forget();
      if (!this.closed) hears.onFail(error);
    });
  }

  /** @param {string} figure */
  async #show(figure) {
    const { report, ms, files } = await this.#shared.found;
    if (this.closed) return;
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
    this.#of = wanted.length + compared.length;
    this.#hears.onChange();
    await Promise.all([
      ...wanted.map((at) => this.#take(this.#steer(at, report, files), (view, found) => view.add_steered(at, found))),
      ...compared.map((sae) =>
        this.#take(this.#means(sae), (view, found) => view.add_means(sae, this.settings.seed, found)),
      ),
    ]);
  }

  /** What comes after the run. @param {Promise<any>} coming @param {(view: FadeView, found: any) => void} add */
  async #take(coming, add) {
    const found = await coming;
    if (this.closed || !this.view) return;
    add(/** @type {FadeView} */ (this.view), found);
    this.#done += 1;
    this.#hears.onChange();
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

  /** A feature, steered. @param {number} at @param {any} report @param {Record<string, ArrayBuffer>} files */
  #steer(at, report, files) {
    const { steered, ending } = this.#shared;
    const coming =
      steered.get(at) ??
      this.#pool.submit(
        { kind: 'study-call', call: 'fade_steered', args: [this.settings, report.features[at]], files },
        { signal: ending.signal },
      );
    steered.set(at, coming);
    return coming;
  }

  /** Another autoencoder's means under the same settings. @param {string} sae */
  async #means(sae) {
    const files = await littleFiles(this.#core, this.#core.little_needs('fade', sae));
    return this.#pool.submit(
      { kind: 'study-call', call: 'fade_means', args: [{ ...this.settings, sae }, false], files },
      { signal: this.#shared.ending.signal },
    );
  }

  /** @override */
  progress() {
    if (!this.view) return 'Reading texts…';
    return this.#done < this.#of ? `${this.#done} of ${this.#of} so far.` : '';
  }

  /** @override */
  release() {
    this.#share.release();
  }
}
