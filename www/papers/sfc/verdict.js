// @ts-check
/** The line that says how many printed cells agree, and how long it took. */

import { el, createScreenReaderText, requireElement, typesetProse, createVisualText } from '../../shell/dom.js';
import { formatDuration } from '../../shell/duration.js';

/** @param {{ table: string, agree: number, total: number }} count */
function createTally({ table, agree, total }) {
  const all = agree === total;
  return el(
    'li',
    { class: all ? 'agrees' : 'differs' },
    createVisualText(all ? '✓' : '✗', 'mark'),
    ` ${table} `,
    el('span', { class: 'count' }, createVisualText(`${agree}/${total}`), createScreenReaderText(`${agree} of ${total} agree`)),
  );
}

/**
 * @param {Verdict} verdict
 * @param {boolean} ofPaper whether the paper's own settings were run
 */
export function showVerdict(verdict, ofPaper) {
  const all = verdict.agree === verdict.total;
  // The time follows in the same sentence.
  // The counts by table are seen below it.
  const [seenOfIt = '', rest] = verdict.sentence.split(/(?=:)/);
  requireElement('#verdict-sentence').replaceChildren(seenOfIt, ...(rest ? [createScreenReaderText(rest)] : []));
  requireElement('#profiles-won').textContent = verdict.profiles;
  // Under other settings cells are expected to differ, which is no failure.
  requireElement('#verdict').dataset.outcome = !ofPaper ? 'changed' : all ? 'agrees' : 'differs';
  const tallies = verdict.per_table.map(createTally);
  if (ofPaper && verdict.per_table.some(({ agree, total }) => agree < total)) {
    tallies.push(el('li', { class: 'why' }, el('a', { href: '#disagree' }, 'Why not all?')));
  }
  requireElement('#verdict-tables').replaceChildren(...tallies);
  requireElement('#verdict-notes').replaceChildren(...verdict.notes.map((note) => el('li', {}, typesetProse(note))));
  requireElement('#now').hidden = verdict.notes.length === 0;
}

/**
 * Whether C_GT is more than chance. K random directions in D dimensions span K/D of each of m units on average; the
 * mean over m orthogonal units then varies by the trace of a random projection's block (Haar measure).
 *
 * @param {number} found
 * @param {{ k: number, hidden: number, circuit: number }} sizes K, D and m
 * @returns {{ chance: number, deviation: number, words: string }}
 */
export function compareWithChance(found, { k, hidden, circuit }) {
  const chance = k / hidden;
  const deviation = Math.sqrt(
    (2 * k * (hidden - k) * (hidden - circuit)) / (circuit * hidden ** 2 * (hidden - 1) * (hidden + 2)),
  );
  const apart = found - chance;
  // A dictionary or a circuit of all directions leaves nothing to chance but rounding.
  const near = Math.abs(apart) <= Math.max(2 * deviation, 1e-9);
  return { chance, deviation, words: near ? 'within two standard deviations of chance' : `more than two standard deviations ${apart > 0 ? 'above' : 'below'} chance` };
}

/** What the page claims, of the run that it shows. @param {Report} report @param {Verdict} verdict @param {boolean} ofPaper */
export function showFinding({ main, settings }, { agree, total }, ofPaper) {
  const [first] = main.points;
  const line = requireElement('#finding');
  if (!first) return;
  const zeroed = main.points.every(({ dropped, sparsity }) => Math.abs(sparsity - dropped / settings.k) < 0.0005);
  const { chance, deviation, words } = compareWithChance(first.c_gt, settings);
  line.replaceChildren(
    ...(ofPaper ? [agree === total ? `All ${total} values of Tables 3, 4 and 6 reproduce. But ` : `${agree} of ${total} values of Tables 3, 4 and 6 reproduce. `] : ['With these settings ']),
    zeroed ? 'sparsity S is set by λ itself, ' : 'sparsity S is ⌊λK⌋/K but for activations that are zero anyway, ',
    'completeness C does not change with λ, ',
    typesetProse(`and ground-truth completeness C_GT (${first.c_gt.toFixed(3)}) is ${words} (${chance.toFixed(3)}, SD ${deviation.toFixed(3)}).`),
    zeroed ? ' So along λ at most one measurement enters the score: fidelity.' : '',
  );
}

/** Ends the verdict's sentence with how long it took. @param {number} ms */
export function showDuration(ms) {
  requireElement('#verdict-time').textContent = `, computed here in ${formatDuration(ms)}.`;
}

/** @param {string[]} differences from the paper's settings */
export function showDifferences(differences) {
  const line = requireElement('#verdict-differences');
  // The button in it goes with it; the focus must not. Its neighbour may not be there yet.
  if (differences.length === 0 && line.contains(document.activeElement)) {
    requireElement('#main').focus({ preventScroll: true });
    requireElement('#share').focus();
  }
  line.hidden = differences.length === 0;
  requireElement('#differences').textContent = differences.join('; ');
}
