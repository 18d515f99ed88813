// @ts-check
/** What an autoencoder is trained by, as a form asks for it: its family, and the numbers that matter most. */

import { showError, toNumber } from '../../shell/dom.js';
import { choice, inputField } from '../../shell/fields.js';

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
  const family = choice(`${prefix}-family`, 'Family', families.map((one) => [one.family, one.label]));
  family.select.value = first;
  /** @type {[key: string, label: string, value: number][]} */
  const asked = [
    ['latents', 'Latents', latents],
    ['k', 'Active latents per row, k', k],
    ['sparsity', 'Sparsity, λ', start.sparsity],
    ['steps', 'Steps', start.steps],
    ['seed', 'Seed', start.seed],
  ];
  const fields = asked.map(([key, label, value]) => ({
    key,
    ...inputField(`${prefix}-${key}`, label, { type: 'number', name: key, step: 'any', value }),
  }));
  const hasK = () => families.some((one) => one.family === family.select.value && one.has_k);

  /** A family has either k or λ. */
  function follow() {
    for (const { key, input, element } of fields) {
      if (key === 'k') element.hidden = !hasK();
      if (key !== 'sparsity') continue;
      element.hidden = hasK();
      input.value = String(core.train_defaults(family.select.value).sparsity);
    }
  }
  family.select.addEventListener('change', follow);
  follow();

  /** What the fields hold; a problem where one holds no number. @returns {TrainConfig | Problem} */
  function config() {
    /** @type {Record<string, number>} */
    const values = {};
    for (const { key, input, element } of fields) {
      if (element.hidden) continue;
      const value = toNumber(input.value);
      const whole = key !== 'sparsity';
      // The core's own types have no place for these.
      if (!Number.isFinite(value) || value < 0 || value > most || (whole && value % 1 !== 0)) {
        return { code: 'train.number', field: key, message: `${key} = ${JSON.stringify(input.value)}; allowed: ${whole ? 'whole numbers' : 'numbers'} from 0` };
      }
      values[key] = value;
    }
    return { ...core.train_defaults(family.select.value), ...values };
  }

  return {
    family: family.element,
    numbers: fields.map(({ element }) => element),
    hasK,
    /** A field that is blank or no number is told as the core tells it. @param {Problem | null} problem */
    showProblem(problem) {
      const to = fields.find(({ key, element }) => key === problem?.field && !element.hidden);
      const words = problem?.message ?? '';
      for (const { input, error } of fields) showError(error, input === to?.input ? words : '', [input]);
      showError(general, to ? '' : words);
      to?.input.focus();
    },
    config,
    /** The same, for the residual stream of a checkpoint. @param {string} checkpoint @returns {LittleTrainingWanted | Problem} */
    wanted(checkpoint) {
      const found = config();
      return 'message' in found ? found : { config: found, checkpoint };
    },
  };
}
