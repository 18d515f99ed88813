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
  // The counts by table are seen below it.
  const [seenOfIt = '', rest] = verdict.sentence.split(/(?=:)/);
  need('#verdict-sentence').replaceChildren(seenOfIt, ...(rest ? [heard(rest)] : []));
  need('#profiles-won').textContent = verdict.profiles;
  // Under other settings cells are expected to differ, which is no failure.
  need('#verdict').dataset.outcome = !ofPaper ? 'changed' : all ? 'agrees' : 'differs';
  const tallies = verdict.per_table.map(tally);
  if (ofPaper && verdict.per_table.some(({ agree, total }) => agree < total)) {
    tallies.push(el('li', { class: 'why' }, el('a', { href: '#disagree' }, 'Why not all?')));
  }
  need('#verdict-tables').replaceChildren(...tallies);
  need('#verdict-notes').replaceChildren(...verdict.notes.map((note) => el('li', {}, prose(note))));
  need('#now').hidden = verdict.notes.length === 0;
}

/** Tables that the recipe was found by. */
const REPRODUCED = ['Table 3', 'Table 4', 'Table 6'];

/** What the page claims, of the run that it shows. @param {Report} report @param {Verdict} verdict @param {boolean} ofPaper */
export function showFinding({ main, settings }, { per_table }, ofPaper) {
  const tables = per_table.filter(({ table }) => REPRODUCED.includes(table));
  const agree = tables.reduce((sum, one) => sum + one.agree, 0);
  const total = tables.reduce((sum, one) => sum + one.total, 0);
  const [first] = main.points;
  const line = need('#finding');
  if (!first) return;
  const zeroed = main.points.every(({ dropped, sparsity }) => Math.abs(sparsity - dropped / settings.k) < 0.0005);
  const level = main.points.every(({ completeness }) => completeness === first.completeness);
  const chance = settings.k / settings.hidden;
  line.replaceChildren(
    ...(ofPaper ? [agree === total ? `All ${total} numbers of Tables 3, 4 and 6 reproduce. But ` : `${agree} of ${total} numbers of Tables 3, 4 and 6 reproduce. `] : ['With these settings ']),
    zeroed ? 'S is fixed by λ, ' : 'S is ⌊λK⌋/K but for activations that are zero anyway, ',
    level ? 'C does not see λ, ' : 'C changes with λ, ',
    prose(`and C_GT is ${Math.abs(first.c_gt - chance) < NEAR_CHANCE ? 'at chance level' : 'away from chance'}: ${first.c_gt.toFixed(3)} against ${chance.toFixed(3)}.`),
  );
}

/** C_GT is at chance level as long as it is no farther from it than this. */
const NEAR_CHANCE = 0.1;

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
