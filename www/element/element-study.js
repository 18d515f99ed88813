// @ts-check
/** What every study in an <sfc-bench> is to its view. */

/** @typedef {import('./element-state.js').Wish} Wish */
/** @typedef {import('../types/sfc-bench-element.d.ts').SfcBenchResult} Result */

/**
 * @typedef {object} Elsewhere what an element does not do
 * @property {string} words
 * @property {string} link the words of the link to the page that does
 */

/**
 * @typedef {object} Hears
 * @property {() => void} onChange there is something else to draw
 * @property {() => void} onProgress there is more of it, but nothing else to draw
 * @property {(error: unknown) => void} onFail
 */

/** A study in one element. @template {Exportable & { digest?(): string | null }} [View=Exportable] */
export class StudyPresenter {
  /** What figures are drawn from, as far as it has come. @type {View | null} */
  view = null;
  /** Milliseconds that it took; null before. @type {number | null} */
  ms = null;
  /** What is not done in an element, where a figure is of that. @type {Elsewhere | null} */
  elsewhere = null;
  /** Whether nobody shows it. */
  closed = false;
  /** What is run: as it was asked for, or as the report has it. @type {StudySettings} */
  settings;

  /** @param {Wish} wish */
  constructor({ little }) {
    this.settings = little?.settings;
  }

  /** What tells studies apart. @param {Wish} wish */
  static keyOf({ little, id }) {
    return JSON.stringify([little, id]);
  }

  /** Figures are drawn from this from now on. @param {View} view */
  setView(view) {
    const former = this.view;
    this.view = view;
    former?.free();
  }

  /** What it comes to, in words. */
  summarize() {
    return this.view?.headline() ?? '';
  }

  /** How far it is, in words; nothing once all is there. */
  progressText() {
    return '';
  }

  /** What to be careful about. @returns {string[]} */
  warnings() {
    return [];
  }

  /** Its digest, if all of it is there. @returns {string | null} */
  digest() {
    return this.view?.digest?.() ?? null;
  }

  /** What was found, once all of it is there. @param {Wish} wish @returns {Result | null} */
  result({ little }) {
    if (!little || !this.view || this.progressText() || this.elsewhere) return null;
    return { kind: little.study, report: JSON.parse(this.view.json()), digest: this.digest(), ms: this.ms ?? 0 };
  }

  /** Gives up what nobody else waits for. */
  release() {}

  /** Nobody shows it any more. */
  close() {
    if (this.closed) return;
    this.closed = true;
    this.release();
    this.view?.free();
    this.view = null;
  }
}
