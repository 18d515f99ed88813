// @ts-check
/** What the paper claims of its tables, a line each, with what becomes of it. */

import { el } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').MuiClaim} Claim */

/** @type {Record<Claim['verdict'], { words: string, sign: string, kind: string }>} */
const VERDICTS = {
  holds: { words: 'holds', sign: '✓', kind: 'agrees' },
  partly: { words: 'in part', sign: '◐', kind: 'partly' },
  fails: { words: 'does not hold', sign: '✗', kind: 'differs' },
  open: { words: 'open', sign: '?', kind: 'partly' },
};

/** @param {Claim} claim */
function line({ place, says, verdict, found, count }) {
  const { words, sign, kind } = VERDICTS[verdict];
  const cases = count ? `, ${count[0]} of ${count[1]}` : '';
  return el(
    'li',
    {},
    el('p', { class: `mui-verdict ${kind}` }, el('span', { 'aria-hidden': 'true' }, `${sign} `), `${words}${cases}`),
    el('p', { class: 'mui-says' }, el('span', { class: 'mui-place' }, `${place}. `), says),
    el('p', { class: 'help' }, found),
  );
}

/** @param {HTMLElement} list @param {readonly Claim[]} claims */
export function showClaims(list, claims) {
  list.replaceChildren(...claims.map(line));
}
