// @ts-check
/** The package in a browser. */

import { fetchToyModelFile } from '../workers/assets-weights.js';
import { openCore, acquirePool } from '../workers/shared-core.js';
import { setHost } from './host.js';

/** @type {ReturnType<typeof acquirePool> | null} */
let poolLease = null;

setHost({
  open: openCore,
  async pool() {
    poolLease ??= acquirePool();
    return poolLease.pool;
  },
  lazy: () => true,
  readToyModelFile: fetchToyModelFile,
  close() {
    poolLease?.release();
    poolLease = null;
  },
});

export * from './exports.js';
