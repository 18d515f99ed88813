// @ts-check
/** A study and what there is of it. */

import { runLinearJobs, toMemberConfig, runFamiliesJobs } from '../../workers/families-jobs.js';
import { studyKey } from './form.js';

/** @param {FamiliesJob} job */
const jobKey = ({ method, knob, seed }) => `${method} ${knob} ${seed}`;

export class FamiliesStudy {
  /** @type {Map<string, FamiliesResult>} */
  results = new Map();
  /** The same circuit read out by sums alone, where there is one. @type {FamiliesResult[]} */
  linear = [];
  /** The rows of given activations. @type {GivenBlobs | undefined} */
  drawn;
  /** How long all that is there took, in milliseconds, however often it was gone on with. */
  ms = 0;
  /** All of its members. @type {FamiliesJob[]} */
  jobs;
  #core;

  /**
   * @param {Lab} core
   * @param {FamiliesConfig} config
   * @param {Weights} weights
   * @param {FamiliesStudy | null} former whose members are taken over where it is the same but for the reading of completeness
   */
  constructor(core, config, weights, former) {
    this.#core = core;
    this.config = config;
    this.key = studyKey(core, config);
    this.view = core.gather_families(config);
    this.view.set_weights(...weights);
    this.jobs = former?.key === this.key ? former.jobs : core.families_jobs(config);
    if (former?.key === this.key) {
      ({ results: this.results, linear: this.linear, drawn: this.drawn, ms: this.ms } = former);
      for (const one of this.results.values()) this.view.add_result(one);
      this.view.set_linear(this.linear);
    }
  }

  /** Whether every member is there. */
  get isComplete() {
    return this.results.size === this.jobs.length;
  }

  /** "101 of 288 members", or all of them. */
  get progressLabel() {
    const all = `${this.jobs.length} members`;
    return this.isComplete ? all : `${this.results.size} of ${all}`;
  }

  /** Takes in members that were kept, as far as they are of this study. @param {readonly FamiliesResult[]} members */
  restoreMembers(members) {
    const mine = new Set(this.jobs.map(jobKey));
    for (const one of members) {
      const name = jobKey(one);
      if (!mine.has(name) || this.results.has(name)) continue;
      this.view.add_result(one);
      this.results.set(name, one);
    }
  }

  /**
   * Has what is missing done.
   *
   * @param {import('../../workers/pool.js').Pool} pool
   * @param {AbortSignal} signal
   * @param {(finished: boolean, name: string, one: FamiliesResult) => void} onMember one arrived; whether it was its method's last
   */
  async run(pool, signal, onMember) {
    const began = performance.now();
    // What members are measured by does not matter to the workers, which keep their world.
    const config = toMemberConfig(this.config);
    try {
      await runFamiliesJobs({
        ...{ pool, config, drawn: this.drawn, signal },
        jobs: this.jobs.filter((job) => !this.results.has(jobKey(job))),
        onResult: (one) => {
          const name = jobKey(one);
          this.results.set(name, one);
          onMember(this.view.add_result(one), name, one);
        },
      });
      if (this.linear.length === 0) this.linear.push(...(await runLinearJobs(this.#core, { pool, config, signal })));
      this.view.set_linear(this.linear);
    } finally {
      this.ms += performance.now() - began;
    }
  }
}
