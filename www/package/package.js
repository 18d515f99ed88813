// @ts-check
/** The package in a browser. */

import { fetchToyModelFile } from '../workers/assets-weights.js';
import { openCore, acquirePool } from '../workers/shared-core.js';
import { setHost } from './host.js';

/** @type {ReturnType<typeof acquirePool> | null} */
let mine = null;

setHost({
  open: openCore,
  async pool() {
    mine ??= acquirePool();
    return mine.pool;
  },
  lazy: () => true,
  little: fetchToyModelFile,
  close() {
    mine?.release();
    mine = null;
  },
});

export * from './exports.js';
