// @ts-check
/** The form that asks for an autoencoder: family, world, and the numbers that matter most. */

import { el } from '../../shell/dom.js';
import { choice, offers } from '../../shell/fields.js';

/** @param {string} key @param {string} label @param {number} value */
function number(key, label, value) {
  const id = `train-${key}`;
  const input = el('input', {
    type: 'number',
    id,
    name: key,
    step: 'any',
    value: String(value),
    autocomplete: 'off',
    'aria-describedby': `${id}-error`,
  });
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const element = el(
    'div',
    { class: 'field number' },
    el('label', { for: id }, label),
    el('div', { class: 'entry' }, input),
    error,
  );
  return { key, input, error, element };
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {HTMLElement} parts.buttons what starts it, and what goes with it
 * @param {(text: string) => void} parts.announce
 * @param {() => void} parts.onSubmit
 */
export function createTrainingForm({ core, buttons, announce, onSubmit }) {
  const { families, worlds, k: codes } = core.families_choices();
  const usual = core.families_preset('small').train;
  const { max: most = 0 } = core.limits().model_seed ?? {};
  const family = choice(
    'train-family',
    'Family',
    families.map((one) => [one.family, one.label]),
  );
  const world = choice('train-world', 'Dataset', offers(worlds));
  const start = core.train_defaults(usual.family);
  const fields = [
    number('latents', 'Latents', usual.latents),
    number('k', 'Active latents per row, k', codes),
    number('sparsity', 'Sparsity, λ', start.sparsity),
    number('steps', 'Steps', start.steps),
    number('seed', 'Seed', start.seed),
  ];
  const general = el('p', { class: 'error', id: 'train-error', hidden: true });
  const element = el(
    'form',
    { class: 'families-controls', id: 'train-form', novalidate: true, 'aria-labelledby': 'train-title' },
    family.element,
    world.element,
    ...fields.map((one) => one.element),
    buttons,
  );
  family.select.value = usual.family;

  const field = (/** @type {string} */ key) => fields.find((one) => one.key === key);

  function followFamily() {
    const k = families.some((one) => one.family === family.select.value && one.has_k);
    const [few, sparsity] = [field('k'), field('sparsity')];
    if (few) few.element.hidden = !k;
    if (sparsity) {
      sparsity.element.hidden = k;
      sparsity.input.value = String(core.train_defaults(family.select.value).sparsity);
    }
  }
  family.select.addEventListener('change', followFamily);
  followFamily();
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });

  return {
    element,
    general,
    world: () => world.select.value,
    /** Trains on the reader's own activations. */
    chooseGiven() {
      world.select.value = 'given';
      world.select.dispatchEvent(new Event('change', { bubbles: true }));
    },
    /** A field that is blank or no number is told as the core tells it. @param {Problem | null} problem */
    showProblem(problem) {
      for (const { input, error } of fields) {
        error.hidden = true;
        input.removeAttribute('aria-invalid');
      }
      general.hidden = true;
      if (!problem) return;
      const to = field(problem.field ?? '');
      if (to && !to.element.hidden) {
        to.error.textContent = problem.message;
        to.error.hidden = false;
        to.input.setAttribute('aria-invalid', 'true');
        to.input.focus();
      } else {
        general.textContent = problem.message;
        general.hidden = false;
      }
      announce(problem.message);
    },
    /** What the form holds; a problem where a field holds no number. @returns {TrainConfig | Problem} */
    wanted() {
      /** @type {Record<string, number>} */
      const values = {};
      for (const { key, input, element: box } of fields) {
        if (box.hidden) continue;
        const value = input.value.trim() === '' ? NaN : Number(input.value);
        const whole = key !== 'sparsity';
        // The core's own types have no place for these.
        if (!Number.isFinite(value) || value < 0 || value > most || (whole && value % 1 !== 0)) {
          const what = whole ? 'a whole number' : 'a number';
          return { code: 'train.number', field: key, message: `${key}: ${what} from 0 is needed` };
        }
        values[key] = value;
      }
      return { ...core.train_defaults(family.select.value), ...values };
    },
  };
}
