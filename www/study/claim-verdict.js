// @ts-check
/** What becomes of what a paper claims: a word with its sign, and a line a claim. */

import { el, createVisualText } from '../shell/dom.js';

/** A word, its sign, and which of three colours it has. @typedef {{ words: string, sign: string, kind: string }} Verdict */

/** @param {Verdict} verdict @param {string} [words] where more is said than its word */
export const createVerdictMark = ({ words: usual, sign, kind }, words = usual) =>
  el('span', { class: `mui-verdict ${kind}` }, createVisualText(`${sign} `), words);

/** @param {HTMLElement} verdict @param {string} place where it is claimed @param {string} says @param {string} found */
export const createClaimLine = (verdict, place, says, found) =>
  el(
    'li',
    {},
    el('p', {}, verdict),
    el('p', {}, el('span', { class: 'mui-place' }, `${place}. `), says),
    el('p', { class: 'help' }, found),
  );
