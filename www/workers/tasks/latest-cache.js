// @ts-check

/** What takes long to make, kept for the next task, which is of the same as a rule. @template {{ free(): void }} T */
export class LatestCache {
  #key = '';
  /** @type {T | undefined} */
  #made;

  /** @param {unknown} of what it depends on @param {() => T | Promise<T>} make */
  async get(of, make) {
    const key = JSON.stringify(of);
    if (!this.#made || this.#key !== key) {
      this.#made?.free();
      this.#made = undefined;
      this.#made = await make();
      this.#key = key;
    }
    return this.#made;
  }
}
