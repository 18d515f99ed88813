// @ts-check
/** What is asked for: how codes are made, what the score takes, what a run may take. */

import { el } from '../../shell/dom.js';
import { createField, toOptions, describeProblem, showProblems, createCheckbox } from '../../shell/fields.js';
import { formatInteger } from '../../shell/basic-format.js';

const MEBIBYTE = 2 ** 20;
/** The way to make codes that says how many are kept. */
const TOP_K_METHOD = 'top';

/**
 * A whole number.
 *
 * @param {string} id @param {string} name by which it is refused @param {string} label
 * @param {import('../../types/core.d.ts').OwnNumber} number @param {number} [unit] what it is counted in
 */
function createWholeNumberField(id, name, label, { usual, max: most }, unit = 1) {
  const max = most / unit;
  const attributes = { min: 1, max, step: 1, value: usual / unit };
  return { max, ...createField({ kind: 'number', id, name, label, attributes, className: 'field' }) };
}

/** Which rows are left out: none where nothing is said. @param {Lab} core @param {(name: keyof OwnLinked) => string} labelOf @param {() => void} onChange */
function createSkipFields(core, labelOf, onChange) {
  const zero = createCheckbox(` ${labelOf('skip_zero_rows')}`, { id: 'own-skip-zero' });
  const [rows, norm] = [
    createField({
      ...{ kind: 'text', id: 'own-skip-rows', name: 'skip_rows', label: labelOf('skip_rows'), className: 'field' },
      attributes: { placeholder: 'none' },
    }),
    createField({
      ...{ kind: 'number', id: 'own-skip-norm', name: 'skip_norm_above', label: labelOf('skip_norm_above'), className: 'field' },
      attributes: { min: 1, placeholder: 'none' },
    }),
  ];
  for (const { input } of [zero, rows, norm]) input.addEventListener('change', onChange);
  // What is no number has no value either, and is not nothing.
  const isBlank = () => norm.input.value === '' && !norm.input.validity.badInput;
  /** As a link says it. */
  const printed = () => ({
    skip_zero_rows: zero.input.checked || null,
    skip_rows: rows.value().trim() || null,
    skip_norm_above: isBlank() ? null : norm.value(),
  });
  return {
    fields: [rows, norm],
    elements: [el('div', { class: 'field' }, zero.element), rows.element, norm.element],
    printed,
    /** @returns {Problem | null} */
    problem() {
      const { skip_rows, skip_norm_above } = printed();
      const [refused] = core.own_check({ skip_rows, skip_norm_above });
      return refused ? { ...refused, message: describeProblem(refused) } : null;
    },
    /** @param {OwnLinked} options */
    choose(options) {
      zero.input.checked = options.skip_zero_rows ?? zero.input.checked;
      rows.show(options.skip_rows ?? rows.value());
      norm.show(options.skip_norm_above ?? norm.value());
    },
  };
}

/**
 * The form.
 *
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => void} parts.onAxes the score takes other axes: nothing is read again
 * @param {() => void} parts.onChange another run is asked for
 */
export function createSettings({ core, onAxes, onChange }) {
  const rowsOf = core.own_fields();
  const usual = core.own_numbers();
  /** @param {keyof OwnLinked} name */
  const labelOf = (name) => rowsOf.find((row) => row.name === name)?.label ?? name;
  /** @param {keyof OwnLinked} name @param {import('../../shell/fields.js').Option[]} more */
  const chosenFrom = (name, ...more) => {
    const options = [...toOptions(rowsOf.find((row) => row.name === name)?.options ?? []), ...more];
    return createField({ kind: 'select', id: `own-${name.replace('_', '-')}`, label: labelOf(name), options, className: 'field' });
  };
  const codesBy = chosenFrom('codes_by', [TOP_K_METHOD, 'the largest of the projection']);
  const kept = createWholeNumberField('own-kept', 'codes_by', 'How many of them a row, k', usual.kept);
  const fidelity = chosenFrom('fidelity');
  const completeness = chosenFrom('completeness');
  completeness.input.prepend(el('option', { value: '', selected: true }, 'row space, unless always 1'));
  const variance = chosenFrom('variance');
  const rows = createWholeNumberField('own-rows', 'active_rows', labelOf('active_rows'), usual.active_rows);
  const memory = createWholeNumberField('own-memory', 'memory', 'Memory it may take, in MiB', usual.memory, MEBIBYTE);
  const skip = createSkipFields(core, labelOf, onChange);
  const element = el(
    'fieldset',
    { class: 'own-options' },
    el('legend', { class: 'visually-hidden' }, 'Options'),
    ...[codesBy, kept, fidelity, completeness, variance, rows, memory].map((one) => one.element),
    ...skip.elements,
  );
  const numbers = [kept, rows, memory];
  const top = () => codesBy.value() === TOP_K_METHOD;
  const follow = () => (kept.element.hidden = !top() || codesBy.input.disabled);
  follow();

  for (const { input } of [fidelity, completeness, variance]) input.addEventListener('change', onAxes);
  codesBy.input.addEventListener('change', follow);
  for (const { input } of [codesBy, ...numbers]) input.addEventListener('change', onChange);

  const by = () => (top() ? `top-${kept.input.value}` : codesBy.value());
  return {
    element,
    /** @returns {OwnAxes} */
    axes: () => ({ fidelity: fidelity.value(), completeness: completeness.value() || null, variance: variance.value() }),
    /** How codes are made. @returns {import('../../types/core.d.ts').CodesBy} */
    by,
    limits: () => ({ active_rows: rows.value(), memory: memory.value() * MEBIBYTE }),
    /** Rows that are left out. */
    skip() {
      const { skip_zero_rows: zero, skip_rows: rows, skip_norm_above: times } = skip.printed();
      return { ...(zero ? { zero_rows: true } : {}), ...(rows ? { rows } : {}), ...(times ? { norm_above: times } : {}) };
    },
    /** Whether codes are to be made at all. @param {boolean} on */
    setCoding(on) {
      codesBy.input.disabled = !on;
      follow();
    },
    /** The first number that is none. @returns {Problem | null} */
    problem() {
      for (const { name: field, max, element: box, value } of numbers) {
        if (box.hidden || (Number.isInteger(value()) && value() >= 1 && value() <= max)) continue;
        return { code: 'page.number', field, message: `A whole number from 1 to ${formatInteger(max)} is needed.` };
      }
      return skip.problem();
    },
    /** Shows a refusal beside its field. @param {Problem | null} problem @returns {boolean} whether there is one */
    showProblem(problem) {
      // The core calls what a request leaves out `skip.rows`.
      const problems = problem ? [{ ...problem, field: problem.field?.replace('.', '_') }] : [];
      return showProblems([...numbers, ...skip.fields], problems, null, ({ message }) => message) !== undefined;
    },
    /** What a link says of it, beside the axes. */
    printed: () => ({ codes_by: by(), active_rows: Number(rows.input.value), ...skip.printed() }),
    /** Takes what a link says. @param {OwnLinked} options */
    choose(options) {
      fidelity.show(options.fidelity ?? fidelity.value());
      completeness.show(options.completeness ?? '');
      variance.show(options.variance ?? variance.value());
      const [way, largest] = options.codes_by?.split(`${TOP_K_METHOD}-`) ?? [codesBy.value()];
      codesBy.show(largest ? TOP_K_METHOD : way);
      kept.show(Number(largest ?? kept.value()));
      rows.show(options.active_rows ?? rows.value());
      skip.choose(options);
      follow();
    },
    /** The variance that gives the paper's digits. */
    chooseGrand: () => variance.show('grand'),
  };
}

/** @typedef {ReturnType<typeof createSettings>} Settings */
