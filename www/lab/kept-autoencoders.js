// @ts-check
/**
 * The autoencoders that a reader trained and kept, as they were measured: as long as the tab is open, and
 * on whichever page of it. Whoever trains adds to them, whoever compares shows them.
 */

import { checksum } from './checksum.js';

/** @typedef {{ name: string, world: World, found: FamiliesResult }} Kept */

/** Where the tab keeps them from page to page. */
const STORAGE_KEY = 'sfc-bench-kept';
/** How they are written there. */
const FORMAT_VERSION = 2;

/** @type {Set<() => void>} */
const listeners = new Set();

/** What the tab has kept; where it may keep nothing, or what is there was not written by this, nothing. @returns {Kept[]} */
function readStored() {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
    return found?.format === FORMAT_VERSION && found.sum === checksum(found.all) ? found.all : [];
  } catch {
    return [];
  }
}

let keptAutoencoders = readStored();

/** @param {Kept[]} now */
function replaceKept(now) {
  keptAutoencoders = now;
  try {
    // As JSON has it: the checksum is of what will be read.
    const plain = JSON.parse(JSON.stringify(keptAutoencoders));
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ format: FORMAT_VERSION, sum: checksum(plain), all: plain }));
  } catch {
    // Then only this page has them.
  }
  for (const listener of listeners) listener();
}

/** All of them, in the order in which they were kept. @returns {readonly Kept[]} */
export const listKept = () => keptAutoencoders;

/** Keeps one, unless one of its name is there. @param {Kept} one @returns {boolean} whether it was new */
export function keepAutoencoder(one) {
  if (keptAutoencoders.some(({ name }) => name === one.name)) return false;
  replaceKept([...keptAutoencoders, one]);
  return true;
}

/** @param {string} name */
export const removeKept = (name) => replaceKept(keptAutoencoders.filter((one) => one.name !== name));

/** Tells when one comes or goes. @param {() => void} listener */
export const onKeptChange = (listener) => void listeners.add(listener);
