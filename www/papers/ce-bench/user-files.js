// @ts-check
/** What readers bring: results that CE-Bench's program left, and activations of their own story pairs. */

import { createUserFilesPlace, listRefusals, createBytesTask } from '../../study/drop-zone.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { formatWhole } from '../../shell/number-format.js';
import { el } from '../../shell/dom.js';
import { formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('../../types/core.d.ts').CeBenchResultsReport} Results */
/** @typedef {import('../../types/core.d.ts').CeBenchOwnReport} Own */
/** @typedef {import('../../types/core.d.ts').GivenRow} GivenRow */

/** @param {number | null | undefined} value */
const formatScore = (value) => formatFixed(value, 3);
/** @param {boolean | null} value */
const formatYesNo = (value) => (value === null ? '–' : value ? 'yes' : 'no');

/** @typedef {{ contrastive?: number | null, independence?: number | null, interpretability?: number | null }} Scored */
/** @template Row @typedef {import('../../shell/scroll-region.js').Column<Row>} Column */

/** @type {Column<Scored>[]} */
const SCORE_COLUMNS = [
  ['contrastive', 'right', ({ contrastive }) => formatScore(contrastive)],
  ['independence', 'right', ({ independence }) => formatScore(independence)],
  ['interpretability', 'right', ({ interpretability }) => formatScore(interpretability)],
];
/** @type {Column<{ bound?: number | null, interpretability_share?: number | null }>[]} */
const BOUND_COLUMNS = [
  ['bound', 'right', ({ bound }) => formatScore(bound)],
  ['interpretability ÷ bound', 'right', ({ interpretability_share: share }) => formatScore(share)],
];

/** What was not read, and why; what else a reader must know. @param {readonly GivenRow[]} files @param {readonly string[]} notes */
function createRemarks(files, notes) {
  const all = [...listRefusals(files).map((text) => el('li', { class: 'error' }, text)), ...notes.map((text) => el('li', {}, text))];
  return all.length > 0 ? [el('ul', { class: 'ce-notes' }, ...all)] : [];
}

/** @param {Results} report */
function createResultsReport({ rows, claim, files, notes }) {
  const { files: all, holds, above_both: above } = claim;
  const range =
    claim.least === null || claim.greatest === null
      ? ''
      : ` It differs from that sum by ${formatScore(claim.greatest)} to ${formatScore(claim.least)}.`;
  const beyond = claim.above_bound > 0 ? ` In ${claim.above_bound} a score is above what its width allows.` : '';
  const claimed = `The sum holds in ${holds} of ${all} file${all === 1 ? '' : 's'}: there interpretability is contrastive plus independence. In ${above} it is above the larger of the two.${range}${beyond}`;
  return [
    el('p', { class: 'ce-claim' }, claimed),
    ...createRemarks(files, notes),
    createRecordTable(
      'Results, the largest share of their bound first',
      [
        ['rank', 'right', ({ rank }) => formatWhole(rank)],
        ['autoencoder', 'left', ({ sae }) => sae],
        ['latents', 'right', ({ latents }) => formatWhole(latents)],
        ['pairs', 'right', ({ pairs }) => formatWhole(pairs)],
        ...SCORE_COLUMNS,
        ['sum of the two', 'right', ({ sum }) => formatScore(sum)],
        ['sum holds', 'left', ({ sum_holds: sumHolds }) => formatYesNo(sumHolds)],
        ...BOUND_COLUMNS,
      ],
      rows,
    ),
  ];
}

/** @param {Own} report */
function createScoresReport({ readings, pairs, files, notes, latents }) {
  const scored = pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`;
  return [
    el('p', { class: 'ce-claim' }, `${scored} of ${latents} latents, in every reading that the files allow.`),
    ...createRemarks(files, notes),
    createRecordTable(
      'Your scores, means over the pairs',
      [
        ['reading', 'left', ({ reading }) => reading],
        ['marks', 'left', ({ reads_marks: marked }) => (marked ? 'with marks' : 'without marks')],
        ['pairs', 'right', ({ pairs: count }) => formatWhole(count)],
        ...SCORE_COLUMNS,
        ...BOUND_COLUMNS,
        ['', 'left', ({ why }) => why ?? ''],
      ],
      readings,
    ),
    createRecordTable(
      'Every pair of yours',
      [
        ['pair', 'left', ({ pair }) => pair || '1'],
        ['subject', 'left', ({ subject }) => subject ?? '–'],
        ['tokens', 'right', ({ tokens }) => tokens.join(' + ')],
        ['marked', 'right', ({ marked }) => marked?.join(' + ') ?? '–'],
        ['reading', 'left', ({ reading }) => reading],
        ...SCORE_COLUMNS,
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
export function createUserFilesPlaces(tools, { leaderboard, own }) {
  createUserFilesPlace(tools, {
    place: leaderboard,
    id: 'ce-bench-results-drop',
    words: 'Drop results.json files, or the folder interpretability_eval: they stay in this page.',
    wanted: /\.json$/i,
    accept: '.json',
    ask: createBytesTask('ce_results'),
    show: createResultsReport,
  });
  createUserFilesPlace(tools, {
    place: own,
    id: 'ce-bench-own-drop',
    words: 'Drop activations of your story pairs, with marks or stories: they stay in this page.',
    wanted: /\.(npy|npz|safetensors|csv|jsonl?)$/i,
    accept: '.npy,.npz,.safetensors,.csv,.json,.jsonl',
    ask: createBytesTask('ce_own'),
    show: createScoresReport,
  });
}
