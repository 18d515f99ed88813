// @ts-check
/** What a study is made of: its own fields, in one form or several. The core alone judges what they hold. */

import { refusal } from '../shell/controls.js';
import { el } from '../shell/dom.js';
import { choice, offers } from '../shell/fields.js';

/** @typedef {import('../types/core.d.ts').FormField} FormField */

/** Typing rests this long, in milliseconds, before it is judged. */
const REST = 500;

/** @param {string} text NaN where it is no number, which the core refuses in words */
const toNumber = (text) => (text.trim() === '' ? NaN : Number(text));

/**
 * One field: its element, where a refusal goes, and its value.
 *
 * @param {string} study @param {FormField} field @param {() => number} freshSeed @param {number} [step] of a slider
 */
function build(study, field, freshSeed, step) {
  const id = `${study}-${field.name.replace('_', '-')}`;
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  if (field.kind === 'choice') {
    const { select, element } = choice(id, field.label, offers(field.options));
    select.setAttribute('aria-describedby', error.id);
    element.append(error);
    return {
      name: field.name,
      element,
      error,
      input: select,
      value: () => select.value,
      show: (/** @type {unknown} */ value) => void (select.value = String(value)),
    };
  }
  const { min, max } = field.limit ?? {};
  const input = el('input', {
    id,
    name: field.name,
    type: step === undefined ? 'number' : 'range',
    step: step ?? 'any',
    ...(min === undefined || max === undefined ? {} : { min, max }),
    autocomplete: 'off',
    title: field.help,
    'aria-describedby': error.id,
  });
  const entry = el('div', { class: 'entry' }, input);
  const read = step === undefined ? null : el('output', { for: id });
  if (read) entry.append(read);
  // A slider stands on its own steps: what it was given stays until somebody moves it.
  /** @type {string | null} */
  let given = null;
  input.addEventListener('input', () => {
    given = null;
    if (read) read.textContent = input.value;
  });
  if (field.kind === 'seed') {
    const fresh = el(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `New ${field.label.toLowerCase()}` },
      'New',
    );
    fresh.addEventListener('click', () => {
      input.value = String(freshSeed());
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    entry.append(fresh);
  }
  return {
    name: field.name,
    element: el('div', { class: step === undefined ? 'field number' : 'field slider' }, el('label', { for: id }, field.label), entry, error),
    error,
    input,
    value: () => toNumber(given ?? input.value),
    show(/** @type {unknown} */ value) {
      given = step === undefined ? null : String(value);
      input.value = String(value);
      if (read) read.textContent = String(value);
    },
  };
}

/**
 * @param {object} parts
 * @param {PageStudy} parts.study
 * @param {(name: string) => HTMLElement | null} parts.formOf the form that a field stands in, empty at first; none
 *   for a field that is not shown
 * @param {HTMLElement} parts.general where a refusal goes that is no field's
 * @param {Lab} parts.core
 * @param {(settings: StudySettings) => void} parts.onSettings takes what the core allows
 * @param {Readonly<Record<string, number>>} [parts.sliders] steps of the numbers that are dragged
 */
export function createStudySettings({ study, formOf, general, core, onSettings, sliders = {} }) {
  const shown = core.study_fields(study).filter(({ name }) => formOf(name));
  const fields = shown.map((field) => build(study, field, core.fresh_seed, sliders[field.name]));
  /** @type {Set<HTMLElement>} */
  const forms = new Set();
  for (const { name, element } of fields) {
    const form = /** @type {HTMLElement} */ (formOf(name));
    form.append(element);
    forms.add(form);
  }

  /** @param {readonly Problem[]} problems */
  function showProblems(problems) {
    for (const { name, error, input } of fields) {
      const own = problems.filter(({ field }) => field === name);
      error.textContent = own.map(refusal).join(' ');
      error.hidden = own.length === 0;
      if (own.length > 0) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
    const others = problems.filter(({ field }) => !fields.some(({ name }) => name === field));
    general.textContent = others.map(refusal).join(' ');
    general.hidden = others.length === 0;
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  function judge() {
    clearTimeout(resting);
    const draft = Object.fromEntries(fields.map(({ name, value }) => [name, value()]));
    const { settings, problems } = core.study_check(study, draft);
    showProblems(problems);
    if (settings) onSettings(settings);
  }
  for (const form of forms) {
    form.addEventListener('input', ({ target }) => {
      clearTimeout(resting);
      // What is dragged is followed at once.
      if (target instanceof HTMLInputElement && target.type === 'range') judge();
      else resting = setTimeout(judge, REST);
    });
    form.addEventListener('change', judge);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      judge();
    });
  }

  return {
    showProblems,
    /** @param {StudySettings} settings */
    show(settings) {
      clearTimeout(resting);
      for (const { name, show } of fields) show(settings[name]);
      showProblems([]);
    },
    /** Whether a field says anything under the others. @param {string} name @param {boolean} means */
    setShown(name, means) {
      const field = fields.find((one) => one.name === name);
      if (field) field.element.hidden = !means;
    },
    /** Whether one of a field's choices can be chosen. @param {string} name @param {string} value @param {boolean} there */
    offer(name, value, there) {
      const input = fields.find((one) => one.name === name)?.input;
      const option = input?.querySelector(`option[value="${value}"]`);
      if (option instanceof HTMLOptionElement) option.disabled = !there;
    },
  };
}
