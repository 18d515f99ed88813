// @ts-check
/** The Model Utilization Index of a reader's own models: its threshold, its scores, and where models have moved. */

import { createButton, el, describeError } from '../shell/dom.js';
import { createLabelled, createSelect } from '../shell/fields.js';
import { formatWithInterval, formatRounded, formatPercent } from '../shell/number-format.js';
import { createElementTable } from '../shell/scroll-region.js';

/** @typedef {{ model: string, report: ModelMui }} Measured */

/** @type {[value: string, words: string][]} */
const THRESHOLD_OPTIONS = [
  ['topk', 'top k of each layer'],
  ['global-topk', 'top k of all layers'],
  ['top-share', 'a share of each layer'],
  ['topscore', 'a share of the largest score'],
];

/** @param {ModelMui} report */
function createQuestionsTable(report) {
  const rows = report.tasks.map((task) => [task.task, String(task.answers.length), formatWithInterval(task.accuracy, task.accuracy_interval, formatPercent), formatPercent(task.chance), formatWithInterval(task.mui, task.mui_interval), formatWithInterval(task.mui_other, task.mui_other_interval), formatRounded(task.mui_random)]);
  const name = `Model Utilization Index: the share of all neurons that some answer uses; of ${report.neurons} a layer count for an answer: ${report.threshold}. 95 % intervals are over questions`;
  return createElementTable(name, ['Task', 'Questions', 'Accuracy', 'by chance', 'MUI', 'of another choice', 'at random'], rows);
}

/** "+0.012 (0.001 to 0.020)". @param {ModelMuiChange} change */
function formatChange({ difference, low, high }) {
  return `${difference > 0 ? '+' : ''}${formatRounded(difference)} (${formatRounded(low)} to ${formatRounded(high)})`;
}

/** @param {ModelMuiDirections} moved */
function createDirectionsTable({ steps, confidence, resamples }) {
  const rows = steps.flatMap(({ from, to, tasks }) =>
    tasks.map((task) => {
      const [before, after] = task.mui_random;
      const own = [formatChange(task.accuracy), formatChange(task.mui), task.direction];
      return [`${from} → ${to}, ${task.task}`, String(task.questions), ...own, formatChange(task.mui_other), task.direction_other, formatRounded(after - before)];
    }),
  );
  const name = `Direction from each model to the next over the questions that both answered; ${100 * confidence} % intervals over ${resamples} resamples of what each question adds. Undetermined where an interval of accuracy or of MUI includes 0, and below 10 questions`;
  return createElementTable(name, ['Models and task', 'Questions', 'Accuracy, change', 'MUI, change', 'Direction', 'of another choice', 'Direction by it', 'at random'], rows);
}

/** @param {ModelMuiTaskLaw[]} laws */
function createLawsTable(laws) {
  const rows = laws.map(({ task, law, law_other: other, refused }) => {
    const cells = law ? [formatRounded(law.law.a), formatRounded(law.law.b), formatRounded(law.law.r), formatRounded(law.law.p), String(law.law.models)] : [refused ?? '–', '–', '–', '–', '–'];
    return [task, ...cells, formatRounded(other?.law.a)];
  });
  return createElementTable('Utility law MUI = a ln P + b over these models, in percent', ['Task', 'a', 'b', 'r', 'p', 'Models', 'a of another choice'], rows);
}

/** What a threshold is, and at how much. */
function createThresholdFields() {
  const rule = createSelect({ id: 'model-own-mui-threshold' }, THRESHOLD_OPTIONS);
  const amount = el('input', { type: 'number', id: 'model-own-mui-amount', min: '0', step: 'any', placeholder: 'default' });
  const label = el('span', {}, 'Neurons');
  const isShare = () => rule.value.startsWith('top') && rule.value !== 'topk';
  rule.addEventListener('change', () => {
    label.textContent = isShare() ? 'Share' : 'Neurons';
    amount.value = '';
  });
  const element = el(
    'div',
    { class: 'model-own-controls' },
    createLabelled('A neuron counts as used for an answer by', rule),
    el('label', { class: 'field' }, label, amount),
  );
  return {
    element,
    /** As the core takes it. */
    options: () => ({ seed: 0, threshold: rule.value, ...(amount.value !== '' && { [isShare() ? 'share' : 'kept']: amount.valueAsNumber }) }),
  };
}

/**
 * @param {object} parts
 * @param {import('./model-client.js').ModelClient} parts.client
 * @param {() => string} parts.name of the model that is open
 */
export function createUtilization({ client, name }) {
  const threshold = createThresholdFields();
  /** Models that were measured before, by their reports alone: one model is in memory. @type {Measured[]} */
  let earlier = [];
  /** @type {Measured | null} */
  let measured = null;
  const keep = createButton('Compare the next model with this one', { id: 'model-own-mui-keep' }, () => {
    if (measured) earlier = [...earlier, measured];
    show();
  });
  const forget = createButton('Forget earlier models', { id: 'model-own-mui-forget' }, () => {
    earlier = [];
    show();
  });
  const listed = el('span', { id: 'model-own-mui-earlier' });
  const line = el('p', { class: 'row' }, keep, ' ', listed, ' ', forget);

  function show() {
    const names = earlier.map(({ model }) => model);
    keep.hidden = !measured || earlier.includes(measured);
    forget.hidden = names.length === 0;
    line.hidden = !!keep.hidden && !!forget.hidden;
    listed.textContent = names.length === 0 ? '' : `Earlier models: ${names.join(', ')}. Open another above.`;
  }
  show();

  /** A name that no earlier model has. */
  function uniqueName() {
    const known = earlier.map(({ model }) => model);
    const plain = name();
    let found = plain;
    for (let count = 2; known.includes(found); count += 1) found = `${plain} (${count})`;
    return found;
  }

  return {
    element: el('div', {}, el('h4', {}, 'Model Utilization Index'), threshold.element, line),
    options: threshold.options,
    /** The model is gone: its scores stay only where they were kept. */
    clear() {
      measured = null;
      show();
    },
    /** The scores, and where the model has moved since earlier ones. @param {ModelMui} report */
    async scores(report) {
      measured = { model: uniqueName(), report };
      const parts = [createQuestionsTable(report)];
      if (earlier.length > 0) {
        try {
          const moved = await client.ask('model-directions', { models: [...earlier, measured] });
          parts.push(createDirectionsTable(moved));
          if (moved.laws.length > 0) parts.push(createLawsTable(moved.laws));
        } catch (error) {
          parts.push(el('p', { class: 'help' }, `Not comparable with earlier models: ${describeError(error)}`));
        }
      }
      show();
      return el('div', {}, ...parts);
    },
  };
}
