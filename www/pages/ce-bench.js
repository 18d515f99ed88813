// @ts-check
/** CE-Bench on the little model. */

import { openBench, startPage } from './start.js';

startPage('ce-bench', async () => {
  await openBench();
  return {};
});
