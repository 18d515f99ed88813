// @ts-check
/** A reader's own models: the neurons that their answers use, or a table of models and the law over it. */

import { createUserFilesPlace } from '../../study/drop-zone.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { formatRounded, formatWhole } from '../../shell/number-format.js';
import { createButton, el, handleSubmit } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { saveBlob } from '../../shell/download.js';

/** @typedef {import('../../types/core.d.ts').MuiOwn} Found */
/** @typedef {import('../../types/core.d.ts').MuiOwnLaw} Law */
/** @typedef {import('../../types/core.d.ts').MuiNeurons} Neurons */
/** @typedef {import('../../types/core.d.ts').MuiOwnWanted} Wanted */

/** Rows that are shown; the law is over all. */
const ROWS_MAX = 200;

/** A share in percent. @param {number | null} share */
const formatPercent = (share) => (share === null ? '–' : formatRounded(100 * share, 100 * share > 0 && 100 * share < 0.1 ? 4 : 2));

/** @param {string} text */
const createClaim = (text) => el('p', { class: 'ce-claim' }, text);

/** @param {Law} found */
function createLawReport({ points, law }) {
  const { a, b, r, p, models, at_100: at } = law;
  const chance = p === null ? 'no p-value' : p < 0.001 ? 'p < 0.001' : `p = ${formatRounded(p)}`;
  const slope = a < 0 ? 'falls with rising performance' : a > 0 ? 'rises with performance' : 'does not change with performance';
  return [
    createClaim(
      `Over ${models} models the index ${slope}: MUI = ${formatRounded(a)} ln P ${b < 0 ? '−' : '+'} ${formatRounded(Math.abs(b))}, r = ${formatRounded(r)}, ${chance}; ${formatRounded(at, 2)} % at P = 100.`,
    ),
    createRecordTable(
      points.length > ROWS_MAX ? `The first ${ROWS_MAX} of your ${points.length} models` : 'Your models',
      [
        ['model', 'left', ({ model }) => model],
        ['performance (%)', 'right', ({ performance }) => formatRounded(performance, 1)],
        ['MUI (%)', 'right', ({ index }) => formatRounded(index, 2)],
        ['the law’s', 'right', ({ performance }) => formatRounded(a * Math.log(performance) + b, 2)],
      ],
      points.slice(0, ROWS_MAX),
    ),
  ];
}

/** What is found in one file. @param {Neurons} found */
function createNeuronTables({ file, thresholds, by_layer: layers, equally }) {
  const tables = [];
  if (equally) {
    const { answers, right, wrong } = equally;
    const numbers = `right ones use ${formatPercent(right)} %, wrong ones ${formatPercent(wrong)} %`;
    tables.push(el('p', {}, `${file}: of ${answers} answers each, in the mean over all choices of so many, ${numbers}.`));
  }
  if (thresholds.length > 0)
    tables.push(
      createRecordTable(
        `${file}: the index at other thresholds`,
        [
          ['threshold', 'left', ({ threshold }) => threshold],
          ['MUI (%)', 'right', ({ mui }) => formatPercent(mui)],
          ['the code’s (%)', 'right', ({ mui_code: code }) => formatPercent(code)],
        ],
        thresholds,
      ),
    );
  tables.push(
    createRecordTable(
      `${file}: what share of each layer is used`,
      [
        ['layer', 'right', (_, layer) => String(layer)],
        ['used (%)', 'right', formatPercent],
      ],
      layers.slice(0, ROWS_MAX),
    ),
  );
  return tables;
}

/** @param {Found} found */
function createFileTables({ files, steps }) {
  if (files.length === 0) return [];
  const tables = [
    createRecordTable(
      'Your files of neurons',
      [
        ['file', 'left', ({ file }) => file],
        ['answers', 'right', ({ answers }) => formatWhole(answers)],
        ['layers', 'right', ({ layers }) => String(layers)],
        ['neurons', 'right', ({ neurons }) => String(neurons)],
        ['counts as used', 'left', ({ threshold }) => threshold ?? 'as the file says'],
        ['MUI (%)', 'right', ({ mui }) => formatPercent(mui)],
        ['the code’s (%)', 'right', ({ mui_code: code }) => formatPercent(code)],
        ['random (%)', 'right', ({ by_lot: random }) => formatPercent(random)],
        ['performance (%)', 'right', ({ performance }) => formatRounded(performance, 1)],
        ['MUI, right answers (%)', 'right', ({ mui_correct: correct }) => formatPercent(correct)],
        ['PUR', 'right', ({ pur }) => formatRounded(pur, 2)],
      ],
      files,
    ),
  ];
  if (steps.length > 0)
    tables.push(
      createRecordTable(
        'From file to file, at equally many answers',
        [
          ['from', 'left', ({ from }) => from],
          ['to', 'left', ({ to }) => to],
          ['answers', 'right', ({ answers }) => formatWhole(answers)],
          ['MUI before (%)', 'right', ({ mui }) => formatPercent(mui[0])],
          ['after (%)', 'right', ({ mui }) => formatPercent(mui[1])],
          ['direction', 'left', ({ direction }) => direction ?? '–'],
          ['used by both, of either (%)', 'right', ({ jaccard }) => formatPercent(jaccard)],
          ['random (%)', 'right', ({ jaccard_by_lot: random }) => formatPercent(random)],
        ],
        steps,
      ),
    );
  return [...tables, ...files.flatMap(createNeuronTables)];
}

/** @param {Found} found */
function createProportionTables({ proportions }) {
  if (proportions.length === 0) return [];
  return [
    createRecordTable(
      'What MUI-Eval reports',
      [
        ['model', 'left', ({ model }) => model],
        ['task', 'left', ({ task }) => task],
        ['scored by', 'left', ({ scored_by: by }) => by ?? '–'],
        ['threshold', 'left', ({ mode, value }) => `${mode} ${value}`],
        ['MUI (%)', 'right', ({ mui }) => formatPercent(mui)],
        ['anew (%)', 'right', ({ recomputed }) => formatPercent(recomputed)],
      ],
      proportions.slice(0, ROWS_MAX),
    ),
  ];
}

/** @param {Found} found @param {HTMLElement} growth where its figure is */
function createReport(found, growth) {
  return [
    ...found.said.map(createClaim),
    ...(found.law ? createLawReport(found.law) : []),
    ...(found.notes.length > 0 ? [el('ul', { class: 'ce-notes' }, ...found.notes.map((note) => el('li', {}, note)))] : []),
    growth,
    ...createFileTables(found),
    ...createProportionTables(found),
  ];
}

/** What is asked of the reader, since no file may say it. */
const FIELD_LABELS = /** @type {const} */ ([
  ['layers', 'Layers of the model'],
  ['neurons', 'Neurons of each layer'],
  ['k', 'k (empty: a thousandth)'],
  ['accuracy', 'Accuracy of each file (%)'],
]);

/** The fields, and what they hold; the core judges it. */
function createFields() {
  const fields = FIELD_LABELS.map(([name, label]) =>
    createField({ kind: name === 'accuracy' ? 'list' : 'number', id: `mui-own-${name}`, name, label, className: 'field number' }),
  );
  const form = el(
    'form',
    { class: 'families-controls ce-settings', novalidate: true, 'aria-label': 'What your files do not say' },
    ...fields.map(({ element }) => element),
  );
  /** @returns {Wanted} */
  function wanted() {
    const filled = fields.filter(({ input }) => input.value.trim() !== '');
    return Object.fromEntries(filled.map(({ name, value }) => [name, value()]));
  }
  return { form, wanted };
}

/** Buttons that save what was found. @param {import('../../shell/page-setup.js').PageTools} tools @param {Found} found */
function createSaveButtons({ core, announce }, found) {
  const ways = /** @type {const} */ ([
    ['json', 'application/json', () => `${JSON.stringify(found, null, 2)}\n`],
    ['csv', 'text/csv;charset=utf-8', () => core.mui_own_csv(found)],
  ]);
  const buttons = ways.map(([format, type, text]) => {
    return createButton(`Download as ${format.toUpperCase()}`, { class: 'quiet', id: `mui-own-${format}` }, () =>
      saveBlob(`sfc-bench-mui-own.${format}`, new Blob([text()], { type }), announce),
    );
  });
  return el('p', { class: 'families-go' }, ...buttons);
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {() => number} parts.alpha
 * @param {HTMLElement} parts.growth a figure, which stands before the tables
 * @param {(found: Found) => void} parts.onFound
 */
export function createUserModels(tools, { place, alpha, growth, onFound }) {
  const { form, wanted } = createFields();
  place.append(form);
  const { again } = createUserFilesPlace(tools, {
    place,
    id: 'mui-own-drop',
    words: 'Drop files of neurons or a table of your models: they stay in this page.',
    wanted: /\.(jsonl|ndjson|json|csv|npy|npz|safetensors)$/i,
    accept: '.jsonl,.ndjson,.json,.csv,.npy,.npz,.safetensors',
    ask: (files) => ({ kind: 'study-own', call: 'mui_own', files, wanted: { ...wanted(), alpha: alpha() } }),
    show(/** @type {Found} */ found) {
      onFound(found);
      return [createSaveButtons(tools, found), ...createReport(found, growth)];
    },
  });
  form.addEventListener('change', again);
  handleSubmit(form, again);
}
