// @ts-check
/** The weights beside a page that scores: the sliders and the profiles, and nothing that it does not obey. */

import { createWeights } from '../papers/sfc/weights.js';
import { el } from '../shell/dom.js';
import { createSheet } from '../shell/sheet.js';
import { createStore } from '../shell/state.js';

/**
 * @param {object} parts
 * @param {HTMLElement} parts.panel empty
 * @param {Lab} parts.core
 * @param {string} parts.prefix of its ids
 * @param {Weights} parts.weights to begin with
 * @param {(weights: Weights) => void} parts.onWeights is told those that the core takes
 */
export function createWeightsPanel({ panel, core, prefix, weights, onWeights }) {
  const id = (/** @type {string} */ name) => `${prefix}${name}`;
  panel.append(
    el(
      'div',
      { class: 'panel-inner' },
      el(
        'section',
        { 'aria-labelledby': id('weights-title') },
        el('h2', { id: id('weights-title') }, 'Weights'),
        el('p', { class: 'help' }, 'What matters to you? Every score on the page updates at once; nothing is run again.'),
        el('div', { id: id('weight-sliders') }),
        el('div', { class: 'shares', id: id('weight-shares'), 'aria-hidden': 'true' }),
        el('p', { class: 'error', id: id('weights-error'), hidden: true }),
        el('div', {
          class: 'profiles',
          id: id('profiles'),
          role: 'group',
          'aria-label': 'The paper’s seven weight profiles',
        }),
      ),
    ),
  );
  panel.hidden = false;
  const store = createStore({ draft: { weights } });
  const controls = createWeights(store, core, prefix);
  const sheet = createSheet(panel);
  sheet.say(`Weights ${weights.join(':')}`);
  store.subscribe(() => {
    const wish = store.get().draft.weights ?? weights;
    const problem = core.validate({ weights: wish }).problems[0];
    controls.showProblem(problem ?? null);
    if (problem) return;
    sheet.say(`Weights ${wish.join(':')}`);
    onWeights(wish);
  });
  return {
    /** @param {Weights} wish */
    set: (wish) => store.edit({ weights: wish }),
  };
}
