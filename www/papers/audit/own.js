// @ts-check
/** A reader's own autoencoders and published results, from dropped files to the page's own table. */

import { createGiven, scrollingTable } from '../../little/given-place.js';
import { el } from '../../shell/dom.js';
import { ACCEPTED, AUTOENCODER_FILE } from '../../workers/autoencoder-files.js';
import { mark } from './opened-metric.js';
import { counted, rounded } from '../../shell/grouped.js';

/** @typedef {import('../../types/core.d.ts').AuditGiven} Given */
/** @typedef {import('../../types/core.d.ts').AuditPublished} Published */
/** @typedef {Extract<Given, { kind: 'autoencoders' }>} Measured */

/** Rows of a table that are shown. */
const MOST = 400;

/** A share in percent. @param {number | null} share */
const percent = (share) => (share === null ? '–' : `${(100 * share).toFixed(0)} %`);

/** What was given, in words. @param {Measured} found */
export const ownWords = ({ autoencoders, activations }) =>
  `${counted(autoencoders, 'autoencoder')} on ${counted(activations, 'row')}`;

/** @param {Published[]} scores */
function publishedOf(scores) {
  /** By word. @type {Record<string, number>} */
  const counts = { holds: 0, partly: 0, fails: 0, unknown: 0, none: 0 };
  for (const { reliability } of scores) counts[reliability] += 1;
  const said = `Of ${counted(scores.length, 'published number')}, reliability over seeds passes for ${counts.holds}, is partial for ${counts.partly}, fails for ${counts.fails} and is inconclusive for ${counts.unknown}.`;
  const table = scrollingTable(
    scores.length > MOST ? `The first ${MOST} of ${scores.length} published numbers` : 'Published numbers',
    [
      ['evaluation', 'left', ({ evaluation }) => evaluation],
      ['number', 'left', ({ quantity }) => quantity],
      ['reliability', 'left', ({ reliability }) => mark(reliability).textContent ?? ''],
      ['variation', 'right', ({ variation }) => rounded(variation, 4)],
      ['autoencoders', 'right', ({ configurations }) => String(configurations)],
      ['seeds', 'right', ({ seeds }) => String(seeds)],
      ['pairs', 'right', ({ pairs }) => String(pairs)],
      ['EX24 passes', 'right', ({ passes }) => percent(passes)],
      ['separated', 'right', ({ told }) => percent(told)],
    ],
    scores.slice(0, MOST),
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
export const createOwnAudit = (tools, { place, settings, onMeasured }) =>
  createGiven(tools, {
    place,
    id: 'audit-own-drop',
    words: 'Drop folders of autoencoders with a file of their activations (of transcoders also targets.npy, what they reconstruct), or folders of SAEBench’s results: they stay in this page.',
    wanted: new RegExp(`${AUTOENCODER_FILE.source}|\\.(npy|csv)$`, 'i'),
    accept: `${ACCEPTED},.npy,.csv`,
    ask: (files) => ({ kind: 'study-own', call: 'audit_own', files, wanted: settings() }),
    show(/** @type {Given} */ found) {
      if (found.kind === 'published') return publishedOf(found.scores);
      onMeasured(found);
      const back = el('a', { href: '#audit-all' }, 'in the table above');
      const notes = found.notes.map((note) => el('p', { class: 'help' }, note));
      return [el('p', {}, `${ownWords(found)}: what can be told of them stands `, back, '.'), ...notes];
    },
  });
