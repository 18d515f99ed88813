// @ts-check
/** A head's attention pattern on a canvas: a row looks, a column is looked at. */

import { formatWord } from '../shell/number-format.js';

/** Cells smaller than this, in CSS pixels, have no room for words beside them. */
const CELL_MIN = 11;

/** @param {HTMLCanvasElement} canvas @param {string} name of a colour of the page */
const readColour = (canvas, name) => getComputedStyle(canvas).getPropertyValue(name).trim();

/**
 * Sizes a canvas and clears it.
 *
 * @param {HTMLCanvasElement} canvas @param {number} side in CSS pixels
 */
function prepareCanvas(canvas, side) {
  const density = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(side * density);
  canvas.height = canvas.width;
  canvas.style.width = `${side}px`;
  canvas.style.height = `${side}px`;
  const pen = canvas.getContext('2d');
  pen?.scale(density, density);
  return pen;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {readonly (readonly number[])[]} pattern
 * @param {{ cell: number, from: number, accent: string, line: string, edge: string, row: number }} look
 */
function drawCells(pen, pattern, { cell, from, accent, line, edge, row }) {
  const size = pattern.length;
  pen.strokeStyle = line;
  pen.strokeRect(from + 0.5, from + 0.5, size * cell - 1, size * cell - 1);
  pen.fillStyle = accent;
  pattern.forEach((values, y) =>
    values.forEach((value, x) => {
      if (value < 0.01) return;
      pen.globalAlpha = Math.min(1, value);
      pen.fillRect(from + x * cell, from + y * cell, Math.ceil(cell), Math.ceil(cell));
    }),
  );
  pen.globalAlpha = 1;
  if (row < 0 || row >= size) return;
  pen.strokeStyle = edge;
  pen.lineWidth = 1;
  pen.strokeRect(from + 0.5, from + row * cell + 0.5, size * cell - 1, Math.max(2, cell - 1));
}

/** @param {HTMLCanvasElement} canvas */
const readColours = (canvas) => ({
  accent: readColour(canvas, '--accent'),
  line: readColour(canvas, '--line'),
  edge: readColour(canvas, '--ink'),
});

/** A small picture of it. @param {HTMLCanvasElement} canvas @param {readonly (readonly number[])[]} pattern @param {number} side @param {number} row */
export function drawThumbnail(canvas, pattern, side, row) {
  const pen = prepareCanvas(canvas, side);
  if (pen) drawCells(pen, pattern, { cell: side / pattern.length, from: 0, row, ...readColours(canvas) });
}

/**
 * The pattern with its words beside it where there is room.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {readonly (readonly number[])[]} pattern
 * @param {readonly string[]} words
 * @param {number} most side in CSS pixels
 * @param {number} row that is chosen
 * @returns {(x: number, y: number) => { from: number, to: number } | null} which cell is at a place
 */
export function drawPattern(canvas, pattern, words, most, row) {
  const size = pattern.length;
  const room = 58;
  const written = (most - room) / size >= CELL_MIN;
  const from = written ? room : 0;
  const cell = Math.min(34, (most - from) / size);
  const side = from + cell * size;
  const pen = prepareCanvas(canvas, side);
  if (!pen) return () => null;
  drawCells(pen, pattern, { cell, from, row, ...readColours(canvas) });
  if (written) {
    pen.font = `${Math.min(12.5, cell * 0.85)}px ${getComputedStyle(canvas).fontFamily}`;
    pen.textBaseline = 'middle';
    words.forEach((word, at) => {
      const middle = from + (at + 0.5) * cell;
      pen.fillStyle = readColour(canvas, at === row ? '--ink' : '--muted');
      pen.textAlign = 'right';
      pen.fillText(formatWord(word), from - 5, middle, from - 6);
      pen.save();
      pen.translate(middle, from - 5);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = 'left';
      pen.fillText(formatWord(word), 0, 0, from - 6);
      pen.restore();
    });
  }
  return (x, y) => {
    const [to, at] = [Math.floor((x - from) / cell), Math.floor((y - from) / cell)];
    return at >= 0 && at < size && to >= 0 && to <= at ? { from: at, to } : null;
  };
}
