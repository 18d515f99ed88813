// @ts-check
/** The benchmark's section: starting and cancelling it, and what it found. */

import { copyText } from '../shell/copy.js';
import { el, describeError } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { buildTable } from '../shell/tables.js';
import { swapButtons } from '../shell/button-pair.js';
import { ROUNDS, measureClockStep, runBenchmark } from './bench-measure.js';
import {
  buildBenchCharts,
  buildBenchTables,
  formatSignificant,
  buildMachineTable,
  toJson,
  toMarkdown,
} from './bench-report.js';

const CHART_IDS = ['fig-kernels', 'fig-stages', 'fig-seeds'];

/** The names browsers add so that nobody relies on there being one name only. */
const GREASE_BRAND = /not.?a.?brand/i;

/**
 * What the browser tells of the machine, in words. Nothing of it leaves the page but by the reader's
 * own hand.
 *
 * @param {number} workers
 * @param {number} step of the clock, in ms
 * @returns {Promise<Record<string, string>>}
 */
async function describeMachine(workers, step) {
  const { hardwareConcurrency, deviceMemory, userAgentData, userAgent, platform } =
    /** @type {BenchNavigator} */ (navigator);
  /** @type {Awaited<ReturnType<NonNullable<BenchNavigator['userAgentData']>['getHighEntropyValues']>>} */
  const more = await (
    userAgentData?.getHighEntropyValues(['architecture', 'bitness', 'platformVersion']) ??
    Promise.resolve({})
  ).catch(() => ({}));
  const brands = (userAgentData?.brands ?? [])
    .filter(({ brand }) => !GREASE_BRAND.test(brand))
    .map(({ brand, version }) => `${brand} ${version}`);
  const system = [userAgentData?.platform || platform, more.platformVersion].filter(Boolean);
  const architecture = [more.architecture, more.bitness && `${more.bitness} bit`].filter(Boolean);
  /** @type {Record<string, string | undefined>} */
  const found = {
    Browser: brands.length > 0 ? brands.join(', ') : userAgent,
    System: system.join(' '),
    Architecture: architecture.join(', '),
    Processors: hardwareConcurrency ? String(hardwareConcurrency) : undefined,
    Memory: deviceMemory ? `${deviceMemory} GB or more (browsers round it)` : undefined,
    Workers: String(workers),
    Clock: `steps of ${formatSignificant(step)} ms; the page is ${crossOriginIsolated ? '' : 'not '}cross-origin isolated`,
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}

/** The same table, with no range broken at its dash. @param {DataTable} data @returns {DataTable} */
const withUnbrokenRanges = ({ columns, rows }) => ({
  columns,
  rows: rows.map((row) => row.map(({ text }) => ({ text: text.replaceAll('–', '\u2060–\u2060') }))),
});

/** What the section is made of, below its heading. @param {HTMLElement} element */
function buildSection(element) {
  const start = el('button', { type: 'button' }, 'Run the benchmark');
  const cancel = el('button', { type: 'button' }, 'Cancel');
  const meter = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the benchmark' });
  const status = el('span', { class: 'benchmark-status' });
  const tables = el('div', { class: 'benchmark-tables' });
  const grid = el('div', { class: 'grid' }, ...CHART_IDS.map((id) => el('figure', { 'data-figure': id })));
  const copyMarkdown = el('button', { type: 'button' }, 'Copy as Markdown');
  const copyJson = el('button', { type: 'button' }, 'Copy as JSON');
  const copies = el('div', { class: 'benchmark-copy' }, copyMarkdown, copyJson);
  element.classList.add('benchmark');
  element.append(
    el(
      'p',
      {},
      'How fast is this on your machine? It takes ten to twenty seconds and all processors; other programs, and a battery that is saved, slow it down. Numbers are medians of interleaved rounds, with quartiles.',
    ),
    el('div', { class: 'benchmark-bar' }, start, cancel, meter, status),
    copies,
    grid,
    tables,
  );
  return { start, cancel, meter, status, tables, grid, copies, copyMarkdown, copyJson };
}

/**
 * What there is before anything is measured.
 *
 * @param {Lab} core
 * @param {BenchPool} pool
 * @param {number} step of the clock, in ms
 * @returns {Promise<BenchResult>}
 */
const createEmptyResult = async (core, pool, step) => ({
  version: core.version(),
  date: new Date().toISOString(),
  machine: await describeMachine(pool.size, step),
  rounds: ROUNDS,
  completed: 0,
  background: document.hidden,
  rows: [],
});

/**
 * What is said at the end.
 *
 * @param {BenchState} state
 * @param {string} said of how it ended
 * @param {boolean} some whether anything was measured
 * @param {boolean} former whether there are results of before
 */
function completionSentence(state, said, some, former) {
  const kept = some ? '; what was measured is kept' : former ? '; the former results are kept' : '';
  return `${said}${state === 'finished' ? '' : kept}.`;
}

/**
 * Builds the section below its heading.
 *
 * @param {object} options
 * @param {HTMLElement} options.element with no more than its heading
 * @param {BenchPool} options.pool its limit is set while measuring, and taken off afterwards
 * @param {Lab} options.core ready on this thread
 * @param {(text: string) => void} [options.announce] the page's polite voice
 */
export function createBenchmark({ element, pool, core, announce = () => {} }) {
  const { start, cancel, meter, status, tables, grid, copies, copyMarkdown, copyJson } = buildSection(element);
  /** @type {NodeListOf<HTMLElement>} */
  const places = grid.querySelectorAll('[data-figure]');
  const pictures = new Figures(places, announce);

  /** @type {BenchView | null} */
  let view = null;
  /** Whether there is something of every chart. */
  let drawn = false;
  /** @type {BenchResult | null} */
  let result = null;
  /** @type {AbortController | null} */
  let running = null;

  /** @param {BenchState} state @param {string} text */
  function setState(state, text) {
    const active = state === 'running';
    element.dataset.state = state;
    meter.hidden = !active;
    copies.hidden = tables.hidden = active || !result;
    grid.hidden = active || !drawn;
    status.textContent = text;
    swapButtons(start, cancel, active);
    if (state !== 'idle') announce(text);
  }

  /** @param {BenchResult} found */
  function show(found) {
    const measured = buildBenchCharts(found);
    drawn = measured.length === CHART_IDS.length;
    if (drawn) {
      const former = view;
      view = new core.BenchView(measured);
      grid.hidden = false;
      pictures.show(view);
      former?.free();
    }
    tables.replaceChildren(
      ...[...buildBenchTables(found), buildMachineTable(found)].map(({ title, data }) =>
        el('section', {}, el('h3', {}, title), buildTable(withUnbrokenRanges(data), title)),
      ),
    );
  }

  async function run() {
    running = new AbortController();
    const { signal } = running;
    start.textContent = 'Run it again';
    meter.value = 0;
    setState('running', 'Starting');
    const step = measureClockStep();
    const found = await createEmptyResult(core, pool, step);
    const watch = () => {
      found.background ||= document.hidden;
    };
    document.addEventListener('visibilitychange', watch);
    /** @type {BenchState} */
    let state = 'finished';
    let said = '';
    const began = performance.now();
    try {
      await runBenchmark({
        pool,
        core,
        signal,
        step,
        rows: found.rows,
        tell(what, share, completed) {
          status.textContent = `${Math.round(100 * share)} %: ${what}`;
          meter.value = share;
          found.completed = completed;
        },
      });
      said = `Finished in ${Math.round((performance.now() - began) / 1000)} s`;
    } catch (error) {
      state = signal.aborted ? 'cancelled' : 'failed';
      said = signal.aborted ? 'Cancelled' : `The benchmark broke off (${describeError(error)})`;
    }
    document.removeEventListener('visibilitychange', watch);
    running = null;
    const some = found.rows.some(({ samples }) => samples.length > 0);
    const former = result;
    if (some) {
      result = found;
      show(found);
    }
    setState(state, completionSentence(state, said, some, former !== null));
  }

  /** @param {(result: BenchResult) => string} write */
  async function hand(write) {
    if (!result) return;
    const text = (await copyText(write(result))) ? 'Copied.' : 'This browser does not let the page copy.';
    status.textContent = text;
    announce(text);
  }

  start.addEventListener('click', run);
  cancel.addEventListener('click', () => running?.abort());
  copyMarkdown.addEventListener('click', () => hand(toMarkdown));
  copyJson.addEventListener('click', () => hand(toJson));
  setState('idle', 'Not run yet.');

  return {
    /** Draws anew, in the theme of the moment. */
    redraw: () => pictures.redraw(),
    /** Ends a run under way; what it measured is shown. */
    cancel: () => running?.abort(),
  };
}
