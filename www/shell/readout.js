// @ts-check
/**
 * Reading values off a drawn figure: by pointer, by touch, or by arrow keys once the canvas has
 * the focus. The core says where the marks are; this says which one is meant.
 */

import { el, typesetProse } from './dom.js';

/** How near, in CSS pixels, the pointer must come to a mark. */
const POINTER_REACH = 24;
/** A marker on a curve is no larger than this; what is larger is a bar or a cell. */
const MARKER_SIZE_MAX = 20;
/** Two marks this close stand in one row or column. */
const ALIGN_TOLERANCE = 1.5;

/** @param {Mark} mark */
const isPoint = ({ w, h }) => w <= MARKER_SIZE_MAX && Math.abs(w - h) < 0.5;

/** @param {Mark} mark */
const centre = ({ x, y, w, h }) => ({ x: x + w / 2, y: y + h / 2 });

/** From a place to the nearest place of a mark; 0 inside. @param {Mark} mark @param {number} x @param {number} y */
function distance(mark, x, y) {
  const across = Math.max(mark.x - x, 0, x - mark.x - mark.w);
  const down = Math.max(mark.y - y, 0, y - mark.y - mark.h);
  return Math.hypot(across, down);
}

/**
 * The mark a pointer at (x, y) means: the one it is in, the smallest of several, or else the
 * nearest in reach.
 *
 * @param {readonly Mark[]} marks
 * @param {number} x
 * @param {number} y
 * @returns {number} its index, −1 for none
 */
export function findMark(marks, x, y) {
  let best = -1;
  let least = Infinity;
  let smallest = Infinity;
  marks.forEach((mark, index) => {
    const far = distance(mark, x, y);
    const area = mark.w * mark.h;
    if (far > POINTER_REACH || far > least || (far === least && area >= smallest)) return;
    best = index;
    least = far;
    smallest = area;
  });
  return best;
}

/**
 * Whether the marks are the points of curves over common places: then a pointer anywhere in the
 * plot means the nearest place, as a crosshair does.
 *
 * @param {readonly Mark[]} marks
 */
export function areInColumns(marks) {
  /** @type {Map<string, number>} */
  const places = new Map();
  return marks.every((mark) => {
    const { x } = centre(mark);
    const place = places.get(mark.title) ?? x;
    places.set(mark.title, place);
    return isPoint(mark) && Math.abs(place - x) < ALIGN_TOLERANCE;
  });
}

/**
 * The nearest mark to (x, y) in the nearest column.
 *
 * @param {readonly Mark[]} marks
 * @param {number} x
 * @param {number} y
 */
export function findColumnMark(marks, x, y) {
  let best = -1;
  let least = [Infinity, Infinity];
  marks.forEach((mark, index) => {
    const there = centre(mark);
    const cost = [Math.abs(there.x - x), Math.abs(there.y - y)];
    const nearer = cost[0] < least[0] - ALIGN_TOLERANCE;
    if (nearer || (cost[0] < least[0] + ALIGN_TOLERANCE && cost[1] < least[1])) {
      best = index;
      least = cost;
    }
  });
  return best;
}

/**
 * The nearest mark in the direction of an arrow; sideways keeps to the series of a curve.
 *
 * @param {readonly Mark[]} marks
 * @param {number} from
 * @param {string} key
 * @returns {number}
 */
export function findNextMark(marks, from, key) {
  if (marks.length === 0) return -1;
  if (key === 'Home') return 0;
  if (key === 'End') return marks.length - 1;
  const start = marks[from];
  if (!start) return 0;
  const here = centre(start);
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const sign = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1;
  const onCurve = sideways && isPoint(start);
  let best = from;
  let least = Infinity;
  marks.forEach((mark, index) => {
    const there = centre(mark);
    const along = sign * (sideways ? there.x - here.x : there.y - here.y);
    const across = Math.abs(sideways ? there.y - here.y : there.x - here.x);
    if (index === from || along <= 0 || (onCurve && mark.series !== start.series)) return;
    // Off the straight way costs more than the way itself, so that rows and columns are kept to.
    const cost = onCurve ? along : along + 4 * (across < ALIGN_TOLERANCE ? 0 : across);
    if (cost < least) {
      best = index;
      least = cost;
    }
  });
  return best;
}

/**
 * What is read out together with a mark: every series at the same place.
 *
 * @param {readonly Mark[]} marks
 * @param {Mark} mark
 */
export const findCompanions = (marks, mark) => marks.filter(({ title }) => title === mark.title);

export class Readout {
  #stage;
  #canvas;
  #announce;
  #together;
  #pointer = el('div', { class: 'pointer', 'aria-hidden': 'true', hidden: true });
  #line = el('div', { class: 'crosshair', 'aria-hidden': 'true', hidden: true });
  #tip = el('div', { class: 'tip', 'aria-hidden': 'true', hidden: true });
  /** @type {Layout | null} */
  #layout = null;
  #columns = false;
  #index = -1;
  /** Who hears which mark is chosen: by a click, or by Enter where one is read out. @type {((mark: Mark) => void) | null} */
  onChoose = null;
  /** Where pointing counts. @type {HTMLElement[]} */
  #grounds = [];

  /**
   * @param {HTMLElement} stage holds the canvas; the tooltip stays within it
   * @param {HTMLCanvasElement} canvas
   * @param {(text: string) => void} announce
   * @param {boolean} together whether all series at one place are read out at once
   * @param {AbortSignal} [signal] ends what it listens to beyond the stage
   */
  constructor(stage, canvas, announce, together, signal) {
    this.#stage = stage;
    this.#canvas = canvas;
    this.#announce = announce;
    this.#together = together;
    stage.append(this.#line, this.#pointer, this.#tip);
    this.listenOn(canvas);
    canvas.addEventListener('keydown', (event) => this.#handleKey(event));
    canvas.addEventListener('click', (event) => this.#handleClick(event));
    canvas.addEventListener('focus', () => {
      if (canvas.matches(':focus-visible') && this.#index < 0) this.#showMark(0, true);
    });
    canvas.addEventListener('blur', () => this.#showMark(-1));
    document.addEventListener(
      'pointerdown',
      (event) => {
        // Within a shadow tree the target is not told beyond it.
        const path = event.composedPath();
        if (!this.#grounds.some((ground) => path.includes(ground))) this.#showMark(-1);
      },
      { signal },
    );
  }

  /** Reads out what is pointed at on something that lies over the canvas, too. @param {HTMLElement} ground */
  listenOn(ground) {
    this.#grounds.push(ground);
    ground.addEventListener('pointermove', (event) => this.#handlePointer(event));
    ground.addEventListener('pointerdown', (event) => this.#handlePointer(event));
    ground.addEventListener('pointerleave', (event) => {
      // After a tap the values stay, until another tap.
      if (event.pointerType === 'mouse') this.#showMark(-1);
    });
  }

  /** Takes the marks of a new drawing; a value being read stays in view. @param {Layout} layout */
  update(layout) {
    this.#layout = layout;
    this.#columns = areInColumns(layout.marks);
    if (this.#index >= 0) this.#showMark(this.#index < layout.marks.length ? this.#index : -1);
  }

  /** @param {PointerEvent} event */
  #handlePointer(event) {
    if (!this.#layout) return;
    const frame = this.#canvas.getBoundingClientRect();
    const { marks, plot } = this.#layout;
    const x = event.clientX - frame.left;
    const y = event.clientY - frame.top;
    const near = findMark(marks, x, y);
    const inPlot = x >= plot.x && x <= plot.x + plot.w && y >= plot.y && y <= plot.y + plot.h;
    this.#showMark(near < 0 && inPlot && this.#columns ? findColumnMark(marks, x, y) : near);
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    if (!this.#layout || !this.onChoose) return;
    const frame = this.#canvas.getBoundingClientRect();
    const { marks } = this.#layout;
    const y = event.clientY - frame.top;
    // The name of a row is as good as any mark in it.
    const mark = marks[findMark(marks, event.clientX - frame.left, y)] ?? marks.find((one) => y >= one.y && y < one.y + one.h);
    if (mark) this.onChoose(mark);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') {
      this.#showMark(-1);
    } else if (event.key === 'Enter' && this.onChoose) {
      const mark = this.#layout?.marks[this.#index];
      if (mark) this.onChoose(mark);
    } else if (/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key) && this.#layout) {
      event.preventDefault();
      this.#showMark(findNextMark(this.#layout.marks, this.#index, event.key), true);
    }
  }

  /** @param {number} index @param {boolean} [speak] */
  #showMark(index, speak = false) {
    const mark = this.#layout?.marks[index];
    this.#index = mark ? index : -1;
    for (const part of [this.#pointer, this.#line, this.#tip]) part.hidden = !mark;
    if (!mark || !this.#layout) return;
    this.#placePointer(mark, this.#layout.plot);
    const read = this.#together ? findCompanions(this.#layout.marks, mark) : [mark];
    this.#tip.replaceChildren(
      el('strong', {}, typesetProse(mark.title)),
      ...read.map((one) => el('span', { class: one === mark ? 'meant' : '' }, typesetProse(one.text))),
    );
    this.#placeTip(mark);
    if (speak) this.#announce(`${mark.title}: ${mark.text}`);
  }

  /** @param {Mark} mark @param {Layout['plot']} plot */
  #placePointer(mark, plot) {
    const point = isPoint(mark);
    const { x, y } = centre(mark);
    this.#pointer.classList.toggle('box', !point);
    const { style } = this.#pointer;
    style.left = `${point ? x : mark.x}px`;
    style.top = `${point ? y : mark.y}px`;
    style.width = point ? '' : `${mark.w}px`;
    style.height = point ? '' : `${mark.h}px`;
    this.#line.hidden = !point;
    this.#line.style.left = `${x}px`;
    this.#line.style.top = `${plot.y}px`;
    this.#line.style.height = `${plot.h}px`;
  }

  /** Beside a point, above or below a box; never outside the figure. @param {Mark} mark */
  #placeTip(mark) {
    const { x, y } = centre(mark);
    const { offsetWidth: width, offsetHeight: height } = this.#tip;
    const { clientWidth, clientHeight } = this.#stage;
    /** @param {number} at @param {number} most */
    const within = (at, most) => Math.min(Math.max(0, at), Math.max(0, most));
    let left = x - width / 2;
    let top = mark.y - height - 10 >= 0 ? mark.y - height - 10 : mark.y + mark.h + 10;
    if (isPoint(mark)) {
      left = x + 16 + width <= clientWidth ? x + 16 : x - 16 - width;
      top = y - height / 2;
    }
    this.#tip.style.left = `${within(left, clientWidth - width)}px`;
    this.#tip.style.top = `${within(top, clientHeight - height)}px`;
  }
}
