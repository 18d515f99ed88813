// @ts-check
/** A reader's own autoencoders and published results, from dropped files to the page's own table. */

import { createUserFilesPlace } from '../../study/drop-zone.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { el } from '../../shell/dom.js';
import { ACCEPTED_ENDINGS, AUTOENCODER_FILE_PATTERN } from '../../workers/autoencoder-files.js';
import { createAuditMark } from './opened-metric.js';
import { formatCount, formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('../../types/core.d.ts').AuditGiven} Given */
/** @typedef {import('../../types/core.d.ts').AuditPublished} Published */
/** @typedef {Extract<Given, { kind: 'autoencoders' }>} Measured */

/** Rows of a table that are shown. */
const ROWS_MAX = 400;

/** A share in percent. @param {number | null} share */
const formatPercent = (share) => (share === null ? '–' : `${(100 * share).toFixed(0)} %`);

/** What was given, in words. @param {Measured} found */
export const describeMeasured = ({ autoencoders, activations }) =>
  `${formatCount(autoencoders, 'autoencoder')} on ${formatCount(activations, 'row')}`;

/** @param {Published[]} scores */
function createPublishedReport(scores) {
  /** By word. @type {Record<string, number>} */
  const counts = { holds: 0, partly: 0, fails: 0, unknown: 0, none: 0 };
  for (const { reliability } of scores) counts[reliability] += 1;
  const said = `Of ${formatCount(scores.length, 'published number')}, reliability over seeds passes for ${counts.holds}, is partial for ${counts.partly}, fails for ${counts.fails} and is inconclusive for ${counts.unknown}.`;
  const table = createRecordTable(
    scores.length > ROWS_MAX ? `The first ${ROWS_MAX} of ${scores.length} published numbers` : 'Published numbers',
    [
      ['evaluation', 'left', ({ evaluation }) => evaluation],
      ['number', 'left', ({ quantity }) => quantity],
      ['reliability', 'left', ({ reliability }) => createAuditMark(reliability).textContent ?? ''],
      ['variation', 'right', ({ variation }) => formatFixed(variation, 4)],
      ['autoencoders', 'right', ({ configurations }) => String(configurations)],
      ['seeds', 'right', ({ seeds }) => String(seeds)],
      ['pairs', 'right', ({ pairs }) => String(pairs)],
      ['EX24 passes', 'right', ({ passes }) => formatPercent(passes)],
      ['separated', 'right', ({ told }) => formatPercent(told)],
    ],
    scores.slice(0, ROWS_MAX),
  );
  return [el('p', { class: 'ce-claim' }, said), table];
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {() => StudySettings} parts.settings by which results are judged
 * @param {(found: Measured) => void} parts.onMeasured
 */
export const createUserAudit = (tools, { place, settings, onMeasured }) =>
  createUserFilesPlace(tools, {
    place,
    id: 'audit-own-drop',
    words: 'Drop folders of autoencoders with a file of their activations (of transcoders also targets.npy, what they reconstruct), or folders of SAEBench’s results: they stay in this page.',
    wanted: new RegExp(`${AUTOENCODER_FILE_PATTERN.source}|\\.(npy|csv)$`, 'i'),
    accept: `${ACCEPTED_ENDINGS},.npy,.csv`,
    ask: (files) => ({ kind: 'study-own', call: 'audit_own', files, wanted: settings() }),
    show(/** @type {Given} */ found) {
      if (found.kind === 'published') return createPublishedReport(found.scores);
      onMeasured(found);
      const back = el('a', { href: '#audit-all' }, 'in the table above');
      const notes = found.notes.map((note) => el('p', { class: 'help' }, note));
      return [el('p', {}, `${describeMeasured(found)}: what can be told of them stands `, back, '.'), ...notes];
    },
  });
