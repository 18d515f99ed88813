// @ts-check
/** Fields of forms. */

import { el } from './dom.js';

/**
 * What the core offers to choose from.
 *
 * @param {readonly import('../types/core.d.ts').FieldChoice[]} offered
 * @returns {[value: string, words: string][]}
 */
export const offers = (offered) => offered.map(({ value, label }) => [value, label]);

/**
 * A labelled input, with a place below it for what is wrong with it.
 *
 * @param {string} id @param {string} label
 * @param {Record<string, string | number | boolean>} attributes
 * @param {string} [className]
 */
export function inputField(id, label, attributes, className = 'field number') {
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const input = el('input', { id, autocomplete: 'off', 'aria-describedby': error.id, ...attributes });
  const entry = el('div', { class: 'entry' }, input);
  return { input, error, element: el('div', { class: className }, el('label', { for: id }, label), entry, error) };
}

/** @param {Record<string, string>} attributes @param {readonly [value: string, words: string][]} options */
export const selectOf = (attributes, options) =>
  el('select', attributes, ...options.map(([value, words]) => el('option', { value }, words)));

/** An input within its label. @param {string} words @param {HTMLElement} input @param {string} [className] */
export const labelled = (words, input, className = 'field') =>
  el('label', { class: className }, el('span', {}, words), input);

/**
 * A labelled choice.
 *
 * @param {string} id @param {string} label @param {readonly [value: string, words: string][]} options
 */
export function choice(id, label, options) {
  const select = selectOf({ id, name: id }, options);
  return { select, element: el('div', { class: 'field' }, el('label', { for: id }, label), select) };
}
