// @ts-check
/** The form that asks for an autoencoder: family, world, and the numbers that matter most. */

import { el, createErrorLine, handleSubmit } from '../../shell/dom.js';
import { createField, toOptions } from '../../shell/fields.js';
import { createTrainingFields } from './fields.js';

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {HTMLElement} parts.buttons what starts it, and what goes with it
 * @param {(text: string) => void} parts.announce
 * @param {() => void} parts.onSubmit
 */
export function createTrainingForm({ core, buttons, announce, onSubmit }) {
  const { worlds, k } = core.families_choices();
  const { family, latents } = core.families_preset('small').train;
  const world = createField({ kind: 'select', id: 'train-world', label: 'Dataset', options: toOptions(worlds) });
  const general = createErrorLine('train-error');
  const fields = createTrainingFields({ core, prefix: 'train', family, latents, k, general });
  const element = el(
    'form',
    { class: 'families-controls', id: 'train-form', novalidate: true, 'aria-labelledby': 'train-title' },
    fields.family,
    world.element,
    ...fields.numbers,
    buttons,
  );
  handleSubmit(element, onSubmit);

  return {
    element,
    general,
    wanted: fields.config,
    world: world.value,
    /** Trains on the reader's own activations. */
    chooseGiven() {
      world.show('given');
      world.input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    /** @param {Problem | null} problem */
    showProblem(problem) {
      fields.showProblem(problem);
      if (problem) announce(problem.message);
    },
  };
}
