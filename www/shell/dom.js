// @ts-check
/** Building DOM from text and elements only; markup strings never enter the page. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} [attributes] true sets an empty attribute, false leaves it out
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/**
 * A button that is no form's.
 *
 * @param {string | (string | Node)[]} words
 * @param {Record<string, string | number | boolean>} attributes
 * @param {(event: MouseEvent) => unknown} onClick
 */
export function createButton(words, attributes, onClick) {
  const button = el('button', { type: 'button', ...attributes }, ...[words].flat());
  button.addEventListener('click', onClick);
  return button;
}

/** Does something where a form would leave the page. @param {HTMLElement} form @param {() => unknown} work */
export function handleSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    work();
  });
}

/**
 * An element the page cannot do without.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function requireElement(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return /** @type {T} */ (found);
}

/** Text for those who listen to the page. @param {string} text */
export function createScreenReaderText(text) {
  return el('span', { class: 'visually-hidden' }, text);
}

/** A sign for those who look at the page. @param {string} text @param {string | false} [className] */
export function createVisualText(text, className = false) {
  return el('span', { class: className, 'aria-hidden': 'true' }, text);
}

/** The place for what is wrong, which {@link showError} fills. @param {string} id */
export const createErrorLine = (id) => el('p', { class: 'error', id, hidden: true });

/**
 * Says below a field what is wrong with it; no words: nothing is.
 *
 * @param {HTMLElement} error @param {string} words @param {readonly Element[]} inputs
 */
export function showError(error, words, inputs = []) {
  error.textContent = words;
  error.hidden = words === '';
  for (const input of inputs) {
    if (words) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }
}

/** Opens the folds that an element is in. @param {Element | null | undefined} element */
export function openEnclosingFolds(element) {
  for (let fold = element?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true;
}

/** Text in which C_GT is set as it should be. @param {string} text */
export function typesetProse(text) {
  const fragment = document.createDocumentFragment();
  text.split('C_GT').forEach((part, index) => {
    if (index > 0) fragment.append('C', el('sub', {}, 'GT'));
    fragment.append(part);
  });
  return fragment;
}

/** How a panic of the core begins: with a file and a line of the program, which say nothing to a reader. */
const PANIC_PATTERN = /(^|: )panicked at /;

/** What was thrown, in words: the core throws objects of its own. @param {unknown} error */
export function describeError(error) {
  const words =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
  return PANIC_PATTERN.test(words) ? 'a fault in this program, and none of yours' : words;
}

/** Words that a sentence goes on after: without a full stop of their own. @param {string} words */
export const stripFullStop = (words) => words.replace(/\.$/, '');

/**
 * What scrolls within its place, as a wide table does, can be reached by keyboard under a name;
 * unseen (null) it must not take the focus.
 *
 * @param {Element} element @param {string | null} name
 */
export function setScrollRegion(element, name) {
  for (const [key, value] of [['tabindex', '0'], ['role', 'region'], ['aria-label', name]]) {
    if (name === null) element.removeAttribute(String(key));
    else element.setAttribute(String(key), String(value));
  }
}

/** @param {string} text @returns {number} NaN where it is blank or no number */
export const parseNumber = (text) => (text.trim() === '' ? NaN : Number(text));
