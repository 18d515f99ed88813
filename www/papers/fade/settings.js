// @ts-check
/** What of FADE's settings is other than usual: said on their fold while it is closed, and put back by a button. */

import { requireElement } from '../../shell/dom.js';

/** @param {unknown} a @param {unknown} b */
const isSame = (a, b) => String(a) === String(b);

/**
 * @param {HTMLElement} form
 * @param {readonly import('../../types/core.d.ts').FormField[]} folded those in the fold
 * @param {StudySettings} usual
 * @param {(usual: StudySettings) => void} onReset the usual ones are asked for
 * @returns {(settings: StudySettings) => void} takes those that are wanted
 */
export function bindChangedNote(form, folded, usual, onReset) {
  const reset = requireElement('#fade-reset', form);
  reset.addEventListener('click', () => {
    onReset(usual);
    // The button is gone now; the focus must not be.
    requireElement('summary', form).focus();
  });
  return (settings) => {
    const other = folded.filter(({ name }) => !isSame(usual[name], settings[name])).map(({ label }) => label.toLowerCase());
    requireElement('.digest', form).textContent = other.length === 0 ? 'as usual' : `changed: ${other.join(', ')}`;
    reset.hidden = Object.keys(usual).every((name) => isSame(usual[name], settings[name]));
  };
}
