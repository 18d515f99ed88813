// @ts-check
/** The page of a study that is measured in parts: figures of what there is, and a line that says how far it is. */

import { whenNearViewport } from '../shell/near-viewport.js';
import { PageBase } from './page-base.js';

/**
 * @template {import('./page-base.js').StudyView} View
 * @template {import('./measured-parts.js').MeasuredParts<any>} Measured
 * @extends {PageBase<View>}
 */
export class MeasuredPage extends PageBase {
  measured;

  /**
   * @param {import('./page-base.js').Parts} parts
   * @param {import('./page-base.js').Study & { measure: (told: import('./measured-parts.js').Told<any>) => Measured }} of
   */
  constructor(parts, { measure, ...study }) {
    super(parts, study);
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
    this.status.begin(this.count().all, () => this.measured.cancel());
    this.progress();
    this.measured.measure(this.wanted);
  }

  /** @param {number} [left] how long the rest will take, in milliseconds */
  progress(left) {
    this.status.progress(this.count().done, left);
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
    const { done, all } = this.count();
    announce(this.status.unfinished(done, all, this.measured, () => this.go()));
  }

  /** All of it is there. */
  done() {
    this.parts.onComplete();
  }
}
