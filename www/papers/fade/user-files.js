// @ts-check
/** What a reader of FADE brings: activations with labels, or the files that FADE wrote; scored in a worker. */

import { listRefusals } from '../../study/drop-zone.js';
import { createElementTable } from '../../shell/scroll-region.js';
import { createButton, el, describeError, createVisualText } from '../../shell/dom.js';
import { createFilePicker, acceptDroppedFiles } from '../../shell/file-drop.js';
import { isPageShown } from '../../shell/views.js';
import { STUDY_BYTES_MAX, readFiles } from '../../shell/whole-files.js';
import { formatFactor } from './words.js';
import { formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('../../types/core.d.ts').FadeOwnReport} OwnReport */
/** @typedef {import('../../types/core.d.ts').Reported} Reported */
/** @typedef {import('../../types/core.d.ts').FadeScore} Score */
/** @typedef {import('./words.js').FadeFeature} FadeFeature */
/** @typedef {{ name: string, bytes: Uint8Array }} Given */

/** What is no array and no result of FADE's is not read at all. */
const SUPPORTED_FILE = /\.(npy|npz|safetensors|csv|json)$/i;

/** In both readings, and why one is missing. @param {Score} found */
function createScoreCell({ code, document, why }) {
  const text = `${formatFixed(code, 3)} · ${formatFixed(document, 3)}`;
  if (!why) return text;
  return el('span', {}, text, el('span', { class: 'help fade-why' }, ` ${why}`));
}

/** @param {boolean | null} gate */
const formatGate = (gate) => (gate === null ? '–' : gate ? 'passes' : 'stops');

/** How many texts a sample has. @param {OwnReport['features'][number]['rated']} rated */
const formatRatedCounts = (rated) => (rated ? [...rated].reverse().join(' · ') : 'all');

/** @param {OwnReport['features']} features */
const createFeatureTable = (features) =>
  createElementTable(
    'Features of the arrays: each score as implemented · as in the paper',
    ['Feature', 'Clarity', 'Responsiveness', 'Purity', 'by chance', 'Faithfulness', 'at factor', 'Gate', 'Texts rated'],
    features.map((one) => [
      String(one.feature),
      createScoreCell(one.clarity),
      createScoreCell(one.responsiveness),
      createScoreCell(one.purity),
      formatFixed(one.purity_by_chance, 3),
      createScoreCell(one.faithfulness),
      one.best_factor === null ? '–' : formatFactor(one.best_factor),
      formatGate(one.gate),
      formatRatedCounts(one.rated),
    ]),
  );

/** How a reported number stands to the one computed here. @param {Reported} row */
function createVerdictText({ verdict: how, why }) {
  const words = { agrees: 'agrees', differs: 'differs', 'as-reported': 'as reported', 'not-reported': 'not reported' }[how];
  const sign = { agrees: '✓ ', differs: '✗ ' }[/** @type {string} */ (how)] ?? '';
  const told = el('span', { class: how }, ...(sign ? [createVisualText(sign, 'mark')] : []), words);
  return why ? el('span', {}, told, el('span', { class: 'help fade-why' }, ` ${why}`)) : told;
}

/** A count as it is, any other number to four places. @param {number | null} value */
const formatNumber = (value) => (Number.isInteger(value) ? String(value) : formatFixed(value, 4));

/** @param {OwnReport['folders'][number]} folder */
const createFolderTable = ({ folder, rows }) =>
  createElementTable(
    folder === '' ? 'What FADE wrote' : `What FADE wrote: ${folder}`,
    ['Number', 'Reported', 'Computed here', 'as in the paper', 'Difference', 'Agreement'],
    rows.map((row) => [
      row.quantity,
      row.reported_as ?? formatNumber(row.reported),
      formatNumber(row.recomputed),
      formatNumber(row.document),
      row.difference === null ? '–' : Number.isInteger(row.difference) ? String(row.difference) : row.difference.toExponential(1),
      createVerdictText(row),
    ]),
  );

/** @param {string} title @param {readonly string[]} sentences */
const createNoteList = (title, sentences) =>
  sentences.length === 0 ? [] : [el('h4', {}, title), el('ul', { class: 'fade-notes' }, ...sentences.map((text) => el('li', {}, text)))];

/** Everything that was found. @param {OwnReport} report */
function createReport({ files, features, folders, notes }) {
  const read = files.filter(({ refused }) => !refused).map(({ file, role }) => `${file}: ${role}`);
  return [
    ...(features.length > 0 ? [createFeatureTable(features)] : []),
    ...folders.flatMap((folder) => [createFolderTable(folder), ...createNoteList('To be known of it', folder.notes)]),
    ...createNoteList('To be known', notes),
    ...createNoteList('Read as', read),
    ...createNoteList('Left out', listRefusals(files)),
  ];
}

/** How many of the reported numbers agree. @param {OwnReport} report */
function summarySentence({ features, folders }) {
  const rows = folders.flatMap((folder) => folder.rows);
  const count = (/** @type {string} */ how) => rows.filter((row) => row.verdict === how).length;
  const parts = [];
  if (features.length > 0) parts.push(`${features.length} feature${features.length === 1 ? '' : 's'} scored`);
  if (rows.length > 0)
    parts.push(`of ${rows.length} numbers that FADE writes ${count('agrees')} agree, ${count('differs')} differ, ${count('as-reported')} are shown as reported`);
  return parts.length > 0 ? `${parts.join('; ')}.` : 'Nothing in these files could be scored.';
}

/** A feature of this page as the files that a reader would bring. @param {FadeFeature} feature @param {readonly number[]} factors @returns {Given[]} */
function toFeatureFiles({ natural, labels, made, steered }, factors) {
  const file = (/** @type {string} */ name, /** @type {readonly unknown[]} */ lines) => ({
    name,
    bytes: new TextEncoder().encode(`${lines.join('\n')}\n`),
  });
  const ratings = factors.flatMap((factor, at) =>
    (steered?.labels[at] ?? []).flatMap((count, label) => Array.from({ length: count }, () => `${factor},${label}`)),
  );
  return [
    file('activations.csv', natural),
    file('labels.csv', labels),
    file('synthetic.csv', made),
    ...(ratings.length > 0 ? [file('ratings.csv', ratings)] : []),
  ];
}

/** What of the page's settings has a part in a reader's own texts. @param {StudySettings} settings @returns {FadeOwnDraft} */
const toDraft = ({ rated, norm, sample, top, seed }) => ({ rated, norm, ...(rated === 'sampled' ? { sample, top, seed } : {}) });

/** @param {[string, File][]} picked @returns {Promise<Given[]>} */
async function readSupported(picked) {
  const known = picked.filter(([name]) => SUPPORTED_FILE.test(name));
  if (known.length === 0) throw new Error('none of them is .npy, .npz, .safetensors, .csv or .json');
  return readFiles(known, STUDY_BYTES_MAX);
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.element where it is to be
 * @param {import('./session.js').FadeSession} parts.session
 */
export function createUserFeatures({ pool, announce }, { element, session }) {
  const said = el('p', { class: 'help', id: 'fade-own-said' });
  const report = el('div', { id: 'fade-own-report' });
  const example = createButton('Try it with the opened feature', { id: 'fade-own-example' }, () => {
    const feature = session.held?.report.features[session.opened];
    if (feature) scoreFiles(() => toFeatureFiles(feature, session.held?.report.settings.factors ?? []));
    else say('Nothing is computed yet.');
  });
  /** @param {[string, File][]} picked */
  const takePicked = (picked) => scoreFiles(() => readSupported(picked));
  element.append(
    el(
      'div',
      { class: 'own-drop', id: 'fade-own-drop' },
      el('p', {}, 'Drop files or a folder anywhere on this page. Nothing of them leaves it.'),
      el(
        'div',
        { class: 'benchmark-bar' },
        ...createFilePicker('Choose files', { id: 'fade-own-files', multiple: true }, takePicked),
        ...createFilePicker('Choose a folder', { id: 'fade-own-folder', webkitdirectory: true }, takePicked),
        example,
      ),
    ),
    said,
    report,
  );
  /** Only the last that was asked for is shown. */
  let turn = 0;

  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    announce(text);
  }

  /** @param {() => Given[] | Promise<Given[]>} files */
  async function scoreFiles(files) {
    const mine = ++turn;
    say('Reading the files …');
    try {
      const given = await files();
      const draft = toDraft(session.settings);
      const found = await pool.submit({ kind: 'study-call', call: 'fade_own', args: [given, draft] }, { priority: 1, tries: 1 });
      if (mine !== turn) return;
      report.replaceChildren(...createReport(found));
      say(summarySentence(found));
    } catch (error) {
      if (mine === turn) say(`Refused: ${describeError(error)}`);
    }
  }

  acceptDroppedFiles(
    (dropped) => {
      scoreFiles(async () => readSupported(await dropped));
      element.scrollIntoView({ block: 'nearest' });
    },
    () => !isPageShown('fade'),
  );
}
