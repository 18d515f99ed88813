// @ts-check
/** The metric that is opened, measured as soon as somebody is near; what was measured is kept. */

import { littleFiles } from '../../little/files.js';
import { reason } from '../../shell/dom.js';
import { pictureJob } from '../../workers/measurement.js';

/** @typedef {import('../../types/core.d.ts').MeasurementPicture} Picture */

export class Pictured {
  #core;
  #pool;
  #onEnd;
  /** By key. @type {Map<string, Picture>} */
  #found = new Map();
  /** @type {AbortController | null} */
  #running = null;
  /** Why there is none; empty where there is or may be one. */
  why = '';

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool @param {() => void} onEnd something is there, or will not be */
  constructor(core, pool, onEnd) {
    this.#core = core;
    this.#pool = pool;
    this.#onEnd = onEnd;
  }

  get running() {
    return this.#running !== null;
  }

  /** @param {StudySettings} settings @returns {Picture | null} */
  of(settings) {
    return this.#found.get(pictureJob(this.#core, settings).key) ?? null;
  }

  cancel() {
    this.#running?.abort('no longer wanted');
    this.#running = null;
    this.why = 'cancelled';
    this.#onEnd();
  }

  /** Measures it, if it is not there; what else is under way ends. @param {StudySettings} settings */
  async measure(settings) {
    this.#running?.abort('no longer wanted');
    this.#running = null;
    this.why = '';
    const { key, needs, task } = pictureJob(this.#core, settings);
    if (this.#found.has(key)) return;
    const running = (this.#running = new AbortController());
    const { signal } = running;
    try {
      const files = await littleFiles(this.#core, needs);
      if (signal.aborted) return;
      // Somebody looks at it.
      this.#found.set(key, await this.#pool.submit(task(files), { signal, priority: 1_000 }));
    } catch (error) {
      if (signal.aborted) return;
      this.why = reason(error);
    }
    if (this.#running !== running) return;
    this.#running = null;
    this.#onEnd();
  }
}
