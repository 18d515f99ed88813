// @ts-check
/** Pieces of work of one run: dealt in order, done in any, and taken in order again. */

/** @typedef {{ number: number, bytes: Uint8Array<ArrayBuffer> }} Piece */

export class PieceQueue {
  /** Waits to be done. @type {Piece[]} */
  #queue = [];
  /** Done, but not taken. @type {Map<number, Uint8Array<ArrayBuffer>>} */
  #done = new Map();
  /** Those who wait for a piece. @type {((piece: Piece | null) => void)[]} */
  #takers = [];
  #taken = 0;
  #dealt = 0;
  #closed = false;

  /** How many are taken: the number of the next that is to be. */
  get takenCount() {
    return this.#taken;
  }

  /** How many are dealt and not yet taken. */
  get pendingCount() {
    return this.#dealt - this.#taken;
  }

  /** How many nobody has begun. */
  get queuedCount() {
    return this.#queue.length;
  }

  /** The next piece, when there is one; null when there will be none. @returns {Promise<Piece | null>} */
  next() {
    const piece = this.#closed ? null : this.#queue.shift();
    if (piece !== undefined) return Promise.resolve(piece);
    return new Promise((take) => this.#takers.push(take));
  }

  /** Adds the next in order. It is begun with `dispatch`. @param {Uint8Array<ArrayBuffer>} bytes */
  add(bytes) {
    this.#queue.push({ number: this.#dealt, bytes });
    this.#dealt += 1;
  }

  /** Gives what waits to those who wait for it. */
  dispatch() {
    this.#queue.sort((a, b) => a.number - b.number);
    while (this.#queue.length > 0 && this.#takers.length > 0) this.#takers.shift()?.(this.#queue.shift() ?? null);
  }

  /** Somebody else has to do this. @param {Piece} piece */
  requeue(piece) {
    this.#queue.push(piece);
    this.dispatch();
  }

  /** @param {Piece} piece @param {Uint8Array<ArrayBuffer>} bytes what came of it */
  setResult({ number }, bytes) {
    this.#done.set(number, bytes);
  }

  /** Takes what is next in order, and done. */
  takeReady() {
    const parts = [];
    for (let part = this.#done.get(this.#taken); part; part = this.#done.get(this.#taken)) {
      this.#done.delete(this.#taken);
      this.#taken += 1;
      parts.push(part);
    }
    return parts;
  }

  /** There is nothing more to do. */
  close() {
    this.#closed = true;
    for (const take of this.#takers.splice(0)) take(null);
  }
}
