// @ts-check
/**
 * Parts of a measurement, each told as soon as it is there. What was measured is kept, since readers go back and forth.
 */

import { littleFiles } from '../../little/files.js';
import { reason } from '../../shell/dom.js';
import { partJob } from '../../workers/measurement.js';

/** @typedef {import('../../types/core.d.ts').MeasurementPart} Part */
/** @typedef {import('../../types/core.d.ts').MeasurementLine} Line */

/**
 * @typedef {object} Told
 * @property {() => void} onFound something more is there
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

export class Measured {
  #core;
  #pool;
  #told;
  /** By key. @type {Map<string, Line[]>} */
  #found = new Map();
  /** @type {AbortController | null} */
  #running = null;
  /** Why a part is missing, by its name. @type {Map<string, string>} */
  missing = new Map();
  cancelled = false;
  /** How long everything took, in milliseconds, where it was done at one go. @type {number | null} */
  took = null;

  /** @param {Lab} core @param {import('../../workers/pool.js').Pool} pool @param {Told} told */
  constructor(core, pool, told) {
    this.#core = core;
    this.#pool = pool;
    this.#told = told;
  }

  /** The names of the parts that there should be. @param {StudySettings} settings */
  wanted(settings) {
    return this.#core.measure_parts(settings);
  }

  /** The parts that there are. @param {StudySettings} settings @returns {Part[]} */
  of(settings) {
    return this.wanted(settings).flatMap((part) => {
      const lines = this.#found.get(partJob(this.#core, settings, part).key);
      return lines ? [{ part, lines }] : [];
    });
  }

  /** @param {StudySettings} settings */
  whole(settings) {
    return this.of(settings).length === this.wanted(settings).length;
  }

  cancel() {
    if (!this.#running) return;
    this.stop();
    this.cancelled = true;
    this.#told.onEnd();
  }

  /** Ends what is under way: what comes of it later is nobody's. */
  stop() {
    this.#running?.abort('no longer wanted');
    this.#running = null;
  }

  /** Measures what is missing; what else is under way ends. @param {StudySettings} settings */
  async measure(settings) {
    this.stop();
    const running = (this.#running = new AbortController());
    const { signal } = running;
    this.missing = new Map();
    this.cancelled = false;
    this.took = null;
    const start = performance.now();
    const jobs = this.wanted(settings).map((name) => partJob(this.#core, settings, name));
    const absent = jobs.filter(({ key }) => !this.#found.has(key));
    const ends = await Promise.allSettled(
      absent.map(async ({ key, needs, task }, at) => {
        const files = await littleFiles(this.#core, needs);
        if (signal.aborted) return;
        this.#found.set(key, await this.#pool.submit(task(files), { signal, priority: absent.length - at }));
        if (!signal.aborted) this.#told.onFound();
      }),
    );
    if (this.#running !== running) return;
    this.#running = null;
    if (absent.length === jobs.length) this.took = performance.now() - start;
    ends.forEach((end, at) => {
      if (end.status === 'rejected') this.missing.set(absent[at]?.name ?? '', reason(end.reason));
    });
    this.#told.onEnd();
  }
}
