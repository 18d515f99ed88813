// @ts-check
/** What may be wider than its place: a region of its own, by keyboard too, exactly while it is. */

import { setScrollRegion } from '../shell/dom.js';

/** @param {HTMLElement} element @param {string} name */
export function watchScrolling(element, name) {
  const look = () => setScrollRegion(element, element.scrollWidth > element.clientWidth + 1 ? name : null);
  const watcher = new ResizeObserver(look);
  watcher.observe(element);
  for (const child of element.children) watcher.observe(child);
  look();
}
