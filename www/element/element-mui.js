// @ts-check
/**
 * The Model Utilization Index in an <sfc-bench>: its paper's tables, or as much of the little model as a figure
 * shows. What several elements ask for is measured once. Loaded with the first element that shows one.
 */

import { littleFiles } from '../little/files.js';
import { checkpointJob, experimentJob, growthJob, noReport, reportOf } from '../workers/mui.js';

/** @typedef {import('./element-state.js').LittleWish} LittleWish */
/** @typedef {import('../workers/mui.js').Job} Job */

/**
 * @typedef {object} Elsewhere what an element does not do
 * @property {string} words
 * @property {string} link the words of the link to the page that does
 */

/**
 * @typedef {object} Shared a measurement that several may wait for
 * @property {Promise<any>} found
 * @property {AbortController} ending
 * @property {number} users
 */

/** Under way, and on show, by the jobs' keys. @type {Map<string, Shared>} */
const measurements = new Map();

/** By section of the page. @type {Readonly<Record<string, Elsewhere>>} */
const ELSEWHERE = {
  'mui-train': {
    words: 'A training takes its time and is not begun here: it is done on the page of the Model Utilization Index.',
    link: 'Train there',
  },
  'mui-own': {
    words: 'Files of neurons are read on the page of the Model Utilization Index.',
    link: 'Give your files there',
  },
};

/** What a figure shows. @param {Lab} core @param {any} settings @param {string} figure @param {string} section of the page @returns {Job[]} */
function jobsOf(core, settings, figure, section) {
  if (figure === 'mui-growth') return [growthJob(core, settings)];
  if (figure === 'mui-tasks') return [checkpointJob(core, settings, settings.checkpoint)];
  if (section === 'mui-model')
    return core.little_checkpoints().map((name) => checkpointJob(core, settings, name));
  return core.mui_experiments_of(figure).map((name) => experimentJob(core, settings, name));
}

/**
 * A share in a measurement, which is given up with the last one.
 *
 * @param {Lab} core @param {import('../workers/pool.js').Pool} pool @param {Job} job
 */
function shareIn(core, pool, { key, needs, task }) {
  const begin = () => {
    const ending = new AbortController();
    const run = async () => pool.submit(task(await littleFiles(core, needs)), { signal: ending.signal });
    const made = { found: run(), ending, users: 0 };
    // What failed is not kept: whoever asks next has it tried again.
    made.found.catch(() => measurements.get(key) === made && measurements.delete(key));
    measurements.set(key, made);
    return made;
  };
  const shared = measurements.get(key) ?? begin();
  shared.users += 1;
  return {
    found: shared.found,
    release() {
      shared.users -= 1;
      if (shared.users > 0) return;
      if (measurements.get(key) === shared) measurements.delete(key);
      shared.ending.abort(new Error('nobody shows it'));
    },
  };
}

/** The index in one element. */
export class MuiShow {
  /** What figures are drawn from, as far as it has come. @type {MuiView | null} */
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

  #core;
  #figure;
  #hears;
  #closed = false;
  /** @type {import('../types/core.d.ts').MuiReport | null} */
  #report = null;
  /** @type {ReturnType<typeof shareIn>[]} */
  #shares = [];

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {LittleWish} wish
   * @param {string} figure
   * @param {object} hears
   * @param {() => void} hears.onChange
   * @param {(error: unknown) => void} hears.onFail
   * @param {unknown} given a report, which is shown instead of measuring anything; null where there is none
   */
  constructor(core, pool, wish, figure, hears, given) {
    this.#core = core;
    this.settings = wish.settings;
    this.#figure = figure;
    this.#hears = hears;
    this.#show(pool, wish.settings, given).catch((error) => {
      if (!this.#closed) hears.onFail(error);
    });
  }

  /** @param {import('../workers/pool.js').Pool} pool @param {any} settings @param {unknown} given */
  async #show(pool, settings, given) {
    const core = this.#core;
    const section = core.figure_named(this.#figure)?.section ?? '';
    const report = (this.#report = given ? reportOf(core, given) : noReport(core, settings));
    this.settings = report.settings;
    const jobs = given ? [] : jobsOf(core, settings, this.#figure, section);
    const lacks = section === 'mui-own' ? !report.own : report.trained.length === 0;
    if (lacks) this.elsewhere = ELSEWHERE[section] ?? null;
    this.of = jobs.length;
    if (jobs.length === 0) {
      this.#open();
      this.ms = 0;
      return;
    }
    const start = performance.now();
    this.#shares = jobs.map((job) => shareIn(core, pool, job));
    await Promise.all(
      this.#shares.map(async ({ found }, at) => {
        const one = await found;
        if (this.#closed) return;
        jobs[at]?.take(report, one);
        this.done += 1;
        if (this.done === this.of) this.ms = performance.now() - start;
        this.#open();
        this.#hears.onChange();
      }),
    );
  }

  /** Figures are of what there is now. */
  #open() {
    const former = this.view;
    this.view = this.#core.Study.open('mui', this.#report);
    former?.free();
  }

  /** What the figure comes to, in words: what its numbers say of a claim, or what they are. */
  says() {
    if (!this.view || !this.#report || this.elsewhere) return '';
    const all = this.#core.mui_judgements(this.#report.experiments);
    const own = all.filter(({ figure }) => figure === this.#figure);
    const judged = own.map(({ words, found, claim }) => `${words}: ${found}. ${claim}.`);
    return judged.length > 0 ? judged.join(' ') : this.view.summary(this.#figure);
  }

  /** Its digest, where every checkpoint is measured: a part has none that a link could have. */
  digest() {
    const whole = this.#report?.checkpoints.length === this.#core.little_checkpoints().length;
    return whole ? (this.view?.digest() ?? null) : null;
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
