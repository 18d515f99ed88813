// @ts-check
/** Circuits of heads of a reader's own model, as measurement theory's metrics have them: how they are asked for, and their tables. */

import { el } from '../shell/dom.js';
import { labelled, selectOf, toList } from '../shell/fields.js';
import { fixed, headName, percent, range } from './number-format.js';
import { table } from './own-table.js';

/** Heads of a circuit that a table names, and rows of heads of each task. */
const NAMED = 6;
const HEADS = 5;

const ORDERS = { effect: 'Largest effects', least: 'Control: smallest effects', shuffled: 'Control: shuffled labels', random: 'Control: random' };
const VERDICTS = { 'not-performed': 'No verdict', separates: 'Separates', inconclusive: 'Inconclusive' };

/** @param {number[]} values */
const average = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** @param {ModelHeadCircuit['heads']} heads */
function named(heads) {
  const names = heads.slice(0, NAMED).map(([layer, head]) => headName(layer, head));
  return heads.length > NAMED ? `${names.join(' ')} and ${heads.length - NAMED} more` : names.join(' ');
}

/** What the model makes of each task. @param {ModelCircuits} report */
function tasksTable(report) {
  const rows = report.tasks.map((of) => [
    of.task,
    String(of.prompts.length),
    String(of.skipped.length + of.skipped.answers),
    percent(of.accuracy.value),
    range(of.accuracy.interval, percent),
    percent(of.chance),
    percent(of.accuracy_corrupted),
    fixed(of.full),
    fixed(of.corrupted),
    fixed(of.empty),
    of.ex2.pairs.length > 0 ? fixed(of.ex2.max_dif_standard) : '–',
    of.ex11 ? `${of.ex11.n_detectable} of ${of.ex11.jnd_full.length}` : '–',
    of.performed ? 'Yes' : 'No',
  ]);
  const left = report.left_out.map(({ task, prompts }) => [task, String(prompts), ...Array.from({ length: 10 }, () => '–'), 'Left out: too few prompts']);
  const name = `Circuits of heads: the tasks, before any circuit. Differences are of logits, for greater-than of probabilities, on the half of the prompts that circuits are measured on; skipped are prompts whose corrupted counterpart has not as many tokens or whose answers share the first token`;
  const heads = ['Task', 'Prompts', 'Skipped', 'Accuracy', 'at 95%', 'by chance', 'after corrupted prompts', 'Mean difference', 'after corrupted prompts', 'without any head', 'EX2: largest |d| between groups', 'EX11: heads noticed', 'Does the model do it?'];
  return table(name, heads, [...rows, ...left]);
}

/** Circuits of a task by size, random ones as one row. @param {ModelTaskCircuits} of */
function circuitsTable(of) {
  const random = of.orders.filter(({ order }) => order === 'random');
  const others = of.orders.filter(({ order }) => order !== 'random');
  const rows = of.verdicts.flatMap((verdict, at) => {
    const lines = others.flatMap(({ order, circuits }) => {
      const circuit = circuits[at];
      if (!circuit) return [];
      const { heads, faithfulness, faithfulness_mib: mib, completeness, ex1 } = circuit;
      return [[String(heads.length), ORDERS[order], named(heads), fixed(faithfulness.value), range(faithfulness.interval), fixed(mib), fixed(completeness.value), fixed(ex1.dprime), order === 'effect' ? VERDICTS[verdict] : '']];
    });
    const drawn = random.flatMap(({ circuits }) => circuits[at] ?? []);
    const shares = drawn.map(({ faithfulness }) => faithfulness.value);
    const mib = drawn.flatMap(({ faithfulness_mib: one }) => one ?? []);
    /** @type {[number, number]} */
    const ends = [Math.min(...shares), Math.max(...shares)];
    const completeness = average(drawn.map((one) => one.completeness.value));
    const dprime = average(drawn.map(({ ex1 }) => ex1.dprime));
    return [...lines, [String(drawn[0]?.heads.length ?? 0), ORDERS.random, `mean of ${drawn.length}`, fixed(average(shares)), range(ends), mib.length === drawn.length ? fixed(average(mib)) : '–', fixed(completeness), fixed(dprime), '']];
  });
  const name = `Circuits of ${of.task}: found on half of the prompts, measured on the other. Intervals are at 95%, of random circuits from the lowest to the highest. Without any head faithfulness is ${fixed(of.faithfulness_empty)}; of the whole model it is 1. ${of.performed ? 'A circuit separates where its faithfulness is nearer 1 than that of every control of its size, at 95%' : 'The model does not do the task, so that there is no verdict'}`;
  return table(name, ['Heads', 'Order', 'Circuit', 'Faithfulness', 'Interval', 'Faithfulness, MIB', 'Completeness', 'd′', 'Verdict'], rows);
}

/** Heads with the largest effects. @param {ModelCircuits} report */
function headsTable(report) {
  const rows = report.tasks.flatMap(({ task, effects }) => {
    const order = [...effects].sort((a, b) => Math.abs(b.effect.value) - Math.abs(a.effect.value));
    return order.slice(0, HEADS).map(({ head: [layer, head], effect, shuffled }) => [task, headName(layer, head), fixed(effect.value), range(effect.interval), fixed(shuffled)]);
  });
  const name = `Heads with the largest effects: by how much the mean difference drops when the head alone is ablated, on the half of the prompts that circuits are found on`;
  return table(name, ['Task', 'Head', 'Effect', 'Interval', 'Control: shuffled labels'], rows);
}

/** @param {ModelCircuits} report */
export function circuitsTables(report) {
  return el('div', {}, tasksTable(report), ...report.tasks.map(circuitsTable), report.tasks.length > 0 ? headsTable(report) : '');
}

/** How circuits are asked for. */
export function createCircuitsForm() {
  const prompts = el('input', { type: 'number', id: 'model-own-circuits-prompts', min: '4', max: '200', value: '16' });
  const fractions = el('input', { type: 'text', id: 'model-own-circuits-fractions', autocomplete: 'off', spellcheck: 'false', value: '0.05, 0.1, 0.2, 0.5' });
  const ablation = selectOf({ id: 'model-own-circuits-ablation' }, [
    ['corrupted', 'as in the corrupted prompt'],
    ['mean', 'the mean over corrupted prompts'],
    ['zero', 'nothing'],
  ]);
  const seed = el('input', { type: 'number', id: 'model-own-circuits-seed', min: '0', value: '0' });
  const count = el('span', {});
  const element = el(
    'div',
    {},
    el('h4', {}, 'Circuits of attention heads'),
    el('p', {}, 'Circuits of attention heads on prompts of indirect object identification, greater-than (years) and subject–verb agreement, each with a corrupted counterpart of as many tokens. Heads are ordered by what ablating each does on half of the prompts; faithfulness, completeness and d′ are measured on the other half, beside random circuits, the least important heads and shuffled labels.'),
    el(
      'div',
      { class: 'model-own-controls' },
      labelled('Prompts of each task', prompts),
      labelled('Shares of all heads in a circuit', fractions),
      labelled('Ablated heads write', ablation),
      labelled('Seed', seed),
    ),
    el('p', { class: 'help' }, count, ' The number of forward passes is shown before the first of them.'),
  );
  return {
    element,
    /** @param {{ layers: number, heads: number }} of */
    setModel({ layers, heads }) {
      count.textContent = `The model has ${layers * heads} heads, each of which is ablated on every task.`;
    },
    /** @returns {ModelMetric} */
    request() {
      const shares = toList(fractions.value);
      const kind = /** @type {'corrupted' | 'mean' | 'zero'} */ (ablation.value);
      return { metric: 'circuits', options: { seed: Number(seed.value), prompts: Number(prompts.value), fractions: shares, ablation: kind } };
    },
  };
}
