// @ts-check
/**
 * The toy model in training: what the settings ask for, a training of each seed and a control. Workers take the
 * steps; how far each is stays on the page, so that any worker can go on where another left it.
 */

import { loadToyModelFiles } from '../../toy-model/model-files.js';
import { TRIES_MAX } from '../../workers/families-jobs.js';

/** @typedef {import('../../types/core.d.ts').MuiTrainingWanted} Wanted */
/** @typedef {import('../../types/core.d.ts').MuiTrainingPoint} Point */
/** @typedef {import('../../types/core.d.ts').MuiTrainingState} State */
/** @typedef {{ wanted: Wanted, points: Point[], state: State | null, numbers: Float32Array | null, done: boolean }} One */

/** What a training depends on, beside how it is measured. */
export const TRAINING_FIELDS = ['begin', 'lessons', 'taught', 'steps', 'rate', 'seed', 'seeds', 'layers', 'width'];
/** A worker steps for so long, in milliseconds, before it says how far it is. */
const CHUNK_DURATION = 400;

/** How it is measured. */
const MEASURED_FIELDS = ['prompts', 'score', 'threshold', 'k', 'share', 'word', 'reading'];

/** What of settings a training depends on. @param {StudySettings} settings */
export const trainingSettings = (settings) =>
  Object.fromEntries([...TRAINING_FIELDS, ...MEASURED_FIELDS].map((name) => [name, settings[name]]));

/** @param {StudySettings} settings */
const trainingKey = (settings) => JSON.stringify(trainingSettings(settings));

export class ToyModelTrainings {
  #core;
  #pool;
  /** By what was asked for. @type {Map<string, One[]>} */
  #all = new Map();

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool */
  constructor(core, pool) {
    this.#core = core;
    this.#pool = pool;
  }

  /** What there is under these settings: nothing before the first step. @param {StudySettings} settings */
  listTrainings(settings) {
    return this.#all.get(trainingKey(settings)) ?? [];
  }

  /** As the core's report has it. @param {StudySettings} settings */
  report(settings) {
    return this.listTrainings(settings).map(({ wanted, points }) => ({ wanted, points }));
  }

  /** Steps taken of all. @param {StudySettings} settings */
  countSteps(settings) {
    return this.listTrainings(settings).reduce((sum, { state }) => sum + (state?.step ?? 0), 0);
  }

  /** Whether all of it is done. @param {StudySettings} settings */
  isComplete(settings) {
    const all = this.listTrainings(settings);
    return all.length > 0 && all.every(({ done }) => done);
  }

  /** Takes what was kept elsewhere. @param {StudySettings} settings @param {unknown} kept */
  restore(settings, kept) {
    if (Array.isArray(kept)) this.#all.set(trainingKey(settings), kept);
  }

  /** Nothing of it is wanted any more. @param {StudySettings} settings */
  discard(settings) {
    this.#all.delete(trainingKey(settings));
  }

  /**
   * Takes the steps that are left, of as many trainings at a time as there are workers.
   *
   * @param {StudySettings} settings
   * @param {AbortSignal} signal
   * @param {(looked: boolean) => void} tell something was done; whether there is more to be seen
   */
  async runSteps(settings, signal, tell) {
    const key = trainingKey(settings);
    const all =
      this.#all.get(key) ??
      this.#core
        .mui_trainings(settings)
        .map((wanted) => /** @type {One} */ ({ wanted, points: [], state: null, numbers: null, done: false }));
    this.#all.set(key, all);
    const asked = trainingSettings(settings);
    const names = settings.begin === 'new' ? [] : [settings.begin];
    const files = await loadToyModelFiles(this.#core, names);
    signal.throwIfAborted();
    const waiting = all.filter(({ done }) => !done);
    const stop = new AbortController();
    const abort = () => stop.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const work = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift())
        while (!one.done) {
          const { wanted, state, numbers } = one;
          const answer = await this.#pool.submit(
            { kind: 'study-train', settings: asked, wanted, state, numbers, share: CHUNK_DURATION, files },
            { tries: TRIES_MAX, signal: stop.signal },
          );
          stop.signal.throwIfAborted();
          one.state = answer.state;
          one.numbers = answer.numbers;
          one.done = answer.done;
          if (answer.point) one.points.push(answer.point);
          tell(answer.point !== null);
        }
    };
    try {
      await Promise.all(Array.from({ length: this.#pool.size }, work));
    } catch (error) {
      stop.abort(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
