// @ts-check
/** Files for the reader to keep. */

import { el } from './dom.js';

/** A download has surely begun after this long, in ms. */
const KEEP_ADDRESS = 60_000;

/** @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_ADDRESS);
}
