// @ts-check
/**
 * A run of FADE and what streams in after it: scores of texts first, then each feature steered, shared out
 * to the workers, the opened one first. What is asked for next ends what is under way.
 */

import { loadAutoencoderFiles } from '../../toy-model/model-files.js';

/** @typedef {import('../../types/core.d.ts').FadeFeature} FadeFeature */
/** @typedef {import('../../types/core.d.ts').FadeReport} FadeReport */

/** A feature as steering needs it: the texts' activations stay here. @param {FadeFeature} feature */
const withoutTexts = (feature) => ({ ...feature, natural: [], labels: [], made: [], top: [], steered: null });

/**
 * The feature that is opened where nobody chose one: of the concepts' best latents the one whose scores of
 * texts are highest together.
 *
 * @param {FadeReport} report
 */
function findBestFeature({ features }) {
  const sum = (/** @type {FadeFeature} */ { clarity, responsiveness, purity }) =>
    (clarity.code ?? 0) + (responsiveness.code ?? 0) + (purity.code ?? 0);
  let best = 0;
  for (const [at, feature] of features.entries()) {
    const former = features[best];
    if (feature.case === 'best' && former && sum(feature) > sum(former)) best = at;
  }
  return best;
}

/**
 * How far a run is.
 *
 * @typedef {'idle' | 'scores' | 'steering' | 'done' | 'cancelled' | 'failed'} Stage
 */

/**
 * @typedef {object} Held the result that is shown
 * @property {FadeReport} report
 * @property {FadeView} view
 */

export class FadeSession {
  /** @type {Stage} */
  stage = 'idle';
  /** Why it failed. @type {unknown} */
  error = null;
  /** @type {Held | null} */
  held = null;
  /** Which feature is opened. */
  opened = 0;
  /** Whether somebody chose it. */
  chosen = false;
  /** An autoencoder that was trained on this page. @type {LittleAutoencoder | null} */
  own = null;
  #parts;
  /** What was asked for last. @type {StudySettings} */
  settings;
  /** @type {AbortController | null} */
  #running = null;

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {import('../../workers/pool.js').Pool} parts.pool
   * @param {() => void} parts.onReport other results are there
   * @param {(index: number) => void} parts.onSteered a feature was steered
   * @param {() => void} parts.onStage it is further, or not going on
   */
  constructor(parts) {
    this.#parts = parts;
    this.settings = parts.core.study_defaults('fade');
  }

  /** Features that were steered, and all of them. */
  get progress() {
    const features = this.held?.report.features ?? [];
    return { done: features.filter(({ steered }) => steered).length, all: features.length };
  }

  /** Whether what is shown is all that was asked for. */
  get isComplete() {
    return this.stage === 'done';
  }

  /** Whether what is shown is of the settings that were asked for last. */
  get isCurrent() {
    const { core } = this.#parts;
    const textOf = (/** @type {StudySettings} */ settings) => core.study_print('fade', settings, 0);
    return this.held !== null && textOf(this.held.report.settings) === textOf(this.settings);
  }

  /** What a worker needs. @param {string} sae */
  loadFiles(sae) {
    return loadAutoencoderFiles(this.#parts.core, 'fade', sae, this.own);
  }

  /** @param {Stage} stage @param {unknown} [error] */
  #setStage(stage, error = null) {
    this.stage = stage;
    this.error = error;
    this.#parts.onStage();
  }

  /** Ends what is under way; what is there stays. */
  cancel() {
    this.#running?.abort(new Error('cancelled'));
  }

  /** Runs settings in the place of whatever is under way. @param {StudySettings} settings */
  async run(settings) {
    this.settings = settings;
    await this.#runExclusive(async (signal) => {
      const { core, pool, onReport } = this.#parts;
      this.#setStage('scores');
      const given = await this.loadFiles(settings.sae);
      signal.throwIfAborted();
      const { report } = await pool.submit(
        { kind: 'study-run', call: 'study_run', args: ['fade', settings], ...given },
        { signal, priority: 1 },
      );
      signal.throwIfAborted();
      const view = core.Study.open('fade', report);
      const former = this.held;
      this.held = { report, view };
      this.opened = this.chosen ? Math.min(this.opened, report.features.length - 1) : findBestFeature(report);
      view.open_feature(this.opened);
      onReport();
      former?.view.free();
      await this.#steerFeatures(this.held, given, signal);
    });
  }

  /** Goes on where a run was cancelled, or begins anew where nothing of it is there. */
  async resume() {
    const held = this.held;
    if (!held || !this.isCurrent) return this.run(this.settings);
    await this.#runExclusive(async (signal) => {
      const given = await this.loadFiles(this.settings.sae);
      signal.throwIfAborted();
      await this.#steerFeatures(held, given, signal);
    });
  }

  /** @param {(signal: AbortSignal) => Promise<void>} work */
  async #runExclusive(work) {
    this.#running?.abort(new Error('something else was asked for'));
    const mine = (this.#running = new AbortController());
    try {
      await work(mine.signal);
      if (this.#running === mine) this.#setStage('done');
    } catch (error) {
      if (this.#running !== mine) return;
      if (mine.signal.aborted) this.#setStage('cancelled');
      else this.#setStage('failed', error);
      // What is still under way of it would be of no use.
      mine.abort(error);
    } finally {
      if (this.#running === mine) this.#running = null;
    }
  }

  /** Steers what was not steered yet. @param {Held} held @param {LittleGiven} given @param {AbortSignal} signal */
  async #steerFeatures({ report, view }, given, signal) {
    const { pool, onSteered } = this.#parts;
    const left = new Set(report.features.keys());
    for (const [index, { steered }] of report.features.entries()) if (steered) left.delete(index);
    this.#setStage('steering');
    const worker = async () => {
      for (;;) {
        // Whoever looks at a feature waits for it first.
        const [index = -1] = left.has(this.opened) ? [this.opened] : left;
        const feature = report.features[index];
        if (!feature) return;
        left.delete(index);
        const steered = await pool.submit(
          { kind: 'study-call', call: 'fade_steered', args: [report.settings, withoutTexts(feature)], ...given },
          { signal, priority: 1 },
        );
        signal.throwIfAborted();
        feature.steered = steered;
        view.add_steered(index, steered);
        onSteered(index);
      }
    };
    await Promise.all(Array.from({ length: pool.size }, worker));
  }

  /** Opens another feature of what is shown; null: whichever is best. @param {number | null} index */
  openFeature(index) {
    this.chosen = index !== null;
    index ??= this.held ? findBestFeature(this.held.report) : 0;
    const most = (this.held?.report.features.length ?? index + 1) - 1;
    this.opened = Math.max(0, Math.min(index, most));
    this.held?.view.open_feature(this.opened);
  }
}
