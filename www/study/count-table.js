// @ts-check
/** A small table of counts, each with its share of all as a bar behind it. */

import { el } from '../shell/dom.js';
import { createDataTable } from '../shell/tables.js';

/** @param {number} count @param {number} of */
export function createCountCell(count, of) {
  const cell = el('td', {}, String(count));
  cell.style.setProperty('--share', `${((100 * count) / Math.max(1, of)).toFixed(1)}%`);
  return cell;
}

/** @param {string} caption for those who cannot see where it stands @param {readonly string[]} heads @param {readonly HTMLElement[][]} rows of cells, the first a row's head */
export const createCountTable = (caption, heads, rows) =>
  createDataTable(caption, heads, rows.map((cells) => el('tr', {}, ...cells)), 'data count-table');
