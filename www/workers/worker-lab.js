// @ts-check
/**
 * A worker that has the lab's build only, which can do everything: the package's, so that a page with
 * a figure in it fetches one build and not two, and the one that reads a reader's files.
 */

import * as lab from '../pkg/sfc_bench_lab.js';
import { port } from './worker-scope.js';
import { serveTasks } from './serve.js';

serveTasks(port, async () => lab);
