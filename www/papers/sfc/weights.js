// @ts-check
/** The preference weights: three sliders, the numbers themselves, and the paper's seven profiles. */

import { describeProblem } from '../../shell/fields.js';
import { createButton, el, requireElement, showError } from '../../shell/dom.js';
import { createRovingFocus } from '../../shell/roving-tabindex.js';

/** @typedef {import('../../shell/state.js').Store} Store */

const AXES = /** @type {const} */ ([
  { key: 's', symbol: 'α', name: 'Sparsity' },
  { key: 'f', symbol: 'β', name: 'Fidelity' },
  { key: 'c', symbol: 'γ', name: 'Completeness' },
]);

/** A slider is for the hand; a larger weight can be typed. */
const SLIDER_RANGE = { min: 0, max: 10, step: 0.1 };

/** @param {Store} store @returns {Weights} */
const currentWeights = (store) => store.get().draft.weights ?? [1, 1, 1];

/** @param {Store} store @param {number} axis @param {number} value */
function setWeight(store, axis, value) {
  const weights = /** @type {Weights} */ ([...currentWeights(store)]);
  weights[axis] = value;
  store.edit({ weights });
}

/** @param {Store} store @param {number} axis @param {string} prefix of its ids */
function createAxisControl(store, axis, prefix) {
  const { key, symbol, name } = AXES[/** @type {0 | 1 | 2} */ (axis)];
  const slider = el('input', {
    type: 'range',
    id: `${prefix}weight-${key}`,
    class: `axis-${key}`,
    ...SLIDER_RANGE,
  });
  const number = el('input', {
    type: 'number',
    id: `${prefix}weight-${key}-number`,
    min: 0,
    step: SLIDER_RANGE.step,
    'aria-label': `${name} weight, as a number`,
    'aria-describedby': `${prefix}weights-error`,
    autocomplete: 'off',
  });
  slider.addEventListener('input', () => setWeight(store, axis, slider.valueAsNumber));
  number.addEventListener('input', () => setWeight(store, axis, number.valueAsNumber));
  const element = el(
    'div',
    { class: `weight axis-${key}` },
    el('label', { for: slider.id }, el('span', { class: 'symbol' }, symbol), ` ${name}`),
    slider,
    number,
  );
  return { element, slider, number };
}

/**
 * Fills the places that the page has for them.
 *
 * @param {Store} store
 * @param {Pick<Core, 'profiles'>} core
 * @param {string} [prefix] of the places' ids, where a page is one of several
 */
export function createWeightControls(store, core, prefix = '') {
  const axes = AXES.map((_, axis) => createAxisControl(store, axis, prefix));
  requireElement(`#${prefix}weight-sliders`).append(...axes.map(({ element }) => element));

  const profiles = core.profiles().map(({ label, weights }) => {
    const button = createButton(`${label} ${weights.join(':')}`, { 'aria-pressed': 'false' }, () =>
      store.edit({ weights: [...weights] }),
    );
    return { button, weights };
  });
  const group = requireElement(`#${prefix}profiles`);
  group.append(...profiles.map(({ button }) => button));
  createRovingFocus(group, 'button');

  const shares = AXES.map(({ key }) => el('span', { class: `axis-${key}` }));
  requireElement(`#${prefix}weight-shares`).append(...shares);

  function show() {
    const weights = currentWeights(store);
    axes.forEach(({ slider, number }, axis) => {
      const weight = weights[/** @type {0 | 1 | 2} */ (axis)];
      if (!Number.isNaN(weight)) slider.value = String(weight);
      if (!Object.is(number.valueAsNumber, weight))
        number.value = Number.isNaN(weight) ? '' : String(weight);
    });
    for (const profile of profiles) {
      const chosen = profile.weights.every(
        (weight, axis) => weight === weights[/** @type {0 | 1 | 2} */ (axis)],
      );
      profile.button.setAttribute('aria-pressed', String(chosen));
    }
    shares.forEach((share, axis) => {
      share.style.flexGrow = String(Math.max(0, weights[/** @type {0 | 1 | 2} */ (axis)]) || 0);
    });
  }
  store.subscribe((_, changed) => {
    if (changed.includes('weights')) show();
  });
  show();

  const error = requireElement(`#${prefix}weights-error`);
  return {
    /** Says what the core refused; null when it took the weights. @param {Problem | null} problem */
    showProblem(problem) {
      const words = problem ? `${describeProblem(problem)} The figures keep the last valid weights.` : '';
      showError(error, words, axes.map(({ number }) => number));
    },
  };
}
