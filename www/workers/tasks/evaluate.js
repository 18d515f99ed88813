// @ts-check
/** Somebody's own decomposition, from its files to a report at one go. */

import { runEvaluation, createPartReader } from './evaluation.js';

/** @type {Handlers} */
export const handlers = {
  evaluate(core, { files, request }, tell) {
    const start = performance.now();
    const opened = new core.OwnFiles();
    for (const [name, file] of files) {
      if (file instanceof Uint8Array) opened.add(name, file);
      else opened.addFile(name, file.size, createPartReader(file));
    }
    const run = opened.plan(request);
    const found = runEvaluation(run, tell);
    run.free();
    opened.free();
    return { ...found, ms: performance.now() - start };
  },
};
