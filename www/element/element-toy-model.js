// @ts-check
/**
 * FADE or CE-Bench on the toy model in an <sfc-bench>. A study that several elements ask for is run
 * once. Loaded with the first element that shows one.
 */

import { loadToyModelFiles } from '../toy-model/model-files.js';
import { RefCountedCache } from '../workers/shared-promise.js';
import { StudyPresenter } from './element-study.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */

/**
 * @typedef {object} Shared a study that several may wait for
 * @property {Promise<{ report: any, ms: number, files: Record<string, ArrayBuffer> }>} found
 * @property {Map<number, Promise<any>>} steered by feature
 * @property {AbortController} ending
 */

/** @type {RefCountedCache<Shared>} */
const studies = new RefCountedCache();

/** Figures of FADE's that show what the model writes, of every feature. */
const STEERING_FIGURES = ['fade-scores', 'fade-table'];
/** Figures of FADE's that compare autoencoders. */
const COMPARISON_FIGURES = /^fade-(clarity|responsiveness|purity|faithfulness|tells)$/;

/** What tells studies apart. @param {LittleWish} wish */
const studyKey = ({ study, settings }) => JSON.stringify([study, settings]);

/** @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {LittleWish} wish @returns {Shared} */
function startStudy(core, pool, { study, settings }) {
  const ending = new AbortController();
  const run = async () => {
    const start = performance.now();
    const files = await loadToyModelFiles(core, core.little_needs(study, settings.sae));
    /** @type {{ report: any }} */
    const { report } = await pool.submit(
      { kind: 'study-run', call: 'study_run', args: [study, settings], files },
      { signal: ending.signal },
    );
    return { report, files, ms: performance.now() - start };
  };
  return { found: run(), steered: new Map(), ending };
}

/** A study in one element. @extends {StudyPresenter<FadeView | CeBenchView>} */
export class ToyModelPresenter extends StudyPresenter {
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
    this.#share = studies.acquire(studyKey(little), () => startStudy(core, pool, little));
    this.#shared = this.#share.made;
    this.#load(wish.id).catch((error) => {
      this.#share.forget();
      if (!this.closed) hears.onFail(error);
    });
  }

  /** @param {string} figure */
  async #load(figure) {
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
    const wanted = this.#featuresToSteer(figure, report.features?.length ?? 0);
    const compared = study === 'fade' && COMPARISON_FIGURES.test(figure) ? this.#listRatableAutoencoders() : [];
    this.#of = wanted.length + compared.length;
    this.#hears.onChange();
    await Promise.all([
      ...wanted.map((at) => this.#addResult(this.#steerFeature(at, report, files), (view, found) => view.add_steered(at, found))),
      ...compared.map((sae) =>
        this.#addResult(this.#computeMeans(sae), (view, found) => view.add_means(sae, this.settings.seed, found)),
      ),
    ]);
  }

  /** What comes after the run. @param {Promise<any>} coming @param {(view: FadeView, found: any) => void} add */
  async #addResult(coming, add) {
    const found = await coming;
    if (this.closed || !this.view) return;
    add(/** @type {FadeView} */ (this.view), found);
    this.#done += 1;
    this.#hears.onChange();
  }

  /** The features that are steered for a figure. @param {string} figure @param {number} count */
  #featuresToSteer(figure, count) {
    if (STEERING_FIGURES.includes(figure)) return Array.from({ length: count }, (_, at) => at);
    return figure === 'fade-dose' ? [Math.min(this.#wish.open, count - 1)] : [];
  }

  /** The shipped autoencoders that can be rated. */
  #listRatableAutoencoders() {
    return this.#core.little_dictionaries().flatMap(({ name, file }) => (file === '' ? [] : [name]));
  }

  /** A feature, steered. @param {number} at @param {any} report @param {Record<string, ArrayBuffer>} files */
  #steerFeature(at, report, files) {
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
  async #computeMeans(sae) {
    const files = await loadToyModelFiles(this.#core, this.#core.little_needs('fade', sae));
    return this.#pool.submit(
      { kind: 'study-call', call: 'fade_means', args: [{ ...this.settings, sae }, false], files },
      { signal: this.#shared.ending.signal },
    );
  }

  /** @override */
  progressText() {
    if (!this.view) return 'Reading texts…';
    return this.#done < this.#of ? `${this.#done} of ${this.#of} so far.` : '';
  }

  /** @override */
  release() {
    this.#share.release();
  }
}
