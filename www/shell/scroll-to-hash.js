// @ts-check
/**
 * The way to what the address names. What a page shows comes in parts, each of which moves the rest: the
 * place is kept in sight until the reader takes over, or nothing has moved for a while.
 */

import { openEnclosingFolds } from './dom.js';

/** Nothing has moved for this long, in ms: the page is there. */
const SETTLE_MS = 4_000;
/** What a reader does who wants to be elsewhere. */
const USER_EVENTS = /** @type {const} */ (['wheel', 'touchstart', 'pointerdown', 'keydown']);

/** @type {(() => void) | undefined} */
let stopScrolling;

/** What the address names; nothing where that is no text. */
export function readHash() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/** Leads to what the address names, if it names a place on the page. */
export function scrollToHash() {
  stopScrolling?.();
  const id = readHash();
  if (!id || id.includes('/')) return;
  const lead = () => {
    const place = document.getElementById(id);
    openEnclosingFolds(place);
    // What is not shown yet may be, later.
    if (place?.offsetParent) place.scrollIntoView({ behavior: 'instant', block: 'start' });
  };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let still;
  const moved = new ResizeObserver(() => {
    lead();
    clearTimeout(still);
    still = setTimeout(end, SETTLE_MS);
  });
  function end() {
    moved.disconnect();
    clearTimeout(still);
    for (const way of USER_EVENTS) removeEventListener(way, end, true);
    stopScrolling = undefined;
  }
  stopScrolling = end;
  for (const way of USER_EVENTS) addEventListener(way, end, { capture: true, passive: true });
  moved.observe(document.body);
}
