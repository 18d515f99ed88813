// @ts-check
/** A reader's own models: the neurons that their answers use, or a table of models and the law over it. */

import { createGiven, scrollingTable } from '../../little/given-place.js';
import { fixed, whole } from '../../little/number-format.js';
import { createButton, el, whenSubmitted } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { save } from '../../shell/save.js';

/** @typedef {import('../../types/core.d.ts').MuiOwn} Found */
/** @typedef {import('../../types/core.d.ts').MuiOwnLaw} Law */
/** @typedef {import('../../types/core.d.ts').MuiNeurons} Neurons */
/** @typedef {import('../../types/core.d.ts').MuiOwnWanted} Wanted */

/** Rows that are shown; the law is over all. */
const MOST = 200;

/** A share in percent. @param {number | null} share */
const percent = (share) => (share === null ? '–' : fixed(100 * share, 100 * share > 0 && 100 * share < 0.1 ? 4 : 2));

/** @param {string} text */
const claim = (text) => el('p', { class: 'ce-claim' }, text);

/** @param {Law} found */
function lawOf({ points, law }) {
  const { a, b, r, p, models, at_100: at } = law;
  const chance = p === null ? 'no p-value' : p < 0.001 ? 'p < 0.001' : `p = ${fixed(p)}`;
  const slope = a < 0 ? 'falls with rising performance' : a > 0 ? 'rises with performance' : 'does not change with performance';
  return [
    claim(
      `Over ${models} models the index ${slope}: MUI = ${fixed(a)} ln P ${b < 0 ? '−' : '+'} ${fixed(Math.abs(b))}, r = ${fixed(r)}, ${chance}; ${fixed(at, 2)} % at P = 100.`,
    ),
    scrollingTable(
      points.length > MOST ? `The first ${MOST} of your ${points.length} models` : 'Your models',
      [
        ['model', 'left', ({ model }) => model],
        ['performance (%)', 'right', ({ performance }) => fixed(performance, 1)],
        ['MUI (%)', 'right', ({ index }) => fixed(index, 2)],
        ['the law’s', 'right', ({ performance }) => fixed(a * Math.log(performance) + b, 2)],
      ],
      points.slice(0, MOST),
    ),
  ];
}

/** What is found in one file. @param {Neurons} found */
function neuronsOf({ file, thresholds, by_layer: layers, equally }) {
  const tables = [];
  if (equally) {
    const { answers, right, wrong } = equally;
    const numbers = `right ones use ${percent(right)} %, wrong ones ${percent(wrong)} %`;
    tables.push(el('p', {}, `${file}: of ${answers} answers each, in the mean over all choices of so many, ${numbers}.`));
  }
  if (thresholds.length > 0)
    tables.push(
      scrollingTable(
        `${file}: the index at other thresholds`,
        [
          ['threshold', 'left', ({ threshold }) => threshold],
          ['MUI (%)', 'right', ({ mui }) => percent(mui)],
          ['the code’s (%)', 'right', ({ mui_code: code }) => percent(code)],
        ],
        thresholds,
      ),
    );
  tables.push(
    scrollingTable(
      `${file}: what share of each layer is used`,
      [
        ['layer', 'right', (_, layer) => String(layer)],
        ['used (%)', 'right', percent],
      ],
      layers.slice(0, MOST),
    ),
  );
  return tables;
}

/** @param {Found} found */
function filesOf({ files, steps }) {
  if (files.length === 0) return [];
  const tables = [
    scrollingTable(
      'Your files of neurons',
      [
        ['file', 'left', ({ file }) => file],
        ['answers', 'right', ({ answers }) => whole(answers)],
        ['layers', 'right', ({ layers }) => String(layers)],
        ['neurons', 'right', ({ neurons }) => String(neurons)],
        ['counts as used', 'left', ({ threshold }) => threshold ?? 'as the file says'],
        ['MUI (%)', 'right', ({ mui }) => percent(mui)],
        ['the code’s (%)', 'right', ({ mui_code: code }) => percent(code)],
        ['random (%)', 'right', ({ by_lot: random }) => percent(random)],
        ['performance (%)', 'right', ({ performance }) => fixed(performance, 1)],
        ['MUI, right answers (%)', 'right', ({ mui_correct: correct }) => percent(correct)],
        ['PUR', 'right', ({ pur }) => fixed(pur, 2)],
      ],
      files,
    ),
  ];
  if (steps.length > 0)
    tables.push(
      scrollingTable(
        'From file to file, at equally many answers',
        [
          ['from', 'left', ({ from }) => from],
          ['to', 'left', ({ to }) => to],
          ['answers', 'right', ({ answers }) => whole(answers)],
          ['MUI before (%)', 'right', ({ mui }) => percent(mui[0])],
          ['after (%)', 'right', ({ mui }) => percent(mui[1])],
          ['direction', 'left', ({ direction }) => direction ?? '–'],
          ['used by both, of either (%)', 'right', ({ jaccard }) => percent(jaccard)],
          ['random (%)', 'right', ({ jaccard_by_lot: random }) => percent(random)],
        ],
        steps,
      ),
    );
  return [...tables, ...files.flatMap(neuronsOf)];
}

/** @param {Found} found */
function proportionsOf({ proportions }) {
  if (proportions.length === 0) return [];
  return [
    scrollingTable(
      'What MUI-Eval reports',
      [
        ['model', 'left', ({ model }) => model],
        ['task', 'left', ({ task }) => task],
        ['scored by', 'left', ({ scored_by: by }) => by ?? '–'],
        ['threshold', 'left', ({ mode, value }) => `${mode} ${value}`],
        ['MUI (%)', 'right', ({ mui }) => percent(mui)],
        ['anew (%)', 'right', ({ recomputed }) => percent(recomputed)],
      ],
      proportions.slice(0, MOST),
    ),
  ];
}

/** @param {Found} found @param {HTMLElement} growth where its figure is */
function show(found, growth) {
  return [
    ...found.said.map(claim),
    ...(found.law ? lawOf(found.law) : []),
    ...(found.notes.length > 0 ? [el('ul', { class: 'ce-notes' }, ...found.notes.map((note) => el('li', {}, note)))] : []),
    growth,
    ...filesOf(found),
    ...proportionsOf(found),
  ];
}

/** What is asked of the reader, since no file may say it. */
const FIELDS = /** @type {const} */ ([
  ['layers', 'Layers of the model'],
  ['neurons', 'Neurons of each layer'],
  ['k', 'k (empty: a thousandth)'],
  ['accuracy', 'Accuracy of each file (%)'],
]);

/** The fields, and what they hold; the core judges it. */
function createFields() {
  const fields = FIELDS.map(([name, label]) =>
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
function savingOf({ core, announce }, found) {
  const ways = /** @type {const} */ ([
    ['json', 'application/json', () => `${JSON.stringify(found, null, 2)}\n`],
    ['csv', 'text/csv;charset=utf-8', () => core.mui_own_csv(found)],
  ]);
  const buttons = ways.map(([format, type, text]) => {
    return createButton(`Download as ${format.toUpperCase()}`, { class: 'quiet', id: `mui-own-${format}` }, () =>
      save(`sfc-bench-mui-own.${format}`, new Blob([text()], { type }), announce),
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
export function createOwn(tools, { place, alpha, growth, onFound }) {
  const { form, wanted } = createFields();
  place.append(form);
  const { again } = createGiven(tools, {
    place,
    id: 'mui-own-drop',
    words: 'Drop files of neurons or a table of your models: they stay in this page.',
    wanted: /\.(jsonl|ndjson|json|csv|npy|npz|safetensors)$/i,
    accept: '.jsonl,.ndjson,.json,.csv,.npy,.npz,.safetensors',
    ask: (files) => ({ kind: 'study-own', call: 'mui_own', files, wanted: { ...wanted(), alpha: alpha() } }),
    show(/** @type {Found} */ found) {
      onFound(found);
      return [savingOf(tools, found), ...show(found, growth)];
    },
  });
  form.addEventListener('change', again);
  whenSubmitted(form, again);
}
