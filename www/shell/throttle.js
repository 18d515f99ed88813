// @ts-check

/** Work that is asked for more often than it need be done: what asks within a while has it done once. */
export class Throttle {
  #work;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} work */
  constructor(work) {
    this.#work = work;
  }

  /** @param {number} ms how long it may wait, where it does not wait already */
  schedule(ms) {
    this.#timer ??= setTimeout(() => this.runNow(), ms);
  }

  runNow() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work();
  }
}
