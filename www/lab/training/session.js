// @ts-check
/** One training: its state is on the page, so that any worker can take it up where another left it. */

import { TRIES_MAX } from '../../workers/families-jobs.js';

/** Steps between two looks are to take about this long, in milliseconds. */
const CHUNK_DURATION = 120;
const CHUNK_STEPS_MAX = 500;
/** The curve of a training has this many points or more, however quick the machine. */
const CURVE_POINTS_MIN = 60;
const CHUNK_STEPS_MIN = 5;

export class TrainingSession {
  /** What it has come to. @type {TrainState | null} */
  state = null;
  /** Mean max cosine with planted directions before the first step; null where none are known. @type {number | null} */
  before = null;
  kept = false;
  /** What was told of it so far. @type {Metrics[]} */
  curve = [];
  #pool;
  #share = CHUNK_STEPS_MIN;

  /**
   * @param {Lab} core
   * @param {import('../../workers/pool.js').Pool} pool
   * @param {TrainConfig} config
   * @param {TrainRows} of
   */
  constructor(core, pool, config, of) {
    this.#pool = pool;
    this.config = config;
    this.of = of;
    this.hasK = core.families_choices().families.some((one) => one.family === config.family && one.has_k);
    this.view = core.gather_training();
    this.view.set_training(config, of.world);
  }

  /** All that it takes to go on with it elsewhere. */
  get resumeState() {
    const { state, before, curve } = this;
    return { state, before, curve };
  }

  /** Goes on from there. @param {TrainingSession['resumeState']} progress */
  restore({ state, before, curve }) {
    for (const metrics of curve) this.view.push(metrics);
    this.curve.push(...curve);
    this.before = before;
    this.state = state;
  }

  /** Steps taken. */
  get step() {
    return this.state?.step ?? 0;
  }

  /** Mean max cosine after the last step taken; null where there is none. */
  get lastCosine() {
    return this.curve.at(-1)?.mean_max_cosine ?? null;
  }

  get isFinished() {
    return this.step >= this.config.steps;
  }

  /** Its name as a folder: letters, digits, _ and - only. */
  get name() {
    const { family, latents, k, sparsity, seed } = this.config;
    const knob = this.hasK ? `k${k}` : `l${sparsity}`;
    const name = `sae-${family}-${this.of.world.world}-${latents}-${knob}-seed${seed}-step${this.step}`;
    return name.replace(/[^\w-]/g, '_');
  }

  /** Takes a share of the steps that are left. @param {AbortSignal} signal @returns {Promise<Metrics>} */
  async runSteps(signal) {
    const left = this.config.steps - this.step;
    const most = Math.ceil(this.config.steps / CURVE_POINTS_MIN);
    const steps = Math.min(left, this.#share, most);
    const { config, of, state } = this;
    /** @type {TrainAnswer} */
    const answer = await this.#pool.submit(
      { kind: 'train', config, ...of, state, steps },
      { tries: TRIES_MAX, signal },
    );
    this.state = answer.state;
    this.before = answer.before ?? this.before;
    // The first share found cold code, and a world to draw.
    this.#share = Math.min(CHUNK_STEPS_MAX, Math.max(CHUNK_STEPS_MIN, Math.round((CHUNK_DURATION * steps) / answer.ms)));
    this.curve.push(answer.metrics);
    this.view.push(answer.metrics);
    return answer.metrics;
  }

  /** Measured on rows it was not trained on. @returns {Promise<FamiliesResult>} */
  measure() {
    return this.#submit({ kind: 'train-measured' });
  }

  /** As the folder that SAELens loads, packed. @returns {Promise<Uint8Array<ArrayBuffer>>} */
  packFolder() {
    return this.#submit({ kind: 'train-folder', name: this.name });
  }

  /** Itself and the rows held back, as files that can be scored. @returns {Promise<{ name: string, bytes: Uint8Array<ArrayBuffer> }[]>} */
  exportFiles() {
    return this.#submit({ kind: 'train-files' });
  }

  /** @param {{ kind: string, name?: string }} task @returns {Promise<any>} */
  #submit(task) {
    const { state, of } = this;
    return this.#pool.submit(/** @type {Task} */ ({ ...task, state, ...of }), { tries: TRIES_MAX });
  }
}
