// @ts-check
import { el } from '../shell/dom.js';
import { remaining } from '../shell/duration.js';
import { passingButton } from './passing-button.js';

/** The status line of what is measured in parts: how far it has come, and why it has not come to its end. */
export class ProgressLine {
  #place;
  #things;
  /** @type {{ meter: HTMLProgressElement, said: HTMLElement } | null} */
  #line = null;

  /** @param {HTMLElement} place @param {string} things what the parts are: "checkpoints" */
  constructor(place, things) {
    this.#place = place;
    this.#things = things;
  }

  get text() {
    return this.#place.textContent ?? '';
  }

  /** @param {(string | Node)[]} words */
  say(...words) {
    this.#place.replaceChildren(...words);
  }

  /** It is under way. @param {number} all @param {() => void} cancel */
  begin(all, cancel) {
    const meter = el('progress', { max: all, value: 0, 'aria-label': 'Progress of the measurement' });
    const said = el('span', {});
    this.#line = { meter, said };
    this.say(meter, ' ', said, ' ', passingButton('Cancel', cancel));
  }

  /** So many parts are there. @param {number} done @param {number} [left] how long the others will take, in milliseconds */
  progress(done, left = NaN) {
    if (!this.#line) return;
    const { meter, said } = this.#line;
    meter.value = done;
    const time = Number.isFinite(left) && done < meter.max ? `, about ${remaining(left)} left` : '';
    said.textContent = `${done} of ${meter.max} ${this.#things} measured${time}`;
  }

  /**
   * It has ended before its end. Returns what was said.
   *
   * @param {number} done @param {number} all
   * @param {{ missing: ReadonlyMap<string, string>, cancelled: boolean }} why what is missing and why, by name
   * @param {() => void} again
   */
  unfinished(done, all, { missing, cancelled }, again) {
    const [[what, why] = ['', '']] = missing;
    const others = missing.size > 1 ? ` and ${missing.size - 1} more are` : ' is';
    const words = cancelled
      ? `Cancelled: ${done} of ${all} ${this.#things} are measured. `
      : `${done} of ${all} ${this.#things} are measured; ${what}${others} missing (${why.replace(/\.$/, '')}). `;
    this.say(words, passingButton('Try again', again));
    return words;
  }
}
