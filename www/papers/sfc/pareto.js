// @ts-check
/** The Pareto front as an instrument: what counts as a tie, and where the boxes are seen from. */

import { el, showError } from '../../shell/dom.js';

/** Degrees to a pixel of dragging. */
const DEGREES_PER_PIXEL = 0.5;
const KEY_STEP = 5;
const LARGE_KEY_STEP = 15;

/** Every figure that depends on the rule for ties. */
const FRONT_FIGURES = ['pareto-sf', 'pareto-sc', 'pareto-fc', 'pareto-3d', 'pareto-table'];
/** The figure that turns. */
export const BOXES_FIGURE = 'pareto-3d';

const TIE_RULES = /** @type {const} */ ([
  { mode: 'exact', label: 'equal numbers only' },
  { mode: 'printed', label: 'alike in the 3 printed digits' },
  { mode: 'within', label: 'within' },
]);

/** @typedef {(typeof TIE_RULES)[number]['mode']} TieMode */

const KEY_HINT = 'Arrow keys turn, with Shift in larger steps. Home shows the first view again.';

/**
 * The rule for ties.
 *
 * @param {HTMLElement} controls takes it
 * @param {() => void} onChange the reader wants another
 */
function createTieRuleControl(controls, onChange) {
  /** @type {TieMode} */
  let mode = 'exact';
  const error = el('p', { class: 'error', id: 'ties-error', role: 'alert', hidden: true });
  const tolerance = el('input', {
    type: 'number',
    min: 0,
    max: 1,
    step: 0.001,
    value: 0.005,
    'aria-label': 'tolerance ε',
    'aria-describedby': error.id,
    autocomplete: 'off',
  });
  const radios = TIE_RULES.map(({ mode: value, label }) => {
    const radio = el('input', { type: 'radio', name: 'ties', value, checked: value === mode });
    radio.addEventListener('change', () => {
      mode = value;
      onChange();
    });
    return el('label', {}, radio, ` ${label}`);
  });
  tolerance.addEventListener('input', () => {
    const within = controls.querySelector('input[value="within"]');
    if (within instanceof HTMLInputElement) within.checked = true;
    mode = 'within';
    onChange();
  });
  radios.at(-1)?.append(' ε = ', tolerance);
  controls.append(
    el('fieldset', { class: 'ties' }, el('legend', {}, 'Two values tie if they are'), ...radios),
    error,
  );

  return {
    /** Tells a view the rule; false if it refuses. @param {View} view */
    set(view) {
      try {
        view.set_ties(mode, tolerance.valueAsNumber);
        showError(error, '', [tolerance]);
        return true;
      } catch (problem) {
        const reason = Number.isNaN(tolerance.valueAsNumber)
          ? 'A tolerance is a number, 0 or more'
          : /** @type {Problem} */ (problem).message;
        showError(error, `${reason}. The figures keep the last valid rule.`, [tolerance]);
        return false;
      }
    },
  };
}

/** What turns the boxes for those without a pointer, and back. @param {HTMLElement} stage takes it */
function buildRotationHandle(stage) {
  const hint = el('span', { class: 'visually-hidden', id: 'turn-hint' }, KEY_HINT);
  const handle = el(
    'div',
    {
      class: 'turn',
      tabindex: '0',
      role: 'slider',
      'aria-roledescription': 'view in three dimensions',
      'aria-label': 'Turn the boxes',
      'aria-describedby': hint.id,
      'aria-valuemin': 0,
      'aria-valuemax': 360,
    },
    el('span', { 'aria-hidden': 'true' }, '↻ drag, or arrow keys'),
  );
  const reset = el('button', { type: 'button', class: 'quiet' }, 'Reset view');
  stage.append(el('div', { class: 'turning' }, handle, reset, hint));
  return { handle, reset };
}

/** Where the boxes are seen from, in degrees: by a drag, by keys. */
class RotationControl {
  #first;
  #yaw;
  #pitch;
  #handle;
  #onTurn;
  #frameAsked = false;

  /**
   * @param {HTMLElement} handle
   * @param {{ yaw: number, pitch: number }} first where the core looks from at first, in degrees
   * @param {(yaw: number, pitch: number) => void} onTurn at most once a frame
   */
  constructor(handle, first, onTurn) {
    this.#first = first;
    this.#yaw = first.yaw;
    this.#pitch = first.pitch;
    this.#handle = handle;
    this.#onTurn = onTurn;
    handle.addEventListener('keydown', (event) => this.#handleKey(event));
    this.addDragSurface(handle);
    this.#describeRotation();
  }

  get yaw() {
    return this.#yaw;
  }

  get pitch() {
    return this.#pitch;
  }

  /** Shows the first view again. */
  reset() {
    this.#setRotation(this.#first.yaw, this.#first.pitch);
  }

  /** A drag turns what lies under it with the pointer. @param {HTMLElement} surface */
  addDragSurface(surface) {
    /** @type {{ id: number, x: number, y: number, yaw: number, pitch: number } | null} */
    let drag = null;
    surface.addEventListener('pointerdown', ({ button, pointerId, clientX, clientY }) => {
      if (button !== 0 || drag) return;
      drag = { id: pointerId, x: clientX, y: clientY, yaw: this.#yaw, pitch: this.#pitch };
      surface.setPointerCapture(pointerId);
    });
    surface.addEventListener('pointermove', (event) => {
      if (!drag || drag.id !== event.pointerId) return;
      this.#setRotation(
        drag.yaw - (event.clientX - drag.x) * DEGREES_PER_PIXEL,
        drag.pitch + (event.clientY - drag.y) * DEGREES_PER_PIXEL,
      );
    });
    // The browser takes a finger back for scrolling: the view then stays where it is.
    surface.addEventListener('lostpointercapture', () => {
      drag = null;
    });
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = event.shiftKey ? LARGE_KEY_STEP : KEY_STEP;
    const [yaw, pitch] = [this.#yaw, this.#pitch];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#setRotation(yaw - step, pitch),
      ArrowRight: () => this.#setRotation(yaw + step, pitch),
      ArrowUp: () => this.#setRotation(yaw, pitch + step),
      ArrowDown: () => this.#setRotation(yaw, pitch - step),
      Home: () => this.reset(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** @param {number} yaw @param {number} pitch */
  #setRotation(yaw, pitch) {
    this.#yaw = ((yaw % 360) + 360) % 360;
    this.#pitch = Math.min(90, Math.max(0, pitch));
    this.#describeRotation();
    if (this.#frameAsked) return;
    this.#frameAsked = true;
    requestAnimationFrame(() => {
      this.#frameAsked = false;
      this.#onTurn(this.#yaw, this.#pitch);
    });
  }

  #describeRotation() {
    const [around, above] = [Math.round(this.#yaw), Math.round(this.#pitch)];
    this.#handle.setAttribute('aria-valuenow', String(around));
    this.#handle.setAttribute('aria-valuetext', `${around} degrees around, ${above} degrees above`);
  }
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.controls takes the rule for ties
 * @param {HTMLElement} parts.stage holds the canvas of the boxes, and takes the handle
 * @param {HTMLCanvasElement} parts.canvas
 * @param {() => View | null} parts.view the result that is shown
 * @param {(ids: readonly string[]) => void} parts.redraw draws figures anew, with their words
 */
export function createParetoControls({ core, announce }, { controls, stage, canvas, view, redraw }) {
  const ties = createTieRuleControl(controls, () => {
    const current = view();
    if (!current || !ties.set(current)) return;
    redraw(FRONT_FIGURES);
    announce(current.summary(BOXES_FIGURE));
  });
  const { handle, reset } = buildRotationHandle(stage);
  const turning = new RotationControl(handle, core.constants(), (yaw, pitch) => {
    view()?.set_rotation(yaw, pitch);
    redraw([BOXES_FIGURE]);
  });
  turning.addDragSurface(canvas);
  canvas.classList.add('turnable');
  reset.addEventListener('click', () => {
    turning.reset();
    announce('The first view again.');
  });

  return {
    /**
     * Sets a new result as the reader has set the last one; to be called before it is drawn.
     *
     * @param {View} next
     */
    apply(next) {
      ties.set(next);
      next.set_rotation(turning.yaw, turning.pitch);
    },
  };
}
