// @ts-check
/**
 * What there is to read of a figure beside its picture: values under a pointer, and its numbers as a
 * table. Loaded once the first pictures stand.
 */

import { loadLaterStyles } from './later-styles.js';
import { Readout } from './readout.js';
import { buildTable } from './tables.js';
import { clearStyles, placeCells } from './text-layer.js';

export class FigureReader {
  #readout;
  #layer;
  #text;
  /** @type {HTMLTableElement | null} */
  #table = null;
  /** Where the picture has a table's cells. @type {NonNullable<Layout['grid']> | null} */
  #grid = null;
  /** Whether text has taken the place of the picture. */
  #asText = false;

  /**
   * @param {object} figure
   * @param {HTMLElement} figure.stage holds the canvas
   * @param {HTMLCanvasElement} figure.canvas
   * @param {HTMLElement} figure.layer over the canvas, for a drawn table's text
   * @param {HTMLElement} figure.text beside the stage, for any other figure's
   * @param {boolean} figure.together whether all series at one place are read out at once
   * @param {(text: string) => void} figure.announce
   * @param {((mark: Mark) => void) | null} figure.onChoose hears which mark is chosen
   */
  constructor({ stage, canvas, layer, text, together, announce, onChoose }) {
    this.#layer = layer;
    this.#text = text;
    this.#readout = new Readout(stage, canvas, announce, together);
    this.#readout.onChoose = onChoose;
    this.#readout.listenOn(layer);
  }

  /** Takes what a drawing says of itself. @param {Layout} layout */
  setLayout(layout) {
    this.#readout.update(layout);
    const grid = layout.grid ?? null;
    if (JSON.stringify(grid) === JSON.stringify(this.#grid)) return;
    this.#grid = grid;
    this.#placeTable();
  }

  /** @param {boolean} asText */
  setAsText(asText) {
    this.#asText = asText;
    this.#placeTable();
  }

  /** @param {DataTable} data @param {string} caption */
  setTable(data, caption) {
    this.#table = buildTable(data, caption);
    this.#placeTable();
  }

  /** The table lies over the picture of one, and else beside the picture, for who cannot see it. */
  #placeTable() {
    if (!this.#table) return;
    const over = this.#grid !== null && !this.#asText;
    this.#layer.hidden = !over;
    const [home, other] = over ? [this.#layer, this.#text] : [this.#text, this.#layer];
    other.replaceChildren();
    if (over && this.#grid) placeCells(this.#table, this.#grid);
    else clearStyles(this.#table);
    home.replaceChildren(this.#table);
  }
}

/** How figures come to be read, once the styles of that are there. */
export async function loadFigureReader() {
  await loadLaterStyles();
  return FigureReader;
}
