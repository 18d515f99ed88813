// @ts-check
/** Formulas as MathML, which every browser of this page sets by itself. */

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';

/** What a formula is made of: an element, or a sign that becomes one. @typedef {Element | string} Part */

/** @param {string} tag @param {readonly Part[]} parts @param {Record<string, string>} [attributes] */
function createMathElement(tag, parts, attributes = {}) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...parts.map(createToken));
  return element;
}

/** A number, a name or an operator, by what it looks like. @param {Part} part */
function createToken(part) {
  if (typeof part !== 'string') return part;
  const tag = /^[\d.]+$/.test(part) ? 'mn' : /^\p{L}+$/u.test(part) ? 'mi' : 'mo';
  const element = document.createElementNS(NAMESPACE, tag);
  element.textContent = part;
  // Brackets of letters are no taller than letters.
  if (/[()[\]]/.test(part)) element.setAttribute('stretchy', 'false');
  return element;
}

/** @param {...Part} parts */
export const mathRow = (...parts) => createMathElement('mrow', parts);

/** @param {Part} over @param {Part} under */
export const fraction = (over, under) => createMathElement('mfrac', [over, under]);

/** @param {Part} base @param {Part} below */
export const subscript = (base, below) => createMathElement('msub', [base, below]);

/** @param {Part} base @param {Part} above */
export const superscript = (base, above) => createMathElement('msup', [base, above]);

/** With a hat. @param {Part} base */
export const hat = (base) => createMathElement('mover', [base, '^'], { accent: 'true' });

/** An upright sign for a sum or a union, with what it runs over. @param {Part} symbol @param {Part} below @param {Part} [above] */
export const underOver = (symbol, below, above) =>
  above === undefined
    ? createMathElement('munder', [symbol, below])
    : createMathElement('munderover', [symbol, below, above]);

/** Length, with double bars. @param {Part} inner */
export const norm = (inner) => mathRow('‖', inner, '‖');

/** A vector or matrix: one of the letters a to z and A to Z. @param {string} name */
export const boldLetters = (name) => {
  const element = document.createElementNS(NAMESPACE, 'mi');
  // Bold letters have places of their own in Unicode, so that no style is needed.
  element.textContent = [...name]
    .map((letter) => {
      const code = letter.charCodeAt(0);
      const [first, from] = letter >= 'a' ? [0x1d41a, 97] : [0x1d400, 65];
      return String.fromCodePoint(first + code - from);
    })
    .join('');
  return element;
};

/** A word within a formula. @param {string} text */
export function mathText(text) {
  const element = document.createElementNS(NAMESPACE, 'mtext');
  element.textContent = text;
  return element;
}

/**
 * A formula in a line of its own.
 *
 * @param {string} spoken the formula as it would be read out
 * @param {...Part} parts
 */
export function createFormula(spoken, ...parts) {
  return createMathElement('math', parts, { display: 'block', 'aria-label': spoken });
}
