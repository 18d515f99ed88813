// @ts-check
/** What a reader brings: per-prompt numbers, results under several seeds, curves and circuits, measured in both readings. */

import { createUserFilesPlace, createBytesTask } from '../../study/drop-zone.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { createButton, el } from '../../shell/dom.js';
import { saveJson } from '../../shell/download.js';

/** @typedef {ReturnType<Lab['measure_own']>} Found */

/** Longer lists are in what can be saved. */
const LIST_LENGTH_MAX = 16;
/** Rows of a table that are shown. */
const ROWS_MAX = 400;

/** @type {Record<string, string>} */
const METRIC_LABELS = {
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
function formatNumber(value) {
  const text = Number.isInteger(value) || (value !== 0 && Math.abs(value) < 1e-4) ? String(value) : value.toFixed(4);
  return text.replace('-', '−');
}

/**
 * A row a quantity, names within another joined by dots.
 *
 * @param {string} name @param {unknown} value @returns {string[][]}
 */
function flattenRows(name, value) {
  if (Array.isArray(value)) {
    const long = value.length > LIST_LENGTH_MAX || value.some(Array.isArray);
    return long ? [[name, `${value.length} values`]] : value.flatMap((one, at) => flattenRows(`${name} ${at + 1}`, one));
  }
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => flattenRows(`${name} ${key.replaceAll('_', ' ')}`.trim(), one));
  if (typeof value === 'number') return [[name, formatNumber(value)]];
  if (typeof value === 'boolean') return [[name, value ? 'yes' : 'no']];
  return [[name, value === null ? '–' : String(value)]];
}

/** @param {Found} found @param {(text: string) => void} announce */
function createReport(found, announce) {
  const button = createButton('Download as JSON', { class: 'quiet', id: 'measure-own-json' }, () =>
    saveJson('sfc-bench-measure-own.json', found, announce),
  );
  const tables = found.map(([name, { metric, found: what }]) => {
    const rows = flattenRows('', what);
    const more = rows.length > ROWS_MAX ? `, the first ${ROWS_MAX} of ${rows.length} numbers` : '';
    return createRecordTable(
      `${name}: ${METRIC_LABELS[metric] ?? metric}${more}`,
      [
        ['quantity', 'left', ([quantity = '']) => quantity],
        ['value', 'right', ([, value = '']) => value],
      ],
      rows.slice(0, ROWS_MAX),
    );
  });
  return [el('p', { class: 'families-go' }, button), ...tables];
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place
 */
export function createUserMeasurement(tools, { place }) {
  createUserFilesPlace(tools, {
    place,
    id: 'measure-own-drop',
    words: 'Drop tables, arrays, results or circuits: they stay in this page.',
    wanted: /\.(csv|npy|npz|safetensors|jsonl?|ndjson|txt|pkl)$/i,
    accept: '.csv,.npy,.npz,.safetensors,.json,.jsonl,.txt',
    ask: createBytesTask('measure_own'),
    show: (/** @type {Found} */ found) => createReport(found, tools.announce),
  });
}
