// @ts-check
/** Work that is asked for more often than it can be done: the newest request counts. */

/**
 * Does one piece of work at a time. While it does, only the newest of what is asked for is kept.
 *
 * @template Wish
 * @param {(wish: Wish, stale: () => boolean) => Promise<void>} work tells its own failures; `stale` says
 *   whether something newer has been asked for
 * @returns {(wish: Wish) => void}
 */
export function runLatest(work) {
  /** @type {{ wish: Wish } | null} */
  let next = null;
  let busy = false;
  async function go() {
    busy = true;
    while (next) {
      const { wish } = next;
      next = null;
      await work(wish, () => next !== null);
    }
    busy = false;
  }
  return (wish) => {
    next = { wish };
    if (!busy) go();
  };
}
