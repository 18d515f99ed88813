// @ts-check
/**
 * The controls of a run. They gather what somebody typed and show what the core said about it;
 * they never judge a value themselves.
 */

import { el, need, showError, toNumber, unfold } from './dom.js';
import { digestsOf, SIZE_KEYS } from './state.js';

/** @typedef {import('./state.js').Field} Field */
/** @typedef {import('./state.js').Store} Store */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {HTMLElement} error where a refusal is said
 * @property {HTMLElement[]} inputs
 * @property {(value: unknown) => void} show puts a value in, unless it already says so
 */

/** @typedef {Record<(typeof SIZE_KEYS)[number], number>} Sizes */
/** @typedef {{ name: ConfigName, label: string, sizes: Sizes }} SizedPreset */

/** Separators a reader may use between levels. */
const BETWEEN_LEVELS = /[\s,;]+/;

/** @param {string} text */
const toLevels = (text) =>
  text
    .split(BETWEEN_LEVELS)
    .filter((word) => word !== '')
    .map(toNumber);

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A refused value longer than this is not repeated in full. */
const LONGEST_VALUE = 40;

/** What most readers change: everything else is among all parameters. @type {readonly string[]} */
const MAIN = ['k', 'levels', 'model_seed', 'data_seed'];

/** What a refusal says: the value, and what is allowed. @param {Problem} problem */
export function refusal({ value, allowed, message }) {
  if (!allowed) return message;
  const held = String(value ?? '');
  if (held === '' || held === 'not a number') return `A number is missing. Allowed: ${allowed}.`;
  const short = held.length > LONGEST_VALUE ? `${held.slice(0, LONGEST_VALUE)}…` : held;
  return `Invalid value: ${short}. Allowed: ${allowed}.`;
}

/** The same of what was typed, which is told as it was typed. @param {Problem} problem @param {string} typed */
export const refusalOf = (problem, typed) =>
  refusal(typed && /NaN|not a number/.test(`${problem.value}`) ? { ...problem, value: typed } : problem);

/** @param {string} key */
const ids = (key) => ({ input: `set-${key}`, help: `set-${key}-help`, error: `set-${key}-error` });

/**
 * The frame round one input: its label, help and error.
 *
 * @param {Field} field
 * @param {HTMLElement} input
 * @param {HTMLElement[]} [beside] what stands next to the input
 */
function frame(field, input, beside = []) {
  const { input: id, help, error: errorId } = ids(field.name);
  input.id = id;
  input.setAttribute('aria-describedby', `${help} ${errorId}`);
  const error = el('p', { class: 'error', id: errorId, hidden: true });
  const element = el(
    'div',
    { class: `field ${field.kind}`, 'data-field': field.name },
    el('label', { for: id }, field.label),
    el('div', { class: 'entry' }, input, ...beside),
    el('p', { class: 'help', id: help }, field.help),
    error,
  );
  return { element, error, inputs: [input] };
}

/**
 * @param {Field} field
 * @param {Store} store
 * @param {HTMLElement[]} [beside]
 * @returns {Control}
 */
function numberControl(field, store, beside) {
  const { limit } = field;
  const input = el('input', {
    type: 'number',
    name: field.name,
    step: 'any',
    ...(limit ? { min: limit.min, max: limit.max } : {}),
    autocomplete: 'off',
    required: true,
  });
  input.addEventListener('input', () => store.edit({ [field.name]: toNumber(input.value) }));
  return {
    ...frame(field, input, beside),
    show(value) {
      if (!Object.is(toNumber(input.value), value))
        input.value = Number.isNaN(value) ? '' : String(value);
    },
  };
}

/**
 * @param {Field} field
 * @param {Store} store
 * @param {() => number} freshSeed
 */
function seedControl(field, store, freshSeed) {
  const fresh = el(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `New ${field.label.toLowerCase()}` },
    'New',
  );
  fresh.addEventListener('click', () => store.edit({ [field.name]: freshSeed() }));
  return numberControl(field, store, [fresh]);
}

/** @param {Field} field @param {Store} store @returns {Control} */
function listControl(field, store) {
  const input = el('input', {
    type: 'text',
    name: field.name,
    inputmode: 'decimal',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.addEventListener('input', () => store.edit({ [field.name]: toLevels(input.value) }));
  return {
    ...frame(field, input),
    show(value) {
      if (Array.isArray(value) && !same(toLevels(input.value), value))
        input.value = value.join(', ');
    },
  };
}

/** @param {Field} field @param {SizedPreset[]} presets @param {Store} store @returns {Control} */
function presetControl(field, presets, store) {
  const input = el('select', { name: field.name });
  for (const { name, label } of presets) input.append(el('option', { value: name }, label));
  input.append(el('option', { value: 'custom' }, 'Custom sizes'));
  input.addEventListener('change', () => {
    const preset = presets.find(({ name }) => name === input.value);
    store.edit(preset ? { config: preset.name, ...preset.sizes } : { config: 'custom' });
  });
  return {
    ...frame(field, input),
    show(value) {
      input.value = String(value);
    },
  };
}

/** @param {Field} field @param {Store} store @returns {Control} */
function switchControl(field, store) {
  const input = el('input', { type: 'checkbox', name: field.name });
  input.addEventListener('change', () => store.edit({ [field.name]: input.checked }));
  return {
    ...frame(field, input),
    show(value) {
      input.checked = value === true;
    },
  };
}

/** @param {Field} field @param {Store} store @returns {Control} */
function choiceControl(field, store) {
  const { error: errorId } = ids(field.name);
  const error = el('p', { class: 'error', id: errorId, hidden: true });
  const element = el(
    'fieldset',
    { class: 'field choice', 'data-field': field.name, 'aria-describedby': errorId },
    el('legend', {}, field.label),
  );
  const inputs = field.options.map(({ value, label, help }) => {
    const helpId = `set-${field.name}-${value}-help`;
    const input = el('input', {
      type: 'radio',
      name: field.name,
      value,
      'aria-describedby': helpId,
    });
    input.addEventListener('change', () => store.edit({ [field.name]: value }));
    element.append(
      el(
        'div',
        { class: 'option' },
        el('label', {}, input, ` ${label}`),
        el('p', { class: 'help', id: helpId }, help),
      ),
    );
    return input;
  });
  element.append(error);
  return {
    element,
    error,
    inputs,
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
  };
}

/**
 * The networks of Table 1 with their sizes, as the core fills them in for a name.
 *
 * @param {Core} core
 * @returns {SizedPreset[]}
 */
function sizedPresets(core) {
  return core.presets().flatMap(({ name, label }) => {
    const { settings } = core.validate({ config: name });
    if (!settings) return [];
    const { inputs, hidden, outputs, circuit } = settings;
    return [{ name, label, sizes: { inputs, hidden, outputs, circuit } }];
  });
}

/** @param {Draft} draft @param {SizedPreset[]} presets @returns {ConfigName} the name the sizes have in Table 1 */
function configOf(draft, presets) {
  const match = presets.find(({ sizes }) => SIZE_KEYS.every((key) => sizes[key] === draft[key]));
  return match?.name ?? 'custom';
}

/**
 * Builds every control into its group on the page.
 *
 * @param {Store} store
 * @param {Core} core
 */
export function createControls(store, core) {
  const presets = sizedPresets(core);
  const fields = core.fields();
  const digests = digestsOf(fields);

  /** By kind; the weights have controls of their own. @type {Record<string, (field: Field, store: Store) => Control>} */
  const builders = {
    preset: (field) => presetControl(field, presets, store),
    number: numberControl,
    seed: (field) => seedControl(field, store, core.fresh_seed),
    list: listControl,
    switch: switchControl,
    choice: choiceControl,
  };
  /** @type {Map<string, Control>} */
  const controls = new Map();
  for (const field of fields) {
    const control = builders[field.kind]?.(field, store);
    if (!control) continue;
    controls.set(field.name, control);
    const place = MAIN.includes(field.name) ? 'main' : field.group;
    need(field.kind === 'preset' ? '#network-choice' : `#group-${place}`).append(control.element);
  }

  /** @param {Draft} draft */
  function showDraft(draft) {
    for (const [key, control] of controls) control.show(draft[/** @type {SettingKey} */ (key)]);
    for (const [group, digest] of Object.entries(digests))
      need(`#digest-${group}`).textContent = digest(draft);
  }

  store.subscribe(({ draft }, changed) => {
    if (
      changed.some((key) => SIZE_KEYS.some((size) => size === key)) &&
      !changed.includes('config')
    ) {
      store.edit({ config: configOf(draft, presets) });
      return;
    }
    if (changed.includes('config') && draft.config === 'custom' && changed.length === 1) {
      unfold(need('#group-network'));
    }
    showDraft(draft);
  });
  showDraft(store.get().draft);

  return {
    /** Says beside each field what the core refused. @param {Problem[]} problems */
    showProblems(problems) {
      for (const [key, control] of controls) {
        // Too large a request is no one field's fault; the number of samples is the usual one.
        const own = problems.filter(
          ({ field }) => field === key || (field === 'memory' && key === 'samples'),
        );
        showError(control.error, own.map(refusal).join(' '), control.inputs);
        if (own.length > 0) unfold(control.element);
      }
      const elsewhere = problems.filter(
        ({ field }) => field !== 'memory' && !controls.has(field ?? ''),
      );
      showError(need('#settings-error'), elsewhere.map(refusal).join(' '));
    },
  };
}
