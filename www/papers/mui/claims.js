// @ts-check
/** What the paper claims, a line each, with what becomes of it: by its own tables, and on the toy model. */

import { createCountCell, createCountTable } from '../../study/count-table.js';
import { createClaimLine, createVerdictMark } from '../../study/claim-verdict.js';
import { stripFullStop, el } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').MuiClaim} Claim */
/** @typedef {import('../../types/core.d.ts').MuiJudgement} Judgement */

/** @type {Record<Claim['verdict'], import('../../study/claim-verdict.js').Verdict>} */
const VERDICTS = {
  holds: { words: 'holds', sign: '✓', kind: 'agrees' },
  partly: { words: 'in part', sign: '◐', kind: 'partly' },
  fails: { words: 'contradicted', sign: '✗', kind: 'differs' },
  open: { words: 'open', sign: '?', kind: 'partly' },
};

/** In how many of its cases a claim holds, in words; nothing where they are not counted. @param {Claim} claim */
function casesSentence({ verdict, count }) {
  if (!count) return '';
  const [right, all] = count;
  return verdict === 'fails' ? `${all - right} of ${all} contradict it` : `${right} of ${all} agree`;
}

/** @param {Claim} claim */
function createLine(claim) {
  const { place, says, verdict, found } = claim;
  const cases = casesSentence(claim);
  return createClaimLine(createVerdictMark(VERDICTS[verdict], `${VERDICTS[verdict].words}${cases && `: ${cases}`}`), place, says, found);
}

/** How many claims there are of each verdict, with one of them. @type {[Claim['verdict'], string][]} */
const VERDICT_HEADINGS = [
  ['holds', 'Supported'],
  ['partly', 'Supported in part'],
  ['fails', 'Contradicted'],
  ['open', 'Cannot be checked'],
];

/** How the claims come out, as a table with the shortest of each that is counted. @param {readonly Claim[]} claims */
export function createClaimTable(claims) {
  const rows = VERDICT_HEADINGS.map(([verdict, words]) => {
    const of = claims.filter((claim) => claim.verdict === verdict);
    const counted = of.filter(casesSentence);
    const [example] = (counted.length > 0 ? counted : of).sort((a, b) => a.says.length - b.says.length);
    const cases = example && casesSentence(example);
    const says = example ? `${stripFullStop(example.says)}${cases && ` (${cases})`}` : '–';
    return [el('th', { scope: 'row' }, createVerdictMark(VERDICTS[verdict], words)), createCountCell(of.length, claims.length), el('td', {}, says)];
  });
  return createCountTable('How the paper’s claims come out by its own tables', ['By the paper’s own tables', 'Claims', 'One of them, in our words'], rows);
}

/** How the claims come out, in a sentence. @param {readonly Claim[]} claims */
export function claimCountsSentence(claims) {
  const of = (/** @type {Claim['verdict']} */ verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const open = of('open') > 0 ? `; ${of('open')} cannot be checked` : '';
  return `Of ${claims.length} claims, its tables support ${of('holds')}, support ${of('partly')} in part and contradict ${of('fails')}${open}.`;
}

/** @param {HTMLElement} list @param {readonly Claim[]} claims */
export function showClaims(list, claims) {
  list.replaceChildren(...claims.map(createLine));
}

/**
 * Says above a figure's caption what its numbers say of the paper's claims.
 *
 * @param {HTMLElement} view
 * @param {readonly Judgement[]} judgements
 */
export function showJudgements(view, judgements) {
  for (const old of view.querySelectorAll('.mui-judged')) old.remove();
  for (const { figure, claim, verdict, words, found } of judgements) {
    const caption = view.querySelector(`figure[data-figure="${figure}"] .figure-caption`);
    caption?.before(
      el('p', { class: 'mui-judged' }, createVerdictMark(VERDICTS[verdict], `${words}: `), `${found}. `, el('span', { class: 'mui-place' }, `${claim}.`)),
    );
  }
}
