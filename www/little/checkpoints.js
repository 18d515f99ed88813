// @ts-check
/** What each checkpoint can do: a row streams in as soon as its weights are there. */

import { clause, createButton, el, reason } from '../shell/dom.js';
import { grouped } from '../shell/grouped.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { dataTable } from '../shell/tables.js';
import { littleFiles } from './files.js';
import { percent } from './number-format.js';
import { watchScrolling } from './scrolling.js';
import { UNTRAINED } from './train-autoencoder.js';
import { shade } from './words.js';

/** Prompts a task. */
const COUNT = 128;

/** What is known of a checkpoint from its name. @param {string} name */
function about(name) {
  const steps = grouped(Number(/\d+$/.exec(name)?.[0] ?? 0));
  if (name === UNTRAINED) return 'untrained';
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
export function createCheckpoints({ core, pool }, { onCheckpoint }) {
  const { tasks } = core.language();
  const rows = core.little_checkpoints().map((name) => {
    const button = createButton(name, { 'aria-pressed': 'false' }, () => onCheckpoint(name));
    const cells = tasks.map(() => el('td', { class: 'number' }));
    const line = el(
      'tr',
      { 'data-checkpoint': name },
      el('th', { scope: 'row' }, button, el('span', { class: 'little-about' }, about(name))),
      ...cells,
    );
    return { name, button, cells, line };
  });
  const table = dataTable(
    `Right answers of ${COUNT} prompts a task, by checkpoint`,
    ['Checkpoint', ...tasks.map(({ name, asks }) => el('th', { scope: 'col', class: 'number', title: asks }, name))],
    rows.map(({ line }) => line),
    'data little-table',
  );
  const frame = el('div', { class: 'little-scroll' }, table);
  const again = createButton('Try the missing ones again', { class: 'quiet', hidden: true }, () => fillAll());
  const status = el('p', { class: 'little-status help' }, 'Computed when you come here.');
  const element = el('div', { class: 'little-checkpoints' }, frame, el('p', {}, status, again));
  watchScrolling(frame, 'Checkpoints and tasks');

  /** @type {Set<string>} */
  const done = new Set();

  /** @param {typeof rows[number]} row @returns {Promise<string | null>} why it is not there */
  async function fill({ name, cells, line }) {
    try {
      const files = await littleFiles(core, [name]);
      /** @type {TaskOf<'little-tasks'>} */
      const task = { kind: 'little-tasks', checkpoint: name, ablated: [], count: COUNT, files };
      const found = /** @type {LittleMeasured[]} */ (await pool.submit(task, { priority: -1 }));
      found.forEach(({ accuracy }, at) => {
        const cell = cells[at];
        if (!cell) return;
        cell.textContent = `${Math.round(100 * accuracy)}%`;
        cell.dataset.accuracy = accuracy.toFixed(4);
        shade(cell, accuracy);
        cell.title = `${name}, ${tasks[at]?.name}: ${percent(accuracy)} right`;
      });
      line.dataset.state = 'done';
      done.add(name);
      return null;
    } catch (error) {
      line.dataset.state = 'failed';
      for (const cell of cells) cell.textContent = '–';
      return reason(error);
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
      const why = await fill(row);
      if (why) missing.push(why);
    }
    const first = missing[0] && clause(missing[0]);
    status.textContent =
      first === undefined
        ? `All ${rows.length} checkpoints, ${COUNT} prompts a task.`
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
