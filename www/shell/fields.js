// @ts-check
/** Fields of the lab's forms. */

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

/**
 * A labelled choice.
 *
 * @param {string} id @param {string} label @param {readonly [value: string, words: string][]} options
 */
export function choice(id, label, options) {
  const choices = options.map(([value, words]) => el('option', { value }, words));
  const select = el('select', { id, name: id }, ...choices);
  return { select, element: el('div', { class: 'field' }, el('label', { for: id }, label), select) };
}
