// @ts-check
/** FADE on the little model. */

import { openBench, startPage } from './start.js';

startPage('fade', async () => {
  await openBench();
  return {};
});
