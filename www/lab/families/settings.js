// @ts-check
/**
 * The settings of a study of families beyond its size: what somebody types is gathered here and judged
 * by the core alone.
 */

import { createButton, el, createErrorLine, parseNumber } from '../../shell/dom.js';
import { createField, showProblems, parseNumberList } from '../../shell/fields.js';

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
const RANGE_LENGTH_MIN = 4;

/**
 * Numbers, and runs of whole ones: 0-4, 7.
 *
 * @param {string} text
 * @param {number} most numbers of a run that is written out
 */
export const parseList = (text, most) =>
  parseNumberList(text, (word) => {
    const [, first, last] = /^(\d+)[-–](\d+)$/.exec(word) ?? [];
    if (first === undefined || last === undefined) return parseNumber(word);
    const count = Number(last) - Number(first) + 1;
    if (count < 1 || count > most) return NaN;
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });

/** As {@link parseList} reads it. @param {readonly number[]} values */
export function formatList(values) {
  const parts = [];
  for (let at = 0; at < values.length; ) {
    const first = values[at] ?? 0;
    let count = 1;
    while (Number.isInteger(first) && values[at + count] === first + count) count += 1;
    if (count < RANGE_LENGTH_MIN) count = 1;
    parts.push(count === 1 ? String(first) : `${first}-${first + count - 1}`);
    at += count;
  }
  return parts.join(', ');
}

/**
 * @param {Lab} core
 * @param {() => void} onReset asks for everything as in the preset
 */
export function createStudySettings(core, onReset) {
  const { methods: known, jobs_max: most } = core.families_choices();
  const methods = createField({
    ...{ kind: 'several', id: 'families-methods', name: 'methods', label: 'Methods', className: 'field methods' },
    options: known.map(({ method, label }) => [method, label]),
  });
  const rows = FIELDS.map(({ field: name, within, label, of, list }) => {
    const method = known.find((one) => one.method === of);
    const field = createField({
      ...{ id: `families-${name.replaceAll('_', '-')}`, name, className: 'field' },
      label: method ? `${label} ${method.label}` : label,
      ...(list ? { kind: 'list', read: (text) => parseList(text, most), write: formatList } : { kind: 'number' }),
    });
    return { field, within };
  });
  const fields = [methods, ...rows.map(({ field }) => field)];
  const general = createErrorLine('families-settings-error');
  const all = el(
    'fieldset',
    {},
    methods.element,
    el('div', { class: 'fields' }, ...rows.map(({ field }) => field.element)),
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
      methods.show(config.methods);
      for (const { field, within } of rows) {
        const value = part(config, within)[field.name];
        field.element.hidden = value === undefined || (config.world.world === 'given' && field.name === 'dimensions');
        field.show(value);
      }
    },
    /** The same study with what the fields hold. @param {FamiliesConfig} config @returns {FamiliesConfig} */
    read(config) {
      /** @type {FamiliesConfig['methods']} */
      const chosen = methods.value();
      // Methods keep the order they have.
      const kept = config.methods.filter((name) => chosen.includes(name));
      const added = chosen.filter((name) => !kept.includes(name));
      const found = {
        ...config,
        methods: [...kept, ...added],
        train: { ...config.train },
        world: { ...config.world },
      };
      for (const { field, within } of rows)
        if (!field.element.hidden) part(found, within)[field.name] = field.value();
      return found;
    },
    /** Says beside each field what the core refused; the first can be given the focus. @param {Problem[]} problems @param {boolean} [focus] */
    showProblems(problems, focus = false) {
      const first = showProblems(fields, problems, general);
      if (focus) first?.input.focus();
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
