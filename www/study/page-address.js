// @ts-check
/**
 * The address of a page about the toy model: it follows the page, and the page follows it. A page of its
 * own has its state in the query; a view of the one file has it behind its name, as `#model/?t=…`.
 */

import { requireElement } from '../shell/dom.js';
import { createHistorySync } from '../shell/history.js';
import { showLinkChanges } from '../shell/link.js';
import { createShareControls } from '../shell/share.js';
import { isSingleFile } from '../shell/views.js';

/**
 * @param {object} parts
 * @param {string} parts.name of the page
 * @param {HTMLElement} parts.view
 * @param {() => string} parts.print the page's state as a query; empty as long as it is as it opens
 * @param {(query: string) => readonly Pick<LinkChange, 'sentence'>[]} parts.follow takes a query's state, and
 *   gives back what of it could not be followed
 * @param {(text: string) => void} parts.announce
 * @param {() => string} [parts.shared] the query that Share copies, where that says more
 * @param {() => boolean} [parts.proven] whether that carries a digest of its results
 */
export function createAddress({ name, view, print, follow, announce, shared = print, proven }) {
  const changed = requireElement('.link-changes', view);
  /** What the address says. */
  const asked = () => {
    if (!isSingleFile()) return location.search.slice(1);
    const [page, query = ''] = location.hash.slice(1).split('?', 2);
    return page === `${name}/` ? query : '';
  };
  const address = (text = print()) => {
    if (isSingleFile()) return `${location.pathname}${location.search}#${name}/${text ? `?${text}` : ''}`;
    return `${location.pathname}${text ? `?${text}` : ''}${location.hash}`;
  };
  /** What was last read of the address or written there. */
  let known = '';

  function openAddress() {
    const changes = follow(asked());
    known = print();
    showLinkChanges(changed, changes);
    if (changes.length > 0) announce(changed.textContent ?? '');
  }

  const follows = createHistorySync(name, {
    visit: openAddress,
    next() {
      const text = print();
      if (text === known) return null;
      known = text;
      // A link whose files came later than the link.
      return text === asked() ? null : address();
    },
  });
  /** The address is to follow what has changed. */
  function updateAddress() {
    share.renew();
    follows();
  }
  const share = createShareControls(name, () => new URL(address(shared()), location.href).href, announce, proven);
  requireElement('.opening', view).append(share.element);
  return { open: openAddress, remember: updateAddress, renew: share.renew };
}
