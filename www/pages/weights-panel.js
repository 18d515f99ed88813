// @ts-check
/** The weights beside a page that scores: the sliders and the profiles, and nothing that it does not obey. */

import { createWeightControls } from '../papers/sfc/weights.js';
import { el, createErrorLine, requireElement } from '../shell/dom.js';
import { exportables } from '../shell/exportables.js';
import { createBottomSheet } from '../shell/bottom-sheet.js';
import { createStore } from '../shell/state.js';
import { isSingleFile } from '../shell/views.js';

/**
 * @param {Lab} core
 * @param {object} parts
 * @param {string} parts.name of the page
 * @param {HTMLElement} parts.view
 * @param {Weights} parts.weights to begin with
 * @param {(weights: Weights) => void} parts.onWeights is told those that the core takes
 */
export function createWeightsPanel(core, { name, view, weights, onWeights }) {
  const panel = requireElement('.panel', view);
  const prefix = `${name}-`;
  const id = (/** @type {string} */ what) => `${prefix}${what}`;
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
        createErrorLine(id('weights-error')),
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
  let taken = weights;
  const store = createStore({ draft: { weights } });
  const controls = createWeightControls(store, core, prefix);
  const sheet = createBottomSheet(panel);
  sheet.say(`Weights ${weights.join(':')}`);
  store.subscribe(() => {
    const wish = store.get().draft.weights ?? weights;
    const problem = core.validate({ weights: wish }).problems[0];
    controls.showProblem(problem ?? null);
    if (problem) return;
    taken = wish;
    sheet.say(`Weights ${wish.join(':')}`);
    if (!isSingleFile()) exportables.view?.set_weights(...wish);
    onWeights(wish);
  });
  return {
    /** The last that the core took. */
    get weights() {
      return taken;
    },
    /** @param {Weights} wish */
    set: (wish) => store.edit({ weights: wish }),
  };
}
