// @ts-check
import { el } from '../shell/dom.js';
import { createTransientButton } from './one-time-button.js';

/** The status line of a page: what is said there, with a meter and a way to cancel while something is under way. */
export class ProgressLine {
  #place;
  /** @type {{ meter: HTMLProgressElement, said: HTMLElement } | null} */
  #line = null;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.#place = place;
  }

  get text() {
    return this.#place.textContent ?? '';
  }

  /** @param {(string | Node)[]} words */
  setContent(...words) {
    this.#place.replaceChildren(...words);
  }

  /** It is under way. @param {string} name of the meter @param {number} all @param {() => void} cancel */
  start(name, all, cancel) {
    const meter = el('progress', { max: all, value: 0, 'aria-label': name });
    const said = el('span', {});
    this.#line = { meter, said };
    this.setContent(meter, ' ', said, ' ', createTransientButton('Cancel', cancel));
  }

  /** So much is done. @param {number} done of all @param {string} words */
  setProgress(done, words) {
    if (!this.#line) return;
    this.#line.meter.value = done;
    this.#line.said.textContent = words;
  }

  /** It has ended before its end. @param {string} words @param {() => void} again */
  showUnfinished(words, again) {
    this.setContent(words, createTransientButton('Try again', again));
  }
}
