// @ts-check
/** What readers bring: results that CE-Bench's program left, and activations of their own story pairs. */

import { createGiven, refusals, scrollingTable, withBytes } from '../../little/given-place.js';
import { whole } from '../../little/number-format.js';
import { el } from '../../shell/dom.js';
import { rounded } from '../../shell/grouped.js';

/** @typedef {import('../../types/core.d.ts').CeBenchResultsReport} Results */
/** @typedef {import('../../types/core.d.ts').CeBenchOwnReport} Own */
/** @typedef {import('../../types/core.d.ts').GivenRow} GivenRow */

/** @param {number | null | undefined} value */
const three = (value) => rounded(value, 3);
/** @param {boolean | null} value */
const yes = (value) => (value === null ? '–' : value ? 'yes' : 'no');

/** @typedef {{ contrastive?: number | null, independence?: number | null, interpretability?: number | null }} Scored */
/** @template Row @typedef {import('../../little/given-place.js').Column<Row>} Column */

/** @type {Column<Scored>[]} */
const SCORES = [
  ['contrastive', 'right', ({ contrastive }) => three(contrastive)],
  ['independence', 'right', ({ independence }) => three(independence)],
  ['interpretability', 'right', ({ interpretability }) => three(interpretability)],
];
/** @type {Column<{ bound?: number | null, interpretability_share?: number | null }>[]} */
const OF_BOUND = [
  ['bound', 'right', ({ bound }) => three(bound)],
  ['interpretability ÷ bound', 'right', ({ interpretability_share: share }) => three(share)],
];

/** What was not read, and why; what else a reader must know. @param {readonly GivenRow[]} files @param {readonly string[]} notes */
function remarks(files, notes) {
  const all = [...refusals(files).map((text) => el('li', { class: 'error' }, text)), ...notes.map((text) => el('li', {}, text))];
  return all.length > 0 ? [el('ul', { class: 'ce-notes' }, ...all)] : [];
}

/** @param {Results} report */
function resultsOf({ rows, claim, files, notes }) {
  const { files: all, holds, above_both: above } = claim;
  const range =
    claim.least === null || claim.greatest === null
      ? ''
      : ` It differs from that sum by ${three(claim.greatest)} to ${three(claim.least)}.`;
  const beyond = claim.above_bound > 0 ? ` In ${claim.above_bound} a score is above what its width allows.` : '';
  const claimed = `The sum holds in ${holds} of ${all} file${all === 1 ? '' : 's'}: there interpretability is contrastive plus independence. In ${above} it is above the larger of the two.${range}${beyond}`;
  return [
    el('p', { class: 'ce-claim' }, claimed),
    ...remarks(files, notes),
    scrollingTable(
      'Results, the largest share of their bound first',
      [
        ['rank', 'right', ({ rank }) => whole(rank)],
        ['autoencoder', 'left', ({ sae }) => sae],
        ['latents', 'right', ({ latents }) => whole(latents)],
        ['pairs', 'right', ({ pairs }) => whole(pairs)],
        ...SCORES,
        ['sum of the two', 'right', ({ sum }) => three(sum)],
        ['sum holds', 'left', ({ sum_holds: sumHolds }) => yes(sumHolds)],
        ...OF_BOUND,
      ],
      rows,
    ),
  ];
}

/** @param {Own} report */
function ownOf({ readings, pairs, files, notes, latents }) {
  const scored = pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`;
  return [
    el('p', { class: 'ce-claim' }, `${scored} of ${latents} latents, in every reading that the files allow.`),
    ...remarks(files, notes),
    scrollingTable(
      'Your scores, means over the pairs',
      [
        ['reading', 'left', ({ reading }) => reading],
        ['marks', 'left', ({ reads_marks: marked }) => (marked ? 'with marks' : 'without marks')],
        ['pairs', 'right', ({ pairs: count }) => whole(count)],
        ...SCORES,
        ...OF_BOUND,
        ['', 'left', ({ why }) => why ?? ''],
      ],
      readings,
    ),
    scrollingTable(
      'Every pair of yours',
      [
        ['pair', 'left', ({ pair }) => pair || '1'],
        ['subject', 'left', ({ subject }) => subject ?? '–'],
        ['tokens', 'right', ({ tokens }) => tokens.join(' + ')],
        ['marked', 'right', ({ marked }) => marked?.join(' + ') ?? '–'],
        ['reading', 'left', ({ reading }) => reading],
        ...SCORES,
        ['winning latent', 'right', ({ contrastive_latent: latent }) => String(latent)],
      ],
      pairs.flatMap((pair) => pair.scores.map((of) => ({ ...pair, ...of }))),
    ),
  ];
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.leaderboard empty
 * @param {HTMLElement} parts.own empty
 */
export function createGivenPlaces(tools, { leaderboard, own }) {
  createGiven(tools, {
    place: leaderboard,
    id: 'ce-bench-results-drop',
    words: 'Drop results.json files, or the folder interpretability_eval: they stay in this page.',
    wanted: /\.json$/i,
    accept: '.json',
    ask: withBytes('ce_results'),
    show: resultsOf,
  });
  createGiven(tools, {
    place: own,
    id: 'ce-bench-own-drop',
    words: 'Drop activations of your story pairs, with marks or stories: they stay in this page.',
    wanted: /\.(npy|npz|safetensors|csv|jsonl?)$/i,
    accept: '.npy,.npz,.safetensors,.csv,.json,.jsonl',
    ask: withBytes('ce_own'),
    show: ownOf,
  });
}
