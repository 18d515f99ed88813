// @ts-check
/** The page of a study that is measured in parts: figures of what there is, and a line that says how far it is. */

import { stripFullStop } from '../shell/dom.js';
import { formatRemaining } from '../shell/duration.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { StudyPageBase } from './page-base.js';

/**
 * What is a study's own of it.
 *
 * @template Measured
 * @typedef {object} MeasuredStudy
 * @property {string} things what the parts are: "checkpoints"
 * @property {(told: import('./job-results.js').Told<any>) => Measured} measure
 */

/**
 * @template {import('./page-base.js').StudyView} View
 * @template {import('./job-results.js').JobResults<any>} Measured
 * @extends {StudyPageBase<View>}
 */
export class JobsPage extends StudyPageBase {
  #things;
  measured;

  /** @param {import('./page-base.js').Parts} parts @param {import('./page-base.js').Study & MeasuredStudy<Measured>} of */
  constructor(parts, { things, measure, ...study }) {
    super(parts, study);
    this.#things = things;
    this.measured = measure({ onFound: (_, found) => this.handlePart(found), onEnd: () => this.handleEnd() });
  }

  /** What is dear is done once the reader comes near what it is for. @param {HTMLElement} section @param {() => void} come */
  runWhenNear(section, come) {
    whenNearViewport(section, come, '600px');
  }

  /** How many of what is counted there are, and should be. */
  countParts() {
    return this.measured.countMeasured(this.wanted);
  }

  /** Whether nothing is missing. */
  isComplete() {
    return this.measured.isComplete(this.wanted);
  }

  /** Measures what is missing. */
  measureMissing() {
    if (this.isComplete()) {
      this.measured.stop();
      this.handleComplete();
      return;
    }
    this.status.start('Progress of the measurement', this.countParts().all, () => this.measured.cancel());
    this.showProgress();
    this.measured.measure(this.wanted);
  }

  /** @param {number} [left] how long the rest will take, in milliseconds */
  showProgress(left = NaN) {
    const { done, all } = this.countParts();
    const time = Number.isFinite(left) && done < all ? `, about ${formatRemaining(left)} left` : '';
    this.status.setProgress(done, `${done} of ${all} ${this.#things} measured${time}`);
  }

  /** A part is there. @param {any} _found */
  handlePart(_found) {
    this.showProgress();
  }

  /** Nothing more comes, for whatever reason. */
  handleEnd() {
    const { announce } = this.parts;
    if (this.isComplete()) {
      this.handleComplete();
      announce(this.status.text);
      return;
    }
    const words = this.#unfinishedSentence();
    this.status.showUnfinished(words, () => this.measureMissing());
    announce(words);
  }

  /** How far it has come, and why no further. */
  #unfinishedSentence() {
    const { done, all } = this.countParts();
    const there = `${done} of ${all} ${this.#things} are measured`;
    const { missing, cancelled } = this.measured;
    if (cancelled) return `Cancelled: ${there}. `;
    const [[what, why] = ['', '']] = missing;
    const others = missing.size > 1 ? ` and ${missing.size - 1} more are` : ' is';
    return `${there}; ${what}${others} missing (${stripFullStop(why)}). `;
  }

  /** All of it is there. */
  handleComplete() {
    this.parts.onComplete();
  }
}
