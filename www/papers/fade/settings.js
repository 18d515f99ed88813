// @ts-check
/** FADE's settings as a form: built from the core's rows, judged by the core alone. */

import { refusal } from '../../shell/controls.js';
import { el } from '../../shell/dom.js';
import { choice, offers } from '../../shell/fields.js';

/** @typedef {import('../../types/core.d.ts').FormField} FormField */

/**
 * @typedef {object} Control
 * @property {string} name
 * @property {HTMLElement} element
 * @property {HTMLElement} error where a refusal is said
 * @property {HTMLInputElement | HTMLSelectElement} input
 * @property {() => unknown} read what it holds, which need not be allowed
 * @property {(value: any) => void} show
 */

/** What is typed rests this long, in milliseconds, before it is run. */
const REST = 400;
/** What somebody may put between the numbers of a list. */
const BETWEEN = /[\s,;]+/;

/** @param {string} text @returns {number} NaN when blank or no number */
const toNumber = (text) => (text.trim() === '' ? NaN : Number(text));

/** @param {string} text */
const toList = (text) =>
  text
    .split(BETWEEN)
    .filter((word) => word !== '')
    .map((word) => Number(word.replace('−', '-')));

/** @param {string} name */
const idOf = (name) => `fade-set-${name}`;

/** Where a refusal is said. @param {string} name */
const errorOf = (name) => el('p', { class: 'error', id: `${idOf(name)}-error`, hidden: true });

/** @param {FormField} field @returns {Control} */
function choiceControl({ name, label, options, help }) {
  const { select, element } = choice(idOf(name), label, offers(options));
  const error = errorOf(name);
  select.setAttribute('aria-describedby', `${idOf(name)}-help ${error.id}`);
  element.append(el('p', { class: 'help', id: `${idOf(name)}-help` }, help), error);
  return {
    ...{ name, element, error, input: select },
    read: () => select.value,
    show(value) {
      select.value = value;
    },
  };
}

/** @param {FormField} field @param {() => number} freshSeed @returns {Control} */
function textControl({ name, label, help, kind, limit }, freshSeed) {
  const list = kind === 'list';
  const error = errorOf(name);
  const input = el('input', {
    id: idOf(name),
    name,
    autocomplete: 'off',
    'aria-describedby': `${idOf(name)}-help ${error.id}`,
    ...(list
      ? { type: 'text', spellcheck: 'false' }
      : { type: 'number', step: 'any', ...(limit ? { min: limit.min, max: limit.max } : {}) }),
  });
  const beside = [];
  if (kind === 'seed') {
    const fresh = el('button', { type: 'button', class: 'quiet', 'aria-label': `New ${label.toLowerCase()}` }, 'New');
    fresh.addEventListener('click', () => {
      input.value = String(freshSeed());
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    beside.push(fresh);
  }
  const element = el(
    'div',
    { class: `field ${kind}`, 'data-field': name },
    el('label', { for: input.id }, label),
    el('div', { class: 'entry' }, input, ...beside),
    el('p', { class: 'help', id: `${idOf(name)}-help` }, help),
    error,
  );
  const read = () => (list ? toList(input.value) : toNumber(input.value));
  return {
    ...{ name, element, error, input, read },
    show(value) {
      if (JSON.stringify(read()) !== JSON.stringify(value))
        input.value = list ? value.join(', ') : String(value);
    },
  };
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {(settings: StudySettings) => void} parts.onSettings is told settings that are allowed and others than before
 */
export function createSettings({ core, onSettings }) {
  const usual = core.study_defaults('fade');
  let current = usual;
  const controls = core.study_fields('fade').map((field) =>
    field.kind === 'choice' ? choiceControl(field) : textControl(field, core.fresh_seed),
  );
  const [first, ...rest] = controls;
  const reset = el('button', { type: 'button', class: 'quiet', id: 'fade-reset' }, 'As usual');
  const digest = el('span', { class: 'digest' });
  const more = el(
    'details',
    { class: 'families-settings', id: 'fade-settings' },
    el('summary', {}, 'Settings ', digest),
    el('div', { class: 'fields' }, ...rest.map(({ element }) => element)),
    el('p', { class: 'keep' }, reset),
  );
  const general = el('p', { class: 'error', id: 'fade-settings-error', hidden: true });
  const element = el(
    'form',
    { class: 'families-controls fade-settings', id: 'fade-form', novalidate: true },
    ...(first ? [first.element] : []),
    more,
    general,
  );

  const draft = () => Object.fromEntries(controls.map(({ name, read }) => [name, read()]));
  /** @param {StudySettings} settings */
  const textOf = (settings) => core.study_print('fade', settings, 0);

  /** Says beside each field what the core refused. @param {Problem[]} problems */
  function showProblems(problems) {
    for (const { name, input, error } of controls) {
      const own = problems.filter(({ field }) => field === name);
      // What is no number is told as it was typed.
      const told = own.map((problem) =>
        refusal(/NaN|not a number/.test(`${problem.value}`) && input.value ? { ...problem, value: input.value } : problem),
      );
      error.textContent = told.join(' ');
      error.hidden = own.length === 0;
      if (own.length > 0) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
      if (own.length > 0 && more.contains(input)) more.open = true;
    }
    const elsewhere = problems.filter(({ field }) => !controls.some(({ name }) => name === field));
    general.textContent = elsewhere.map(refusal).join(' ');
    general.hidden = elsewhere.length === 0;
  }

  /** Says what is other than usual while the fold is closed. */
  function tellChanged() {
    const other = core
      .study_fields('fade')
      .slice(1)
      .filter(({ name }) => JSON.stringify(usual[name]) !== JSON.stringify(current[name]));
    digest.textContent = other.length === 0 ? 'as usual' : `changed: ${other.map(({ label }) => label.toLowerCase()).join(', ')}`;
    reset.hidden = textOf(current) === textOf(usual);
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  /** Judges what the form holds; what is refused changes nothing. */
  function judge() {
    clearTimeout(resting);
    const { settings, problems } = core.study_check('fade', draft());
    showProblems(problems);
    if (!settings || textOf(settings) === textOf(current)) return;
    current = settings;
    tellChanged();
    onSettings(settings);
  }
  /** @param {StudySettings} settings */
  function set(settings) {
    clearTimeout(resting);
    current = settings;
    for (const { name, show } of controls) show(settings[name]);
    showProblems([]);
    tellChanged();
  }

  element.addEventListener('submit', (event) => {
    event.preventDefault();
    judge();
  });
  element.addEventListener('change', judge);
  element.addEventListener('input', () => {
    clearTimeout(resting);
    resting = setTimeout(judge, REST);
  });
  reset.addEventListener('click', () => {
    set(usual);
    element.querySelector('summary')?.focus();
    onSettings(usual);
  });
  set(usual);

  return {
    element,
    set,
    /** Whether the autoencoder that was trained here can be chosen. @param {boolean} there */
    offerOwn(there) {
      const option = first?.input.querySelector(/** @type {'option'} */ ('option[value="own"]'));
      if (option) option.disabled = !there;
    },
    /** Chooses an autoencoder as if somebody had. @param {string} sae */
    choose(sae) {
      set({ ...current, sae });
      onSettings(current);
    },
  };
}
