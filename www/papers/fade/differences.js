// @ts-check
/** Where the note and the code differ, each with the feature of this page at which one sees it. */

import { createButton, el, setScrollRegion } from '../../shell/dom.js';
import { formatFactor, formatFeatureName } from './words.js';
import { formatFixed } from '../../shell/basic-format.js';
import { createDataTable } from '../../shell/tables.js';

/** @typedef {import('./words.js').FadeFeature} FadeFeature */
/** @typedef {import('../../types/core.d.ts').FadeReadings} Readings */

/**
 * One difference, and where it shows.
 *
 * @typedef {object} Difference
 * @property {string} about
 * @property {string} note
 * @property {string} code
 * @property {(features: readonly FadeFeature[]) => { index: number, words: string } | null} at
 * @property {string} nowhere what is said where no feature shows it
 */

/** How far both readings of a score are apart. @param {Readings} readings */
const readingGap = ({ document, code }) => (document == null || code == null ? 0 : Math.abs(document - code));

/** Both readings in words. @param {Readings} readings */
const formatReadings = ({ document, code }) => `${formatFixed(document, 3)} in the paper, ${formatFixed(code, 3)} as implemented`;

/**
 * Shows a difference at the feature with the most of something, unless that is nothing.
 *
 * @param {(feature: FadeFeature) => number} size
 * @param {(feature: FadeFeature) => string} words what is said after the feature's name
 * @returns {Difference['at']}
 */
const createLargestFinder = (size, words) => (features) => {
  let [index, largest] = [-1, 0];
  for (const [at, feature] of features.entries()) if (size(feature) > largest) [index, largest] = [at, size(feature)];
  const feature = features[index];
  return feature ? { index, words: `${formatFeatureName(feature)}${words(feature)}` } : null;
};

/**
 * A feature's scores under one choice of rated texts and of the norm.
 *
 * @param {FadeFeature['variants']} variants
 * @param {import('../../types/core.d.ts').FadeRatedTexts} rated
 * @param {import('../../types/core.d.ts').FadeNorm} norm
 */
const findVariant = (variants, rated, norm) => variants.find((one) => one.rated === rated && one.norm === norm);

/** A feature's scores as they are where the note's norm counts elements, whatever it counts in the settings. @param {FadeFeature} feature */
const elementsVariant = (feature) => findVariant(feature.variants, feature.rated ? 'sampled' : 'all', 'elements') ?? feature;

/** Its purity of all texts, and of a sample. @param {FadeFeature} feature */
const purityVariants = ({ variants }) =>
  /** @type {const} */ (['all', 'sampled']).map((rated) => findVariant(variants, rated, 'elements')?.purity.code ?? null);

/** Its clarity by the number of elements, and by that of activations other than 0. @param {FadeFeature} feature */
const clarityVariants = ({ variants }) =>
  /** @type {const} */ (['elements', 'nonzero']).map((norm) => findVariant(variants, 'all', norm)?.clarity.document ?? null);

const findDeadFeature = createLargestFinder(
  (feature) => (feature.case === 'dead' ? 1 : 0),
  (feature) => `, never active: ${formatReadings(elementsVariant(feature).clarity)}`,
);
const findLargestReadingGap = createLargestFinder(
  (feature) => readingGap(elementsVariant(feature).clarity),
  (feature) => `: ${formatReadings(elementsVariant(feature).clarity)}`,
);

/** @type {Difference[]} */
const DIFFERENCES = [
  {
    about: 'Ties, in clarity',
    note: 'counts pairs in which the made text’s activation is strictly larger: a latent that is never active gets a clarity of 1',
    code: 'counts a tie as half a pair (the area under the ROC curve): such a latent gets 0',
    at: (features) => findDeadFeature(features) ?? findLargestReadingGap(features),
    nowhere: 'no latent here has ties',
  },
  {
    about: 'Ties, in responsiveness',
    note: 'strictly larger, as above',
    code: 'half, as above',
    at: createLargestFinder(
      (feature) => readingGap(elementsVariant(feature).responsiveness),
      (feature) => `: ${formatReadings(elementsVariant(feature).responsiveness)}`,
    ),
    nowhere: 'no latent here has ties',
  },
  {
    about: 'Sign, in purity',
    note: 'average precision of the activations as they are',
    code: 'turns the activations’ signs round first, where the concept’s texts have the lower ones',
    at: createLargestFinder(
      ({ purity }) => readingGap(purity),
      ({ purity }) => `: ${formatReadings(purity)}`,
    ),
    nowhere: 'no latent here is lower on its concept’s texts than on others',
  },
  {
    about: 'Which texts are rated, in responsiveness and purity',
    note: 'texts of high and low activations; here all of them, or a sample that is as large as was asked for',
    code: 'a sample: a quarter of most of it from each band of activations, the rest from the top; what comes twice counts once, and all texts are taken where nothing is left to the top',
    at: createLargestFinder(
      (feature) => {
        const [document = null, code = null] = purityVariants(feature);
        return readingGap({ document, code });
      },
      (feature) => {
        const [all, sampled] = purityVariants(feature);
        return `: purity ${formatFixed(all, 3)} of all texts, ${formatFixed(sampled, 3)} of the implementation’s sample`;
      },
    ),
    nowhere: 'no feature here has another purity of a sample',
  },
  {
    about: '‖A‖₀, in clarity and responsiveness',
    note: 'divides by it for both sets: by their numbers of elements, or literally by their numbers of activations other than 0, which makes no share of pairs',
    code: 'has no norm: the area under the ROC curve',
    at: createLargestFinder(
      (feature) => clarityVariants(feature)[1] ?? 0,
      (feature) => {
        const [elements, nonzero] = clarityVariants(feature);
        return `: clarity ${formatFixed(elements, 3)} by elements, ${formatFixed(nonzero, 3)} by activations other than 0${(nonzero ?? 0) > 1 ? ', above 1' : ''}`;
      },
    ),
    nowhere: 'no feature here has a clarity by the literal norm',
  },
  {
    about: 'Gate',
    note: 'faithfulness is a score of every feature',
    code: 'measures it only where clarity and responsiveness are at least ½; this page measures it always',
    at: createLargestFinder(
      ({ gate, steered }) => (gate ? 0 : (steered?.faithfulness ?? 0)),
      ({ steered }) => `: faithfulness ${formatFixed(steered?.faithfulness, 3)}, which the code would not have measured`,
    ),
    nowhere: 'no feature steered so far is faithful and stopped by the gate',
  },
  {
    about: 'Factor that is reported',
    note: 'the factor at which the share is largest',
    code: 'the largest factor of all, whatever happened there',
    at: createLargestFinder(
      ({ steered }) => (steered?.best_factor == null || steered.best_factor === steered.largest_factor ? 0 : steered.faithfulness),
      ({ steered }) =>
        `: ${formatFactor(steered?.best_factor ?? 0)} in the paper, ${formatFactor(steered?.largest_factor ?? 0)} as implemented`,
    ),
    nowhere: 'no feature steered so far has its largest share elsewhere',
  },
  {
    about: 'Everything expresses it already',
    note: 'silent: 1 − R₀ is 0 below the line; 0 here',
    code: 'divides by 0 and writes NaN',
    at: createLargestFinder(
      ({ steered }) => (steered?.saturated ? 1 : 0),
      () => '',
    ),
    nowhere: 'no feature steered so far: some continuation at factor 0 always does without the concept',
  },
  {
    about: 'Common concepts (not a difference: both)',
    note: 'clarity compares with all natural texts, those that have the concept among them',
    code: 'the same, so that a perfect detector of a common concept may fail the gate',
    at: createLargestFinder(
      (feature) => (feature.case === 'best' ? 1 - feature.ceiling : 0),
      ({ clarity, ceiling }) => `: ${formatFixed(clarity.code, 3)}, of ${formatFixed(ceiling, 3)} that a perfect detector would have`,
    ),
    nowhere: 'no concept here is common',
  },
];

/** @param {(index: number) => void} onOpen opens a feature and goes there */
export function createDifferencesTable(onOpen) {
  const rows = DIFFERENCES.map((difference) => {
    const { about, note, code } = difference;
    const place = el('td', { 'data-label': 'Seen here' });
    let index = -1;
    const button = createButton('', { class: 'quiet' }, () => onOpen(index));
    return {
      line: el('tr', {}, el('th', { scope: 'row' }, about), el('td', { 'data-label': 'Paper' }, note), el('td', { 'data-label': 'Implementation' }, code), place),
      /** @param {readonly FadeFeature[]} features */
      show(features) {
        const found = difference.at(features);
        if (!found) {
          place.replaceChildren(difference.nowhere);
          return;
        }
        index = found.index;
        if (button.textContent !== found.words) button.textContent = found.words;
        if (button.parentElement !== place) place.replaceChildren(button);
      },
    };
  });
  const heads = ['', 'Paper', 'Implementation', 'Example'];
  const table = createDataTable('Where paper and implementation differ', heads, rows.map(({ line }) => line));
  const element = el('div', { class: 'fade-scroll', id: 'fade-differences' }, table);
  setScrollRegion(element, 'Both readings, side by side');
  return {
    element,
    /** @param {readonly FadeFeature[]} features */
    show(features) {
      for (const row of rows) row.show(features);
    },
  };
}
