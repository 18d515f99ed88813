// @ts-check
/** What is scored: the study's own fields in a form. The core alone judges what they hold. */

import { refusal } from '../../shell/controls.js';
import { el } from '../../shell/dom.js';
import { choice, offers } from '../../shell/fields.js';

/** @typedef {import('../../types/core.d.ts').FormField} FormField */

/** Typing rests this long, in milliseconds, before it is judged. */
const REST = 500;

/** @param {string} text NaN where it is no number, which the core refuses in words */
const toNumber = (text) => (text.trim() === '' ? NaN : Number(text));

/**
 * One field: its element, where a refusal goes, and its value.
 *
 * @param {FormField} field @param {() => number} freshSeed
 */
function build(field, freshSeed) {
  const id = `ce-bench-${field.name}`;
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
    type: 'number',
    step: 'any',
    ...(min === undefined || max === undefined ? {} : { min, max }),
    autocomplete: 'off',
    title: field.help,
    'aria-describedby': error.id,
  });
  const entry = el('div', { class: 'entry' }, input);
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
    element: el('div', { class: 'field number' }, el('label', { for: id }, field.label), entry, error),
    error,
    input,
    value: () => toNumber(input.value),
    show: (/** @type {unknown} */ value) => void (input.value = String(value)),
  };
}

/**
 * @param {object} parts
 * @param {HTMLElement} parts.form empty
 * @param {HTMLElement} parts.general where a refusal goes that is no field's
 * @param {Lab} parts.core
 * @param {(settings: StudySettings) => void} parts.onSettings takes what the core allows
 */
export function createSettings({ form, general, core, onSettings }) {
  const fields = core.study_fields('ce-bench').map((field) => build(field, core.fresh_seed));
  form.append(...fields.map(({ element }) => element));

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
    const { settings, problems } = core.study_check('ce-bench', draft);
    showProblems(problems);
    if (settings) onSettings(settings);
  }
  form.addEventListener('input', () => {
    clearTimeout(resting);
    resting = setTimeout(judge, REST);
  });
  form.addEventListener('change', judge);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    judge();
  });

  return {
    showProblems,
    /** @param {StudySettings} settings */
    show(settings) {
      clearTimeout(resting);
      for (const { name, show } of fields) show(settings[name]);
      showProblems([]);
    },
    /** Whether the autoencoder that was trained here can be chosen. @param {boolean} there */
    offerOwn(there) {
      const own = form.querySelector('option[value="own"]');
      if (own instanceof HTMLOptionElement) own.disabled = !there;
    },
  };
}
