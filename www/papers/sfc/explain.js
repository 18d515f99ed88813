// @ts-check
/** Short explanations where a reader needs them: what each measure is, with its formula. */

import { el, prose } from '../../shell/dom.js';
import { bold, formula, fraction, hat, norm, over, row, sub, sup, word } from '../../shell/mathml.js';

/** @param {...(Node | string)} children */
const p = (...children) =>
  el('p', {}, ...children.map((child) => (typeof child === 'string' ? prose(child) : child)));

/** f of something, or of π of it. @param {...import('../../shell/mathml.js').Part} of */
const f = (...of) => row('f', '(', ...of, ')');
const mean = () => [fraction('1', 'N'), over('∑', row('i', '=', '1'), 'N')];

/** What goes into each fold of the page, by its `data-explain`. @type {Record<string, () => Node[]>} */
const FOLDS = {
  s: () => [
    formula(
      'S equals one minus the mean over the N rows of the number of active codes in row i, over K',
      'S',
      '=',
      '1',
      '−',
      ...mean(),
      fraction(sub(norm(sub(bold('c'), 'i')), '0'), 'K'),
    ),
    p(
      'Row i of the activations has K codes; those above 10⁻⁶ in magnitude count as active. 0: every code is in use. 1: none is.',
    ),
    p(
      'A level λ zeroes ⌊λK⌋ codes in every row, and the others are hardly ever zero by chance. So S is ⌊λK⌋/K here, whatever the network.',
    ),
  ],
  f: () => [
    formula(
      'F equals the mean over the N rows of the cosine between row i and its reconstruction',
      'F',
      '=',
      ...mean(),
      fraction(
        row(sub(bold('a'), 'i'), '·', sub(hat(bold('a')), 'i')),
        row(norm(sub(bold('a'), 'i')), norm(sub(hat(bold('a')), 'i'))),
      ),
    ),
    p(
      'The cosine of the angle between the activations a and what their codes rebuild of them, â. 1: the same direction. Length does not matter: twice or half as long costs nothing.',
    ),
    p('Two readings that do weigh length, R² and relative error, are among the settings.'),
  ],
  c: () => [
    formula(
      'C equals one minus the mean squared change of the output under the projection pi, over the output’s variance',
      'C',
      '=',
      '1',
      '−',
      fraction(
        row(
          sub(word('mean'), 'j'),
          sup(norm(row(f(sub(bold('a'), 'j')), '−', f('π', sub(bold('a'), 'j')))), '2'),
        ),
        row(word('Var'), '[', 'f', '(', bold('a'), ')', ']'),
      ),
    ),
    p(
      'π keeps of the activations what lies in the span of the dictionary; f is the rest of the network. 1: the output does not notice. It may fall below 0.',
    ),
    p(
      'No code enters, so C is the same at every level λ. The paper leaves open which rows, and which variance of several outputs; the settings hold both readings.',
    ),
  ],
  cgt: () => [
    formula(
      'C G T equals the mean over the units u of the circuit of the squared length of the basis V times the unit vector of u',
      sub('C', word('GT')),
      '=',
      fraction('1', word('circuit units')),
      over('∑', row('u', '∈', word('circuit'))),
      sup(norm(row(bold('V'), sub(bold('e'), 'u'))), '2'),
    ),
    p(
      'A check that only a planted circuit allows: here it is known which hidden units reach the output. For each, how much of its axis e lies in the span of the dictionary, whose basis is V? 1: all of it, for all.',
    ),
    p(
      'A random span of K out of D dimensions already holds K/D of it on average: the faint line in Figure 1(a).',
    ),
  ],
  sfc: () => [
    formula(
      'SFC equals alpha plus beta plus gamma, over alpha over S plus beta over F plus gamma over C',
      'SFC',
      '=',
      fraction(
        row('α', '+', 'β', '+', 'γ'),
        row('α', '/', 'S', '+', 'β', '/', 'F', '+', 'γ', '/', 'C'),
      ),
    ),
    p(
      'Reciprocals are averaged, so the smallest measure speaks loudest. Take F = C = 0.99 and let S drop to 0.05: the ordinary mean is still 0.68, the harmonic one 0.14. At S = 0 it is 0.',
    ),
    p(
      'With equal weights the score is at most three times the worst measure; where all three are equal, it is their common value. A larger weight α, β or γ makes that measure’s losses dearer; a weight of 0 leaves it out.',
    ),
  ],
  front: () => [
    p(
      'A point q dominates a point p if it is at least as good on S, on F and on C, and better on one of them. What nothing dominates is the Pareto front: there, whoever wants more of one measure must give up some of another. No weights are needed to say so, and whatever positive weights somebody has, their winner is on the front.',
    ),
  ],
  hv: () => [
    formula(
      'HV equals the volume of the union, over the points p, of the boxes from zero to p',
      word('HV'),
      '=',
      word('Vol'),
      '(',
      over('⋃', row(bold('p'), '∈', 'P')),
      '[',
      '0',
      ',',
      bold('p'),
      ']',
      ')',
    ),
    p(
      'Each point (S, F, C) claims the box from the origin to itself. The hypervolume is the volume of all boxes together, with what they share counted once: from 0 to 1, and 1 only for a level that is perfect in all three.',
    ),
    p(
      'A dominated point lies inside another’s box and adds nothing. Levels set closer together fill the steps of the front, so two hypervolumes compare only over the same levels.',
    ),
  ],
  rd: () => [
    formula(
      'Rate equals the mean over the K features of the entropy of their codes in thirty bins, over the logarithm of thirty',
      word('rate'),
      '=',
      fraction('1', 'K'),
      over('∑', 'k'),
      fraction(row('H', '(', sub('c', 'k'), ')'), row(word('ln'), '30')),
    ),
    formula(
      'Distortion equals the mean squared error of the reconstruction over the variance of the activations',
      word('distortion'),
      '=',
      fraction(
        row(word('mean'), sup(row('(', bold('H'), '−', hat(bold('H')), ')'), '2')),
        row(word('Var'), '(', bold('H'), ')'),
      ),
    ),
    p(
      'H is the entropy of a histogram with 30 bins from a feature’s least to its greatest code. Zeroed codes pile up in one bin, so the rate falls as sparsity rises. Both formulas were recovered from the printed values; the paper itself calls distortion 1 − F, which is another number.',
    ),
  ],
};

/** Fills the page’s folds. */
export function createExplanations() {
  for (const fold of document.querySelectorAll('[data-explain]')) {
    const body = FOLDS[/** @type {HTMLElement} */ (fold).dataset.explain ?? ''];
    if (body) fold.append(el('div', { class: 'explained' }, ...body()));
  }
}
