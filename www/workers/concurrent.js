// @ts-check

/**
 * Does something with each of several, as many at a time as `limit` says. One that fails ends the others, and so does the
 * signal.
 *
 * @template T
 * @param {Iterable<T>} items asked for one by one
 * @param {number} limit
 * @param {AbortSignal | undefined} signal
 * @param {(item: T, signal: AbortSignal) => Promise<void>} work
 */
export async function forEachConcurrent(items, limit, signal, work) {
  signal?.throwIfAborted();
  // Each has a signal of its own: Node warns of one that many listen to.
  const lanes = Array.from({ length: limit }, () => new AbortController());
  const stop = (/** @type {unknown} */ reason) => lanes.forEach((lane) => lane.abort(reason));
  const abort = () => stop(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const queue = items[Symbol.iterator]();
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let next = queue.next(); !next.done; next = queue.next()) {
          // Not after the last: what is done is not given up.
          lane.signal.throwIfAborted();
          await work(next.value, lane.signal);
        }
      }),
    );
  } catch (error) {
    stop(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
