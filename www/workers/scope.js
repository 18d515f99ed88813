// @ts-check
/** How a worker in a browser is spoken with. */

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

/** @type {Port} */
export const port = {
  send: (message) => scope.postMessage(message),
  listen: (hear) => scope.addEventListener('message', ({ data }) => hear(data)),
  // By this lock the page knows that the worker lives; an opaque origin has none.
  hold: (lock) =>
    new Promise((resolve) => {
      const held = () => {
        resolve(true);
        return new Promise(() => {});
      };
      if (!navigator.locks) resolve(false);
      else navigator.locks.request(lock, held).catch(() => resolve(false));
    }),
};
