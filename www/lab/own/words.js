// @ts-check
/** Numbers as people write them. */

import { grouped } from '../../shell/grouped.js';

/** @param {number} value */
export const count = grouped;

/** "1 row", "2,000 rows". @param {number} value @param {string} one @param {string} [many] */
export const counted = (value, one, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

/** "1.37 MiB". @param {number} bytes */
export function size(bytes) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let at = 0;
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at += 1;
  }
  if (at === 0) return counted(value, 'byte');
  return `${value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${units[at]}`;
}
