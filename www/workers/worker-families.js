// @ts-check
/** What a worker does for families of methods: one member of a study, some steps of a training. */
import init, {
  FamiliesRunner,
  TrainSession,
  train_files as files,
  train_folder as folder,
  train_measured as measured,
} from '../pkg/sfc_bench_lab.js';
import { unpacked } from './given.js';

/** The lab's build of the core, beside the one that the worker has already. */
const ready = init();

/** The world of the last study: the next job is of the same, as a rule. @type {{ key: string, runner: FamiliesRunner } | undefined} */
let study;
/** The training under way, and how far it is. @type {{ key: string, step: number, session: TrainSession } | undefined} */
let training;

/** @param {FamiliesConfig} config @param {GivenBlobs} [drawn] of a given world */
async function runnerOf(config, drawn) {
  const key = JSON.stringify(config);
  if (study?.key !== key) {
    const numbers = await unpacked(drawn);
    study?.runner.free();
    study = undefined;
    study = { key, runner: new FamiliesRunner(config, numbers) };
  }
  return study.runner;
}

/**
 * The session to go on with: the worker's own where it has come as far, and else one from the state
 * that the page kept.
 *
 * @param {TrainTask} task
 */
async function sessionOf({ config, world, rows, held, drawn, state }) {
  const key = JSON.stringify([config, world, rows, held]);
  if (!state || training?.key !== key || training.step !== state.step) {
    const numbers = await unpacked(drawn);
    training?.session.free();
    training = undefined;
    const session = state
      ? TrainSession.resume(state, world, rows, held, numbers)
      : new TrainSession(config, world, rows, held, numbers);
    training = { key, step: state?.step ?? 0, session };
  }
  return training;
}

export const familiesHandlers = {
  /** One member. @param {{ config: FamiliesConfig, job: FamiliesJob, drawn?: GivenBlobs }} task */
  async families({ config, job, drawn }) {
    await ready;
    return (await runnerOf(config, drawn)).run(job);
  },
  /** Some steps. @param {TrainTask} task @returns {Promise<TrainAnswer>} */
  async train(task) {
    await ready;
    const mine = await sessionOf(task);
    const start = performance.now();
    const before = task.state ? null : (mine.session.mean_max_cosine() ?? null);
    const metrics = mine.session.step(task.steps);
    mine.step = metrics.step;
    const after = task.last ? (mine.session.mean_max_cosine() ?? null) : null;
    const state = mine.session.state();
    return { metrics, state, before, after, ms: performance.now() - start };
  },
  /** A trained one, measured. @param {{ state: TrainState } & TrainRows} task */
  async 'train-measured'({ state, world, rows, held, drawn }) {
    await ready;
    return measured(state, world, rows, held, await unpacked(drawn));
  },
  /** A trained one and the rows held back, as files. @param {{ state: TrainState } & TrainRows} task */
  async 'train-files'({ state, world, rows, held, drawn }) {
    await ready;
    return files(state, world, rows, held, await unpacked(drawn));
  },
  /** A trained one as a folder, packed. @param {{ state: TrainState, name: string } & TrainRows} task */
  async 'train-folder'({ state, world, rows, held, drawn, name }) {
    await ready;
    return folder(state, world, rows, held, await unpacked(drawn), name);
  },
};
