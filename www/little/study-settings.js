// @ts-check
/** What a study is made of: its own fields, in one form or several. The core alone judges what they hold. */

import { refusal, refusalOf } from '../shell/controls.js';
import { createButton, el, showError, toNumber, unfold, whenSubmitted } from '../shell/dom.js';
import { choice, offers } from '../shell/fields.js';

/** @typedef {import('../types/core.d.ts').FormField} FormField */

/** Typing rests this long, in milliseconds, before it is judged. */
const REST = 500;

/** What is between the numbers of a list. */
const BETWEEN = /[\s,;]+/;

/** @param {string} text */
const toList = (text) =>
  text
    .split(BETWEEN)
    .filter((word) => word !== '')
    .map((word) => Number(word.replace('−', '-')));

/** A button that puts another seed into a field. @param {HTMLInputElement} input @param {string} label @param {() => number} freshSeed */
function freshButton(input, label, freshSeed) {
  return createButton('New', { class: 'quiet', 'aria-label': `New ${label.toLowerCase()}` }, () => {
    input.value = String(freshSeed());
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/**
 * One field: its element, where a refusal goes, and its value.
 *
 * @param {FormField} field
 * @param {object} parts
 * @param {string} parts.id
 * @param {boolean} parts.helps whether it is explained below it, not by its title alone
 * @param {() => number} parts.freshSeed
 * @param {number | undefined} parts.step of a slider
 */
function build({ name, label, kind, help, limit, options }, { id, helps, freshSeed, step }) {
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const below = [...(helps ? [el('p', { class: 'help', id: `${id}-help` }, help)] : []), error];
  const described = below.map((one) => one.id).join(' ');
  if (kind === 'choice') {
    const { select, element } = choice(id, label, offers(options));
    select.setAttribute('aria-describedby', described);
    element.append(...below);
    return {
      ...{ name, element, error, input: select },
      value: () => select.value,
      show: (/** @type {unknown} */ value) => void (select.value = String(value)),
    };
  }
  const list = kind === 'list';
  const input = el('input', {
    id,
    name,
    ...(list
      ? { type: 'text', spellcheck: 'false' }
      : { type: step === undefined ? 'number' : 'range', step: step ?? 'any', ...(limit ? { min: limit.min, max: limit.max } : {}) }),
    autocomplete: 'off',
    ...(helps ? {} : { title: help }),
    'aria-describedby': described,
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
  if (kind === 'seed') entry.append(freshButton(input, label, freshSeed));
  const value = () => (list ? toList(input.value) : toNumber(given ?? input.value));
  return {
    ...{ name, error, input, value },
    element: el('div', { class: `field ${read ? 'slider' : list ? 'list' : 'number'}` }, el('label', { for: id }, label), entry, ...below),
    show(/** @type {unknown} */ now) {
      // What says the same stays as it was typed.
      if (list && JSON.stringify(value()) === JSON.stringify(now)) return;
      given = read && String(now);
      input.value = Array.isArray(now) ? now.join(', ') : String(now);
      if (read) read.textContent = String(now);
    },
  };
}

/**
 * @param {object} parts
 * @param {PageStudy} parts.study
 * @param {(name: string) => HTMLElement | null} parts.formOf the form, or the part of one, that a field is put into; none
 *   for a field that is not shown
 * @param {HTMLElement} parts.general where a refusal goes that is no field's
 * @param {Lab} parts.core
 * @param {(settings: StudySettings) => void} parts.onSettings takes what the core allows
 * @param {Readonly<Record<string, number>>} [parts.sliders] steps of the numbers that are dragged
 * @param {(name: string) => string} [parts.idOf] of a field's input
 * @param {boolean} [parts.helps] whether each is explained below it
 */
export function createStudySettings({ study, formOf, general, core, onSettings, sliders = {}, idOf, helps = false }) {
  idOf ??= (name) => `${study}-${name.replace('_', '-')}`;
  const shown = core.study_fields(study).filter(({ name }) => formOf(name));
  const fields = shown.map((field) =>
    build(field, { id: idOf(field.name), helps, freshSeed: core.fresh_seed, step: sliders[field.name] }),
  );
  /** @type {Set<HTMLElement>} */
  const forms = new Set();
  for (const { name, element } of fields) {
    const form = /** @type {HTMLElement} */ (formOf(name));
    form.append(element);
    forms.add(form.closest('form') ?? form);
  }

  /** @param {readonly Problem[]} problems */
  function showProblems(problems) {
    for (const { name, error, input } of fields) {
      const own = problems.filter(({ field }) => field === name);
      showError(error, own.map((problem) => refusalOf(problem, input.value)).join(' '), [input]);
      if (own.length > 0) unfold(input);
    }
    const others = problems.filter(({ field }) => !fields.some(({ name }) => name === field));
    showError(general, others.map(refusal).join(' '));
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
    whenSubmitted(form, judge);
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
