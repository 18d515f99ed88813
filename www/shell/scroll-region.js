// @ts-check
/** What may be wider than its place: a region of its own, by keyboard too, exactly while it is. */

import { el, setScrollRegion } from './dom.js';
import { buildTable, createDataTable } from './tables.js';

/** @param {HTMLElement} element @param {string} name */
export function watchScrolling(element, name) {
  const look = () => setScrollRegion(element, element.scrollWidth > element.clientWidth + 1 ? name : null);
  const watcher = new ResizeObserver(look);
  watcher.observe(element);
  for (const child of element.children) watcher.observe(child);
  look();
}

/**
 * A table whose cells are texts or elements, and that scrolls within its place.
 *
 * @param {string} name @param {readonly string[]} heads @param {readonly (readonly (string | Node)[])[]} rows
 */
export function createElementTable(name, heads, rows) {
  const body = rows.map(([first, ...cells]) =>
    el('tr', {}, el('th', { scope: 'row' }, first ?? ''), ...cells.map((cell) => el('td', {}, cell))),
  );
  const box = el('div', { class: 'fade-scroll' }, createDataTable(el('caption', {}, name), heads, body));
  setScrollRegion(box, name);
  return box;
}

/** @template Row @typedef {[title: string, align: 'left' | 'right', textOf: (row: Row, at: number) => string]} Column */

/**
 * A table of records, a column each, that scrolls within its place.
 *
 * @template Row
 * @param {string} name
 * @param {readonly Column<Row>[]} columns
 * @param {readonly Row[]} rows
 */
export function createRecordTable(name, columns, rows) {
  const data = {
    columns: columns.map(([title, align]) => ({ title, align })),
    rows: rows.map((row, at) => columns.map(([, , textOf]) => ({ text: textOf(row, at) }))),
  };
  const element = el('div', { class: 'ce-table' }, buildTable(data, name));
  setScrollRegion(element, name);
  return element;
}
