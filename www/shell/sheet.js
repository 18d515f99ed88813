// @ts-check
/** On a narrow screen the controls are a sheet at the bottom, at hand wherever one reads. */

import { el } from './dom.js';

/** @param {HTMLElement} panel whose first child is what the sheet holds */
export function createSheet(panel) {
  const words = el('span');
  const bar = el('button', { type: 'button', class: 'sheet-bar', 'aria-expanded': 'false' }, words);
  /** @param {boolean} open */
  function set(open) {
    bar.setAttribute('aria-expanded', String(open));
    panel.toggleAttribute('data-open', open);
  }
  bar.addEventListener('click', () => set(bar.getAttribute('aria-expanded') !== 'true'));
  panel.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !panel.hasAttribute('data-open')) return;
    set(false);
    if (bar.offsetParent) bar.focus();
  });
  panel.prepend(bar);
  panel.dataset.sheet = '';
  return {
    /** What the bar says. @param {string} text */
    say(text) {
      words.textContent = text;
    },
  };
}
