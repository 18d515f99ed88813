// @ts-check
/** What an autoencoder is trained by, as a form asks for it: its family, and the numbers that matter most. */

import { createField, showProblems } from '../../shell/fields.js';

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {string} parts.prefix of the fields' ids
 * @param {string} parts.family which is chosen at first
 * @param {number} parts.latents how many there are at first
 * @param {number} parts.k at first
 * @param {HTMLElement} parts.general where a refusal goes that is no field's
 */
export function createTrainingFields({ core, prefix, family: first, latents, k, general }) {
  const { families } = core.families_choices();
  const { max: most = 0 } = core.limits().model_seed ?? {};
  const start = core.train_defaults(first);
  const options = families.map((one) => /** @type {const} */ ([one.family, one.label]));
  const family = createField({ kind: 'select', id: `${prefix}-family`, label: 'Family', options });
  family.show(first);
  /** @param {string} name @param {string} label @param {number} value */
  const number = (name, label, value) =>
    createField({ kind: 'number', id: `${prefix}-${name}`, name, label, attributes: { value } });
  const active = number('k', 'Active latents per row, k', k);
  const sparsity = number('sparsity', 'Sparsity, λ', start.sparsity);
  const fields = [
    number('latents', 'Latents', latents),
    active,
    sparsity,
    number('steps', 'Steps', start.steps),
    number('seed', 'Seed', start.seed),
  ];
  const hasK = () => families.some((one) => one.family === family.value() && one.has_k);

  /** A family has either k or λ. */
  function follow() {
    active.element.hidden = !hasK();
    sparsity.element.hidden = hasK();
    sparsity.show(core.train_defaults(family.value()).sparsity);
  }
  family.input.addEventListener('change', follow);
  follow();

  /** What the fields hold; a problem where one holds no number. @returns {TrainConfig | Problem} */
  function config() {
    /** @type {Record<string, number>} */
    const values = {};
    for (const field of fields) {
      if (field.element.hidden) continue;
      const { name, input } = field;
      const value = field.value();
      const whole = field !== sparsity;
      // The core's own types have no place for these.
      if (!Number.isFinite(value) || value < 0 || value > most || (whole && value % 1 !== 0)) {
        return { code: 'train.number', field: name, message: `${name} = ${JSON.stringify(input.value)}; allowed: ${whole ? 'whole numbers' : 'numbers'} from 0` };
      }
      values[name] = value;
    }
    return { ...core.train_defaults(family.value()), ...values };
  }

  return {
    family: family.element,
    numbers: fields.map(({ element }) => element),
    hasK,
    /** A field that is blank or no number is told as the core tells it. @param {Problem | null} problem */
    showProblem(problem) {
      showProblems(fields, problem ? [problem] : [], general, ({ message }) => message)?.input.focus();
    },
    config,
    /** The same, for the residual stream of a checkpoint. @param {string} checkpoint @returns {LittleTrainingWanted | Problem} */
    wanted(checkpoint) {
      const found = config();
      return 'message' in found ? found : { config: found, checkpoint };
    },
  };
}
