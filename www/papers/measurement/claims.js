// @ts-check
/** What the page of the fifteen metrics claims, a line each, with what becomes of it. */

import { el } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').MeasurementClaim} Claim */

/** @type {Record<Claim['standing'], { words: string, sign: string, kind: string }>} */
const STANDINGS = {
  follows: { words: 'follows', sign: '✓', kind: 'agrees' },
  contradicted: { words: 'contradicted', sign: '✗', kind: 'differs' },
  'not-derivable': { words: 'cannot be derived', sign: '?', kind: 'partly' },
};

/** @param {HTMLElement} list @param {readonly Claim[]} claims */
export function showClaims(list, claims) {
  list.replaceChildren(
    ...claims.map(({ metric, says, standing, found }) => {
      const { words, sign, kind } = STANDINGS[standing];
      return el(
        'li',
        {},
        el('p', {}, el('span', { class: `mui-verdict ${kind}` }, el('span', { 'aria-hidden': 'true' }, `${sign} `), words)),
        el('p', { class: 'mui-says' }, el('span', { class: 'mui-place' }, `${metric.toUpperCase()}. `), says),
        el('p', { class: 'help' }, found),
      );
    }),
  );
}
