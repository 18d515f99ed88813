// @ts-check
/** The Pareto front as an instrument: what counts as a tie, and where the boxes are seen from. */

import { el } from '../../shell/dom.js';

/** Where the core looks from at first, in degrees. */
const FIRST = { yaw: 52, pitch: 26 };
/** Degrees to a pixel of dragging. */
const PER_PIXEL = 0.5;
const STEP = 5;
const LARGE_STEP = 15;

/** Every figure that depends on the rule for ties. */
export const FRONT_FIGURES = ['pareto-sf', 'pareto-sc', 'pareto-fc', 'pareto-3d', 'pareto-table'];
/** The figure that turns. */
export const BOXES = 'pareto-3d';

const RULES = /** @type {const} */ ([
  { mode: 'exact', label: 'equal numbers only' },
  { mode: 'printed', label: 'alike in the 3 printed digits' },
  { mode: 'within', label: 'within' },
]);

/** @typedef {(typeof RULES)[number]['mode']} TieMode */

const HINT = 'Arrow keys turn, with Shift in larger steps. Home shows the first view again.';

/**
 * @param {object} parts
 * @param {HTMLElement} parts.controls takes the rule for ties
 * @param {HTMLElement} parts.stage holds the canvas of the boxes, and takes the handle
 * @param {HTMLCanvasElement} parts.canvas
 * @param {() => View | null} parts.view the result that is shown
 * @param {(ids: readonly string[]) => void} parts.redraw draws figures anew, with their words
 * @param {(text: string) => void} parts.announce
 */
export function createPareto({ controls, stage, canvas, view, redraw, announce }) {
  let { yaw, pitch } = FIRST;
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
  const radios = RULES.map(({ mode: value, label }) => {
    const radio = el('input', { type: 'radio', name: 'ties', value, checked: value === mode });
    radio.addEventListener('change', () => {
      mode = value;
      tie();
    });
    return el('label', {}, radio, ` ${label}`);
  });
  tolerance.addEventListener('input', () => {
    const within = controls.querySelector('input[value="within"]');
    if (within instanceof HTMLInputElement) within.checked = true;
    mode = 'within';
    tie();
  });
  radios.at(-1)?.append(' ε = ', tolerance);
  controls.append(
    el('fieldset', { class: 'ties' }, el('legend', {}, 'Two values tie if they are'), ...radios),
    error,
  );

  /** Tells a view the rule; false if it refuses. @param {View} to */
  function setTies(to) {
    try {
      to.set_ties(mode, tolerance.valueAsNumber);
      error.hidden = true;
      tolerance.removeAttribute('aria-invalid');
      return true;
    } catch (problem) {
      const reason = Number.isNaN(tolerance.valueAsNumber)
        ? 'A tolerance is a number, 0 or more'
        : /** @type {Problem} */ (problem).message;
      error.textContent = `${reason}. The figures keep the last valid rule.`;
      error.hidden = false;
      tolerance.setAttribute('aria-invalid', 'true');
      return false;
    }
  }

  function tie() {
    const current = view();
    if (!current || !setTies(current)) return;
    redraw(FRONT_FIGURES);
    announce(current.summary(BOXES));
  }

  const hint = el('span', { class: 'visually-hidden', id: 'turn-hint' }, HINT);
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

  let frameAsked = false;
  /** @param {number} toYaw @param {number} toPitch */
  function turn(toYaw, toPitch) {
    yaw = ((toYaw % 360) + 360) % 360;
    pitch = Math.min(90, Math.max(0, toPitch));
    describe();
    if (frameAsked) return;
    frameAsked = true;
    requestAnimationFrame(() => {
      frameAsked = false;
      view()?.set_rotation(yaw, pitch);
      redraw([BOXES]);
    });
  }

  function describe() {
    const [around, above] = [Math.round(yaw), Math.round(pitch)];
    handle.setAttribute('aria-valuenow', String(around));
    handle.setAttribute('aria-valuetext', `${around} degrees around, ${above} degrees above`);
  }

  handle.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = event.shiftKey ? LARGE_STEP : STEP;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => turn(yaw - step, pitch),
      ArrowRight: () => turn(yaw + step, pitch),
      ArrowUp: () => turn(yaw, pitch + step),
      ArrowDown: () => turn(yaw, pitch - step),
      Home: () => turn(FIRST.yaw, FIRST.pitch),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  reset.addEventListener('click', () => {
    turn(FIRST.yaw, FIRST.pitch);
    announce('The first view again.');
  });

  /** A drag turns what lies under it with the pointer. @param {HTMLElement} surface */
  function turnBy(surface) {
    /** @type {{ id: number, x: number, y: number, yaw: number, pitch: number } | null} */
    let drag = null;
    surface.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || drag) return;
      drag = { id: event.pointerId, x: event.clientX, y: event.clientY, yaw, pitch };
      surface.setPointerCapture(event.pointerId);
    });
    surface.addEventListener('pointermove', (event) => {
      if (!drag || drag.id !== event.pointerId) return;
      turn(
        drag.yaw - (event.clientX - drag.x) * PER_PIXEL,
        drag.pitch + (event.clientY - drag.y) * PER_PIXEL,
      );
    });
    // The browser takes a finger back for scrolling: the view then stays where it is.
    surface.addEventListener('lostpointercapture', () => {
      drag = null;
    });
  }
  turnBy(canvas);
  turnBy(handle);
  canvas.classList.add('turnable');
  describe();

  return {
    /**
     * Sets a new result as the reader has set the last one; to be called before it is drawn.
     *
     * @param {View} next
     */
    apply(next) {
      setTies(next);
      next.set_rotation(yaw, pitch);
    },
  };
}
