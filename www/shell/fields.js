// @ts-check
/**
 * Fields of forms. They gather what somebody typed and show what the core said about it; they never judge a
 * value themselves.
 */

import { createButton, el, createErrorLine, showError, parseNumber, openEnclosingFolds } from './dom.js';

/** @typedef {import('../types/fields.d.ts').Attributes} Attributes */
/** @typedef {import('../types/fields.d.ts').Field} Field */
/** @typedef {import('../types/fields.d.ts').FieldRow} FieldRow */
/** @typedef {import('../types/fields.d.ts').Option} Option */

/** A refused value longer than this is not repeated in full. */
const VALUE_LENGTH_MAX = 40;

/** What a refusal says: the value, as it was typed where it is no number, and what is allowed. @param {Problem} problem @param {string} [typed] */
export function describeProblem({ value, allowed, message }, typed) {
  if (!allowed) return message;
  const told = String(value ?? '');
  const held = typed && /NaN|not a number/.test(told) ? typed : told;
  if (held === '' || held === 'not a number') return `A number is missing. Allowed: ${allowed}.`;
  const short = held.length > VALUE_LENGTH_MAX ? `${held.slice(0, VALUE_LENGTH_MAX)}…` : held;
  return `Invalid value: ${short}. Allowed: ${allowed}.`;
}

/** @param {string} word @returns {number | number[]} */
const parseSigned = (word) => Number(word.replace('−', '-'));

/** The numbers of a list, NaN for what is none. @param {string} text @param {(word: string) => number | number[]} [numberOf] */
export const parseNumberList = (text, numberOf = parseSigned) =>
  text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .flatMap((word) => numberOf(word));

/** @param {unknown} value */
const formatFieldValue = (value) => (Number.isNaN(value) ? '' : [value].flat().join(', '));

/** The options of a setting. @param {readonly import('../types/core.d.ts').FieldChoice[]} offered @returns {Option[]} */
export const toOptions = (offered) => offered.map(({ value, label, help }) => [value, label, help]);

/** @param {Attributes | undefined} attributes @param {readonly Option[]} options */
export const createSelect = (attributes, options) =>
  el('select', attributes, ...options.map(([value, words]) => el('option', { value }, words)));

/** An input within its label. @param {string} words @param {HTMLElement} input @param {string} [className] */
export const createLabelled = (words, input, className = 'field') =>
  el('label', { class: className }, el('span', {}, words), input);

/** A checkbox within its label. @param {string} words @param {Attributes} attributes */
export function createCheckbox(words, attributes) {
  const input = el('input', { type: 'checkbox', ...attributes });
  return { input, element: el('label', { class: 'tick' }, input, words) };
}

/** Options to tick, or to choose one of, in a frame of their own. @param {FieldRow} row @returns {Field} */
function createOptionField({ id, name = id, label, kind, options = [], className = `field ${kind}` }) {
  const error = createErrorLine(`${id}-error`);
  const several = kind === 'several';
  const boxes = options.map(([value, words, help = '']) => {
    if (several) return createCheckbox(words, { name, value });
    const below = el('p', { class: 'help', id: `${id}-${value}-help` }, help);
    const input = el('input', { type: 'radio', name, value, 'aria-describedby': below.id });
    return { input, element: el('div', { class: 'option' }, el('label', {}, input, ` ${words}`), below) };
  });
  const inputs = boxes.map(({ input }) => input);
  const elements = boxes.map(({ element }) => element);
  const attributes = { class: className, id, 'aria-describedby': error.id };
  return {
    ...{ name, error, inputs, input: /** @type {HTMLInputElement} */ (inputs[0]) },
    element: el('fieldset', attributes, el('legend', {}, label), ...elements, error),
    value() {
      const chosen = inputs.filter(({ checked }) => checked).map(({ value }) => value);
      return several ? chosen : chosen[0];
    },
    show(value) {
      for (const input of inputs) input.checked = [value].flat().includes(input.value);
    },
  };
}

/**
 * The frame round an input: its label, what it is, and what is wrong with it.
 *
 * @template {HTMLInputElement | HTMLSelectElement} Input
 * @param {FieldRow} row @param {Input} input @param {...Node} beside what stands next to it
 */
function createFieldFrame({ id, name = id, label, kind, help, className = `field ${kind}` }, input, ...beside) {
  const error = createErrorLine(`${id}-error`);
  const below = help ? [el('p', { class: 'help', id: `${id}-help` }, help), error] : [error];
  Object.assign(input, { id, name });
  input.setAttribute('aria-describedby', below.map((one) => one.id).join(' '));
  const entry = el('div', { class: 'entry' }, input, ...beside);
  const element = el('div', { class: className }, el('label', { for: id }, label), entry, ...below);
  return { name, error, input, inputs: [input], element };
}

/** A button that puts another seed into its field. @param {string} label @param {() => number} freshSeed @param {HTMLElement & { value: string }} input */
const createSeedButton = (label, freshSeed, input) =>
  createButton('New', { class: 'quiet', 'aria-label': `New ${label.toLowerCase()}` }, () => {
    input.value = String(freshSeed());
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  });

/** What the texts of kinds mean that are no numbers. @type {Record<string, (text: string) => unknown>} */
const VALUE_PARSERS = { list: (text) => parseNumberList(text), text: String, select: String };

/** @param {FieldRow} row */
function createInput({ kind, limit, options = [], attributes }) {
  if (kind === 'select') return createSelect(attributes, options);
  const type = { list: 'text', text: 'text', slider: 'range' }[String(kind)] ?? 'number';
  /** @type {Attributes} */
  const ofType = type === 'text' ? { spellcheck: 'false' } : { step: 'any', min: limit?.min ?? false, max: limit?.max ?? false };
  return el('input', { type, autocomplete: 'off', ...ofType, ...attributes });
}

/** @param {FieldRow} row @returns {Field} */
export function createField(row) {
  const { kind, label, freshSeed, read = VALUE_PARSERS[kind] ?? parseNumber, write = formatFieldValue } = row;
  if (kind === 'choice' || kind === 'several') return createOptionField(row);
  if (kind === 'switch') {
    const input = el('input', { type: 'checkbox' });
    return { ...createFieldFrame(row, input), value: () => input.checked, show: (value) => void (input.checked = value === true) };
  }
  const input = createInput(row);
  const value = () => read(input.value);
  return {
    ...createFieldFrame(row, input, ...(kind === 'seed' && freshSeed ? [createSeedButton(label, freshSeed, input)] : [])),
    value,
    show(now) {
      if (JSON.stringify(value()) !== JSON.stringify(now)) input.value = write(now);
    },
  };
}

/**
 * Shows beside each field what was refused of it, and in `general` all else: of a hidden field, too.
 *
 * @param {readonly Field[]} fields @param {readonly Problem[]} problems @param {HTMLElement | null} general
 * @param {(problem: Problem, typed?: string) => string} [wordsOf]
 * @returns {Field | undefined} the first that is refused
 */
export function showProblems(fields, problems, general, wordsOf = describeProblem) {
  const rest = new Set(problems);
  /** @param {HTMLElement} error @param {Iterable<Problem>} own @param {Field} [field] */
  const show = (error, own, field) => {
    const words = new Set([...own].map((problem) => wordsOf(problem, field?.input.value)));
    showError(error, [...words].join(' '), field?.inputs);
    if (words.size > 0) openEnclosingFolds(error);
    return words.size > 0;
  };
  const refused = fields.filter((field) => {
    const own = field.element.hidden ? [] : problems.filter((problem) => problem.field === field.name);
    for (const problem of own) rest.delete(problem);
    return show(field.error, own, field);
  });
  if (general) show(general, rest);
  return refused[0];
}
