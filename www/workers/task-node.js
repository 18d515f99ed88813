// @ts-check
/** A worker of the package in Node. */

import { parentPort } from 'node:worker_threads';

import { serve } from './task.js';

if (!parentPort) throw new Error('this file is for a worker thread');
const port = parentPort;

serve({
  send: (message) => port.postMessage(message),
  listen: (hear) => port.on('message', hear),
  // Node tells of a thread's end by itself.
  hold: () => Promise.resolve(false),
});
