// @ts-check
/** What a bar unfolds; on a narrow screen the controls are such a sheet at the bottom, at hand wherever one reads. */

import { el } from './dom.js';

/**
 * Has a bar unfold what it stands in, and fold it again as Escape does.
 *
 * @param {HTMLElement} bar a button @param {HTMLElement} holder
 * @returns {(open: boolean) => void}
 */
export function createFoldToggle(bar, holder) {
  /** @param {boolean} open */
  function set(open) {
    bar.setAttribute('aria-expanded', String(open));
    holder.toggleAttribute('data-open', open);
  }
  bar.addEventListener('click', () => set(!holder.hasAttribute('data-open')));
  holder.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !holder.hasAttribute('data-open')) return;
    set(false);
    bar.focus();
  });
  set(false);
  return set;
}

/** @param {HTMLElement} panel whose first child is what the sheet holds */
export function createBottomSheet(panel) {
  const words = el('span');
  const bar = el('button', { type: 'button', class: 'sheet-bar' }, words);
  createFoldToggle(bar, panel);
  panel.prepend(bar);
  panel.dataset.sheet = '';
  return {
    /** What the bar says. @param {string} text */
    say(text) {
      words.textContent = text;
    },
  };
}
