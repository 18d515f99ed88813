// @ts-check
/** What the heads look at: twelve small patterns, one of them large, and the words shaded from where one points. */

import { createButton, el, requireElement } from '../shell/dom.js';
import { createRovingFocus } from '../shell/roving-tabindex.js';
import { N_HEADS, N_LAYERS } from './state.js';
import { drawPattern, drawThumbnail } from './attention-pattern.js';
import { headName, joinWithAnd, formatPercent, quoteWord } from '../shell/number-format.js';
import { createWordRow, createLegend } from './shaded-words.js';

/** Side of a small pattern, in CSS pixels. */
const SMALL_SIDE = 64;
/** Most of the large one's. */
const LARGE_SIDE_MAX = 560;

/**
 * A sentence on what a head looks at from a position.
 *
 * @param {string} head @param {readonly number[]} row @param {readonly string[]} words @param {number} at
 */
function attentionSentence(head, row, words, at) {
  const seen = row
    .slice(0, at + 1)
    .map((value, to) => ({ value, to }))
    .filter(({ value }) => value >= 0.05)
    .sort((a, b) => b.value - a.value)
    .slice(0, 3)
    .map(({ value, to }) => `${to === at ? 'itself' : quoteWord(words[to] ?? '')} (${formatPercent(value)})`);
  const where = seen.length > 0 ? joinWithAnd(seen) : 'everything a little';
  return `From ${quoteWord(words[at] ?? '')}, word ${at}, head ${head} looks at ${where}.`;
}

/** The buttons of all heads. @param {(head: string) => void} onHead */
function createHeadGrid(onHead) {
  const grid = el('div', { class: 'toy-heads', role: 'group', 'aria-label': 'Heads, by layer and number' });
  const all = Array.from({ length: N_LAYERS * N_HEADS }, (_, index) => {
    const [layer, head] = [Math.floor(index / N_HEADS), index % N_HEADS];
    const name = headName(layer, head);
    const canvas = el('canvas', { 'aria-hidden': 'true' });
    const note = el('span', { class: 'toy-note' });
    const button = createButton([canvas, el('span', {}, name), note], {}, () => onHead(name));
    grid.append(button);
    return { layer, head, name, canvas, button, note };
  });
  createRovingFocus(grid, 'button');
  return { grid, all };
}

/** What there is to choose, and beside it what is chosen. @param {HTMLElement} side @param {...HTMLElement} main */
const createColumns = (side, ...main) =>
  el(
    'div',
    { class: 'toy-attention' },
    el('div', {}, side),
    el('div', {}, el('h3', { class: 'toy-chosen' }), ...main),
  );

/**
 * @param {object} parts
 * @param {(head: string) => void} parts.onHead another head is chosen
 */
export function createAttention({ onHead }) {
  /** @type {{ words: readonly string[], patterns: LittleReading['patterns'], off: readonly string[] } | undefined} */
  let now;
  let head = '0.0';
  let at = 0;
  /** Which cell of the large pattern is where. @type {ReturnType<typeof drawPattern>} */
  let cellAt = () => null;

  const { grid, all } = createHeadGrid((name) => {
    head = name;
    draw();
    onHead(name);
  });
  const words = createWordRow({
    label: 'The text, shaded by what the head looks at from the chosen word',
    choose(position) {
      if (position === at) return;
      at = position;
      shade();
      drawPatterns();
    },
  });
  const said = el('p', { class: 'toy-said' });
  const canvas = el('canvas', { class: 'toy-matrix', role: 'img' });
  const readout = el('p', { class: 'help toy-readout' });

  const pattern = () => {
    const [layer = 0, number = 0] = head.split('.').map(Number);
    return now?.patterns[layer]?.[number] ?? [];
  };

  function shade() {
    if (!now) return;
    const row = pattern()[at] ?? [];
    words.shade(
      row.map((value, to) => (to <= at ? value : null)),
      { most: 1, say: (value) => (value < 0.005 ? '' : formatPercent(value)), chosen: at },
    );
    said.textContent = attentionSentence(head, row, now.words, at);
  }

  function drawPatterns() {
    if (!now) return;
    for (const one of all)
      drawThumbnail(one.canvas, now.patterns[one.layer]?.[one.head] ?? [], SMALL_SIDE, at);
    const room = canvas.parentElement?.clientWidth ?? 0;
    if (room === 0) return;
    cellAt = drawPattern(canvas, pattern(), now.words, Math.min(LARGE_SIDE_MAX, room), at);
    canvas.setAttribute(
      'aria-label',
      `Attention pattern of head ${head}: ${now.words.length} words down look at the same words across. The words above have its numbers.`,
    );
  }

  function draw() {
    if (!now) return;
    for (const { name, button, note } of all) {
      const off = now.off.includes(name);
      button.setAttribute('aria-pressed', String(name === head));
      note.textContent = off ? 'off' : '';
    }
    requireElement('.toy-chosen', element).textContent = `Head ${head}`;
    readout.textContent = 'A row looks, a column is looked at; the stronger the colour, the more. Point into it to read it.';
    shade();
    drawPatterns();
  }

  /** @param {PointerEvent} event */
  function readCell({ offsetX, offsetY }) {
    const cell = cellAt(offsetX, offsetY);
    if (!cell || !now) return null;
    const share = pattern()[cell.from]?.[cell.to] ?? 0;
    const [from, to] = [now.words[cell.from] ?? '', now.words[cell.to] ?? ''];
    readout.textContent = `From ${quoteWord(from)} at ${quoteWord(to)}: ${formatPercent(share)}`;
    return cell;
  }
  canvas.addEventListener('pointermove', readCell);
  canvas.addEventListener('click', (event) => {
    const cell = readCell(/** @type {PointerEvent} */ (event));
    if (!cell) return;
    at = cell.from;
    shade();
    drawPatterns();
  });

  const frame = el('div', { class: 'toy-frame' }, canvas);
  const element = createColumns(grid, words.element, createLegend('0%', '100% of the looking'), said, frame, readout);
  new ResizeObserver(drawPatterns).observe(element);

  return {
    element,
    redraw: drawPatterns,
    /**
     * @param {readonly string[]} text
     * @param {LittleReading} reading
     * @param {readonly string[]} off
     */
    show(text, reading, off) {
      const other = text.join(' ') !== now?.words.join(' ');
      now = { words: text, patterns: reading.patterns, off };
      if (other) {
        at = text.length - 1;
        words.write(text);
      }
      draw();
    },
    /** @param {string} name */
    choose(name) {
      head = name;
      draw();
    },
  };
}
