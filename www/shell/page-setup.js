// @ts-check
/** What every page is given once it is there: contents, headings that can be linked, the way to one of them. */

import { scrollToHash } from './scroll-to-hash.js';
import { createContents } from './contents.js';
import { requireElement } from './dom.js';
import { setUpPrint } from './print.js';

/**
 * What a page hands to each of its parts.
 *
 * @typedef {object} PageTools
 * @property {Lab} core
 * @property {import('../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 */

/** Whether links within the document are followed already: several pages may be in one. */
let areLinksFollowed = false;

/** @param {HTMLElement} view a page's part of the document */
export function setUpPage(view) {
  const linkHeadings = () => view.querySelectorAll('h2[id]').forEach(addHeadingAnchor);
  linkHeadings();
  const contents = createContents(requireElement('.contents', view), view);
  scrollToHash();
  // A link within the page may lead into a closed fold.
  if (!areLinksFollowed) addEventListener('hashchange', scrollToHash);
  areLinksFollowed = true;
  scrollToCurrentPage();
  setUpPrint();
  return {
    ...contents,
    /** Takes in what has come since. */
    refresh() {
      linkHeadings();
      contents.refresh();
    },
  };
}

/** On a narrow window the pages of an entry have no room side by side: the current one is in sight. */
function scrollToCurrentPage() {
  const current = document.querySelector('.subpages:not([hidden]) [aria-current=page]');
  const row = current?.closest('nav');
  if (current && row) row.scrollLeft += Math.max(0, current.getBoundingClientRect().right - row.getBoundingClientRect().right);
}

/** A link to a heading, for the hand: by keyboard the contents lead there. @param {Element} heading */
function addHeadingAnchor(heading) {
  // In a fold's own line nothing else can be pressed.
  if (heading.querySelector('.anchor') || heading.closest('summary')) return;
  const anchor = document.createElement('a');
  anchor.className = 'anchor';
  anchor.href = `#${heading.id}`;
  anchor.tabIndex = -1;
  anchor.setAttribute('aria-hidden', 'true');
  heading.append(anchor);
}
