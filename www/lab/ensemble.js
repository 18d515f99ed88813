// @ts-check
/** The same study under many seeds: shared out to the workers, streamed into bands and counts. */

import { Throttle } from '../shell/throttle.js';
import { formatDuration, formatRemaining } from '../shell/duration.js';
import { saveJson } from '../shell/download.js';
import { exportables } from '../shell/exportables.js';
import { createEnsembleControls } from './ensemble/controls.js';
import { createEnsembleResult } from './ensemble/result.js';
import { formatCommand, planKey, runSeeds, isSamePlan } from './ensemble/seeds.js';
import { describeInterruption, UnfinishedWork } from './resume.js';
import { formatCount, formatInteger } from '../shell/basic-format.js';

/** The bands are drawn anew this often while seeds arrive, in milliseconds. */
const REFRESH_INTERVAL = 250;
/** An ensemble that is likely to take longer than this, in milliseconds, waits to be asked for. */
const AUTO_RUN_MS_MAX = 15_000;
/** Workers together may take this much memory, in bytes. */
const WORKERS_BYTES_MAX = 2 ** 31;

/** @param {number} count */
const formatNetworkCount = (count) => formatCount(count, 'network');
/** @param {number} count */
const formatWorkerCount = (count) => (count === 1 ? 'with one worker' : `with ${count} workers`);

/**
 * What the view holds.
 *
 * @typedef {object} Held
 * @property {Plan} plan
 * @property {EnsembleView} view
 * @property {Map<number, Member>} seeds what there is, by seed
 * @property {number} ms how long all of them took, however often they were gone on with
 * @property {number} workers how many came up for them, at most
 * @property {string} told how that was said when all were there; empty: not yet
 */

/**
 * @typedef {object} Parts
 * @property {HTMLElement} element where it is to be
 * @property {() => void} onChoice
 * @property {HTMLElement} [hero] a figure that shows the bands, too: near it seeds are run unasked
 * @property {(view: EnsembleView) => void} [onSummed] the seeds so far are summed up
 */

export class EnsembleSection {
  #parts;
  #paper;
  /** The run that the page shows, and how long it took. @type {{ report: Report, ms: number, view: View } | null} */
  #shown = null;
  /** @type {Weights} */
  #weights;
  /** @type {Held | null} */
  #held = null;
  /** @type {AbortController | null} */
  #running = null;
  /** What is there, summed up and shown. */
  #refreshing = new Throttle(() => this.#refresh());
  /** What of it the reader is near. @type {Set<Element>} */
  #seen = new Set();
  /** Whether the reader stopped it: then only the reader starts it again. */
  #declined = false;
  /** Until it is known whether some of the study is kept. @type {Promise<unknown>} */
  #looking = Promise.resolve();

  /** @param {import('../shell/page-setup.js').PageTools & Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#paper = parts.core.defaults();
    this.#weights = this.#paper.weights;
    this.controls = createEnsembleControls({
      usual: parts.core.parse_state('').state.seeds,
      announce: parts.announce,
      onStart: () => this.#start(true),
      onCancel: () => this.#running?.abort(),
      onChoice: () => {
        parts.onChoice();
        this.#start(true);
      },
    });
    this.unfinished = new UnfinishedWork({
      kind: 'ensemble',
      core: parts.core,
      announce: parts.announce,
      words: ({ done, all }) =>
        `${formatInteger(done)} of ${formatNetworkCount(all)} of this study are kept in this browser`,
      onGo: ({ all }) => {
        this.controls.choose(all, this.controls.varied());
        parts.onChoice();
        this.#start(true);
      },
    });
    this.result = createEnsembleResult({
      announce: parts.announce,
      view: () => this.#held?.view ?? null,
      onSave: () => this.#save(),
    });
    this.unfinished.element.classList.add('lab');
    parts.element.append(this.controls.form, this.controls.status, this.unfinished.element, this.result.element);
    const nearing = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) this.#trackVisibility(target, isIntersecting);
      },
      { rootMargin: '100px' },
    );
    for (const place of [parts.element, parts.hero]) if (place) nearing.observe(place);
  }

  /** @returns {Plan | null} */
  #currentPlan() {
    if (!this.#shown) return null;
    const settings = { ...this.#shown.report.settings, weights: this.#weights };
    return { settings, varied: this.controls.varied() };
  }

  /** Offers what is there to whoever takes everything away; while seeds arrive it is not settled. */
  #publishExport() {
    const held = this.#held;
    exportables.ensemble = !this.#running && held && held.seeds.size > 0 ? held.view : null;
  }

  #refresh() {
    const held = this.#held;
    if (!held || held.seeds.size === 0) return;
    held.view.refresh();
    this.#parts.onSummed?.(held.view);
    this.result.show(held.view, formatCommand(held.plan, this.#paper, held.seeds.size));
  }

  /** @param {Plan} plan @returns {Held} */
  #ensureStudy(plan) {
    const former = this.#held;
    if (former && isSamePlan(former.plan, plan)) return former;
    const view = this.#parts.core.gather_ensemble(plan.settings, plan.varied);
    const held = { plan, view, seeds: new Map(), ms: 0, workers: 1, told: '' };
    this.#held = held;
    this.#looking = this.unfinished.offerKept(planKey(plan));
    view.set_weights(...this.#weights);
    if (this.#shown) view.set_run(this.#shown.view);
    this.#publishExport();
    if (former) {
      this.result.clear();
      former.view.free();
    }
    return held;
  }

  /** Fewer than are there: what was computed is kept by its seeds, so this is quick. @param {Held} held @param {number} total */
  #dropSeedsFrom(held, total) {
    if (![...held.seeds.keys()].some((seed) => seed >= total)) return;
    const all = held.seeds.size;
    held.view.keep_seeds(total);
    for (const seed of [...held.seeds.keys()]) if (seed >= total) held.seeds.delete(seed);
    held.ms *= held.seeds.size / all;
    held.told = `${formatNetworkCount(held.seeds.size)}, of ${formatInteger(all)} that were run.`;
  }

  /** Has members beside those that are there. @param {Held} held @param {readonly Member[]} members */
  #addMembers(held, members) {
    const others = members.filter(({ seed }) => !held.seeds.has(seed));
    held.view.add_members(others);
    for (const member of others) held.seeds.set(member.seed, member);
  }

  /** @param {boolean} asked whether somebody asked for it */
  async #start(asked) {
    const plan = this.#currentPlan();
    if (!plan) return;
    this.#running?.abort();
    this.#running = null;
    this.#declined = false;
    const held = this.#ensureStudy(plan);
    await this.#looking;
    await this.unfinished.restoreOffered(planKey(plan), (kept) => this.#held === held && this.#addMembers(held, kept));
    if (this.#held !== held || this.#running) return;
    const total = this.controls.seeds();
    this.#dropSeedsFrom(held, total);
    const missing = Array.from({ length: total }, (_, seed) => seed).filter((seed) => !held.seeds.has(seed));
    if (missing.length === 0) {
      // Nothing is run: what was said of them stays true.
      this.unfinished.end(true);
      this.#setRunning(false);
      this.#refreshing.runNow();
      this.controls.say(held.told || `${formatNetworkCount(total)}.`, asked);
      return;
    }
    const { signal } = (this.#running = new AbortController());
    const { pool, core } = this.#parts;
    const limit = Math.max(1, Math.floor(WORKERS_BYTES_MAX / core.memory_needed(plan.settings)));
    pool.setLimit(limit);
    this.#setRunning(true);
    // What nobody asked for is not left to them: it is begun anew when they come back.
    if (asked || this.#isOpen) this.unfinished.begin(planKey(plan), { all: total, done: held.seeds });
    try {
      await this.#run(held, plan, missing, total, signal);
      this.unfinished.end(true);
      this.#refreshing.runNow();
      held.told = `${formatNetworkCount(total)} in ${formatDuration(held.ms)}, ${formatWorkerCount(Math.min(limit, held.workers))}.`;
      this.controls.say(held.told, asked);
    } catch (error) {
      if (this.#running?.signal !== signal) return;
      this.unfinished.end(false);
      this.#refreshing.runNow();
      const soFar = `${formatInteger(held.seeds.size)} of ${formatNetworkCount(total)}`;
      this.controls.say(describeInterruption(error, signal.aborted, soFar), true);
      if (signal.aborted) {
        this.#declined = true;
        this.controls.offer('Go on');
      }
    }
    if (this.#running?.signal === signal) this.#setRunning(false);
  }

  /** Has the missing seeds run, and says how far that is. @param {Held} held @param {Plan} plan @param {readonly number[]} missing @param {number} total @param {AbortSignal} signal */
  async #run(held, plan, missing, total, signal) {
    const { pool } = this.#parts;
    const began = performance.now();
    let arrived = 0;
    const tell = () => {
      const there = held.seeds.size;
      this.controls.fill(there / total);
      const seconds = (performance.now() - began) / 1000;
      const rate = arrived / seconds;
      const soon =
        arrived > 0 && seconds > 0.5
          ? `, ${rate.toPrecision(2)} a second, about ${formatRemaining((1000 * (total - there)) / rate)} left`
          : '';
      this.controls.say(`${formatInteger(there)} of ${formatNetworkCount(total)}${soon}.`);
    };
    tell();
    /** @param {Member[]} members */
    const onMembers = (members) => {
      if (signal.aborted) return;
      this.#addMembers(held, members);
      for (const member of members) this.unfinished.addPart(member.seed, member);
      arrived += members.length;
      held.workers = Math.max(held.workers, Math.min(pool.readyCount, missing.length));
      tell();
      // The first few at once: something to look at.
      this.#refreshing.schedule(held.seeds.size <= pool.size ? 0 : REFRESH_INTERVAL);
    };
    try {
      await runSeeds(pool, plan, missing, onMembers, signal);
    } finally {
      held.ms += performance.now() - began;
    }
  }

  /** @param {boolean} on */
  #setRunning(on) {
    this.controls.setRunning(on);
    if (on) this.controls.offer('Run them');
    else {
      this.#running = null;
      this.#parts.pool.setLimit(this.#parts.pool.size);
    }
    this.#publishExport();
  }

  #save() {
    const held = this.#held;
    if (held) saveJson(`sfc-bench-ensemble-${held.plan.settings.config}-${held.seeds.size}.json`, held.view.json());
  }

  /** Keeps up with the page where that is quick; otherwise waits to be asked. */
  #syncWithPage() {
    const plan = this.#currentPlan();
    const shown = this.#shown;
    if (!plan || !shown) return;
    const seeds = this.controls.seeds();
    if (this.#held && isSamePlan(this.#held.plan, plan)) {
      this.#held.view.set_run(shown.view);
      this.#refreshing.runNow();
      if (this.#running || this.#held.seeds.size === seeds) return;
    } else {
      this.#running?.abort();
      this.#setRunning(false);
      this.controls.offer('Run them');
      this.#ensureStudy(plan);
      this.#declined = false;
      this.controls.say('Not run yet with these settings.');
    }
    // A seed is about a tenth of a run, and less than that of the first, which found cold code.
    const likely = ((shown.ms / 10) * seeds) / this.#parts.pool.size;
    if (this.#isNear && !this.#declined && likely < AUTO_RUN_MS_MAX) this.#startAutomatically(plan);
  }

  /** Whoever left the study in the middle is asked first. @param {Plan} plan */
  async #startAutomatically(plan) {
    await this.#looking;
    const current = this.#held && isSamePlan(this.#held.plan, plan);
    if (current && this.#isNear && !this.#running && !this.unfinished.hasOffer) this.#start(false);
  }

  /** Whether the reader has its section open, and not only a figure with its bands. */
  get #isOpen() {
    const { element } = this.#parts;
    return this.#seen.has(element) && element.matches('[open]');
  }

  get #isNear() {
    return this.#seen.size > 0;
  }

  /** The reader comes near something of it, or leaves. @param {Element} what @param {boolean} near */
  #trackVisibility(what, near) {
    if (near) this.#seen.add(what);
    else this.#seen.delete(what);
    if (near) this.#syncWithPage();
  }

  /** The page shows another run. @param {Report} report @param {number} ms @param {View} view */
  showRun(report, ms, view) {
    this.#shown = { report, ms, view };
    this.#syncWithPage();
  }

  /** For a link. @returns {{ seeds: number, vary: Varied }} */
  getChoices() {
    return { seeds: this.controls.seeds(), vary: this.controls.varied() };
  }

  /** Sets what a link asks for. @param {number} seeds @param {Varied} which */
  setChoices(seeds, which) {
    this.controls.choose(seeds, which);
    this.#syncWithPage();
  }

  redraw() {
    this.result.redraw();
  }

  /** Scores what is there anew. @param {Weights} wish */
  updateWeights(wish) {
    this.#weights = wish;
    const held = this.#held;
    if (!held) return;
    held.plan = { ...held.plan, settings: { ...held.plan.settings, weights: wish } };
    held.view.set_weights(...wish);
    if (held.seeds.size > 0) this.#refreshing.schedule(this.#isNear ? 0 : REFRESH_INTERVAL);
  }
}
