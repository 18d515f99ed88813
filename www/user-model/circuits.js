// @ts-check
/** Circuits of heads of a reader's own model, as measurement theory's metrics have them: how they are asked for, and their tables. */

import { el } from '../shell/dom.js';
import { createLabelled, createSelect, parseNumberList } from '../shell/fields.js';
import { formatRounded, headName, formatPercent, formatInterval } from '../shell/number-format.js';
import { createElementTable } from '../shell/scroll-region.js';

/** Heads of a circuit that a table names, and rows of heads of each task. */
const HEADS_NAMED_MAX = 6;
const HEADS_PER_TASK = 5;

const ORDER_LABELS = { effect: 'Largest effects', least: 'Control: smallest effects', shuffled: 'Control: shuffled labels', random: 'Control: random' };
const VERDICT_LABELS = { 'not-performed': 'No verdict', separates: 'Separates', inconclusive: 'Inconclusive' };

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** @param {ModelHeadCircuit['heads']} heads */
function formatHeads(heads) {
  const names = heads.slice(0, HEADS_NAMED_MAX).map(([layer, head]) => headName(layer, head));
  return heads.length > HEADS_NAMED_MAX ? `${names.join(' ')} and ${heads.length - HEADS_NAMED_MAX} more` : names.join(' ');
}

/** What the model makes of each task. @param {ModelCircuits} report */
function createTasksTable(report) {
  const rows = report.tasks.map((of) => [
    of.task,
    String(of.prompts.length),
    String(of.skipped.length + of.skipped.answers),
    formatPercent(of.accuracy.value),
    formatInterval(of.accuracy.interval, formatPercent),
    formatPercent(of.chance),
    formatPercent(of.accuracy_corrupted),
    formatRounded(of.full),
    formatRounded(of.corrupted),
    formatRounded(of.empty),
    of.ex2.pairs.length > 0 ? formatRounded(of.ex2.max_dif_standard) : '–',
    of.ex11 ? `${of.ex11.n_detectable} of ${of.ex11.jnd_full.length}` : '–',
    of.performed ? 'Yes' : 'No',
  ]);
  const left = report.left_out.map(({ task, prompts }) => [task, String(prompts), ...Array.from({ length: 10 }, () => '–'), 'Left out: too few prompts']);
  const name = `Circuits of heads: the tasks, before any circuit. Differences are of logits, for greater-than of probabilities, on the half of the prompts that circuits are measured on; skipped are prompts whose corrupted counterpart has not as many tokens or whose answers share the first token`;
  const heads = ['Task', 'Prompts', 'Skipped', 'Accuracy', 'at 95%', 'by chance', 'after corrupted prompts', 'Mean difference', 'after corrupted prompts', 'without any head', 'EX2: largest |d| between groups', 'EX11: heads noticed', 'Does the model do it?'];
  return createElementTable(name, heads, [...rows, ...left]);
}

/** Circuits of a task by size, random ones as one row. @param {ModelTaskCircuits} of */
function createCircuitTable(of) {
  const random = of.orders.filter(({ order }) => order === 'random');
  const others = of.orders.filter(({ order }) => order !== 'random');
  const rows = of.verdicts.flatMap((verdict, at) => {
    const lines = others.flatMap(({ order, circuits }) => {
      const circuit = circuits[at];
      if (!circuit) return [];
      const { heads, faithfulness, faithfulness_mib: mib, completeness, ex1 } = circuit;
      return [[String(heads.length), ORDER_LABELS[order], formatHeads(heads), formatRounded(faithfulness.value), formatInterval(faithfulness.interval), formatRounded(mib), formatRounded(completeness.value), formatRounded(ex1.dprime), order === 'effect' ? VERDICT_LABELS[verdict] : '']];
    });
    const drawn = random.flatMap(({ circuits }) => circuits[at] ?? []);
    const shares = drawn.map(({ faithfulness }) => faithfulness.value);
    const mib = drawn.flatMap(({ faithfulness_mib: one }) => one ?? []);
    /** @type {[number, number]} */
    const ends = [Math.min(...shares), Math.max(...shares)];
    const completeness = mean(drawn.map((one) => one.completeness.value));
    const dprime = mean(drawn.map(({ ex1 }) => ex1.dprime));
    return [...lines, [String(drawn[0]?.heads.length ?? 0), ORDER_LABELS.random, `mean of ${drawn.length}`, formatRounded(mean(shares)), formatInterval(ends), mib.length === drawn.length ? formatRounded(mean(mib)) : '–', formatRounded(completeness), formatRounded(dprime), '']];
  });
  const name = `Circuits of ${of.task}: found on half of the prompts, measured on the other. Intervals are at 95%, of random circuits from the lowest to the highest. Without any head faithfulness is ${formatRounded(of.faithfulness_empty)}; of the whole model it is 1. ${of.performed ? 'A circuit separates where its faithfulness is nearer 1 than that of every control of its size, at 95%' : 'The model does not do the task, so that there is no verdict'}`;
  return createElementTable(name, ['Heads', 'Order', 'Circuit', 'Faithfulness', 'Interval', 'Faithfulness, MIB', 'Completeness', 'd′', 'Verdict'], rows);
}

/** Heads with the largest effects. @param {ModelCircuits} report */
function createHeadsTable(report) {
  const rows = report.tasks.flatMap(({ task, effects }) => {
    const order = [...effects].sort((a, b) => Math.abs(b.effect.value) - Math.abs(a.effect.value));
    return order.slice(0, HEADS_PER_TASK).map(({ head: [layer, head], effect, shuffled }) => [task, headName(layer, head), formatRounded(effect.value), formatInterval(effect.interval), formatRounded(shuffled)]);
  });
  const name = `Heads with the largest effects: by how much the mean difference drops when the head alone is ablated, on the half of the prompts that circuits are found on`;
  return createElementTable(name, ['Task', 'Head', 'Effect', 'Interval', 'Control: shuffled labels'], rows);
}

/** @param {ModelCircuits} report */
export function createCircuitsTables(report) {
  return el('div', {}, createTasksTable(report), ...report.tasks.map(createCircuitTable), report.tasks.length > 0 ? createHeadsTable(report) : '');
}

/** How circuits are asked for. */
export function createCircuitsForm() {
  const prompts = el('input', { type: 'number', id: 'model-own-circuits-prompts', min: '4', max: '200', value: '16' });
  const fractions = el('input', { type: 'text', id: 'model-own-circuits-fractions', autocomplete: 'off', spellcheck: 'false', value: '0.05, 0.1, 0.2, 0.5' });
  const ablation = createSelect({ id: 'model-own-circuits-ablation' }, [
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
      createLabelled('Prompts of each task', prompts),
      createLabelled('Shares of all heads in a circuit', fractions),
      createLabelled('Ablated heads write', ablation),
      createLabelled('Seed', seed),
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
      const shares = parseNumberList(fractions.value);
      const kind = /** @type {'corrupted' | 'mean' | 'zero'} */ (ablation.value);
      return { metric: 'circuits', options: { seed: Number(seed.value), prompts: Number(prompts.value), fractions: shares, ablation: kind } };
    },
  };
}
