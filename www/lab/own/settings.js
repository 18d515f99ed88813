// @ts-check
/** What is asked for: how codes are made, what the score takes, what a run may take. */

import { refusal } from '../../shell/controls.js';
import { el, showError } from '../../shell/dom.js';
import { choice, inputField, offers } from '../../shell/fields.js';
import { grouped } from '../../shell/grouped.js';

const MEBIBYTE = 2 ** 20;
/** The way to make codes that says how many are kept. */
const TOP = 'top';

/** @param {string} id @param {string} label @param {import('../../types/core.d.ts').OwnNumber} number @param {number} [unit] what it is counted in */
function numeric(id, label, { usual, max: most }, unit = 1) {
  const max = most / unit;
  return { max, ...inputField(id, label, { type: 'number', min: 1, max, step: 1, value: usual / unit }, 'field') };
}

/** Which rows are left out: none where nothing is said. @param {Lab} core @param {(name: keyof OwnLinked) => string} labelOf @param {() => void} onChange */
function createSkip(core, labelOf, onChange) {
  const zero = el('input', { id: 'own-skip-zero', type: 'checkbox' });
  const rows = inputField('own-skip-rows', labelOf('skip_rows'), { type: 'text', placeholder: 'none' }, 'field');
  const times = { type: 'number', min: 1, step: 'any', placeholder: 'none' };
  const norm = inputField('own-skip-norm', labelOf('skip_norm_above'), times, 'field');
  for (const input of [zero, rows.input, norm.input]) input.addEventListener('change', onChange);
  const listed = () => rows.input.value.trim();
  // What is no number has no value either, and is not nothing.
  const timesSaid = () => (norm.input.value === '' && !norm.input.validity.badInput ? null : norm.input.valueAsNumber);
  const said = () => ({ zero: zero.checked, rows: listed(), times: timesSaid() });
  return {
    fields: { skip_rows: rows, skip_norm_above: norm },
    elements: [
      el('div', { class: 'field' }, el('label', { class: 'tick' }, zero, ` ${labelOf('skip_zero_rows')}`)),
      rows.element,
      norm.element,
    ],
    said,
    /** @returns {Problem | null} */
    problem() {
      const [refused] = core.own_check({ skip_rows: listed() || null, skip_norm_above: timesSaid() });
      return refused ? { ...refused, message: refusal(refused) } : null;
    },
    /** @param {OwnLinked} options */
    choose(options) {
      zero.checked = options.skip_zero_rows ?? zero.checked;
      rows.input.value = options.skip_rows ?? rows.input.value;
      norm.input.value = String(options.skip_norm_above ?? norm.input.value);
    },
  };
}

/** @typedef {'codes_by' | 'active_rows' | 'memory'} Field */

/**
 * The form.
 *
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => void} parts.onAxes the score takes other axes: nothing is read again
 * @param {() => void} parts.onChange another run is asked for
 */
export function createSettings({ core, onAxes, onChange }) {
  const fields = core.own_fields();
  const usual = core.own_numbers();
  /** @param {keyof OwnLinked} name */
  const labelOf = (name) => fields.find((row) => row.name === name)?.label ?? name;
  /** @param {string} id @param {keyof OwnLinked} name @param {[string, string][]} more */
  const chosenFrom = (id, name, ...more) => {
    const field = fields.find((row) => row.name === name);
    return choice(id, labelOf(name), [...offers(field?.options ?? []), ...more]);
  };
  const codesBy = chosenFrom('own-codes-by', 'codes_by', [TOP, 'the largest of the projection']);
  const kept = numeric('own-kept', 'How many of them a row, k', usual.kept);
  const fidelity = chosenFrom('own-fidelity', 'fidelity');
  const completeness = chosenFrom('own-completeness', 'completeness');
  completeness.select.prepend(el('option', { value: '', selected: true }, 'row space, unless always 1'));
  const variance = chosenFrom('own-variance', 'variance');
  const rows = numeric('own-rows', labelOf('active_rows'), usual.active_rows);
  const memory = numeric('own-memory', 'Memory it may take, in MiB', usual.memory, MEBIBYTE);
  const skip = createSkip(core, labelOf, onChange);
  const element = el(
    'fieldset',
    { class: 'own-options' },
    el('legend', { class: 'visually-hidden' }, 'Options'),
    ...[codesBy, kept, fidelity, completeness, variance, rows, memory].map((one) => one.element),
    ...skip.elements,
  );
  /** @type {Record<Field, ReturnType<typeof numeric>>} */
  const numbers = { codes_by: kept, active_rows: rows, memory };
  const top = () => codesBy.select.value === TOP;
  const follow = () => (kept.element.hidden = !top() || codesBy.select.disabled);
  follow();

  for (const { select } of [fidelity, completeness, variance]) select.addEventListener('change', onAxes);
  codesBy.select.addEventListener('change', () => {
    follow();
    onChange();
  });
  for (const { input } of Object.values(numbers)) input.addEventListener('change', onChange);

  const by = () => (top() ? `top-${kept.input.value}` : codesBy.select.value);
  return {
    element,
    /** @returns {OwnAxes} */
    axes: () =>
      /** @type {OwnAxes} */ ({
        fidelity: fidelity.select.value,
        completeness: completeness.select.value || null,
        variance: variance.select.value,
      }),
    /** How codes are made. @returns {import('../../types/core.d.ts').CodesBy} */
    by: () => /** @type {'projection'} */ (by()),
    limits: () => ({
      active_rows: rows.input.valueAsNumber,
      memory: memory.input.valueAsNumber * MEBIBYTE,
    }),
    /** Rows that are left out. */
    skip() {
      const { zero, rows, times } = skip.said();
      return { ...(zero ? { zero_rows: true } : {}), ...(rows ? { rows } : {}), ...(times ? { norm_above: times } : {}) };
    },
    /** Whether codes are to be made at all. @param {boolean} on */
    setCoding(on) {
      codesBy.select.disabled = !on;
      follow();
    },
    /** The first number that is none. @returns {Problem | null} */
    problem() {
      for (const [field, { input, max, element: box }] of Object.entries(numbers)) {
        const value = input.valueAsNumber;
        if (box.hidden || (Number.isInteger(value) && value >= 1 && value <= max)) continue;
        const message = `A whole number from 1 to ${grouped(max)} is needed.`;
        return { code: 'page.number', field, message };
      }
      return skip.problem();
    },
    /** Shows a refusal beside its field. @param {Problem | null} problem @returns {boolean} whether there is one */
    showProblem(problem) {
      const all = { ...numbers, ...skip.fields };
      // The core calls what a request leaves out `skip.rows`.
      const refused = problem?.field?.replace('.', '_') ?? '';
      for (const [field, { input, error }] of Object.entries(all)) {
        showError(error, refused === field ? (problem?.message ?? '') : '', [input]);
      }
      return Object.hasOwn(all, refused);
    },
    /** What a link says of it, beside the axes. */
    printed: () => {
      const { zero, rows: listed, times } = skip.said();
      return {
        codes_by: by(),
        active_rows: Number(rows.input.value),
        skip_zero_rows: zero || null,
        skip_rows: listed || null,
        skip_norm_above: times,
      };
    },
    /** Takes what a link says. @param {OwnLinked} options */
    choose(options) {
      fidelity.select.value = options.fidelity ?? fidelity.select.value;
      completeness.select.value = options.completeness ?? '';
      variance.select.value = options.variance ?? variance.select.value;
      const [way, largest] = options.codes_by?.split(`${TOP}-`) ?? [codesBy.select.value];
      codesBy.select.value = largest ? TOP : way;
      kept.input.value = largest ?? kept.input.value;
      rows.input.value = String(options.active_rows ?? rows.input.value);
      skip.choose(options);
      follow();
    },
    /** The variance that gives the paper's digits. */
    chooseGrand: () => (variance.select.value = 'grand'),
  };
}

/** @typedef {ReturnType<typeof createSettings>} Settings */
