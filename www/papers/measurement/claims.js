// @ts-check
/** What the page of the fifteen metrics claims, a line each, with what becomes of it. */

import { createClaimLine, createVerdictMark } from '../../study/claim-verdict.js';

/** @typedef {import('../../types/core.d.ts').MeasurementClaim} Claim */

/** @type {Record<Claim['standing'], import('../../study/claim-verdict.js').Verdict>} */
const STANDING_VERDICTS = {
  follows: { words: 'follows', sign: '✓', kind: 'agrees' },
  contradicted: { words: 'contradicted', sign: '✗', kind: 'differs' },
  'not-derivable': { words: 'cannot be derived', sign: '?', kind: 'partly' },
};

/** @param {HTMLElement} list @param {readonly Claim[]} claims */
export function showClaims(list, claims) {
  list.replaceChildren(
    ...claims.map(({ metric, says, standing, found }) =>
      createClaimLine(createVerdictMark(STANDING_VERDICTS[standing]), metric.toUpperCase(), says, found),
    ),
  );
}
