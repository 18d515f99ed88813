// @ts-check
/** The styles of what the paper's page does without until its first figures stand. */

import { madeOnce } from '../workers/instantiate.js';
import { el } from './dom.js';
import { inOneFile } from './views.js';

/** Resolves once they hold. @returns {Promise<void>} */
function add() {
  // The other pages name the file themselves, and one file has it in it.
  if (inOneFile() || document.querySelector('head > link[href$="/later.css"]')) return Promise.resolve();
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

export const laterStyles = madeOnce(add);
