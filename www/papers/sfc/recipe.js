// @ts-check
/** "How this was computed": the steps of the run that is shown, with its own numbers, in a drawer. */

import { createButton, el, requireElement, typesetProse } from '../../shell/dom.js';
import { formatValue } from '../../shell/state.js';
import { formatInteger } from '../../shell/basic-format.js';

/** Where a step comes from. @type {Record<'paper' | 'found' | 'ours', string>} */
const ORIGIN_LABELS = {
  paper: 'stated in the paper',
  found: 'not printed; recovered',
  ours: 'a definition of this page',
};

/** @typedef {{ title: string, origin: keyof typeof ORIGIN_LABELS, text: string, silent?: string }} Step */

/**
 * The steps of a run, in order. `silent` is what the paper leaves out of a step that it states.
 *
 * @param {Lab} core
 * @param {Settings} s
 * @returns {Step[]}
 */
function listSteps(core, s) {
  const { completeness_rows: most, rate_bins: bins, readout_scale } = core.constants();
  const dropped = core.zeroed_codes(s);
  const levels = s.levels.length > 12 ? `${s.levels.length} levels` : `λ = ${formatValue(s.levels)}`;
  return [
    {
      title: 'Random numbers',
      origin: 'found',
      text: 'All come from NumPy’s legacy generator, RandomState, rebuilt here bit for bit: a Mersenne Twister, uniforms of 53 bits, normals by the polar method.',
    },
    {
      title: 'Network',
      origin: 'paper',
      text: `y = W₂ max(0, W₁x + b₁) + b₂ with ${formatInteger(s.inputs)} inputs, ${formatInteger(s.hidden)} hidden units and ${formatInteger(s.outputs)} outputs.`,
      silent: `the scales: W₁ has standard deviation ${s.weight_scale}, both biases ${s.bias_scale}, W₂ ${readout_scale}.`,
    },
    {
      title: 'Planted circuit',
      origin: 'paper',
      text: `${formatInteger(s.circuit)} of the ${formatInteger(s.hidden)} hidden units reach the output; the columns of all others in W₂ are zero.`,
      silent: `the seed. Model seed ${s.model_seed} picks the units, then draws W₁, b₁, W₂ and b₂, from one stream.`,
    },
    {
      title: 'Activations',
      origin: 'paper',
      text: `${formatInteger(s.samples)} inputs x, and for each the ${formatInteger(s.hidden)} activations max(0, W₁x + b₁): the rows of H.`,
      silent: `the seed and the inputs’ distribution. Data seed ${s.data_seed} draws standard normals; ${
        s.noise > 0
          ? `noise of standard deviation ${s.noise} follows, which the paper does not have.`
          : 'no noise is added.'
      }`,
    },
    {
      title: 'Dictionary',
      origin: 'paper',
      text: `The first ${formatInteger(s.k)} right singular vectors of H${
        s.centred ? ', its columns’ means taken off, which the paper does not do' : ''
      }: ${formatInteger(s.k)} directions at right angles in ${formatInteger(s.hidden)} dimensions. They are found as eigenvectors of HᵀH.`,
      silent: 'that H is not centred.',
    },
    {
      title: 'Codes and levels',
      origin: 'paper',
      text: `The codes of a row are its products with the ${formatInteger(s.k)} directions. At level λ the smallest are set to zero: ${levels}.`,
      silent: `how many, and of what. In each row by itself, ⌊λK⌋ codes of least magnitude${
        dropped.length > 12 ? '' : `: ${dropped.join(', ')}`
      }.`,
    },
    {
      title: 'S and F',
      origin: 'paper',
      text: {
        cosine: 'S as in Eq. 1, with τ = 10⁻⁶; F as in Eq. 2, the mean cosine.',
        r2: 'S as in Eq. 1, with τ = 10⁻⁶; F as R², one of the two other readings the paper names.',
        'rel-mse':
          'S as in Eq. 1, with τ = 10⁻⁶; F from the relative error, one of the two other readings the paper names.',
      }[s.fidelity],
    },
    s.completeness === 'paper'
      ? {
          title: 'C',
          origin: 'paper',
          text: 'Eq. 3, with the network’s own last layer as f.',
          silent: `the rows and the variance. ${formatInteger(most < s.samples ? most : s.samples)} rows, picked by completeness seed ${s.completeness_seed}; error and variance run over all their outputs together.`,
        }
      : {
          title: 'C',
          origin: 'paper',
          text: 'Eq. 3 as a textbook would read it: all rows, the variance about the mean output. This does not give the paper’s digits.',
        },
    {
      title: 'C_GT',
      origin: 'paper',
      text: 'The share of the circuit that the dictionary spans.',
      silent: 'the formula: a mean of squared lengths.',
    },
    {
      title: 'Score',
      origin: 'paper',
      text: `Eq. 4 under the weights ${s.weights.join(' : ')}; zero as soon as S, F or C is.`,
    },
    {
      title: 'Front and hypervolume',
      origin: 'paper',
      text: 'Dominance and Eq. 5 over all levels, from the unrounded values; the volume is exact.',
    },
    {
      title: 'Rate and distortion',
      origin: 'found',
      text: `Entropy of ${bins}-bin histograms over ln ${bins}; mean squared error over the variance of H.`,
    },
    {
      title: 'Relevance',
      origin: 'ours',
      text: 'The absolute correlation of the codes’ length with the output’s.',
    },
  ];
}

/** @param {Step} step */
function createItem({ title, origin, text, silent }) {
  const line = el('li', {}, el('b', {}, typesetProse(title)), ' ', el('span', { class: 'origin' }, ORIGIN_LABELS[origin]));
  line.append(el('p', {}, typesetProse(text)));
  if (silent) line.append(el('p', { class: 'help' }, el('b', {}, 'Left out: '), typesetProse(silent)));
  return line;
}

/** A link to a section of the page, which the drawer would hide. @param {HTMLDialogElement} drawer @param {string} target @param {string} text */
function createSectionLink(drawer, target, text) {
  const link = el('a', { href: target }, text);
  link.addEventListener('click', () => drawer.close());
  return link;
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => Settings} parts.settings
 */
export function createRecipeDrawer({ core, settings }) {
  const list = el('ol', { class: 'recipe' });
  const which = el('p');
  const drawer = el('dialog', { class: 'numpy drawer', 'aria-labelledby': 'drawer-title' });
  drawer.append(
    el(
      'div',
      { class: 'panel-head' },
      el('h2', { id: 'drawer-title', tabindex: '-1' }, 'How this was computed'),
      createButton('Close', {}, () => drawer.close()),
    ),
    which,
    list,
    el('h3', {}, 'Where the paper and its numbers part'),
    el(
      'ul',
      {},
      el('li', {}, 'It calls distortion 1 − F (§3.5). Its values, 0.023 to 0.559, are 1 − R²; 1 − F runs from 0.009 to 0.223.'),
      el('li', {}, 'Its abstract has scores “stable near 0.74” for K from 8 to 63; its Table 6 runs from 0.647 to 0.744.'),
      el(
        'li',
        {},
        'Hypervolumes, “8 of 8”, r > 0.99 and relevance: ',
        createSectionLink(drawer, '#disagree', 'what does not agree, and why'),
        '.',
      ),
    ),
    el('h3', {}, 'Arithmetic'),
    el(
      'p',
      {},
      `Numbers of 64 bits throughout. Every sum has one order, nothing is fused, and logarithms and roots have one implementation: version ${core.version()} gives the same bits natively and in every browser. Values are compared with the paper’s after rounding to the digits it prints.`,
    ),
  );
  requireElement('#main').append(drawer);
  requireElement('#how-open').addEventListener('click', () => {
    const now = settings();
    const paper = core.defaults();
    const same = listSteps(core, now).map(({ text, silent }) => text + silent).join() ===
      listSteps(core, { ...paper, weights: now.weights }).map(({ text, silent }) => text + silent).join();
    which.textContent = same
      ? 'The run this page shows has the paper’s settings. Its steps, in order; what the paper leaves out was recovered, by search until its digits came out:'
      : 'The run this page shows has settings of its own, which stand in its steps. In order, with what the paper leaves out:';
    list.replaceChildren(...listSteps(core, now).map(createItem));
    drawer.showModal();
    // A long text is read from its top.
    drawer.scrollTop = 0;
  });
}
