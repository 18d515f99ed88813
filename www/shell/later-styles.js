// @ts-check
/** The styles of what the paper's page does without until its first figures stand. */

import { memoizeAsync } from '../workers/instantiate.js';
import { el } from './dom.js';
import { isSingleFile } from './views.js';

/** Resolves once they hold. @returns {Promise<void>} */
function addStylesheet() {
  // The other pages name the file themselves, and one file has it in it.
  if (isSingleFile() || document.querySelector('head > link[href$="/later.css"]')) return Promise.resolve();
  const href = new URL('./later.css', import.meta.url).href;
  const link = el('link', { rel: 'stylesheet', href });
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${href} could not be loaded`));
    });
    document.head.append(link);
  });
}

export const loadLaterStyles = memoizeAsync(addStylesheet);
