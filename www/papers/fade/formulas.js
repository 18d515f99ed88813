// @ts-check
/** FADE's four scores as formulas, each with what it means in plain words. */

import { el } from '../../shell/dom.js';
import { createFormula, fraction, underOver, mathRow, subscript, mathText } from '../../shell/mathml.js';

/** @param {string} text */
const paragraph = (text) => el('p', {}, text);

/** "R at f". @param {import('../../shell/mathml.js').Part} at */
const shareAt = (at) => subscript('R', at);

/** What goes into each fold, by its `data-fade-explain`. @type {Record<string, () => Node[]>} */
const FOLD_CONTENTS = {
  clarity: () => [
    createFormula(
      'clarity equals the absolute value of two times the share of pairs in which the made text’s activation is larger, minus one',
      mathText('clarity'),
      '=',
      mathRow('|', '2', '·', mathText('P'), '[', subscript('a', 'c'), '>', subscript('a', 'n'), ']', '−', '1', '|'),
    ),
    paragraph(
      'Texts are generated from the description (here by the planted language’s generator), and their activations are compared, pair by pair, with those of natural texts: P is how often the made text’s is the larger one. 1: always, or never. 0: as often as not.',
    ),
    paragraph(
      'P is the paper’s count of such pairs over ‖A‖₀ of both sets, the number of activations in each. A setting takes ‖A‖₀ literally, as the number of activations other than 0: then P is no share, and may be far above 1.',
    ),
    paragraph(
      'Natural texts may have the concept too. Where it is common, even a perfect detector cannot come near 1; the table has what it would reach.',
    ),
  ],
  responsiveness: () => [
    createFormula(
      'responsiveness equals the absolute value of two times the share of pairs in which the activation of a text labelled two is larger than that of a text labelled zero, minus one',
      mathText('responsiveness'),
      '=',
      mathRow('|', '2', '·', mathText('P'), '[', subscript('a', '2'), '>', subscript('a', '0'), ']', '−', '1', '|'),
    ),
    paragraph(
      'The same comparison among natural texts alone: those that a rater labels 2 (clearly expresses the description) against those labelled 0 (does not). Label 1 is left out.',
    ),
    paragraph(
      'A setting says which natural texts are rated: all of them, or a sample from bands of activations, as in the reference code.',
    ),
  ],
  purity: () => [
    createFormula(
      'purity equals the sum over the thresholds j of recall at j minus recall at the threshold before, times precision at j',
      mathText('purity'),
      '=',
      underOver('∑', 'j'),
      mathRow('(', subscript('r', 'j'), '−', subscript('r', mathRow('j', '−', '1')), ')', subscript('p', 'j')),
    ),
    paragraph(
      'Average precision: natural texts labelled 2 among those labelled 0 and 2, by falling activation; p is precision and r recall. 1: the strongest activations are all the concept’s. By chance it is the share of texts that have the concept, so that common concepts look pure.',
    ),
    paragraph(
      'It depends on the mix of rated texts: a sample, as the reference code rates it, has more of the most active ones than there are, and purity is mostly higher.',
    ),
  ],
  faithfulness: () => [
    createFormula(
      'faithfulness equals the larger of zero and the largest share R at a factor minus the share at factor zero, over one minus the share at zero',
      mathText('faithfulness'),
      '=',
      fraction(
        mathRow(mathText('max'), '(', underOver(mathText('max'), 'f'), shareAt('f'), '−', shareAt('0'), ',', '0', ')'),
        mathRow('1', '−', shareAt('0')),
      ),
    ),
    paragraph(
      'The feature is set to each factor f times its largest activation while the model writes; Rf is the share of continuations that clearly express the description. 1: some factor makes all of them do so. A rater is all that judges: a model broken into repeating one word is judged like any other.',
    ),
  ],
};

/** Fills every fold of a page. @param {HTMLElement} view */
export function fillExplanations(view) {
  for (const place of view.querySelectorAll(/** @type {'details'} */ ('[data-fade-explain]')))
    place.append(el('div', { class: 'explained' }, ...(FOLD_CONTENTS[place.dataset.fadeExplain ?? '']?.() ?? [])));
}
