// @ts-check
/** What the highest faithfulness is worth: what the model wrote there. */

import { formatFixed } from '../../shell/basic-format.js';
import { PREFIX_LENGTH } from './words.js';

/** Words of a continuation that a claim quotes. */
const QUOTE_WORDS = 6;

const LIST_FORMAT = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** How many different words a text has, on average over some texts. @param {readonly (readonly number[])[]} texts */
const meanDistinctWords = (texts) => texts.reduce((sum, text) => sum + new Set(text).size, 0) / texts.length;

/** What is printed as the same score is the same. */
const SCORE_DIGITS = 2;

/**
 * The features of the highest faithfulness, with what the model wrote at the factors that give it and how many different
 * words that has, steered and not; null before any is steered, and where none is
 * above 0.
 *
 * @param {import('../../types/core.d.ts').FadeReport} report
 */
function findMostFaithful({ features, settings }) {
  const highest = Math.max(...features.map(({ steered }) => steered?.faithfulness ?? -1));
  // At 0 nothing is faithful, and nothing is to be said of the highest.
  if (highest <= 0) return null;
  const shown = formatFixed(highest, SCORE_DIGITS);
  const best = features.filter(({ steered }) => steered && formatFixed(steered.faithfulness, SCORE_DIGITS) === shown);
  /** @param {typeof best[number]} feature @param {number} factor */
  const written = ({ steered }, factor) =>
    (steered?.written[settings.factors.indexOf(factor)] ?? []).map((tokens) => tokens.slice(PREFIX_LENGTH));
  const steered = best.map((feature) => written(feature, feature.steered?.best_factor ?? NaN));
  const length = steered.flat()[0]?.length;
  if (!length) return null;
  const unsteered = best.flatMap((feature) => written(feature, 0));
  return { shown, best, steered, length, different: meanDistinctWords(steered.flat()), unsteered: meanDistinctWords(unsteered) };
}

/**
 * What the highest faithfulness is worth, in a sentence; null before any feature is steered.
 *
 * @param {import('../../types/core.d.ts').FadeReport} report
 * @param {Language} language
 */
export function faithfulnessSentence(report, { words }) {
  const found = findMostFaithful(report);
  if (!found) return null;
  const quotes = found.best.map((feature, at) => {
    const tokens = found.steered[at]?.[0]?.slice(0, QUOTE_WORDS) ?? [];
    const wrote = tokens.map((token) => words[token] ?? '?').join(' ');
    return `latent ${feature.latent} for “${feature.concept.replace(/[“”]/g, '')}” (${at === 0 ? 'steered, the model writes ' : ''}“${wrote} …”)`;
  });
  return (
    `Faithfulness is highest, ${found.shown}, at ${LIST_FORMAT.format(quotes)}. Only ` +
    `${found.different.toFixed(1)} of ${found.length} generated words are distinct there on average, against ${found.unsteered.toFixed(1)} unsteered.`
  );
}
