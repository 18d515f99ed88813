// @ts-check
/** The little model. */

import { openBench, startPage } from './start.js';

startPage('model', async () => {
  await openBench();
  return {};
});
