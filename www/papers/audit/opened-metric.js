// @ts-check
/** What is said of the metric that is opened: what it is, and each column's word with its sentence. */

import { createVerdictMark } from '../../study/claim-verdict.js';
import { el } from '../../shell/dom.js';
import { formatCondition, createTermList } from '../measurement/definitions.js';

/** @typedef {import('../../types/core.d.ts').AuditWord} Word */

/** What metrics are measured with, in words. @type {Record<import('../../types/core.d.ts').AuditNeeds, string>} */
const NEEDS_LABELS = {
  scores: 'nothing but scores',
  activations: 'activations and a dictionary',
  model: 'a model that runs',
  judge: 'a judge of texts',
};

/** Which of a paper's texts it follows. @type {Record<AuditMetric['says'], string>} */
const READING_LABELS = {
  both: 'text and code agree',
  document: 'by the text',
  code: 'as coded',
  neither: 'by neither text nor code: what its name says',
};

/** @type {Record<Word, import('../../study/claim-verdict.js').Verdict>} */
const VERDICTS = {
  holds: { words: 'passes', sign: '✓', kind: 'agrees' },
  partly: { words: 'partial', sign: '△', kind: 'partly' },
  fails: { words: 'fails', sign: '✗', kind: 'differs' },
  unknown: { words: 'inconclusive', sign: '?', kind: 'partly' },
  none: { words: 'not applicable', sign: '–', kind: 'partly' },
  separates: { words: 'separates', sign: '✓', kind: 'agrees' },
  overlaps: { words: 'differs, overlaps', sign: '△', kind: 'partly' },
  inconclusive: { words: 'inconclusive', sign: '?', kind: 'partly' },
  reversed: { words: 'reversed', sign: '✗', kind: 'differs' },
  tied: { words: 'tied', sign: '=', kind: 'partly' },
  equal: { words: 'equal by construction', sign: '=', kind: 'partly' },
  'not-applicable': { words: 'not applicable', sign: '–', kind: 'partly' },
};

/** Rows of one metric are told apart as the table does it. @type {Record<AuditMetric['says'], string>} */
const READING_SUFFIXES = { both: '', document: ' (text)', code: ' (code)', neither: ' (ours)' };

/** @param {AuditMetric} metric */
export const formatMetricName = ({ name, says }) => `${name}${READING_SUFFIXES[says]}`;

/** @param {string} word */
const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** A word with its sign. @param {Word} word */
export const createAuditMark = (word) => createVerdictMark(VERDICTS[word]);

/**
 * @param {HTMLElement} place
 * @param {ReturnType<AuditView['audit_entry']>} found
 * @param {(paper: string) => string} paperOf what a study's paper is called
 */
export function showMetricEntry(place, found, paperOf) {
  if (!found) {
    place.replaceChildren(el('p', {}, 'No metric is left: ask for less above.'));
    return;
  }
  const { metric, entry } = found;
  const { condition, better, says, needs } = metric;
  const list = createTermList([
    ['Is', `${metric.id}, ${paperOf(metric.paper)} (${READING_LABELS[says]}); ${better === 'higher' ? 'more' : 'less'} is better.`],
    ['Takes', `${capitalize(NEEDS_LABELS[needs])}.`],
    ['Passes', condition ? `Where ${formatCondition(condition)}.` : 'Its paper has no condition.'],
    ...entry.cells.map(
      ({ column, word, says: sentence }) => /** @type {[string, (string | Node)[]]} */ ([capitalize(column), [createAuditMark(word), ' ', sentence]]),
    ),
  ]);
  place.replaceChildren(el('h3', {}, formatMetricName(metric)), list);
}
