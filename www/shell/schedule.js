// @ts-check
/**
 * Work on the main thread in slices: what is in view before the next frame, the rest when the
 * browser is idle, so that no task grows long. A key names a piece of work; asking twice does it once.
 */

/** Lets input and frames through before what follows. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** One frame's budget for drawing, in milliseconds; what is left over waits for the next frame. */
const FRAME_BUDGET = 12;
const IDLE_TIMEOUT = 400;

/** When the frame that is being made must be done with drawing, whoever draws. */
let frame = { at: -1, end: 0 };

/** @param {number} at the frame's time, the same for all that work for it */
function frameDeadline(at) {
  if (frame.at !== at) frame = { at, end: performance.now() + FRAME_BUDGET };
  return frame.end;
}

/** @param {(deadline: { timeRemaining(): number }) => void} callback */
function runWhenIdle(callback) {
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback(callback, { timeout: IDLE_TIMEOUT });
  } else {
    // Safari: a short pause lets input through between slices.
    setTimeout(() => callback({ timeRemaining: () => 0 }), 16);
  }
}

/**
 * Does something whenever the pixel density changes: by a move to another screen, or zooming, without a resize.
 *
 * @param {() => void} work @param {AbortSignal} [signal]
 */
export function whenDensityChanges(work, signal) {
  const change = () => {
    work();
    whenDensityChanges(work, signal);
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', change, { once: true, signal });
}

/** Does the piece that has waited longest. @param {Map<unknown, () => void>} work */
function runFirst(work) {
  for (const [key, piece] of work) {
    work.delete(key);
    return piece();
  }
}

export class Schedule {
  /** @type {Map<unknown, () => void>} */
  #now = new Map();
  /** @type {Map<unknown, () => void>} */
  #later = new Map();
  #frameAsked = false;
  #idleAsked = false;

  /** Before the next frame. @param {unknown} key @param {() => void} work */
  scheduleFrame(key, work) {
    this.#later.delete(key);
    this.#now.set(key, work);
    this.#requestFrame();
  }

  /** When there is time. @param {unknown} key @param {() => void} work */
  scheduleIdle(key, work) {
    if (this.#now.has(key)) return;
    this.#later.set(key, work);
    this.#requestIdle();
  }

  /** Brings waiting work forward: its place has come into view. @param {unknown} key */
  moveToFrame(key) {
    const work = this.#later.get(key);
    if (work) this.scheduleFrame(key, work);
  }

  #requestFrame() {
    if (this.#frameAsked) return;
    this.#frameAsked = true;
    requestAnimationFrame((at) => {
      this.#frameAsked = false;
      const end = frameDeadline(at);
      while (this.#now.size > 0 && performance.now() < end) runFirst(this.#now);
      if (this.#now.size > 0) this.#requestFrame();
    });
  }

  #requestIdle() {
    if (this.#idleAsked) return;
    this.#idleAsked = true;
    runWhenIdle((deadline) => {
      this.#idleAsked = false;
      // One piece even without time left, or a busy page would never finish.
      do runFirst(this.#later);
      while (this.#later.size > 0 && deadline.timeRemaining() > 8);
      if (this.#later.size > 0) this.#requestIdle();
    });
  }
}
