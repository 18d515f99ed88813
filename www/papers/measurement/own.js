// @ts-check
/** What a reader brings: per-prompt numbers, results under several seeds, curves and circuits, measured in both readings. */

import { createGiven, scrollingTable, withBytes } from '../../little/given-place.js';
import { createButton, el } from '../../shell/dom.js';
import { saveJson } from '../../shell/save.js';

/** @typedef {ReturnType<Lab['measure_own']>} Found */

/** Longer lists are in what can be saved. */
const LISTED = 16;
/** Rows of a table that are shown. */
const MOST = 400;

/** @type {Record<string, string>} */
const WHAT = {
  ex1: 'EX1, d′',
  ex2: 'EX2, groups',
  ex24: 'EX24, audit',
  seeds: 'EX24, several seeds',
  ex25: 'EX25, runs',
  mib: 'MIB, faithfulness curve',
  m07: 'M07, two autoencoders',
  m11: 'M11, a small one in a large one',
  m12: 'M12, adaptive sparsity',
  m13: 'M13, superposition',
  circuit: 'a circuit',
  results: 'results',
  delphi: 'scores of explanations',
  neuronpedia: 'exported latents',
};

/** As people write it. @param {number} value */
function number(value) {
  const text = Number.isInteger(value) || (value !== 0 && Math.abs(value) < 1e-4) ? String(value) : value.toFixed(4);
  return text.replace('-', '−');
}

/**
 * A row a quantity, names within another joined by dots.
 *
 * @param {string} name @param {unknown} value @returns {string[][]}
 */
function rowsOf(name, value) {
  if (Array.isArray(value)) {
    const long = value.length > LISTED || value.some(Array.isArray);
    return long ? [[name, `${value.length} values`]] : value.flatMap((one, at) => rowsOf(`${name} ${at + 1}`, one));
  }
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => rowsOf(`${name} ${key.replaceAll('_', ' ')}`.trim(), one));
  if (typeof value === 'number') return [[name, number(value)]];
  if (typeof value === 'boolean') return [[name, value ? 'yes' : 'no']];
  return [[name, value === null ? '–' : String(value)]];
}

/** @param {Found} found @param {(text: string) => void} announce */
function show(found, announce) {
  const button = createButton('Download as JSON', { class: 'quiet', id: 'measure-own-json' }, () =>
    saveJson('sfc-bench-measure-own.json', found, announce),
  );
  const tables = found.map(([name, { metric, found: what }]) => {
    const rows = rowsOf('', what);
    const more = rows.length > MOST ? `, the first ${MOST} of ${rows.length} numbers` : '';
    return scrollingTable(
      `${name}: ${WHAT[metric] ?? metric}${more}`,
      [
        ['quantity', 'left', ([quantity = '']) => quantity],
        ['value', 'right', ([, value = '']) => value],
      ],
      rows.slice(0, MOST),
    );
  });
  return [el('p', { class: 'families-go' }, button), ...tables];
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place
 */
export function createOwn(tools, { place }) {
  createGiven(tools, {
    place,
    id: 'measure-own-drop',
    words: 'Drop tables, arrays, results or circuits: they stay in this page.',
    wanted: /\.(csv|npy|npz|safetensors|jsonl?|ndjson|txt|pkl)$/i,
    accept: '.csv,.npy,.npz,.safetensors,.json,.jsonl,.txt',
    ask: withBytes('measure_own'),
    show: (/** @type {Found} */ found) => show(found, tools.announce),
  });
}
