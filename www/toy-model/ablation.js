// @ts-check
/** Heads switched off, and what becomes of the ten tasks: a few prompts at once, then all. */

import { createButton, el, requireElement, describeError } from '../shell/dom.js';
import { createDataTable } from '../shell/tables.js';
import { loadToyModelFiles } from './model-files.js';
import { runLatest } from './latest-request.js';
import { N_HEADS, N_LAYERS, toHeadPairs } from './state.js';
import { formatDecimal, headName, joinWithAnd, formatPercent } from '../shell/number-format.js';
import { watchScrolling } from '../shell/scroll-region.js';
import { setShade } from './shaded-words.js';

/** Prompts a task: at first, and then. */
const PROMPT_COUNTS = [32, 128];
/** A task whose accuracy falls by less than this is as before. */
const ACCURACY_DROP_MIN = 0.05;
/** Goes before whatever streams in. */
const TASK_PRIORITY = 2;

/** Tasks that what the page claims is about stand first. */
const LEADING_TASKS = ['recall', 'colour'];

/** @typedef {{ checkpoint: string, off: readonly string[] }} Wish */

const HEAD_NAMES = Array.from({ length: N_LAYERS * N_HEADS }, (_, at) => headName(Math.floor(at / N_HEADS), at % N_HEADS));

/** Without which heads. @param {readonly string[]} off */
const describeAblation = (off) => (off.length > 0 ? `Without ${joinWithAnd(off)}` : 'With all heads');

/**
 * The table: tasks across; how well they are done, then a row a head.
 *
 * @param {Language} language @param {(head: string) => void} toggle
 */
function createTable({ tasks, words: vocabulary }, toggle) {
  const isFirst = (/** @type {{ name: string }} */ { name }) => Number(LEADING_TASKS.includes(name));
  const order = tasks.map((task, at) => ({ at, first: isFirst(task) })).sort((a, b) => b.first - a.first);
  /** As they are shown, of what is in the order of the tasks. @template T @param {T[]} all */
  const shown = (all) => order.flatMap(({ at }) => all[at] ?? []);
  const row = (/** @type {string} */ name, /** @type {string} */ words) => {
    const cells = tasks.map((task) => el('td', { class: 'number', 'data-task': task.name }));
    return { cells, line: el('tr', { class: name }, el('th', { scope: 'row' }, words), ...shown(cells)) };
  };
  const [all, worst, now] = [row('all', 'All on'), row('worst', 'One head off: lowest'), row('now', 'Now')];
  const heads = HEAD_NAMES.map((name) => {
    const button = createButton(name, { 'aria-pressed': 'false' }, () => toggle(name));
    const cells = tasks.map((task) => el('td', { class: 'number', 'data-task': task.name }));
    return { name, button, cells, line: el('tr', {}, el('th', { scope: 'row' }, button), ...shown(cells)) };
  });
  const columns = tasks.map(({ name, asks }) => el('th', { scope: 'col', class: 'number', title: asks }, name));
  const group = (/** @type {string} */ words) =>
    el('tr', { class: 'group' }, el('th', { scope: 'rowgroup', colspan: String(tasks.length + 1) }, words));
  const table = createDataTable(
    'Accuracy of each task, and what each head does for it',
    ['Task', ...shown(columns)],
    [group(`Right answers, each the first of ${vocabulary.length} words`), all.line, worst.line, now.line],
    'data toy-table',
  );
  table.append(
    el(
      'tbody',
      {},
      group('What a head does: the drop of the logit difference without it'),
      ...heads.map(({ line }) => line),
    ),
  );
  return { table, all, worst, now, heads };
}

/** @param {HTMLElement} cell @param {number} share @param {number} [before] */
function showAccuracy(cell, share, before = share) {
  const fell = before - share;
  const bar = el('span', { class: 'toy-level', 'aria-hidden': 'true' });
  bar.style.width = `${(100 * share).toFixed(1)}%`;
  cell.replaceChildren(el('span', {}, `${fell >= ACCURACY_DROP_MIN ? '▼ ' : ''}${Math.round(100 * share)}%`), bar);
  cell.classList.toggle('fell', fell >= ACCURACY_DROP_MIN);
  cell.dataset.accuracy = share.toFixed(4);
}

/** @param {Pick<ReturnType<typeof createTable>, 'heads' | 'worst'>} table @param {LittleEffects[]} effects */
function showEffects({ heads, worst }, effects) {
  for (const { line } of [worst, ...heads]) line.classList.remove('waiting');
  effects.forEach(({ score, effects: of }, column) => {
    const lowest = of.reduce((least, one) => (one.accuracy < least.accuracy ? one : least));
    const cell = worst.cells[column];
    if (cell) {
      showAccuracy(cell, lowest.accuracy, score.accuracy);
      // Where no head matters, none is named.
      if (cell.classList.contains('fell')) cell.append(el('span', { class: 'toy-which' }, headName(...lowest.head)));
    }
    const most = Math.max(1, ...of.map(({ effect }) => Math.abs(effect)));
    for (const { head, effect } of of) {
      const cell = heads.find(({ name }) => name === headName(...head))?.cells[column];
      if (!cell) continue;
      cell.textContent = formatDecimal(effect);
      cell.classList.toggle('hinders', effect < 0);
      setShade(cell, Math.min(1, Math.abs(effect) / most));
    }
  });
}

/**
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {(off: string[]) => void} parts.onOff other heads are off
 */
export function createAblation({ core, pool, announce }, { onOff }) {
  /** @type {Wish} */
  let wish = { checkpoint: '', off: [] };
  /** With all heads on, by checkpoint and count. @type {Map<string, LittleMeasured[]>} */
  const whole = new Map();
  const { table, all, worst, now, heads } = createTable(core.language(), (name) => {
    const off = wish.off.includes(name) ? wish.off.filter((one) => one !== name) : [...wish.off, name].sort();
    onOff(off);
  });
  const back = createButton('All back on', {}, () => {
    onOff([]);
    heads[0]?.button.focus();
  });
  const status = el('p', { class: 'toy-status help' });
  const frame = el('div', { class: 'toy-scroll' }, table);
  const element = el(
    'div',
    { class: 'toy-ablation' },
    el('div', { class: 'toy-bar-line' }, back, status),
    frame,
    el('p', { class: 'help' }, 'Blue: the task needs the head; the stronger the colour, the more, task by task. Below zero, orange: it does better without.'),
  );
  watchScrolling(frame, 'Heads and tasks');

  /** @param {unknown} error */
  const fail = (error) => {
    status.textContent = `This could not be measured: ${describeError(error)}`;
    element.dataset.state = 'failed';
  };

  /** @param {string} checkpoint @param {readonly string[]} off @param {number} count @returns {Promise<LittleMeasured[]>} */
  async function measureTasks(checkpoint, off, count) {
    const key = `${checkpoint} ${count}`;
    const there = off.length === 0 ? whole.get(key) : undefined;
    if (there) return there;
    const files = await loadToyModelFiles(core, [checkpoint]);
    /** @type {TaskOf<'toy-tasks'>} */
    const task = { kind: 'toy-tasks', checkpoint, ablated: toHeadPairs(off), count, files };
    const found = /** @type {LittleMeasured[]} */ (await pool.submit(task, { priority: TASK_PRIORITY }));
    if (off.length === 0) whole.set(key, found);
    return found;
  }

  /** @param {readonly string[]} off @param {LittleMeasured[]} found @param {LittleMeasured[]} before @param {number} count */
  function write(off, found, before, count) {
    found.forEach(({ accuracy }, at) => {
      const usual = before[at]?.accuracy ?? accuracy;
      const [above, below] = [all.cells[at], now.cells[at]];
      if (above) showAccuracy(above, usual);
      if (below) showAccuracy(below, accuracy, usual);
    });
    const fell = found.filter(({ accuracy }, at) => (before[at]?.accuracy ?? 0) - accuracy >= ACCURACY_DROP_MIN);
    const words = fell.map(({ task, accuracy }) => `${task} ${formatPercent(accuracy)}`);
    const rest = fell.length === 0 ? 'every task is as before' : `right answers in ${joinWithAnd(words)}; the others as before`;
    const told = off.length > 0 ? `${describeAblation(off)}: ${rest}.` : 'With all heads.';
    status.textContent = `${told} ${count} prompts a task.`;
    element.dataset.count = String(count);
    element.dataset.off = off.join(',');
    if (count === PROMPT_COUNTS[0] && off.length > 0) announce(told);
  }

  const measure = runLatest(async (/** @type {Wish} */ { checkpoint, off }, stale) => {
    try {
      for (const count of PROMPT_COUNTS) {
        const before = await measureTasks(checkpoint, [], count);
        const found = await measureTasks(checkpoint, off, count);
        if (stale()) return;
        write(off, found, before, count);
      }
      element.dataset.state = 'done';
    } catch (error) {
      fail(error);
    }
  });

  const effects = runLatest(async (/** @type {string} */ checkpoint, stale) => {
    for (const { line, cells } of [worst, ...heads]) {
      line.classList.add('waiting');
      for (const cell of cells) if (!cell.textContent) cell.textContent = '…';
    }
    try {
      const files = await loadToyModelFiles(core, [checkpoint]);
      for (const count of PROMPT_COUNTS) {
        /** @type {TaskOf<'toy-effects'>} */
        const task = { kind: 'toy-effects', checkpoint, count, files };
        const found = /** @type {LittleEffects[]} */ (await pool.submit(task));
        if (stale()) return;
        showEffects({ heads, worst }, found);
        element.dataset.effects = `${checkpoint} ${count}`;
      }
    } catch (error) {
      fail(error);
    }
  });

  return {
    element,
    /** @param {Wish} next */
    show(next) {
      const other = next.checkpoint !== wish.checkpoint;
      if (!other && String(next.off) === String(wish.off)) return;
      wish = { checkpoint: next.checkpoint, off: next.off };
      for (const { name, button, line } of heads) {
        const off = wish.off.includes(name);
        button.setAttribute('aria-pressed', String(off));
        button.textContent = off ? `${name} off` : name;
        line.classList.toggle('off', off);
      }
      back.disabled = wish.off.length === 0;
      requireElement('.now th', table).textContent = wish.off.length > 0 ? 'Now' : 'Now (all on)';
      element.dataset.state = 'measuring';
      measure(wish);
      if (other) effects(wish.checkpoint);
    },
  };
}
