// @ts-check
/**
 * A study in an <sfc-bench> that is measured job by job: as much of it as a figure shows. What several elements ask for
 * is measured once.
 */

import { littleFiles } from '../little/files.js';
import { Sharing } from '../workers/sharing.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */
/** @template [Report=any] @typedef {import('../workers/report.js').Job<Report>} Job */

/**
 * @typedef {object} Elsewhere what an element does not do
 * @property {string} words
 * @property {string} link the words of the link to the page that does
 */

/**
 * @typedef {object} Hears
 * @property {() => void} onChange
 * @property {(error: unknown) => void} onFail
 */

/** Under way, and on show, by the jobs' keys. @type {Sharing<{ found: Promise<any>, ending: AbortController }>} */
const measurements = new Sharing();

/**
 * A share in a measurement, which is given up with the last one.
 *
 * @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {Job} job
 */
function shareIn(core, pool, { key, needs, task }) {
  const share = measurements.take(key, () => {
    const ending = new AbortController();
    const run = async () => pool.submit(task(await littleFiles(core, needs)), { signal: ending.signal });
    return { found: run(), ending };
  });
  share.made.found.catch(share.forget);
  return share;
}

/**
 * A study in one element.
 *
 * @template {{ settings: any }} Report
 * @template {{ free(): void, digest(): string | null, summary(id: string): string, json(): string }} View
 */
export class JobsShow {
  /** What figures are drawn from, as far as it has come. @type {View | null} */
  view = null;
  /** Milliseconds that the measurement took; null before. @type {number | null} */
  ms = null;
  /** What is measured, and how much of it is there. */
  done = 0;
  of = 0;
  /** What is not done in an element, where a figure is of that and no report was given. @type {Elsewhere | null} */
  elsewhere = null;
  /** What is measured: as it was asked for, or as the report has it. @type {StudySettings} */
  settings;

  #hears;
  #closed = false;
  #figure;
  /** @type {ReturnType<typeof shareIn>[]} */
  #shares = [];
  /** @type {(report: Report) => View} */
  #open;

  /**
   * @param {LittleWish} wish
   * @param {string} figure
   * @param {Hears} hears
   * @param {(report: Report) => View} open
   */
  constructor(wish, figure, hears, open) {
    this.settings = wish.settings;
    this.#figure = figure;
    this.#hears = hears;
    this.#open = open;
  }

  /** A report; null where what was given is none, which is told. @param {() => Report} read */
  read(read) {
    try {
      return read();
    } catch (error) {
      queueMicrotask(() => this.#hears.onFail(error));
      return null;
    }
  }

  /** Measures, if anything is to be measured. @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {Report} report @param {Job<Report>[]} jobs */
  async measure(core, pool, report, jobs) {
    this.settings = report.settings;
    this.of = jobs.length;
    if (jobs.length === 0) {
      this.#show(report);
      this.ms = 0;
      return;
    }
    const start = performance.now();
    this.#shares = jobs.map((job) => shareIn(core, pool, job));
    const all = this.#shares.map(async ({ made }, at) => {
      const one = await made.found;
      if (this.#closed) return;
      jobs[at]?.take(report, one);
      this.done += 1;
      if (this.done === this.of) this.ms = performance.now() - start;
      this.#show(report);
      this.#hears.onChange();
    });
    try {
      await Promise.all(all);
    } catch (error) {
      if (!this.#closed) this.#hears.onFail(error);
    }
  }

  /** Figures are of what there is now. @param {Report} report */
  #show(report) {
    const former = this.view;
    this.view = this.#open(report);
    former?.free();
  }

  /** What the figure comes to, in words. */
  says() {
    return this.view && !this.elsewhere ? this.view.summary(this.#figure) : '';
  }

  /** Its digest, if all of it is there. */
  digest() {
    return this.view?.digest() ?? null;
  }

  /** How far it is, in words; nothing once all is there. */
  progress() {
    if (this.done >= this.of) return '';
    return this.of === 1 ? 'Measuring…' : `${this.done} of ${this.of} measured so far.`;
  }

  /** What nobody shows any more is given up. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    for (const share of this.#shares) share.release();
    this.view?.free();
    this.view = null;
  }
}
