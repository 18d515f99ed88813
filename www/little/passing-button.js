// @ts-check
import { createButton, need } from '../shell/dom.js';

/**
 * A button of a status line, which is gone once it was pressed.
 *
 * @param {string} words @param {() => void} act
 */
export function passingButton(words, act) {
  return createButton(words, { class: 'quiet' }, () => {
    // The focus must not go with it.
    need('#main').focus({ preventScroll: true });
    act();
  });
}
