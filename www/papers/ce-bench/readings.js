// @ts-check
/** The choice of a reading: which of four descriptions of the scores is followed. Never two at once. */

import { requireElement } from '../../shell/dom.js';

/**
 * @param {HTMLElement} view
 * @param {(name: string) => void} onReading
 */
export function createReadingChoice(view, onReading) {
  const group = requireElement('.ce-readings', view);
  const inputs = [...group.querySelectorAll('input')];
  const words = /** @type {HTMLElement[]} */ ([...group.querySelectorAll('[data-reading]')]);
  let now = '';
  /** @param {string} name */
  function show(name) {
    now = name;
    for (const input of inputs) input.checked = input.value === name;
    for (const one of words) one.hidden = one.dataset.reading !== name;
  }
  for (const input of inputs)
    input.addEventListener('change', () => {
      show(input.value);
      onReading(input.value);
    });
  /** In the order in which a report has them. */
  const names = inputs.map(({ value }) => value);
  show(names[0] ?? '');
  return {
    names,
    show,
    get name() {
      return now;
    },
    /** Its place in a report. */
    get place() {
      return Math.max(0, names.indexOf(now));
    },
  };
}
