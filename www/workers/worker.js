// @ts-check
/**
 * A worker of the page. The paper's build and its run come with it; the lab's build comes with the
 * first task that needs it.
 */

import * as paper from '../pkg/sfc_bench.js';
import { port } from './worker-scope.js';
import { serveTasks } from './serve.js';
import './tasks/run.js';

serveTasks(port, async (build) =>
  build === 'sfc_bench' ? /** @type {Lab} */ (paper) : import('../pkg/sfc_bench_lab.js'),
);
