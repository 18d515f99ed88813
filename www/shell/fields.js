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
 * A labelled choice.
 *
 * @param {string} id @param {string} label @param {readonly [value: string, words: string][]} options
 */
export function choice(id, label, options) {
  const choices = options.map(([value, words]) => el('option', { value }, words));
  const select = el('select', { id, name: id }, ...choices);
  return { select, element: el('div', { class: 'field' }, el('label', { for: id }, label), select) };
}
