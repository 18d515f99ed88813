// @ts-check
/** Short explanations where a reader needs them: what each measure is, with its formula. */

import { el, typesetProse } from '../../shell/dom.js';
import { boldLetters, createFormula, fraction, hat, norm, underOver, mathRow, subscript, superscript, mathText } from '../../shell/mathml.js';

/** @param {...(Node | string)} children */
const paragraph = (...children) =>
  el('p', {}, ...children.map((child) => (typeof child === 'string' ? typesetProse(child) : child)));

/** f of something, or of π of it. @param {...import('../../shell/mathml.js').Part} of */
const applyF = (...of) => mathRow('f', '(', ...of, ')');
const meanOverRows = () => [fraction('1', 'N'), underOver('∑', mathRow('i', '=', '1'), 'N')];

/** What goes into each fold of the page, by its `data-explain`. @type {Record<string, () => Node[]>} */
const FOLD_CONTENTS = {
  s: () => [
    createFormula(
      'S equals one minus the mean over the N rows of the number of active codes in row i, over K',
      'S',
      '=',
      '1',
      '−',
      ...meanOverRows(),
      fraction(subscript(norm(subscript(boldLetters('c'), 'i')), '0'), 'K'),
    ),
    paragraph(
      'Row i of the activations has K codes; those above 10⁻⁶ in magnitude count as active. 0: every code is in use. 1: none is.',
    ),
    paragraph(
      'A level λ zeroes ⌊λK⌋ codes in every row, and the others are hardly ever zero by chance. So S is ⌊λK⌋/K here, whatever the network.',
    ),
  ],
  f: () => [
    createFormula(
      'F equals the mean over the N rows of the cosine between row i and its reconstruction',
      'F',
      '=',
      ...meanOverRows(),
      fraction(
        mathRow(subscript(boldLetters('a'), 'i'), '·', subscript(hat(boldLetters('a')), 'i')),
        mathRow(norm(subscript(boldLetters('a'), 'i')), norm(subscript(hat(boldLetters('a')), 'i'))),
      ),
    ),
    paragraph(
      'The cosine of the angle between the activations a and what their codes rebuild of them, â. 1: the same direction. Length does not matter: twice or half as long costs nothing.',
    ),
    paragraph('Two readings that do weigh length, R² and relative error, are among the settings.'),
  ],
  c: () => [
    createFormula(
      'C equals one minus the mean squared change of the output under the projection pi, over the output’s variance',
      'C',
      '=',
      '1',
      '−',
      fraction(
        mathRow(
          subscript(mathText('mean'), 'j'),
          superscript(norm(mathRow(applyF(subscript(boldLetters('a'), 'j')), '−', applyF('π', subscript(boldLetters('a'), 'j')))), '2'),
        ),
        mathRow(mathText('Var'), '[', 'f', '(', boldLetters('a'), ')', ']'),
      ),
    ),
    paragraph(
      'π keeps of the activations what lies in the span of the dictionary; f is the rest of the network. 1: the output does not notice. It may fall below 0.',
    ),
    paragraph(
      'No code enters, so C is the same at every level λ. The paper leaves open which rows, and which variance of several outputs; the settings hold both readings.',
    ),
  ],
  cgt: () => [
    createFormula(
      'C G T equals the mean over the units u of the circuit of the squared length of the basis V times the unit vector of u',
      subscript('C', mathText('GT')),
      '=',
      fraction('1', mathText('circuit units')),
      underOver('∑', mathRow('u', '∈', mathText('circuit'))),
      superscript(norm(mathRow(boldLetters('V'), subscript(boldLetters('e'), 'u'))), '2'),
    ),
    paragraph(
      'A check that only a planted circuit allows: here it is known which hidden units reach the output. For each, how much of its axis e lies in the span of the dictionary, whose basis is V? 1: all of it, for all.',
    ),
    paragraph(
      'A random span of K out of D dimensions already holds K/D of it on average: the faint line in Figure 1(a).',
    ),
  ],
  sfc: () => [
    createFormula(
      'SFC equals alpha plus beta plus gamma, over alpha over S plus beta over F plus gamma over C',
      'SFC',
      '=',
      fraction(
        mathRow('α', '+', 'β', '+', 'γ'),
        mathRow('α', '/', 'S', '+', 'β', '/', 'F', '+', 'γ', '/', 'C'),
      ),
    ),
    paragraph(
      'Reciprocals are averaged, so the smallest measure speaks loudest. Take F = C = 0.99 and let S drop to 0.05: the ordinary mean is still 0.68, the harmonic one 0.14. At S = 0 it is 0.',
    ),
    paragraph(
      'With equal weights the score is at most three times the worst measure; where all three are equal, it is their common value. A larger weight α, β or γ makes that measure’s losses dearer; a weight of 0 leaves it out.',
    ),
  ],
  front: () => [
    paragraph(
      'A point q dominates a point p if it is at least as good on S, on F and on C, and better on one of them. What nothing dominates is the Pareto front: there, whoever wants more of one measure must give up some of another. No weights are needed to say so, and whatever positive weights somebody has, their winner is on the front.',
    ),
  ],
  hv: () => [
    createFormula(
      'HV equals the volume of the union, over the points p, of the boxes from zero to p',
      mathText('HV'),
      '=',
      mathText('Vol'),
      '(',
      underOver('⋃', mathRow(boldLetters('p'), '∈', 'P')),
      '[',
      '0',
      ',',
      boldLetters('p'),
      ']',
      ')',
    ),
    paragraph(
      'Each point (S, F, C) claims the box from the origin to itself. The hypervolume is the volume of all boxes together, with what they share counted once: from 0 to 1, and 1 only for a level that is perfect in all three.',
    ),
    paragraph(
      'A dominated point lies inside another’s box and adds nothing. Levels set closer together fill the steps of the front, so two hypervolumes compare only over the same levels.',
    ),
  ],
  rd: () => [
    createFormula(
      'Rate equals the mean over the K features of the entropy of their codes in thirty bins, over the logarithm of thirty',
      mathText('rate'),
      '=',
      fraction('1', 'K'),
      underOver('∑', 'k'),
      fraction(mathRow('H', '(', subscript('c', 'k'), ')'), mathRow(mathText('ln'), '30')),
    ),
    createFormula(
      'Distortion equals the mean squared error of the reconstruction over the variance of the activations',
      mathText('distortion'),
      '=',
      fraction(
        mathRow(mathText('mean'), superscript(mathRow('(', boldLetters('H'), '−', hat(boldLetters('H')), ')'), '2')),
        mathRow(mathText('Var'), '(', boldLetters('H'), ')'),
      ),
    ),
    paragraph(
      'H is the entropy of a histogram with 30 bins from a feature’s least to its greatest code. Zeroed codes pile up in one bin, so the rate falls as sparsity rises. Both formulas were recovered from the printed values; the paper itself calls distortion 1 − F, which is another number.',
    ),
  ],
};

/** Fills the page’s folds. */
export function fillExplanations() {
  for (const fold of document.querySelectorAll('[data-explain]')) {
    const body = FOLD_CONTENTS[/** @type {HTMLElement} */ (fold).dataset.explain ?? ''];
    if (body) fold.append(el('div', { class: 'explained' }, ...body()));
  }
}
