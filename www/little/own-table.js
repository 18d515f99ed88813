// @ts-check
/** Tables of what is found in a reader's own model, and its tokens. */

import { el, setScrollRegion } from '../shell/dom.js';
import { createDataTable } from '../shell/tables.js';

/** A token as people read it: spaces and ends of lines are seen. @param {{ token: number, text?: string | null }} one */
export const formatToken = ({ token, text }) => (text === null || text === undefined ? String(token) : JSON.stringify(text));

/** A token among others, as it stands in a text. @param {{ token: number, text?: string | null }} one */
export const formatTokenInText = ({ token, text }) => {
  if (text === null || text === undefined) return `#${token}`;
  return text.replaceAll('\n', '⏎').replace(/^ +/, (spaces) => '·'.repeat(spaces.length)) || '∅';
};

/**
 * A table that scrolls within its place.
 *
 * @param {string} name @param {readonly string[]} heads @param {readonly (readonly (string | Node)[])[]} rows
 */
export function createTable(name, heads, rows) {
  const body = rows.map(([first, ...cells]) =>
    el('tr', {}, el('th', { scope: 'row' }, first ?? ''), ...cells.map((cell) => el('td', {}, cell))),
  );
  const box = el('div', { class: 'fade-scroll' }, createDataTable(el('caption', {}, name), heads, body));
  setScrollRegion(box, name);
  return box;
}
