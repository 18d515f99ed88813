// @ts-check
/** Files for the reader to keep. */

import { el } from './dom.js';

/** A download has surely begun after this long, in ms. */
const URL_LIFETIME = 60_000;

/** A value as JSON, or a text that is. @param {string} name @param {unknown} value @param {(text: string) => void} [announce] is told */
export function saveJson(name, value, announce) {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`;
  saveBlob(name, new Blob([text], { type: 'application/json' }), announce);
}

/** @param {string} name @param {Blob} blob @param {(text: string) => void} [announce] is told */
export function saveBlob(name, blob, announce) {
  const address = URL.createObjectURL(blob);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), URL_LIFETIME);
  announce?.(`${name} is saved.`);
}
