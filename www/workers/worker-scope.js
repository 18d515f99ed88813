// @ts-check
/** How a worker in a browser is spoken with. */

import { holdLivenessLock } from './liveness.js';

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

/** @type {Port} */
export const port = {
  send: (message, transfer = []) => scope.postMessage(message, transfer),
  listen: (hear) => scope.addEventListener('message', ({ data }) => hear(data)),
  hold: holdLivenessLock,
};
