// @ts-check
/**
 * The map of weights as a control: the ring is dragged, or moved by the arrow keys. The core says
 * where weights are on the map, and which weights a place means.
 */

import { el } from '../../shell/dom.js';

/** Shares of the whole that a key moves. */
const KEY_STEP = 0.01;
const LARGE_KEY_STEP = 0.05;
/** Weights on the map sum to this, so that they suit the sliders. */
const WEIGHTS_TOTAL = 10;
/** The whole sentence is spoken when the ring has rested for this long, in milliseconds. */
const SPEAK_DELAY = 700;

const KEY_HINT =
  'Left and right trade sparsity for fidelity, up and down lead towards completeness and away; ' +
  'with Shift in larger steps. Home makes all weights equal, End gives all to sparsity.';

/**
 * Shares as weights, to two decimals; equal shares as 1 : 1 : 1.
 *
 * @param {readonly number[]} shares
 * @returns {Weights}
 */
function toWeights(shares) {
  const [s = 0, f = 0, c = 0] = shares.map((share) => Math.round(share * WEIGHTS_TOTAL * 100) / 100);
  return s === f && f === c ? [1, 1, 1] : [s, f, c];
}

/** @param {Weights} weights @returns {Weights} */
function toShares(weights) {
  const total = weights[0] + weights[1] + weights[2];
  return [weights[0] / total, weights[1] / total, weights[2] / total];
}

/**
 * Shares after a key; null for keys that mean nothing here. Sideways C keeps its share; up and down
 * S and F keep their ratio.
 *
 * @param {Weights} shares
 * @param {string} key
 * @param {number} step
 * @returns {Weights | null}
 */
export function moveShares([s, f, c], key, step) {
  const rest = s + f;
  /** @param {number} more @returns {Weights} */
  const towardsC = (more) => {
    const left = rest - more;
    const share = rest > 0 ? s / rest : 1 / 2;
    return [share * left, (1 - share) * left, c + more];
  };
  switch (key) {
    case 'ArrowRight':
      return [s - Math.min(step, s), f + Math.min(step, s), c];
    case 'ArrowLeft':
      return [s + Math.min(step, f), f - Math.min(step, f), c];
    case 'ArrowUp':
      return towardsC(Math.min(step, rest));
    case 'ArrowDown':
      return towardsC(-Math.min(step, c));
    case 'Home':
      return [1 / 3, 1 / 3, 1 / 3];
    case 'End':
      return [1, 0, 0];
    default:
      return null;
  }
}

/** What is dragged, and what keys move. @param {HTMLElement} stage takes it */
function buildWeightsHandle(stage) {
  const hint = el('span', { class: 'visually-hidden', id: 'simplex-hint' }, KEY_HINT);
  const handle = el('div', {
    class: 'simplex-handle',
    tabindex: '0',
    role: 'slider',
    'aria-roledescription': 'two-dimensional slider',
    'aria-label': 'Weights of sparsity, fidelity and completeness',
    'aria-describedby': hint.id,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
  });
  stage.append(handle, hint);
  return handle;
}

/** Says on the handle what the weights are. @param {HTMLElement} handle @param {Weights} weights */
function describeWeights(handle, weights) {
  const [s, f, c] = toShares(weights).map((share) => Math.round(share * 100));
  handle.setAttribute('aria-valuenow', String(s));
  handle.setAttribute('aria-valuetext', `sparsity ${s} %, fidelity ${f} %, completeness ${c} %`);
}

/**
 * Tells of new weights at most once a frame: the first of several in one frame at once, the last with
 * the next frame.
 */
class WeightsThrottle {
  #weights;
  #onWeights;
  /** @type {Weights | null} */
  #waiting = null;
  #frameAsked = false;

  /** @param {() => Weights} weights of the moment @param {(weights: Weights) => void} onWeights */
  constructor(weights, onWeights) {
    this.#weights = weights;
    this.#onWeights = onWeights;
  }

  /** The last that it was given. */
  get latest() {
    return this.#waiting ?? this.#weights();
  }

  /** @param {Weights} next */
  push(next) {
    const now = this.#weights();
    if (next.every((weight, axis) => weight === now[/** @type {0 | 1 | 2} */ (axis)])) return;
    if (this.#frameAsked) {
      this.#waiting = next;
      return;
    }
    this.#frameAsked = true;
    this.#onWeights(next);
    requestAnimationFrame(() => {
      this.#frameAsked = false;
      const last = this.#waiting;
      this.#waiting = null;
      if (last) this.push(last);
    });
  }
}

/**
 * @param {object} parts
 * @param {HTMLElement} parts.stage holds the canvas, and takes the handle
 * @param {HTMLCanvasElement} parts.canvas the drawn map
 * @param {() => View | null} parts.view the result that is shown
 * @param {() => Weights} parts.weights the weights of the moment
 * @param {(weights: Weights) => void} parts.onWeights takes new weights; at most once a frame
 * @param {(text: string) => void} parts.announce
 */
export function createSimplexControl({ stage, canvas, view, weights, onWeights, announce }) {
  const handle = buildWeightsHandle(stage);
  canvas.classList.add('simplex-map');
  const teller = new WeightsThrottle(weights, (next) => {
    onWeights(next);
    update();
  });
  /** From the pointer to the middle of the handle. */
  let grip = { x: 0, y: 0 };
  /** @type {number | null} */
  let pointer = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;

  /** @param {PointerEvent} event */
  function follow(event) {
    const frame = canvas.getBoundingClientRect();
    const shares = view()?.simplex_at(
      event.clientX - frame.left + grip.x,
      event.clientY - frame.top + grip.y,
      frame.width,
      frame.height,
    );
    if (shares) teller.push(toWeights([...shares]));
  }

  function speak() {
    clearTimeout(rest);
    rest = setTimeout(() => {
      const text = view()?.flip_sentence();
      if (text) announce(text);
    }, SPEAK_DELAY);
  }

  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || pointer !== null) return;
    const frame = handle.getBoundingClientRect();
    grip = {
      x: frame.left + frame.width / 2 - event.clientX,
      y: frame.top + frame.height / 2 - event.clientY,
    };
    grab(event);
  });
  canvas.addEventListener('pointerdown', (event) => {
    // A finger on the map may mean to scroll: it moves the ring only by a tap.
    if (event.button !== 0 || event.pointerType === 'touch' || pointer !== null) return;
    grip = { x: 0, y: 0 };
    grab(event);
    follow(event);
  });
  canvas.addEventListener('click', (event) => {
    if (/** @type {PointerEvent} */ (event).pointerType !== 'touch') return;
    grip = { x: 0, y: 0 };
    follow(/** @type {PointerEvent} */ (event));
    speak();
  });

  /** @param {PointerEvent} event */
  function grab(event) {
    event.preventDefault();
    pointer = event.pointerId;
    handle.setPointerCapture(pointer);
    handle.focus({ preventScroll: true });
    handle.classList.add('held');
  }

  function release() {
    pointer = null;
    handle.classList.remove('held');
    speak();
  }
  handle.addEventListener('pointermove', (event) => {
    if (event.pointerId === pointer) follow(event);
  });
  handle.addEventListener('lostpointercapture', release);
  handle.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // Keys may come faster than frames.
    const next = moveShares(toShares(teller.latest), event.key, event.shiftKey ? LARGE_KEY_STEP : KEY_STEP);
    if (!next) return;
    event.preventDefault();
    teller.push(toWeights(next));
    speak();
  });

  /** Puts the handle where the weights are. */
  function update() {
    const now = weights();
    const { clientWidth: width, clientHeight: height } = canvas;
    /** @type {ArrayLike<number>} */
    let place;
    try {
      const found = width > 0 && view()?.simplex_point(...now, width, height);
      if (!found) return;
      place = found;
    } catch {
      // Weights that the core refuses have no place; the handle keeps its last one.
      return;
    }
    handle.style.left = `${canvas.offsetLeft + (place[0] ?? 0)}px`;
    handle.style.top = `${canvas.offsetTop + (place[1] ?? 0)}px`;
    describeWeights(handle, now);
  }

  new ResizeObserver(update).observe(canvas);
  update();
  return {
    /** To be called when the weights or the result are others. */
    update,
  };
}
