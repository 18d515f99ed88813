// @ts-check
/**
 * What a worker of the package does beside runs: somebody's own decomposition, members of a study of
 * families, a training. Loaded with the first task of these.
 */

import { EvaluateFiles, TrainSession, train_measured } from '../pkg/sfc_bench_lab.js';
import { unpacked } from './given.js';
import { measure, partsOf } from './own-run.js';
import { familiesHandlers } from './worker-families.js';

/** @typedef {(stage: string, fraction: number, detail?: unknown) => void} Tell */

export const handlers = {
  ...familiesHandlers,

  /** @param {EvaluateTask} task @param {Tell} tell */
  evaluate({ files, request }, tell) {
    const start = performance.now();
    const opened = new EvaluateFiles();
    for (const [name, file] of files) {
      if (file instanceof Uint8Array) opened.add(name, file);
      else opened.addFile(name, file.size, partsOf(file));
    }
    const run = opened.plan(request);
    const found = measure(run, ({ phase, done, total }) => tell(phase, total ? done / total : 0));
    run.free();
    opened.free();
    return { ...found, ms: performance.now() - start };
  },

  /** @param {TrainWholeTask} task @param {Tell} tell */
  async 'train-whole'({ config, world, rows, held, drawn, state, steps, points }, tell) {
    const start = performance.now();
    const numbers = await unpacked(drawn);
    const session = state
      ? TrainSession.resume(state, world, rows, held, numbers)
      : new TrainSession(config, world, rows, held, numbers);
    const first = state?.step ?? 0;
    let taken = 0;
    const curve = [];
    for (let point = 1; point <= points; point += 1) {
      // As the command line divides them.
      const until = Math.floor((steps * point) / points);
      if (until === taken) continue;
      const metrics = session.step(until - taken);
      taken = metrics.step - first;
      curve.push(metrics);
      tell('training', taken / steps, metrics);
    }
    const reached = session.state();
    const files = { 'cfg.json': session.sae_config(), 'sae_weights.safetensors': session.sae_weights() };
    const matching = session.matching();
    session.free();
    const found = train_measured(reached, world, rows, held, numbers);
    return { curve, state: reached, matching, found, files, ms: performance.now() - start };
  },
};
