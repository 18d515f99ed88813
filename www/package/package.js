// @ts-check
/** The package in a browser. */

import { fetchLittle } from '../workers/assets-weights.js';
import { openCore, share } from '../workers/shared.js';
import { runOn } from './host.js';

/** @type {ReturnType<typeof share> | null} */
let mine = null;

runOn({
  open: openCore,
  async pool() {
    mine ??= share();
    return mine.pool;
  },
  lazy: () => true,
  little: fetchLittle,
  close() {
    mine?.release();
    mine = null;
  },
});

export * from './exports.js';
