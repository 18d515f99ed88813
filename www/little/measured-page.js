// @ts-check
/** The page of a study that is measured in parts: figures of what there is, and a line that says how far it is. */

import { clause } from '../shell/dom.js';
import { remaining } from '../shell/duration.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { PageBase } from './page-base.js';

/**
 * What is a study's own of it.
 *
 * @template Measured
 * @typedef {object} MeasuredStudy
 * @property {string} things what the parts are: "checkpoints"
 * @property {(told: import('./measured-parts.js').Told<any>) => Measured} measure
 */

/**
 * @template {import('./page-base.js').StudyView} View
 * @template {import('./measured-parts.js').MeasuredParts<any>} Measured
 * @extends {PageBase<View>}
 */
export class MeasuredPage extends PageBase {
  #things;
  measured;

  /** @param {import('./page-base.js').Parts} parts @param {import('./page-base.js').Study & MeasuredStudy<Measured>} of */
  constructor(parts, { things, measure, ...study }) {
    super(parts, study);
    this.#things = things;
    this.measured = measure({ onFound: (_, found) => this.found(found), onEnd: () => this.ended() });
  }

  /** What is dear is done once the reader comes near what it is for. @param {HTMLElement} section @param {() => void} come */
  watch(section, come) {
    whenNearViewport(section, come, '600px');
  }

  /** How many of what is counted there are, and should be. */
  count() {
    return this.measured.count(this.wanted);
  }

  /** Whether nothing is missing. */
  isWhole() {
    return this.measured.whole(this.wanted);
  }

  /** Measures what is missing. */
  go() {
    if (this.isWhole()) {
      this.measured.stop();
      this.done();
      return;
    }
    this.status.begin('Progress of the measurement', this.count().all, () => this.measured.cancel());
    this.progress();
    this.measured.measure(this.wanted);
  }

  /** @param {number} [left] how long the rest will take, in milliseconds */
  progress(left = NaN) {
    const { done, all } = this.count();
    const time = Number.isFinite(left) && done < all ? `, about ${remaining(left)} left` : '';
    this.status.progress(done, `${done} of ${all} ${this.#things} measured${time}`);
  }

  /** A part is there. @param {any} _found */
  found(_found) {
    this.progress();
  }

  /** Nothing more comes, for whatever reason. */
  ended() {
    const { announce } = this.parts;
    if (this.isWhole()) {
      this.done();
      announce(this.status.text);
      return;
    }
    const words = this.#unfinished();
    this.status.unfinished(words, () => this.go());
    announce(words);
  }

  /** How far it has come, and why no further. */
  #unfinished() {
    const { done, all } = this.count();
    const there = `${done} of ${all} ${this.#things} are measured`;
    const { missing, cancelled } = this.measured;
    if (cancelled) return `Cancelled: ${there}. `;
    const [[what, why] = ['', '']] = missing;
    const others = missing.size > 1 ? ` and ${missing.size - 1} more are` : ' is';
    return `${there}; ${what}${others} missing (${clause(why)}). `;
  }

  /** All of it is there. */
  done() {
    this.parts.onComplete();
  }
}
