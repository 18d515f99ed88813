// @ts-check
/** The line that says how many printed cells agree, and how long it took. */

import { el, heard, need, prose, seen } from '../../shell/dom.js';
import { duration } from '../../shell/duration.js';

/** @param {{ table: string, agree: number, total: number }} count */
function tally({ table, agree, total }) {
  const all = agree === total;
  return el(
    'li',
    { class: all ? 'agrees' : 'differs' },
    seen(all ? '✓' : '✗', 'mark'),
    ` ${table} `,
    el('span', { class: 'count' }, seen(`${agree}/${total}`), heard(`${agree} of ${total} agree`)),
  );
}

/**
 * @param {Verdict} verdict
 * @param {boolean} ofPaper whether the paper's own settings were run
 */
export function showVerdict(verdict, ofPaper) {
  const all = verdict.agree === verdict.total;
  // The time follows in the same sentence.
  need('#verdict-sentence').textContent = verdict.sentence;
  need('#profiles-won').textContent = verdict.profiles;
  // Under other settings cells are expected to differ, which is no failure.
  need('#verdict').dataset.outcome = !ofPaper ? 'changed' : all ? 'agrees' : 'differs';
  const tallies = verdict.per_table.map(tally);
  if (ofPaper && verdict.per_table.some(({ agree, total }) => agree < total)) {
    tallies.push(el('li', {}, el('a', { href: '#disagree' }, 'Why not all?')));
  }
  need('#verdict-tables').replaceChildren(...tallies);
  need('#verdict-notes').replaceChildren(...verdict.notes.map((note) => el('li', {}, prose(note))));
  need('#now').hidden = verdict.notes.length === 0;
}

/** Ends the verdict's sentence with how long it took. @param {number} ms */
export function showTime(ms) {
  need('#verdict-time').textContent = `, computed just now in ${duration(ms)} on your machine.`;
}

/** @param {string[]} differences from the paper's settings */
export function showDifferences(differences) {
  const line = need('#verdict-differences');
  // The button in it goes with it; the focus must not. Its neighbour may not be there yet.
  if (differences.length === 0 && line.contains(document.activeElement)) {
    for (const heir of ['#main', '#share']) need(heir).focus({ preventScroll: true });
  }
  line.hidden = differences.length === 0;
  need('#differences').textContent = differences.join('; ');
}
