// @ts-check
/** FADE's four scores as formulas, each with what it means in plain words. */

import { el } from '../../shell/dom.js';
import { formula, fraction, over, row, sub, word } from '../../shell/mathml.js';

/** @param {string} text */
const p = (text) => el('p', {}, text);

/** "R at f". @param {import('../../shell/mathml.js').Part} at */
const share = (at) => sub('R', at);

/** What goes into each fold, by its `data-fade-explain`. @type {Record<string, () => Node[]>} */
const FOLDS = {
  clarity: () => [
    formula(
      'clarity equals the absolute value of two times the share of pairs in which the made text’s activation is larger, minus one',
      word('clarity'),
      '=',
      row('|', '2', '·', word('P'), '[', sub('a', 'c'), '>', sub('a', 'n'), ']', '−', '1', '|'),
    ),
    p(
      'Texts are generated from the description (here by the planted language’s generator), and their activations are compared, pair by pair, with those of natural texts: P is how often the made text’s is the larger one. 1: always, or never. 0: as often as not.',
    ),
    p(
      'P is the paper’s count of such pairs over ‖A‖₀ of both sets, the number of activations in each. A setting takes ‖A‖₀ literally, as the number of activations other than 0: then P is no share, and may be far above 1.',
    ),
    p(
      'Natural texts may have the concept too. Where it is common, even a perfect detector cannot come near 1; the table has what it would reach.',
    ),
  ],
  responsiveness: () => [
    formula(
      'responsiveness equals the absolute value of two times the share of pairs in which the activation of a text labelled two is larger than that of a text labelled zero, minus one',
      word('responsiveness'),
      '=',
      row('|', '2', '·', word('P'), '[', sub('a', '2'), '>', sub('a', '0'), ']', '−', '1', '|'),
    ),
    p(
      'The same comparison among natural texts alone: those that a rater labels 2 (clearly expresses the description) against those labelled 0 (does not). Label 1 is left out.',
    ),
    p(
      'A setting says which natural texts are rated: all of them, or a sample from bands of activations, as in the reference code.',
    ),
  ],
  purity: () => [
    formula(
      'purity equals the sum over the thresholds j of recall at j minus recall at the threshold before, times precision at j',
      word('purity'),
      '=',
      over('∑', 'j'),
      row('(', sub('r', 'j'), '−', sub('r', row('j', '−', '1')), ')', sub('p', 'j')),
    ),
    p(
      'Average precision: natural texts labelled 2 among those labelled 0 and 2, by falling activation; p is precision and r recall. 1: the strongest activations are all the concept’s. By chance it is the share of texts that have the concept, so that common concepts look pure.',
    ),
    p(
      'It depends on the mix of rated texts: a sample, as the reference code rates it, has more of the most active ones than there are, and purity is mostly higher.',
    ),
  ],
  faithfulness: () => [
    formula(
      'faithfulness equals the larger of zero and the largest share R at a factor minus the share at factor zero, over one minus the share at zero',
      word('faithfulness'),
      '=',
      fraction(
        row(word('max'), '(', over(word('max'), 'f'), share('f'), '−', share('0'), ',', '0', ')'),
        row('1', '−', share('0')),
      ),
    ),
    p(
      'The feature is set to each factor f times its largest activation while the model writes; Rf is the share of continuations that clearly express the description. 1: some factor makes all of them do so. A rater is all that judges: a model broken into repeating one word is judged like any other.',
    ),
  ],
};

/** Fills every fold of a page. @param {HTMLElement} view */
export function explain(view) {
  for (const place of view.querySelectorAll(/** @type {'details'} */ ('[data-fade-explain]')))
    place.append(el('div', { class: 'explained' }, ...(FOLDS[place.dataset.fadeExplain ?? '']?.() ?? [])));
}
