// @ts-check
/** Autoencoders trained elsewhere, scored on a saved model of SynthSAEBench: files in, the printed table's numbers out. */

import { createGiven, scrollingTable } from '../../little/given-place.js';
import { el } from '../../shell/dom.js';
import { save } from '../../shell/save.js';

/** @typedef {import('../../types/core.d.ts').SynthEvaluation} Found */
/** @typedef {import('../../types/core.d.ts').SynthScores} Scores */

/** Rows that can be asked for: SAELens' own evaluation has the last. */
const ROWS = [20_000, 100_000, 500_000];

/** @type {[title: string, align: 'left' | 'right'][]} */
const COLUMNS = [
  ['autoencoder', 'left'],
  ['F1', 'right'],
  ['MCC', 'right'],
  ['uniqueness', 'right'],
  ['explained variance', 'right'],
  ['L0', 'right'],
  ['precision', 'right'],
  ['recall', 'right'],
  ['dead', 'right'],
];

/** @param {string} name @param {Scores} scores */
const rowOf = (name, { f1, mcc, uniqueness, explained_variance, l0, precision, recall, dead }) => [
  name,
  ...[f1, mcc, uniqueness, explained_variance].map((value) => value.toFixed(4)),
  l0.toFixed(2),
  ...[precision, recall].map((value) => value.toFixed(4)),
  String(dead),
];

/** @param {Found} found */
const rowsOf = (found) => [
  rowOf(found.name, found.autoencoder),
  rowOf('its codes, decoder permuted', found.permuted_decoder),
  rowOf('its codes, random decoder', found.random_decoder),
  rowOf('untrained', found.untrained),
  ...found.printed.map(({ architecture, l0, f1, mcc, uniqueness, explained_variance }) => [
    `${architecture}, printed`,
    ...[f1, mcc, uniqueness, explained_variance].map((value) => value.toFixed(4)),
    String(l0),
    '–',
    '–',
    '–',
  ]),
];

/**
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {import('../../workers/pool.js').Pool} parts.pool
 * @param {(text: string) => void} parts.announce
 */
export function createElsewhere({ place, pool, announce }) {
  const rows = el(
    'select',
    { id: 'synth-elsewhere-rows' },
    ...ROWS.map((count) => el('option', { value: String(count), selected: count === ROWS.at(-1) }, count.toLocaleString('en-US'))),
  );
  place.append(el('p', { class: 'families-go' }, el('label', { for: rows.id }, 'Rows '), rows));
  let id = 0;

  createGiven({
    place,
    id: 'synth-elsewhere',
    words: 'Drop the folder of the model that SAELens saved, with folders of autoencoders in it or beside it: they stay in this page.',
    wanted: /\.(json|ya?ml|npz|safetensors|pt|zip)$/i,
    accept: '.json,.yaml,.npz,.safetensors,.pt,.zip',
    async ask(files, { signal, onProgress }) {
      id += 1;
      const given = { id, files };
      const options = { rows: Number(rows.value), seed: 0 };
      /** @type {OwnMember[]} */
      const listed = await pool.submit({ kind: 'study-synth-open', given }, { signal });
      if (listed.length === 0) throw new Error(`none of ${files.length} files holds the weights of an autoencoder`);
      const refused = listed.find(({ problem }) => problem);
      if (refused?.problem) throw new Error(refused.problem.message);
      const members = [];
      for (const { name, sae } of listed) {
        const member = { name, sae };
        /** @type {string[]} */
        const jobs = await pool.submit({ kind: 'study-synth-jobs', given, member, options }, { signal });
        let done = 0;
        const parts = await Promise.all(
          jobs.map(async (job, at) => {
            const part = await pool.submit(
              { kind: 'study-synth-part', given, member, options, job },
              { signal, priority: jobs.length - at },
            );
            done += 1;
            onProgress(name, (members.length + done / jobs.length) / listed.length);
            return part;
          }),
        );
        members.push({ member, parts });
      }
      return { kind: 'study-synth-found', given, options, members };
    },
    show(/** @type {Found[]} */ all) {
      const store = el('button', { type: 'button', class: 'quiet', id: 'synth-elsewhere-save' }, 'Save the scores (JSON)');
      store.addEventListener('click', () => {
        const name = 'sfc-bench-synth-evaluations.json';
        save(name, new Blob([`${JSON.stringify({ evaluations: all }, null, 2)}\n`], { type: 'application/json' }));
        announce(`${name} is saved.`);
      });
      return [
        ...all.flatMap((found) => [
          el('p', { class: 'ce-claim' }, found.sentence),
          scrollingTable(`Scores of ${found.name}`, COLUMNS, rowsOf(found)),
          ...found.notes.map((note) => el('p', { class: 'help' }, note)),
        ]),
        el('p', {}, store),
      ];
    },
    pool,
    announce,
  });
}
