// @ts-check
/** What the scores of faithfulness rest on: what the model wrote where it is highest. */

import { nameOf, score } from './words.js';

/** Words of a continuation that a claim quotes. */
const QUOTED = 6;
/** Words that a prefix has: what follows them was written. */
const PREFIX = 8;

/** The most common of some tokens, and its share. @param {readonly number[]} tokens */
function commonest(tokens) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const [[token, count] = [0, 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return { token, share: tokens.length === 0 ? 0 : count / tokens.length };
}

/**
 * The feature of the highest faithfulness, with what the model wrote at the factor that gives it; null before any is
 * steered.
 *
 * @param {import('../../types/core.d.ts').FadeReport} report
 * @param {Language} language
 */
export function faithfulClaim({ features, settings }, { words }) {
  const steered = features.filter(({ steered }) => steered?.faithfulness != null);
  const [best] = steered.sort((a, b) => (b.steered?.faithfulness ?? 0) - (a.steered?.faithfulness ?? 0));
  const found = best?.steered;
  if (!best || !found) return null;
  const at = settings.factors.indexOf(found.best_factor ?? NaN);
  const texts = (found.written[at] ?? []).map((tokens) => tokens.slice(PREFIX));
  const [text] = [...texts].sort((a, b) => commonest(b).share - commonest(a).share);
  if (!text) return null;
  const repeated = texts.filter((one) => commonest(one).share > 0.5).length;
  const quoted = text.slice(0, QUOTED).map((token) => words[token] ?? '?').join(' ');
  return (
    `The highest faithfulness, ${score(found.faithfulness ?? 0)}, is that of ${nameOf(best)}: steered there, the model writes “${quoted} …”` +
    `; one word makes up most of ${repeated} of ${texts.length} continuations shown.`
  );
}
