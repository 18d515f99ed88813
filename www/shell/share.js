// @ts-check
/** "Share this": the link to what is shown, copied, with what is true of it where the page lies. */

import { createButton, el } from './dom.js';

/** Whether the page is a file on somebody's disk, which nobody else can open. */
const isOnDisk = () => location.protocol === 'file:';

/** What a link does. @param {boolean} proven whether it carries a digest of its results */
function describeLink(proven) {
  const told = proven ? ', and is told whether it came out equal' : '';
  if (!isOnDisk()) return `whoever opens it computes the same anew${told}.`;
  return `it opens this file on this computer alone. Pass the file on too: from “?” on, the link works behind any address of it, and whoever opens that computes the same anew${told}.`;
}

/**
 * Copies a link and says so.
 *
 * @param {HTMLInputElement} field where it is shown
 * @param {HTMLElement} said
 * @param {(text: string) => void} announce
 * @param {boolean} proven whether it carries a digest of its results
 */
export async function copyShareLink(field, said, announce, proven) {
  const words = describeLink(proven);
  try {
    await navigator.clipboard.writeText(field.value);
    said.textContent = `Copied. ${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  } catch {
    field.select();
    said.textContent = `Copy this link: ${words}`;
  }
  announce(said.textContent);
}

/**
 * Has a link that is shown say what the page now is: what was copied is of how it was.
 *
 * @param {HTMLElement} box that is hidden as long as nothing was shared
 * @param {HTMLInputElement} field
 * @param {HTMLElement} said
 * @param {() => string} address of the page as it is
 */
export function refreshShareLink(box, field, said, address) {
  if (box.hidden) return;
  const now = address();
  if (now === field.value) return;
  field.value = now;
  said.textContent = 'The page has changed since: this is its link now. “Share this” copies it.';
}

/**
 * A button and its field.
 *
 * @param {string} prefix of its ids
 * @param {() => string} address of what is shown
 * @param {(text: string) => void} announce
 * @param {() => boolean} [proven] whether the link carries a digest of its results; left out: it never does
 */
export function createShareControls(prefix, address, announce, proven = () => false) {
  const field = el('input', {
    type: 'text',
    id: `${prefix}-shared-link`,
    readonly: true,
    'aria-label': 'Link to this page as it is',
  });
  const said = el('p', { class: 'help', id: `${prefix}-shared-said` });
  const shown = el('div', { class: 'shared', hidden: true }, field, said);
  const button = createButton('Share this', { class: 'quiet', id: `${prefix}-share-link` }, () => {
    field.value = address();
    shown.hidden = false;
    // The button may stand far above it.
    shown.scrollIntoView({ block: 'nearest' });
    copyShareLink(field, said, announce, proven());
  });
  field.addEventListener('focus', () => field.select());
  return {
    element: el('div', { class: 'sharing' }, el('p', { class: 'keep' }, button), shown),
    /** The page has changed. */
    renew: () => refreshShareLink(shown, field, said, address),
  };
}
