// @ts-check
/** How many metrics pass the audit's basic tests: a claim, a small table, and what hangs on the limits. */

import { createCountCell, createCountTable } from '../../study/count-table.js';
import { el } from '../../shell/dom.js';

/** @typedef {import('../../types/core.d.ts').AuditCounts} Counts */

/** The claim of a whole report. @param {Counts} counts */
export function countsSentence({ readings, metrics, tests }) {
  const [, , , { all }] = tests;
  return `${all === 0 ? 'None' : all} of ${readings} readings of ${metrics} metrics ${all > 1 ? 'pass' : 'passes'} all three basic tests.`;
}

/** @param {Counts} counts */
export function createCountsTable({ readings, of_autoencoders: ofSae, tests, alone, sensitivity }) {
  const isApart = ofSae > 0 && ofSae < readings;
  const heads = ['Test', `All ${readings}`, ...(isApart ? [`The ${ofSae} that score autoencoders`] : [])];
  const rows = tests.map(({ test, all, of_autoencoders: some }) => [
    el('th', { scope: 'row' }, test.replace(/^./, (first) => first.toUpperCase())),
    createCountCell(all, readings),
    ...(isApart ? [createCountCell(some, ofSae)] : []),
  ]);
  const [separating] = tests;
  const few = alone > 0 && separating ? ` Of the ${separating.all} that separate every applicable control, ${alone} ${alone === 1 ? 'has' : 'have'} one control alone.` : '';
  const moved = sensitivity ? ` Of ${sensitivity.words} verdicts that hang on a threshold, ${sensitivity.lower} change where thresholds are ${sensitivity.by} lower and ${sensitivity.higher} where they are higher.` : '';
  return [
    createCountTable('How many readings pass each test', heads, rows),
    el('p', { class: 'help' }, `A reading is a metric as its paper or its code defines it.${few}${moved}`),
  ];
}
