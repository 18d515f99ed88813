// @ts-check
/** Tables and numbers. */

import { el, setScrolling } from '../shell/dom.js';

/** A token as people read it: spaces and ends of lines are seen. @param {{ token: number, text?: string | null }} one */
export const tokenText = ({ token, text }) => (text === null || text === undefined ? String(token) : JSON.stringify(text));

/** A token among others, as it stands in a text. @param {{ token: number, text?: string | null }} one */
export const tokenWord = ({ token, text }) => {
  if (text === null || text === undefined) return `#${token}`;
  return text.replaceAll('\n', '⏎').replace(/^ +/, (spaces) => '·'.repeat(spaces.length)) || '∅';
};

/** @param {number | null | undefined} value @param {number} [digits] */
export const fixed = (value, digits = 3) => (value === null || value === undefined ? '–' : value.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '−'));

/** Where an interval begins and ends. @param {Interval | null | undefined} interval @param {(value: number) => string} [how] */
export const range = (interval, how = fixed) => (interval ? `${how(interval[0])}\u00a0to\u00a0${how(interval[1])}` : '–');

/** A number with its interval. @param {number | null} value @param {Interval | null | undefined} interval @param {(value: number) => string} [how] */
export const between = (value, interval, how = fixed) => (value === null ? '–' : `${how(value)}${interval ? ` (${range(interval, how)})` : ''}`);

/**
 * A table that scrolls within its place.
 *
 * @param {string} name @param {readonly string[]} heads @param {readonly (readonly (string | Node)[])[]} rows
 */
export function table(name, heads, rows) {
  const body = rows.map(([first, ...cells]) =>
    el('tr', {}, el('th', { scope: 'row' }, first ?? ''), ...cells.map((cell) => el('td', {}, cell))),
  );
  const top = heads.map((text) => el('th', { scope: 'col' }, text));
  const box = el(
    'div',
    { class: 'fade-scroll' },
    el('table', { class: 'data' }, el('caption', {}, name), el('thead', {}, el('tr', {}, ...top)), el('tbody', {}, ...body)),
  );
  setScrolling(box, name);
  return box;
}
