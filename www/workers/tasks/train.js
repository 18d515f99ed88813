// @ts-check
/** Training an autoencoder: some steps of it, all of it, and what it has come to. */

import { unpackArrays } from '../packed-arrays.js';

/** The training under way, and how far it is. @type {{ key: string, step: number, session: InstanceType<Lab['TrainSession']> } | undefined} */
let training;

/**
 * A session from its start, or from where a state left it.
 *
 * @param {Lab} core @param {TrainStart} start
 */
async function createSession(core, { config, world, rows, held, drawn, state }) {
  const numbers = await unpackArrays(drawn);
  return state
    ? core.TrainSession.resume(state, world, rows, held, numbers)
    : new core.TrainSession(config, world, rows, held, numbers);
}

/**
 * The session to go on with: the worker's own where it has come as far, and else one from the state
 * that the page kept.
 *
 * @param {Lab} core @param {TrainTask} task
 */
async function resumeSession(core, task) {
  const { config, world, rows, held, state } = task;
  const key = JSON.stringify([config, world, rows, held]);
  if (!state || training?.key !== key || training.step !== state.step) {
    training?.session.free();
    training = undefined;
    training = { key, step: state?.step ?? 0, session: await createSession(core, task) };
  }
  return training;
}

/**
 * Steps as many times as a curve has points, which divide the steps as the command line does.
 *
 * @param {{ step(count: number): Metrics }} session
 * @param {number} first the step it is at
 * @param {{ steps: number, points: number }} of
 * @param {Tell} tell
 */
export function trainCurve(session, first, { steps, points }, tell) {
  const curve = [];
  let taken = 0;
  for (let point = 1; point <= points; point += 1) {
    const until = Math.floor((steps * point) / points);
    if (until === taken) continue;
    const metrics = session.step(until - taken);
    taken = metrics.step - first;
    curve.push(metrics);
    tell('training', taken / steps, metrics);
  }
  return curve;
}

/** @type {Handlers} */
export const handlers = {
  /** Some steps. @returns {Promise<TrainAnswer>} */
  async train(core, task) {
    const mine = await resumeSession(core, task);
    const start = performance.now();
    const before = task.state ? null : (mine.session.step(0).mean_max_cosine ?? null);
    const metrics = mine.session.step(task.steps);
    mine.step = metrics.step;
    const state = mine.session.state();
    return { metrics, state, before, ms: performance.now() - start };
  },
  /** A trained one, measured. */
  async 'train-measured'(core, { state, world, rows, held, drawn }) {
    return core.train_measured(state, world, rows, held, await unpackArrays(drawn));
  },
  /** A trained one and the rows held back, as files. */
  async 'train-files'(core, { state, world, rows, held, drawn }) {
    return core.train_files(state, world, rows, held, await unpackArrays(drawn));
  },
  /** A trained one as a folder, packed. */
  async 'train-folder'(core, { state, world, rows, held, drawn, name }) {
    return core.train_folder(state, world, rows, held, await unpackArrays(drawn), name);
  },
  /** From its start, or from a state, to its end. */
  async 'train-whole'(core, task, tell) {
    const { state, world, rows, held } = task;
    const start = performance.now();
    const session = await createSession(core, task);
    const curve = trainCurve(session, state?.step ?? 0, task, tell);
    const reached = session.state();
    const files = { 'cfg.json': session.sae_config(), 'sae_weights.safetensors': session.sae_weights() };
    const matching = session.matching();
    session.free();
    const found = core.train_measured(reached, world, rows, held, await unpackArrays(task.drawn));
    return { curve, state: reached, matching, found, files, ms: performance.now() - start };
  },
};
