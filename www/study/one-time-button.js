// @ts-check
import { createButton, requireElement } from '../shell/dom.js';

/**
 * A button of a status line, which is gone once it was pressed.
 *
 * @param {string} words @param {() => void} act
 */
export function createTransientButton(words, act) {
  return createButton(words, { class: 'quiet' }, () => {
    // The focus must not go with it.
    requireElement('#main').focus({ preventScroll: true });
    act();
  });
}
