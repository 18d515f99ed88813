// @ts-check
import { el } from './dom.js';

/**
 * The line that says how far something is: a bar, seen while it runs, and words.
 *
 * @param {string} prefix of the ids
 * @param {string} what it is the progress of: "the training"
 * @param {string} words said at first
 * @param {(text: string) => void} announce
 */
export function createProgressLine(prefix, what, words, announce) {
  const meter = el('progress', { id: `${prefix}-meter`, max: 1, value: 0, 'aria-label': `Progress of ${what}`, hidden: true });
  const status = el('span', { id: `${prefix}-status` }, words);
  return {
    element: el('p', { class: 'ensemble-status' }, meter, status),
    /** @param {string} text @param {boolean} [aloud] */
    say(text, aloud = false) {
      status.textContent = text;
      if (aloud) announce(text);
    },
    /** @param {number} share */
    fill(share) {
      meter.value = share;
    },
    /** @param {boolean} on */
    setRunning(on) {
      meter.hidden = !on;
    },
  };
}
