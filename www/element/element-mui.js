// @ts-check
/**
 * The Model Utilization Index in an <sfc-bench>: its paper's tables, or as much of the toy model as a figure
 * shows. Loaded with the first element that shows one.
 */

import { JobsPresenter } from './element-jobs.js';

/** By section of the page. @type {Readonly<Record<string, import('./element-study.js').Elsewhere>>} */
const PAGE_ONLY_NOTES = {
  'mui-train': {
    words: 'A training takes its time and is not begun here: it is done on the page of the Model Utilization Index.',
    link: 'Train there',
  },
  'mui-own': {
    words: 'Files of neurons are read on the page of the Model Utilization Index.',
    link: 'Give your files there',
  },
};

/** The index in one element. */
export class MuiPresenter extends JobsPresenter {
  #core;
  #figure;

  /** @param {ConstructorParameters<typeof JobsPresenter>} parts */
  constructor(...parts) {
    super(...parts);
    const [core, , { id }] = parts;
    this.#core = core;
    this.#figure = id;
    if (!this.report) return;
    const section = core.figure_named(id)?.section ?? '';
    const lacks = section === 'mui-own' ? !this.report.own : this.report.trained.length === 0;
    if (lacks) this.elsewhere = PAGE_ONLY_NOTES[section] ?? null;
  }

  /** What its numbers say of a claim, or what they are. @override */
  summarize() {
    if (!this.view || this.elsewhere) return '';
    const all = this.#core.mui_judgements(this.report.experiments);
    const own = all.filter(({ figure }) => figure === this.#figure);
    const judged = own.map(({ words, found, claim }) => `${words}: ${found}. ${claim}.`);
    return judged.length > 0 ? judged.join(' ') : super.summarize();
  }

  /** Where every checkpoint is measured: a part has none that a link could have. @override */
  digest() {
    const whole = this.report?.checkpoints.length === this.#core.little_checkpoints().length;
    return whole ? super.digest() : null;
  }
}
