// @ts-check
/** A table of the core as real text: for the eye when asked, for a screen reader always. */

import { el, createScreenReaderText, typesetProse, createVisualText } from './dom.js';

/** What the paper prints, for the eye; narrow screens leave the word out. @param {string} printed */
const createPrintedValue = (printed) =>
  el('span', { class: 'printed', 'aria-hidden': 'true' }, el('span', {}, 'paper '), printed);

/** @param {DataCell} cell @returns {Node[]} */
function createCellContent({ text, printed, status }) {
  /** @type {Node[]} */
  const content = [el('span', { class: 'value' }, text)];
  if (status === 'agrees') content.push(createVisualText('✓', 'mark'));
  if (status === 'differs') content.push(createVisualText('✗', 'mark'));
  if (status === 'unusual') content.push(createVisualText('!', 'mark'));
  if (printed === undefined) return content;
  let words = `not compared; paper prints ${printed}`;
  if (status === 'agrees') words = 'agrees with the paper';
  else if (status === 'differs') words = `differs: paper prints ${printed}`;
  // Whoever copies a cell gets its parts apart.
  return [...content, document.createTextNode(' '), createPrintedValue(printed), document.createTextNode(' '), createScreenReaderText(words)];
}

/** @param {string | undefined} align */
const alignmentClass = (align) => (align === 'right' ? 'number' : 'word');

/**
 * A table whose cells are there.
 *
 * @param {string | HTMLElement} caption words for those who cannot see where it stands
 * @param {readonly (string | HTMLElement)[]} heads of the columns; a blank one heads nothing
 * @param {readonly HTMLElement[]} rows
 * @param {string} [className]
 */
export function createDataTable(caption, heads, rows, className = 'data') {
  const head = (/** @type {string} */ words) => (words ? el('th', { scope: 'col' }, words) : el('td'));
  return el(
    'table',
    { class: className },
    typeof caption === 'string' ? el('caption', { class: 'visually-hidden' }, caption) : caption,
    el('thead', {}, el('tr', {}, ...heads.map((one) => (typeof one === 'string' ? head(one) : one)))),
    el('tbody', {}, ...rows),
  );
}

/**
 * @param {DataTable} data
 * @param {string} caption for those who cannot see the figure's own
 * @returns {HTMLTableElement}
 */
export function buildTable(data, caption) {
  const heads = data.columns.map(({ title, align }) => {
    const attributes = { class: alignmentClass(align) };
    // What heads nothing is no header.
    return title === '' ? el('td', attributes) : el('th', { scope: 'col', ...attributes }, typesetProse(title));
  });
  const rows = data.rows.map((row) => {
    const cells = row.map((cell, column) => {
      const attributes = { class: `${alignmentClass(data.columns[column]?.align)} ${cell.status ?? ''}`.trim() };
      const content = createCellContent(cell);
      return column === 0 ? el('th', { scope: 'row', ...attributes }, ...content) : el('td', attributes, ...content);
    });
    return el('tr', {}, ...cells);
  });
  return createDataTable(caption, heads, rows);
}
