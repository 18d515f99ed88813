// @ts-check
/**
 * Parts of a measurement, each told as soon as it is there. What was measured is kept, since readers go back and forth.
 */

import { describeError } from '../shell/dom.js';
import { loadToyModelFiles } from '../toy-model/model-files.js';
import { addToReport, createJobs } from '../workers/study-jobs.js';

/** A job; without a priority, earlier ones go first. @typedef {import('../workers/study-jobs.js').Job & { priority?: number }} Part */

/**
 * @template {JobStudy} S
 * @typedef {object} Told
 * @property {(name: string, found: JobReports[S]) => void} onFound a part is measured: a report that holds nothing else
 * @property {() => void} onEnd nothing more comes, for whatever reason
 */

/** @template {JobStudy} S */
export class JobResults {
  #core;
  #pool;
  #study;
  #partsOf;
  #told;
  /** @type {{ settings: StudySettings, parts: Part[] } | null} */
  #list = null;
  /** By key. @type {Map<string, JobReports[S]>} */
  #found = new Map();
  /** @type {AbortController | null} */
  #running = null;
  /** Of what is under way: when it began, how many parts are to come and how many have. */
  #pace = { start: 0, all: 0, done: 0 };
  /** Why a part is missing, by its name. @type {Map<string, string>} */
  missing = new Map();
  cancelled = false;
  /** How long everything took, in milliseconds, where it was done at one go. @type {number | null} */
  took = null;

  /**
   * @param {Lab} core
   * @param {import('../workers/pool.js').Pool} pool
   * @param {S} study
   * @param {Told<S>} told
   * @param {(settings: StudySettings) => Part[]} [partsOf] what settings ask for, in the order in which it should be done; a whole
   *   report where none is said
   */
  constructor(core, pool, study, told, partsOf = (settings) => createJobs(core, study, settings)) {
    this.#core = core;
    this.#pool = pool;
    this.#study = study;
    this.#partsOf = partsOf;
    this.#told = told;
  }

  /** What settings ask for, which is looked up once for the same ones. @param {StudySettings} settings */
  #partsFor(settings) {
    if (this.#list?.settings !== settings) this.#list = { settings, parts: this.#partsOf(settings) };
    return this.#list.parts;
  }

  /** The report, with the parts that there are. @param {StudySettings} settings */
  report(settings) {
    const report = /** @type {JobReports[S]} */ (this.#core.study_empty_report(this.#study, settings));
    for (const { key } of this.#partsFor(settings)) {
      const found = this.#found.get(key);
      if (found) addToReport(report, found);
    }
    return report;
  }

  /** The names of the parts that there are. @param {StudySettings} settings */
  listMeasured(settings) {
    return this.#partsFor(settings).flatMap(({ name, key }) => (this.#found.has(key) ? [name] : []));
  }

  /** How many parts there are, and how many there should be. @param {StudySettings} settings */
  countMeasured(settings) {
    const wanted = this.#partsFor(settings);
    return { done: wanted.filter(({ key }) => this.#found.has(key)).length, all: wanted.length };
  }

  /** @param {StudySettings} settings */
  isComplete(settings) {
    const { done, all } = this.countMeasured(settings);
    return done === all;
  }

  /** How long what is under way will still take if it goes on as it went, in milliseconds; NaN before its first part. */
  get remainingTime() {
    const { start, all, done } = this.#pace;
    return done === 0 ? NaN : ((performance.now() - start) / done) * (all - done);
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
    const parts = this.#partsFor(settings);
    const absent = parts.filter(({ key }) => !this.#found.has(key));
    this.#pace = { start, all: absent.length, done: 0 };
    const ends = await Promise.allSettled(
      absent.map(async ({ name, key, needs, task, priority }, at) => {
        const files = await loadToyModelFiles(this.#core, needs);
        if (signal.aborted) return;
        const found = /** @type {JobReports[S]} */ (await this.#pool.submit(task(files), { signal, priority: priority ?? absent.length - at }));
        this.#found.set(key, found);
        if (signal.aborted) return;
        this.#pace.done += 1;
        this.#told.onFound(name, found);
      }),
    );
    if (this.#running !== running) return;
    this.#running = null;
    if (absent.length === parts.length) this.took = performance.now() - start;
    ends.forEach((end, at) => {
      if (end.status === 'rejected') this.missing.set(absent[at]?.name ?? '', describeError(end.reason));
    });
    this.#told.onEnd();
  }
}
