// @ts-check
/** The history of a page's addresses: a change that rests is an entry, and whoever goes back is shown it. */

import { isPageShown } from './views.js';

/** A change rests this long, in milliseconds, before it is an entry. */
const SETTLE_MS = 400;

/**
 * @param {string} name of the page
 * @param {object} of
 * @param {() => string | null} of.next the address of what is shown, asked once a change has rested; null: it is the one
 *   that stands there
 * @param {() => void} of.visit shows what the address says
 * @param {() => boolean} [of.replaces] whether no entry is made: the history is somebody else's
 * @returns {() => void} has the address follow what has changed
 */
export function createHistorySync(name, { next, visit, replaces = () => false }) {
  addEventListener('popstate', () => {
    if (isPageShown(name)) visit();
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  return () => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      const address = isPageShown(name) ? next() : null;
      if (address === null) return;
      try {
        history[replaces() ? 'replaceState' : 'pushState'](null, '', address);
      } catch {
        // Frames without an origin, and browsers that find it too often, refuse: the link is then
        // only in what Share copies.
      }
    }, SETTLE_MS);
  };
}
