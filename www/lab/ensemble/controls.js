// @ts-check
/** How many networks, and what varies among them; how far they are. */

import { createButton, el, handleSubmit } from '../../shell/dom.js';
import { createCheckbox } from '../../shell/fields.js';
import { createProgressLine } from '../../shell/progress-meter.js';
import { swapButtons } from '../../shell/button-pair.js';
import { formatInteger } from '../../shell/basic-format.js';

/** @type {readonly number[]} */
const NETWORK_COUNTS = [10, 100, 1000];

/** @param {number} count @param {boolean} [checked] */
function createPill(count, checked = false) {
  const input = el('input', { type: 'radio', name: 'ensemble-seeds', value: count, checked });
  return { input, element: el('label', {}, input, el('span', {}, formatInteger(count))) };
}

/**
 * @param {object} parts
 * @param {number} parts.usual how many networks, unless a link says otherwise
 * @param {(text: string) => void} parts.announce
 * @param {() => void} parts.onStart
 * @param {() => void} parts.onCancel
 * @param {() => void} parts.onChoice
 */
export function createEnsembleControls({ usual, announce, onStart, onCancel, onChoice }) {
  const counts = new Map(NETWORK_COUNTS.map((count) => [count, createPill(count, count === usual)]));
  const pills = el('div', { class: 'pills' }, ...[...counts.values()].map(({ element }) => element));
  const vary = createCheckbox(' Other data for each, too', { id: 'ensemble-vary' });
  const start = el('button', { type: 'submit', id: 'ensemble-start' }, 'Run them');
  const cancel = createButton('Cancel', { id: 'ensemble-cancel', hidden: true }, onCancel);
  const form = el(
    'form',
    { class: 'ensemble-controls lab', id: 'ensemble-form', novalidate: true },
    el('fieldset', { class: 'picker' }, el('legend', {}, 'Networks'), pills),
    vary.element,
    start,
    cancel,
  );
  const line = createProgressLine('ensemble', 'the ensemble', 'Not run yet.', announce);
  line.element.classList.add('lab');
  handleSubmit(form, onStart);
  form.addEventListener('change', onChoice);

  return {
    form,
    status: line.element,
    say: line.say,
    fill: line.fill,
    seeds: () => Number(new FormData(form).get('ensemble-seeds')),
    /** @returns {Varied} */
    varied: () => (vary.input.checked ? 'model-and-data' : 'model'),
    /** @param {number} seeds @param {Varied} which */
    choose(seeds, which) {
      // A number of its own has a place of its own.
      const chosen = counts.get(seeds) ?? createPill(seeds);
      if (!counts.has(seeds)) pills.append(chosen.element);
      counts.set(seeds, chosen);
      chosen.input.checked = true;
      vary.input.checked = which === 'model-and-data';
    },
    /** @param {string} words on the button that starts */
    offer(words) {
      start.textContent = words;
    },
    /** @param {boolean} on */
    setRunning(on) {
      line.setRunning(on);
      swapButtons(start, cancel, on);
    },
  };
}
