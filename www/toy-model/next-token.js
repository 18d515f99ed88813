// @ts-check
/** What the model holds likeliest after each word of a text. */

import { el, createScreenReaderText, createVisualText } from '../shell/dom.js';
import { formatPercent, quoteWord, formatWord } from '../shell/number-format.js';
import { watchScrolling } from '../shell/scroll-region.js';

/**
 * @param {string} word
 * @param {number} probability
 * @param {string | null} mark what is heard of it beside its number; null: it is not the one that follows
 */
function createLine(word, probability, mark) {
  const bar = el('span', { class: 'toy-bar', 'aria-hidden': 'true' });
  bar.style.width = `${(100 * probability).toFixed(1)}%`;
  return el(
    'li',
    mark === null ? {} : { class: 'comes' },
    bar,
    el('span', { class: 'toy-word' }, word, ...(mark === null ? [] : [' ', createVisualText('✓', 'mark'), createScreenReaderText(mark)])),
    el('span', { class: 'toy-value' }, formatPercent(probability)),
  );
}

/** @param {Language} language */
export function createNextTokenView({ words }) {
  const list = el('ol', { class: 'toy-expected' });
  const frame = el('div', { class: 'toy-scroll' }, list);
  watchScrolling(frame, 'What the model expects after each word');

  /**
   * @param {readonly number[]} tokens
   * @param {LittleReading} reading
   * @param {number} at
   * @param {number} follows the word that comes next, −1 where there is none
   * @param {string} mark
   */
  function createCard(tokens, reading, at, follows, mark) {
    const likely = reading.next[at] ?? [];
    const lines = likely.map(({ token, probability }) =>
      createLine(words[token] ?? '', probability, token === follows ? mark : null),
    );
    const given = reading.own[at];
    if (follows >= 0 && given !== undefined && !likely.some(({ token }) => token === follows))
      lines.push(createLine(words[follows] ?? '', given, mark));
    const word = words[tokens[at] ?? -1] ?? '';
    return el(
      'li',
      {},
      el('p', {}, createScreenReaderText(`After ${quoteWord(word)}:`), createVisualText(formatWord(word))),
      el('ul', {}, ...lines),
    );
  }

  return {
    element: frame,
    /**
     * @param {readonly number[]} tokens
     * @param {LittleReading} reading
     * @param {number | null} answer the right word after a task's prompt
     */
    show(tokens, reading, answer) {
      const last = tokens.length - 1;
      const cards = tokens.map((_, at) =>
        at < last
          ? createCard(tokens, reading, at, tokens[at + 1] ?? -1, ', which comes next')
          : createCard(tokens, reading, at, answer ?? -1, ', the right answer'),
      );
      list.replaceChildren(...cards);
      list.lastElementChild?.classList.add('last');
    },
  };
}
