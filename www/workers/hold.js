// @ts-check
/**
 * The lock by which a page knows that a worker lives: it goes with the worker, however that ends. The
 * text of this function is also among the first lines of workers that come from a blob (assets.js), so
 * it names nothing but what browsers have.
 *
 * @param {string} lock
 * @returns {Promise<string | undefined>} the lock, for as long as this worker lives; nothing where there
 *   are none, as in a frame without an origin, or where none was had in good time
 */
export function hold(lock) {
  return new Promise((resolve) => {
    setTimeout(resolve, 500);
    const held = () => {
      resolve(lock);
      return new Promise(() => {});
    };
    if (!navigator.locks) resolve(undefined);
    else navigator.locks.request(lock, held).catch(() => resolve(undefined));
  });
}
