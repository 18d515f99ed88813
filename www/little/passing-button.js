// @ts-check
import { el, need } from '../shell/dom.js';

/**
 * A button of a status line, which is gone once it was pressed.
 *
 * @param {string} words @param {() => void} act
 */
export function passingButton(words, act) {
  const button = el('button', { type: 'button', class: 'quiet' }, words);
  button.addEventListener('click', () => {
    // The focus must not go with it.
    need('#main').focus({ preventScroll: true });
    act();
  });
  return button;
}
