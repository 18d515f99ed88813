// @ts-check
/** What each checkpoint can do: a row streams in as soon as its weights are there. */

import { stripFullStop, createButton, el, describeError } from '../shell/dom.js';
import { formatInteger } from '../shell/basic-format.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { createDataTable } from '../shell/tables.js';
import { loadToyModelFiles } from './model-files.js';
import { formatPercent } from '../shell/number-format.js';
import { watchScrolling } from '../shell/scroll-region.js';
import { UNTRAINED_CHECKPOINT } from './train-autoencoder.js';
import { setShade } from './shaded-words.js';

/** Prompts a task. */
const PROMPT_COUNT = 128;

/** What is known of a checkpoint from its name. @param {string} name */
function describeCheckpoint(name) {
  const steps = formatInteger(Number(/\d+$/.exec(name)?.[0] ?? 0));
  if (name === UNTRAINED_CHECKPOINT) return 'untrained';
  if (name.startsWith('ck-')) return `after ${steps} steps`;
  if (name.startsWith('seed')) return 'another training';
  const [, task] = name.split('-');
  if (task === 'contaminated') return 'trained on test items of colour';
  return `trained further on ${task}`;
}

/**
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {(checkpoint: string) => void} parts.onCheckpoint
 */
export function createCheckpointsView({ core, pool }, { onCheckpoint }) {
  const { tasks } = core.language();
  const rows = core.little_checkpoints().map((name) => {
    const button = createButton(name, { 'aria-pressed': 'false' }, () => onCheckpoint(name));
    const cells = tasks.map(() => el('td', { class: 'number' }));
    const line = el(
      'tr',
      { 'data-checkpoint': name },
      el('th', { scope: 'row' }, button, el('span', { class: 'toy-about' }, describeCheckpoint(name))),
      ...cells,
    );
    return { name, button, cells, line };
  });
  const table = createDataTable(
    `Right answers of ${PROMPT_COUNT} prompts a task, by checkpoint`,
    ['Checkpoint', ...tasks.map(({ name, asks }) => el('th', { scope: 'col', class: 'number', title: asks }, name))],
    rows.map(({ line }) => line),
    'data toy-table',
  );
  const frame = el('div', { class: 'toy-scroll' }, table);
  const again = createButton('Try the missing ones again', { class: 'quiet', hidden: true }, () => fillAll());
  const status = el('p', { class: 'toy-status help' }, 'Computed when you come here.');
  const element = el('div', { class: 'toy-checkpoints' }, frame, el('p', {}, status, again));
  watchScrolling(frame, 'Checkpoints and tasks');

  /** @type {Set<string>} */
  const done = new Set();

  /** @param {typeof rows[number]} row @returns {Promise<string | null>} why it is not there */
  async function fillRow({ name, cells, line }) {
    try {
      const files = await loadToyModelFiles(core, [name]);
      /** @type {TaskOf<'toy-tasks'>} */
      const task = { kind: 'toy-tasks', checkpoint: name, ablated: [], count: PROMPT_COUNT, files };
      const found = /** @type {LittleMeasured[]} */ (await pool.submit(task, { priority: -1 }));
      found.forEach(({ accuracy }, at) => {
        const cell = cells[at];
        if (!cell) return;
        cell.textContent = `${Math.round(100 * accuracy)}%`;
        cell.dataset.accuracy = accuracy.toFixed(4);
        setShade(cell, accuracy);
        cell.title = `${name}, ${tasks[at]?.name}: ${formatPercent(accuracy)} right`;
      });
      line.dataset.state = 'done';
      done.add(name);
      return null;
    } catch (error) {
      line.dataset.state = 'failed';
      for (const cell of cells) cell.textContent = '–';
      return describeError(error);
    }
  }

  let busy = false;
  async function fillAll() {
    if (busy) return;
    busy = true;
    again.hidden = true;
    /** @type {string[]} */
    const missing = [];
    for (const row of rows.filter(({ name }) => !done.has(name))) {
      status.textContent = `${done.size} of ${rows.length} checkpoints…`;
      const why = await fillRow(row);
      if (why) missing.push(why);
    }
    const first = missing[0] && stripFullStop(missing[0]);
    status.textContent =
      first === undefined
        ? `All ${rows.length} checkpoints, ${PROMPT_COUNT} prompts a task.`
        : `${missing.length} of ${rows.length} are not there. ${first}.`;
    again.hidden = first === undefined;
    element.dataset.state = first === undefined ? 'done' : 'failed';
    busy = false;
  }

  /** Nothing is loaded before the reader comes near. */
  whenNearViewport(element, fillAll);

  return {
    element,
    /** @param {string} checkpoint that the page shows */
    show(checkpoint) {
      for (const { name, button } of rows) button.setAttribute('aria-pressed', String(name === checkpoint));
    },
  };
}
