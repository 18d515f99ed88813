// @ts-check
/** Autoencoders trained elsewhere, scored on a saved model of SynthSAEBench: files in, the printed table's numbers out. */

import { createUserFilesPlace } from '../../study/drop-zone.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { createButton, el } from '../../shell/dom.js';
import { createSelect } from '../../shell/fields.js';
import { saveJson } from '../../shell/download.js';
import { ACCEPTED_ENDINGS, AUTOENCODER_FILE_PATTERN } from '../../workers/autoencoder-files.js';
import { formatInteger, formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('../../types/core.d.ts').SynthEvaluation} Found */
/** @typedef {import('../../types/core.d.ts').SynthScores} Scores */

/** Rows that can be asked for: SAELens' own evaluation has the last. */
const ROW_COUNTS = [20_000, 100_000, 500_000];

/** The scores that the paper prints. @typedef {Pick<Scores, 'f1' | 'mcc' | 'uniqueness' | 'explained_variance'>} Printed */
/** A row of the table. @typedef {{ name: string, l0Text: string } & Printed & Partial<Scores>} Row */

/** @type {import('../../shell/scroll-region.js').Column<Row>[]} */
const COLUMNS = [
  ['autoencoder', 'left', ({ name }) => name],
  ['F1', 'right', ({ f1 }) => formatFixed(f1, 4)],
  ['MCC', 'right', ({ mcc }) => formatFixed(mcc, 4)],
  ['uniqueness', 'right', ({ uniqueness }) => formatFixed(uniqueness, 4)],
  ['explained variance', 'right', ({ explained_variance: explained }) => formatFixed(explained, 4)],
  ['L0', 'right', ({ l0Text }) => l0Text],
  ['precision', 'right', ({ precision }) => formatFixed(precision, 4)],
  ['recall', 'right', ({ recall }) => formatFixed(recall, 4)],
  ['dead', 'right', ({ dead }) => String(dead ?? '–')],
];

/** @param {string} name @param {Scores} scores @returns {Row} */
const toRow = (name, scores) => ({ ...scores, name, l0Text: scores.l0.toFixed(2) });

/** @param {Found} found @returns {Row[]} */
const listRows = (found) => [
  toRow(found.name, found.autoencoder),
  toRow('permuted decoder (same activations)', found.permuted_decoder),
  toRow('random decoder (same activations)', found.random_decoder),
  toRow('untrained', found.untrained),
  ...found.printed.map((row) => ({ ...row, name: `${row.architecture}, printed`, l0Text: String(row.l0) })),
];

/** What came of files: scores, and what of the autoencoders could not be read. @typedef {{ found: Found[], refused: string[] }} Evaluated */

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 */
export function createExternalEvaluation(tools, { place }) {
  const { core, pool, announce } = tools;
  const rows = createSelect({ id: 'synth-elsewhere-rows' }, ROW_COUNTS.map((count) => [String(count), formatInteger(count)]));
  rows.value = String(ROW_COUNTS.at(-1));
  place.append(el('p', { class: 'families-go' }, el('label', { for: rows.id }, 'Rows '), rows));
  let id = 0;

  /**
   * Scores every autoencoder among files, its pieces on every worker.
   *
   * @param {[string, File][]} files
   * @param {{ signal: AbortSignal, onProgress: (file: string, part: number) => void }} under
   * @returns {Promise<Evaluated>}
   */
  async function evaluate(files, { signal, onProgress }) {
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

  const { again } = createUserFilesPlace(tools, {
    place,
    id: 'synth-elsewhere',
    words: 'Drop the folder of the model that SAELens saved, together with the folders of autoencoders: they stay in this page.',
    wanted: AUTOENCODER_FILE_PATTERN,
    accept: ACCEPTED_ENDINGS,
    verbs: ['Evaluating', 'evaluated'],
    async find(files, { signal, onProgress }) {
      // Where one piece fails, the others are not computed for nothing.
      const own = new AbortController();
      const end = () => own.abort(signal.reason);
      signal.addEventListener('abort', end);
      try {
        return await evaluate(files, { signal: own.signal, onProgress });
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
          createRecordTable(`Scores of ${found.name}`, COLUMNS, listRows(found)),
          ...found.notes.map((note) => el('p', { class: 'help' }, note)),
        ]),
        el('p', {}, store),
      ];
    },
  });
  rows.addEventListener('change', again);
}
