// @ts-check
/**
 * A text's words in a row, shaded by a number each. The number stands under its word: the colour is for
 * the quick look.
 */

import { el, createVisualText } from '../shell/dom.js';
import { createRovingFocus } from '../shell/roving-tabindex.js';
import { formatWord } from '../shell/number-format.js';

/** The strongest shade: text on it can be read, on a light page and on a dark one. */
const SHADE_MAX = 45;

/** Shades an element. @param {HTMLElement} element @param {number} share of the strongest shade */
export const setShade = (element, share) => element.style.setProperty('--shade', `${(SHADE_MAX * share).toFixed(1)}%`);

/**
 * @param {object} parts
 * @param {string} parts.label
 * @param {(position: number) => void} [parts.choose] a word is pointed at, focused or tapped; without it words
 *   cannot be chosen
 */
export function createWordRow({ label, choose }) {
  const list = el('ol', { class: 'toy-words', 'aria-label': label });
  /** @type {{ box: HTMLElement, value: HTMLElement }[]} */
  let all = [];
  const roving = choose ? createRovingFocus(list, 'button') : null;

  if (choose) {
    /** @param {Event} event */
    const follow = ({ target }) => {
      const box = target instanceof Element ? target.closest('button') : null;
      const at = all.findIndex((one) => one.box === box);
      if (at >= 0) choose(at);
    };
    for (const event of ['pointerover', 'focusin', 'click']) list.addEventListener(event, follow);
  }

  return {
    element: list,
    /** @param {readonly string[]} words */
    write(words) {
      all = words.map((word) => {
        const value = el('span', { class: 'toy-value' });
        const name = el('span', { class: 'toy-word' }, formatWord(word));
        const box = choose
          ? el('button', { type: 'button', 'aria-pressed': 'false' }, name, ' ', value)
          : el('span', {}, name, ' ', value);
        return { box, value };
      });
      list.replaceChildren(...all.map(({ box }) => el('li', {}, box)));
      roving?.refresh();
    },
    /**
     * @param {readonly (number | null)[]} values null where there is none
     * @param {object} how
     * @param {number} how.most what the strongest shade stands for
     * @param {(value: number) => string} how.say
     * @param {number} [how.chosen] the word that is chosen
     */
    shade(values, { most, say, chosen }) {
      all.forEach(({ box, value }, at) => {
        const number = values[at] ?? null;
        const share = number === null || most <= 0 ? 0 : Math.min(1, Math.max(0, number / most));
        setShade(box, share);
        value.textContent = number === null ? '' : say(number);
        if (choose) box.setAttribute('aria-pressed', String(at === chosen));
      });
    },
  };
}

/** What the shades stand for. @param {string} from @param {string} to */
export const createLegend = (from, to) =>
  el('p', { class: 'toy-legend help' }, from, ' ', createVisualText('', 'toy-ramp'), ' ', to);
