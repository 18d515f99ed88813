// @ts-check
/** A table of the core as real text: for the eye when asked, for a screen reader always. */

import { el, heard, prose, seen } from './dom.js';

/** What the paper prints, for the eye; narrow screens leave the word out. @param {string} printed */
const beside = (printed) =>
  el('span', { class: 'printed', 'aria-hidden': 'true' }, el('span', {}, 'paper '), printed);

/** @param {DataCell} cell @returns {Node[]} */
function cellContent({ text, printed, status }) {
  /** @type {Node[]} */
  const content = [el('span', { class: 'value' }, text)];
  if (status === 'agrees') content.push(seen('✓', 'mark'));
  if (status === 'differs') content.push(seen('✗', 'mark'));
  if (status === 'unusual') content.push(seen('!', 'mark'));
  if (printed === undefined) return content;
  let words = `not compared; paper prints ${printed}`;
  if (status === 'agrees') words = 'agrees with the paper';
  else if (status === 'differs') words = `differs: paper prints ${printed}`;
  // Whoever copies a cell gets its parts apart.
  return [...content, document.createTextNode(' '), beside(printed), document.createTextNode(' '), heard(words)];
}

/** @param {string | undefined} align */
const alignment = (align) => (align === 'right' ? 'number' : 'word');

/**
 * @param {DataTable} data
 * @param {string} caption for those who cannot see the figure's own
 * @returns {HTMLTableElement}
 */
export function buildTable(data, caption) {
  const head = el('tr');
  data.columns.forEach(({ title, align }) => {
    const attributes = { class: alignment(align) };
    // What heads nothing is no header.
    head.append(
      title === '' ? el('td', attributes) : el('th', { scope: 'col', ...attributes }, prose(title)),
    );
  });
  const body = el('tbody');
  for (const row of data.rows) {
    const line = el('tr');
    row.forEach((cell, column) => {
      const attributes = {
        class: `${alignment(data.columns[column]?.align)} ${cell.status ?? ''}`.trim(),
      };
      line.append(
        column === 0
          ? el('th', { scope: 'row', ...attributes }, ...cellContent(cell))
          : el('td', attributes, ...cellContent(cell)),
      );
    });
    body.append(line);
  }
  return el(
    'table',
    { class: 'data' },
    el('caption', { class: 'visually-hidden' }, caption),
    el('thead', {}, head),
    body,
  );
}
