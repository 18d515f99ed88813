// @ts-check
/** The model as a graph, edge by edge: what a task needs, at every share of the edges that MIB's curve looks at. */

import { loadToyModelFiles } from '../../toy-model/model-files.js';
import { createRecordTable } from '../../shell/scroll-region.js';
import { formatRounded } from '../../shell/number-format.js';
import { el, describeError, setScrollRegion } from '../../shell/dom.js';

/** @typedef {MeasureEdges['edges'][number]} Edge */

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
/** Size of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [720, 300];
/** Rows of the table. */
const ROWS_MAX = 24;

/** @param {string} name @param {Record<string, string | number>} attributes @param {(Node | string)[]} children */
function createSvgElement(name, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {Edge} edge */
const formatEdge = ({ from, to, input }) => `${from} → ${to}${input === 'whole' ? '' : ` (${input})`}`;

/** Where each part stands: the embedding, each layer's heads, its MLP, the logits. @param {readonly Edge[]} edges */
function layoutNodes(edges) {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  /** @param {string} name */
  const column = (name) => {
    const head = /^a(\d+)\.h\d+$/.exec(name);
    const mlp = /^m(\d+)$/.exec(name);
    if (head) return 1 + 2 * Number(head[1]);
    if (mlp) return 2 + 2 * Number(mlp[1]);
    return name === 'input' ? 0 : Infinity;
  };
  const last = 1 + Math.max(...names.map(column).filter(Number.isFinite));
  const at = names.map((name) => ({ name, column: Math.min(column(name), last) }));
  /** @type {Map<string, { x: number, y: number }>} */
  const found = new Map();
  for (const { name, column: own } of at) {
    const beside = at.filter(({ column: other }) => other === own).map(({ name: other }) => other).sort();
    const y = ((beside.indexOf(name) + 1) / (beside.length + 1)) * HEIGHT;
    found.set(name, { x: 40 + (own / last) * (WIDTH - 80), y });
  }
  return found;
}

/** Of equal sizes the former first, as the core orders them. @param {readonly Edge[]} edges */
const sortBySize = (edges) => [...edges].sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));

/** The graph with the edges that are kept. @param {MeasureEdges} found @param {number} nth of the thresholds */
function drawGraph({ edges, by_effect: { kept, faithfulness }, thresholds }, nth) {
  const where = layoutNodes(edges);
  const ordered = sortBySize(edges);
  const most = Math.abs(ordered[0]?.effect ?? 1) || 1;
  const shown = ordered.slice(0, kept[nth] ?? 0);
  const lines = [...shown].reverse().map((edge) => {
    const { from, to, input, effect } = edge;
    const [a, b] = [where.get(from), where.get(to)];
    if (!a || !b) return '';
    // Queries, keys and values of a head arrive at its top, middle and foot.
    const off = { query: -7, key: 0, value: 7, whole: 0 }[input];
    const bend = 0.4 * (b.x - a.x);
    return createSvgElement(
      'path',
      {
        d: `M${a.x} ${a.y} C${a.x + bend} ${a.y} ${b.x - bend} ${b.y + off} ${b.x} ${b.y + off}`,
        class: effect < 0 ? 'against' : 'for',
        'stroke-width': (0.6 + (5.4 * Math.abs(effect)) / most).toFixed(2),
      },
      createSvgElement('title', {}, `${formatEdge(edge)}: ${formatRounded(effect)}`),
    );
  });
  const used = new Set(shown.flatMap(({ from, to }) => [from, to]));
  const nodes = [...where].map(([name, { x, y }]) =>
    createSvgElement(
      'g',
      { class: used.has(name) ? 'used' : 'unused' },
      createSvgElement('rect', { x: x - 24, y: y - 11, width: 48, height: 22, rx: 4 }),
      createSvgElement('text', { x, y: y + 4, 'text-anchor': 'middle' }, name),
    ),
  );
  const words = `${shown.length} of ${edges.length} edges (${(100 * (thresholds[nth] ?? 0)).toLocaleString('en')} %), faithfulness ${formatRounded(faithfulness[nth] ?? NaN)}`;
  const drawing = createSvgElement('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': words, class: 'measure-graph' }, ...lines, ...nodes);
  return { drawing, words, shown };
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {() => StudySettings} parts.settings
 */
export function createEdgesSection({ core, pool, announce }, { place, settings }) {
  const start = el('button', { type: 'button', id: 'measure-edges-start' }, 'Cut every edge');
  const said = el('span', {});
  const meter = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'How far the edges are cut' });
  const result = el('div', { id: 'measure-edges-result' });
  place.append(el('p', { class: 'ensemble-status' }, start, ' ', meter, ' ', said), result);
  /** @type {AbortController | null} */
  let running = null;

  /** @param {MeasureEdges} found */
  function show(found) {
    const slider = el('input', { type: 'range', id: 'measure-edges-share', min: 0, max: found.thresholds.length - 1, step: 1, value: 6 });
    const told = el('output', { for: slider.id });
    const box = el('div', { class: 'ce-scroll' });
    const rows = el('div', {});
    const draw = () => {
      const { drawing, words, shown } = drawGraph(found, Number(slider.value));
      told.textContent = words;
      slider.setAttribute('aria-valuetext', words);
      box.replaceChildren(drawing);
      setScrollRegion(box, 'The graph');
      rows.replaceChildren(
        createRecordTable(
          shown.length > ROWS_MAX ? `The ${ROWS_MAX} largest of the ${shown.length} edges kept` : 'The edges kept',
          [
            ['edge', 'left', formatEdge],
            ['effect', 'right', ({ effect }) => formatRounded(effect)],
            ['attribution', 'right', ({ attribution }) => formatRounded(attribution)],
          ],
          shown.slice(0, ROWS_MAX),
        ),
      );
    };
    slider.addEventListener('input', draw);
    draw();
    result.replaceChildren(
      el('div', { class: 'field' }, el('label', { for: slider.id }, 'Share of the edges that is kept'), slider, ' ', told),
      box,
      rows,
    );
  }

  start.addEventListener('click', async () => {
    running?.abort('asked again');
    const { signal } = (running = new AbortController());
    const wanted = settings();
    meter.hidden = false;
    meter.value = 0;
    said.textContent = `Cutting the edges of ${wanted.checkpoint} on ${wanted.task} …`;
    try {
      const files = await loadToyModelFiles(core, [wanted.checkpoint]);
      const found = await pool.submit(
        { kind: 'study-call', call: 'measure_edges', args: [wanted], files },
        { signal, priority: 900, onProgress: (/** @type {string} */ _stage, /** @type {number} */ part) => void (meter.value = part) },
      );
      if (signal.aborted) return;
      show(found);
      const { rank_correlation: rank } = found;
      const along = rank === null ? 'has no rank correlation with it' : `ranks them with a correlation of ${formatRounded(rank)}`;
      said.textContent = `${wanted.checkpoint}, ${wanted.task}, ${wanted.n_prompts} prompts: ${found.edges.length} edges cut one by one; attribution patching ${along}.`;
      announce(said.textContent);
    } catch (error) {
      if (signal.aborted) return;
      said.textContent = `Failed: ${describeError(error)}`;
    } finally {
      if (running?.signal === signal) meter.hidden = true;
    }
  });
}
