// @ts-check
/** Numbers as people write them. */

import { formatCount } from '../../shell/basic-format.js';

/** "1.37 MiB". @param {number} bytes */
export function formatBytes(bytes) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let at = 0;
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at += 1;
  }
  if (at === 0) return formatCount(value, 'byte');
  return `${value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${units[at]}`;
}
