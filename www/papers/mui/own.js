// @ts-check
/** The law over a reader's own models. */

import { createGiven, scrollingTable } from '../../little/given-place.js';
import { el } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').MuiOwnLaw} Found */

/** Rows that are shown; the law is over all. */
const MOST = 200;

/** @param {number | null} value @param {number} [digits] */
const digits = (value, digits = 3) => (value === null ? '–' : value.toFixed(digits).replace('-', '−'));

/** @param {Found} found */
function show({ points, law }) {
  const { a, b, r, p, models, at_100: at } = law;
  const chance = p === null ? 'no p-value' : p < 0.001 ? 'p < 0.001' : `p = ${digits(p)}`;
  const slope = a < 0 ? 'falls with rising performance' : a > 0 ? 'rises with performance' : 'does not change with performance';
  const said = `Over ${models} models the index ${slope}: MUI = ${digits(a)} ln P ${b < 0 ? '−' : '+'} ${digits(Math.abs(b))}, r = ${digits(r)}, ${chance}; ${digits(at, 2)} % at P = 100.`;
  return [
    el('p', { class: 'ce-claim' }, said),
    ...(law.notes.length > 0 ? [el('ul', { class: 'ce-notes' }, ...law.notes.map((note) => el('li', {}, note)))] : []),
    scrollingTable(
      points.length > MOST ? `The first ${MOST} of your ${points.length} models` : 'Your models',
      [
        ['model', 'left'],
        ['performance (%)', 'right'],
        ['MUI (%)', 'right'],
        ['the law’s', 'right'],
      ],
      points.slice(0, MOST).map(({ model, performance, index }) => [
        model,
        digits(performance, 1),
        digits(index, 2),
        digits(a * Math.log(performance) + b, 2),
      ]),
    ),
  ];
}

/** @param {{ place: HTMLElement, pool: import('../../workers/pool.js').Pool, announce: (text: string) => void }} parts */
export function createOwnLaw({ place, pool, announce }) {
  createGiven({
    place,
    id: 'mui-own-drop',
    words: 'Drop a table of your models: it stays in this page.',
    wanted: /\.csv$/i,
    accept: '.csv',
    call: 'mui_own',
    show,
    pool,
    announce,
  });
}
