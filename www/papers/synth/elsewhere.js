// @ts-check
/** Autoencoders trained elsewhere, scored on a saved model of SynthSAEBench: files in, the printed table's numbers out. */

import { createGiven, scrollingTable } from '../../little/given-place.js';
import { createButton, el } from '../../shell/dom.js';
import { selectOf } from '../../shell/fields.js';
import { saveJson } from '../../shell/save.js';
import { ACCEPTED, AUTOENCODER_FILE } from '../../workers/autoencoder-files.js';
import { grouped, rounded } from '../../shell/grouped.js';

/** @typedef {import('../../types/core.d.ts').SynthEvaluation} Found */
/** @typedef {import('../../types/core.d.ts').SynthScores} Scores */

/** Rows that can be asked for: SAELens' own evaluation has the last. */
const ROWS = [20_000, 100_000, 500_000];

/** The scores that the paper prints. @typedef {Pick<Scores, 'f1' | 'mcc' | 'uniqueness' | 'explained_variance'>} Printed */
/** A row of the table. @typedef {{ name: string, l0Text: string } & Printed & Partial<Scores>} Row */

/** @type {import('../../little/given-place.js').Column<Row>[]} */
const COLUMNS = [
  ['autoencoder', 'left', ({ name }) => name],
  ['F1', 'right', ({ f1 }) => rounded(f1, 4)],
  ['MCC', 'right', ({ mcc }) => rounded(mcc, 4)],
  ['uniqueness', 'right', ({ uniqueness }) => rounded(uniqueness, 4)],
  ['explained variance', 'right', ({ explained_variance: explained }) => rounded(explained, 4)],
  ['L0', 'right', ({ l0Text }) => l0Text],
  ['precision', 'right', ({ precision }) => rounded(precision, 4)],
  ['recall', 'right', ({ recall }) => rounded(recall, 4)],
  ['dead', 'right', ({ dead }) => String(dead ?? '–')],
];

/** @param {string} name @param {Scores} scores @returns {Row} */
const rowOf = (name, scores) => ({ ...scores, name, l0Text: scores.l0.toFixed(2) });

/** @param {Found} found @returns {Row[]} */
const rowsOf = (found) => [
  rowOf(found.name, found.autoencoder),
  rowOf('permuted decoder (same activations)', found.permuted_decoder),
  rowOf('random decoder (same activations)', found.random_decoder),
  rowOf('untrained', found.untrained),
  ...found.printed.map((row) => ({ ...row, name: `${row.architecture}, printed`, l0Text: String(row.l0) })),
];

/** What came of files: scores, and what of the autoencoders could not be read. @typedef {{ found: Found[], refused: string[] }} Evaluated */

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 */
export function createElsewhere(tools, { place }) {
  const { core, pool, announce } = tools;
  const rows = selectOf({ id: 'synth-elsewhere-rows' }, ROWS.map((count) => [String(count), grouped(count)]));
  rows.value = String(ROWS.at(-1));
  place.append(el('p', { class: 'families-go' }, el('label', { for: rows.id }, 'Rows '), rows));
  let id = 0;

  /**
   * Scores every autoencoder among files, its pieces on every worker.
   *
   * @param {[string, File][]} files
   * @param {{ signal: AbortSignal, onProgress: (file: string, part: number) => void }} under
   * @returns {Promise<Evaluated>}
   */
  async function find(files, { signal, onProgress }) {
    id += 1;
    const given = { id, files };
    const options = { rows: Number(rows.value), seed: 0 };
    const jobs = core.synth_evaluation_jobs(options);
    /** @type {OwnMember[]} */
    const listed = await pool.submit({ kind: 'study-synth-open', given }, { signal });
    const refused = listed.flatMap(({ name, problem }) => (problem ? [`${name}: ${problem.message}`] : []));
    const members = listed.filter(({ problem }) => !problem);
    if (members.length === 0) throw new Error(refused[0] ?? `none of ${files.length} files holds the weights of an autoencoder`);
    /** @type {Found[]} */
    const found = [];
    for (const { name, sae } of members) {
      const of = { given, member: { name, sae }, options };
      let done = 0;
      const parts = await Promise.all(
        jobs.map(async (job, at) => {
          const part = await pool.submit({ kind: 'study-synth-part', ...of, job }, { signal, priority: jobs.length - at });
          done += 1;
          onProgress(name, (found.length + done / jobs.length) / members.length);
          return part;
        }),
      );
      found.push(await pool.submit({ kind: 'study-synth-found', ...of, parts }, { signal }));
    }
    return { found, refused };
  }

  const { again } = createGiven(tools, {
    place,
    id: 'synth-elsewhere',
    words: 'Drop the folder of the model that SAELens saved, together with the folders of autoencoders: they stay in this page.',
    wanted: AUTOENCODER_FILE,
    accept: ACCEPTED,
    verbs: ['Evaluating', 'evaluated'],
    async find(files, { signal, onProgress }) {
      // Where one piece fails, the others are not computed for nothing.
      const own = new AbortController();
      const end = () => own.abort(signal.reason);
      signal.addEventListener('abort', end);
      try {
        return await find(files, { signal: own.signal, onProgress });
      } catch (error) {
        own.abort();
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
    show(/** @type {Evaluated} */ { found: all, refused }) {
      const store = createButton('Save the scores (JSON)', { class: 'quiet', id: 'synth-elsewhere-save' }, () =>
        saveJson('sfc-bench-synth-evaluations.json', { evaluations: all }, announce),
      );
      return [
        ...refused.map((words) => el('p', { class: 'error' }, words)),
        ...all.flatMap((found) => [
          el('p', { class: 'ce-claim' }, found.sentence),
          scrollingTable(`Scores of ${found.name}`, COLUMNS, rowsOf(found)),
          ...found.notes.map((note) => el('p', { class: 'help' }, note)),
        ]),
        el('p', {}, store),
      ];
    },
  });
  rows.addEventListener('change', again);
}
