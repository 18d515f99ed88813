// @ts-check
/**
 * A field for a text, in which the word under the caret is completed: a combobox with a list of words, by
 * keyboard as the ARIA Authoring Practices have it.
 */

import { el } from '../shell/dom.js';

/** Most words that are offered at once. */
const SUGGESTIONS_MAX = 8;

/** The word that ends at the caret. @param {HTMLInputElement} field */
function wordAtCaret({ value, selectionStart }) {
  const caret = selectionStart ?? value.length;
  const from = value.slice(0, caret).search(/\S*$/);
  const rest = /^\S*/.exec(value.slice(caret))?.[0].length ?? 0;
  return { from, to: caret + rest, begun: value.slice(from, caret) };
}

/**
 * @param {object} parts
 * @param {string} parts.id of the field
 * @param {string} parts.described ids of what tells more of the field
 * @param {readonly string[]} parts.words all there are
 * @param {() => readonly string[]} parts.likely what is offered where no word is begun
 * @param {() => void} parts.changed the text is another
 * @param {() => void} parts.done the reader says that it is complete
 */
export function createCompletion({ id, described, words, likely, changed, done }) {
  const list = el('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': 'Words', hidden: true });
  const field = el('input', {
    type: 'text',
    id,
    role: 'combobox',
    autocomplete: 'off',
    autocapitalize: 'none',
    autocorrect: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    'aria-describedby': described,
  });
  /** Which is chosen; −1: none. */
  let active = -1;

  const options = () => [...list.children].map((one) => /** @type {HTMLElement} */ (one));

  /** @param {number} at */
  function choose(at) {
    active = at;
    options().forEach((option, index) => option.setAttribute('aria-selected', String(index === at)));
    const option = options()[at];
    if (option) {
      field.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else field.removeAttribute('aria-activedescendant');
  }

  function close() {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    choose(-1);
  }

  /** @param {readonly string[]} offered */
  function open(offered) {
    list.replaceChildren(
      ...offered.slice(0, SUGGESTIONS_MAX).map((word, at) =>
        el('li', { id: `${id}-word-${at}`, role: 'option', 'aria-selected': 'false' }, word),
      ),
    );
    list.hidden = offered.length === 0;
    field.setAttribute('aria-expanded', String(offered.length > 0));
    choose(-1);
  }

  /** Words that begin as the one at the caret does. */
  function listSuggestions() {
    const { begun } = wordAtCaret(field);
    const fit = words.filter((word) => word.startsWith(begun.toLowerCase()) && word !== begun);
    return begun ? fit : likely();
  }

  /** Puts a word in the place of the one at the caret. @param {string} word */
  function insertWord(word) {
    const { from, to } = wordAtCaret(field);
    const after = field.value.slice(to).replace(/^ ?/, ' ');
    field.value = `${field.value.slice(0, from)}${word}${after}`;
    const caret = from + word.length + 1;
    field.setSelectionRange(caret, caret);
    close();
    changed();
  }

  field.addEventListener('input', () => {
    if (wordAtCaret(field).begun) open(listSuggestions());
    else close();
    changed();
  });
  field.addEventListener('keydown', (event) => {
    const count = list.hidden ? 0 : list.children.length;
    const chosen = options()[active]?.textContent;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (count === 0) open(listSuggestions());
      const all = list.hidden ? 0 : list.children.length;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (all > 0) choose(active < 0 ? (step > 0 ? 0 : all - 1) : (active + step + all) % all);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (count > 0 && chosen) insertWord(chosen);
      else {
        close();
        done();
      }
    } else if (event.key === 'Escape' && count > 0) {
      event.preventDefault();
      close();
    }
  });
  field.addEventListener('blur', () => {
    close();
    done();
  });
  // A pointer on the list must not take the focus from the field.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('li') : null;
    if (option?.textContent) insertWord(option.textContent);
  });

  return {
    field,
    element: el('div', { class: 'toy-complete' }, field, list),
    /** Whether a word is begun at the caret that may yet become one. */
    begun() {
      const { begun } = wordAtCaret(field);
      return begun !== '' && words.some((word) => word !== begun && word.startsWith(begun.toLowerCase()));
    },
  };
}
