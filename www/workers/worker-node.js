// @ts-check
/** A worker of the package in Node. */

import { parentPort } from 'node:worker_threads';

import * as lab from '../pkg/sfc_bench_lab.js';
import { serveTasks } from './serve.js';

if (!parentPort) throw new Error('this file is for a worker thread');
const thread = parentPort;

serveTasks(
  {
    send: (message) => thread.postMessage(message),
    listen: (hear) => thread.on('message', hear),
    // Node tells of a thread's end by itself.
    hold: () => Promise.resolve({}),
  },
  async () => lab,
);
