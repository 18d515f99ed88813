// @ts-check
/** What a study is made of: its own fields, in one form or several. The core alone judges what they hold. */

import { el, handleSubmit } from '../shell/dom.js';
import { createField, toOptions, showProblems } from '../shell/fields.js';

/** @typedef {import('../shell/fields.js').FieldRow} FieldRow */

/** Typing rests this long, in milliseconds, before it is judged. */
const TYPING_DELAY = 500;

/**
 * A number that is dragged, with what it is beside it. A slider stands on its own steps: what it was given stays until
 * somebody moves it.
 *
 * @param {FieldRow} row
 */
function createSlider(row) {
  const field = createField({ ...row, kind: 'slider' });
  const { input } = field;
  const read = el('output', { for: row.id });
  input.after(read);
  /** @type {unknown} */
  let given = null;
  input.addEventListener('input', () => {
    given = null;
    read.textContent = input.value;
  });
  return {
    ...field,
    value: () => given ?? field.value(),
    show(/** @type {unknown} */ now) {
      given = now;
      field.show(now);
      read.textContent = String(now);
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
export function createStudyForm({ study, formOf, general, core, onSettings, sliders = {}, idOf, helps = false }) {
  idOf ??= (name) => `${study}-${name.replace('_', '-')}`;
  const shown = core.study_fields(study).filter(({ name }) => formOf(name));
  const fields = shown.map(({ name, kind, help, options, ...setting }) => {
    const step = sliders[name];
    const row = {
      ...{ ...setting, id: idOf(name), name, freshSeed: core.fresh_seed, options: toOptions(options) },
      kind: /** @type {FieldRow['kind']} */ (kind === 'choice' ? 'select' : kind),
      ...(helps ? { help } : { attributes: { title: help, ...(step && { step }) } }),
    };
    return step ? createSlider(row) : createField(row);
  });
  /** @type {Set<HTMLElement>} */
  const forms = new Set();
  for (const { name, element } of fields) {
    const form = /** @type {HTMLElement} */ (formOf(name));
    form.append(element);
    forms.add(form.closest('form') ?? form);
  }

  const showAll = (/** @type {readonly Problem[]} */ problems) => showProblems(fields, problems, general);

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  function checkDraft() {
    clearTimeout(resting);
    const draft = Object.fromEntries(fields.map(({ name, value }) => [name, value()]));
    const { settings, problems } = core.study_check(study, draft);
    showAll(problems);
    if (settings) onSettings(settings);
  }
  for (const form of forms) {
    form.addEventListener('input', ({ target }) => {
      clearTimeout(resting);
      // What is dragged is followed at once.
      if (target instanceof HTMLInputElement && target.type === 'range') checkDraft();
      else resting = setTimeout(checkDraft, TYPING_DELAY);
    });
    form.addEventListener('change', checkDraft);
    handleSubmit(form, checkDraft);
  }

  return {
    showProblems: showAll,
    /** @param {StudySettings} settings */
    show(settings) {
      clearTimeout(resting);
      for (const { name, show } of fields) show(settings[name]);
      showAll([]);
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
