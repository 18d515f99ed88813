// @ts-check
/**
 * The settings of a study of families beyond its size: what somebody types is gathered here and judged
 * by the core alone.
 */

import { refusalOf } from '../../shell/controls.js';
import { createButton, el, showError, toNumber } from '../../shell/dom.js';
import { inputField } from '../../shell/fields.js';

/**
 * Where a field is in a study (and of which method it is the knob, whose name ends its label), under the name by which the core refuses it; a world that has no such
 * number has no such field.
 *
 * @type {{ field: string, within?: 'train' | 'world', label: string, of?: import('../../types/core.d.ts').FamiliesMethod, list?: boolean }[]}
 */
const FIELDS = [
  { field: 'seeds', label: 'Training seeds', list: true },
  { field: 'latents', within: 'train', label: 'Latents' },
  { field: 'steps', within: 'train', label: 'Steps' },
  { field: 'batch', within: 'train', label: 'Rows of a batch' },
  { field: 'rate', within: 'train', label: 'Learning rate' },
  { field: 'train_rows', label: 'Rows trained on' },
  { field: 'eval_rows', label: 'Rows measured on' },
  { field: 'ks', label: 'Active latents per row, k', list: true },
  { field: 'relu', label: 'λ of', of: 'relu', list: true },
  { field: 'gated', label: 'λ of', of: 'gated', list: true },
  { field: 'jumprelu', label: 'λ of', of: 'jumprelu', list: true },
  { field: 'seed', within: 'world', label: 'Seed of the world' },
  { field: 'features', within: 'world', label: 'Features' },
  { field: 'dimensions', within: 'world', label: 'Dimensions' },
  { field: 'correlation', within: 'world', label: 'Correlation' },
  { field: 'children', within: 'world', label: 'Child features' },
  { field: 'interaction', within: 'world', label: 'Interaction' },
];

/** Fewest whole numbers in a row that are shown as a run. */
const RUN_MIN = 4;

/**
 * Numbers, and runs of whole ones: 0-4, 7.
 *
 * @param {string} text
 * @param {number} most numbers of a run that is written out
 * @returns {number[]}
 */
export function toList(text, most) {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.flatMap((part) => {
    const [, first, last] = /^(\d+)[-–](\d+)$/.exec(part) ?? [];
    if (first === undefined || last === undefined) return toNumber(part);
    const count = Number(last) - Number(first) + 1;
    if (count < 1 || count > most) return NaN;
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
}

/** As {@link toList} reads it. @param {readonly number[]} values */
export function fromList(values) {
  const parts = [];
  for (let at = 0; at < values.length; ) {
    const first = values[at] ?? 0;
    let count = 1;
    while (Number.isInteger(first) && values[at + count] === first + count) count += 1;
    if (count < RUN_MIN) count = 1;
    parts.push(count === 1 ? String(first) : `${first}-${first + count - 1}`);
    at += count;
  }
  return parts.join(', ');
}

/** @param {(typeof FIELDS)[number]} field */
function control({ field, label, list = false }) {
  const attributes = {
    name: field,
    ...(list ? { type: 'text', spellcheck: 'false' } : { type: 'number', step: 'any' }),
  };
  return inputField(`families-${field.replaceAll('_', '-')}`, label, attributes, 'field');
}

/**
 * @param {Lab} core
 * @param {() => void} onReset asks for everything as in the preset
 */
export function createStudySettings(core, onReset) {
  const { methods: known, jobs_max: most } = core.families_choices();
  const boxes = known.map(({ method: value, label }) => {
    const input = el('input', { type: 'checkbox', name: 'methods', value });
    return { value, input, element: el('label', { class: 'tick' }, input, label) };
  });
  const methodsError = el('p', { class: 'error', id: 'families-methods-error', hidden: true });
  const methods = el(
    'fieldset',
    { class: 'field methods', id: 'families-methods', 'aria-describedby': methodsError.id },
    el('legend', {}, 'Methods'),
    ...boxes.map(({ element }) => element),
    methodsError,
  );
  /** @param {(typeof FIELDS)[number]} row */
  const labelled = ({ label, of, ...row }) => {
    const method = known.find((one) => one.method === of);
    return { ...row, label: method ? `${label} ${method.label}` : label };
  };
  const fields = FIELDS.map((row) => ({ ...row, ...control(labelled(row)) }));
  const general = el('p', { class: 'error', id: 'families-settings-error', hidden: true });
  const all = el(
    'fieldset',
    {},
    methods,
    el('div', { class: 'fields' }, ...fields.map(({ element }) => element)),
    el('p', { class: 'help' }, 'Lists are numbers with commas between them; 0-4 stands for 0, 1, 2, 3, 4. '),
    general,
    createButton('As the preset', { class: 'quiet', id: 'families-reset' }, onReset),
  );
  const digest = el('span', { class: 'digest' });
  const element = el(
    'details',
    { class: 'families-settings', id: 'families-settings' },
    el('summary', {}, 'Settings of the comparison ', digest),
    all,
  );

  /** The part of a study that a field is in. @param {FamiliesConfig} config @param {'train' | 'world' | undefined} within @returns {any} */
  const part = (config, within) => (within ? config[within] : config);

  return {
    element,
    /** Sets everything; what is no number stays as it was typed. @param {FamiliesConfig} config */
    show(config) {
      for (const { value, input } of boxes) input.checked = config.methods.includes(value);
      for (const { field, within, list, input, element: box } of fields) {
        const value = part(config, within)[field];
        box.hidden = value === undefined || (config.world.world === 'given' && field === 'dimensions');
        if (Number.isNaN(value) || (list && value.some(Number.isNaN))) continue;
        input.value = list ? fromList(value) : String(value ?? '');
      }
    },
    /** The same study with what the fields hold. @param {FamiliesConfig} config @returns {FamiliesConfig} */
    read(config) {
      const chosen = boxes.filter(({ input }) => input.checked).map(({ value }) => value);
      // Methods keep the order they have.
      const kept = config.methods.filter((name) => chosen.includes(name));
      const added = chosen.filter((name) => !kept.includes(name));
      const found = {
        ...config,
        methods: [...kept, ...added],
        train: { ...config.train },
        world: { ...config.world },
      };
      for (const { field, within, list, input, element: box } of fields)
        if (!box.hidden) part(found, within)[field] = list ? toList(input.value, most) : toNumber(input.value);
      return found;
    },
    /** Says beside each field what the core refused; the first can be given the focus. @param {Problem[]} problems @param {boolean} [focus] */
    showProblems(problems, focus = false) {
      /** @param {HTMLElement} error @param {string | null} field @param {HTMLElement[]} inputs */
      const show = (error, field, inputs) => {
        const own = problems.filter((problem) =>
          field === null
            ? problem.field !== 'methods' && !fields.some((row) => row.field === problem.field && !row.element.hidden)
            : problem.field === field,
        );
        const [only] = inputs;
        const typed = only instanceof HTMLInputElement && only.type !== 'checkbox' ? only.value : '';
        showError(error, [...new Set(own.map((problem) => refusalOf(problem, typed)))].join(' '), inputs);
      };
      show(methodsError, 'methods', boxes.map(({ input }) => input));
      for (const { field, input, error } of fields) show(error, field, [input]);
      show(general, null, []);
      if (problems.length === 0) return;
      element.open = true;
      const first = element.querySelector('.field:not([hidden]) [aria-invalid]');
      if (focus && first instanceof HTMLElement) first.focus();
    },
    /** @param {boolean} changed whether it is not as the preset has it @param {boolean} long whether a link cannot say it */
    setChanged(changed, long) {
      const parts = [changed ? 'changed from the preset' : '', long ? 'too long for a link' : ''];
      digest.textContent = parts.filter((part) => part !== '').join(', ');
    },
    /** @param {boolean} disabled */
    setDisabled(disabled) {
      all.disabled = disabled;
    },
  };
}
