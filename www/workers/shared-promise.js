// @ts-check
/** What several wait for: made once for all of them, and given up with the last one's share. */

/**
 * @template {{ ending: AbortController }} Made
 */
export class RefCountedCache {
  /** Under way, and on show, by key. @type {Map<string, { made: Made, users: number }>} */
  #held = new Map();

  /** What there is of a key. @param {string} key */
  get(key) {
    return this.#held.get(key)?.made;
  }

  /**
   * A share in what there is of a key, or in what is begun for it.
   *
   * @param {string} key
   * @param {() => Made} begin
   */
  acquire(key, begin) {
    const held = this.#held.get(key) ?? { made: begin(), users: 0 };
    this.#held.set(key, held);
    held.users += 1;
    let mine = true;
    /** What failed is not kept: whoever asks next has it tried again. */
    const forget = () => {
      if (this.#held.get(key) === held) this.#held.delete(key);
    };
    return {
      made: held.made,
      forget,
      release() {
        if (!mine) return;
        mine = false;
        held.users -= 1;
        if (held.users > 0) return;
        forget();
        held.made.ending.abort(new Error('nobody shows it'));
      },
    };
  }
}
