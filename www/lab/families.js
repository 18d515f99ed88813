// @ts-check
/**
 * Families of methods against each other and against controls: a study's members shared out to the
 * workers, each method shown as soon as all of its members are there. Loaded when the reader comes near.
 */

import { Throttle } from '../shell/throttle.js';
import { el, describeError } from '../shell/dom.js';
import { formatDuration, formatRemaining } from '../shell/duration.js';
import { createProgressLine } from '../shell/progress-meter.js';
import { saveJson } from '../shell/download.js';
import { exportables } from '../shell/exportables.js';
import { canPrecompute } from '../shell/data-saver.js';
import { createFamiliesForm, studyKey } from './families/form.js';
import { FamiliesStudy } from './families/study.js';
import { createStudyResult } from './families/result.js';
import { listKept, onKeptChange } from './kept-autoencoders.js';
import { CancelledError } from '../workers/rpc-client.js';
import { describeInterruption, UnfinishedWork } from './resume.js';
import { toMemberConfig } from '../workers/families-jobs.js';

/** Figures are drawn anew this often while members arrive, in milliseconds. */
const REFRESH_INTERVAL = 300;

/**
 * What something comes to, unless it is given up first.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function rejectOnAbort(promise, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * @typedef {object} Parts
 * @property {HTMLElement} element where it is to be
 * @property {Weights} weights of the moment
 * @property {GivenSource} given a reader's own activations
 * @property {string | null} study what a link asks for; null: nothing
 * @property {() => void} onChange another study is asked for
 */

/** The form, what there is of what it asks for, and who runs the rest. */
export class FamiliesSection {
  /** @type {FamiliesStudy | null} */
  #held = null;
  /** Whether what is held is what the form asks for. */
  #current = false;
  /** @type {AbortController | null} */
  #running = null;
  /** Shows what is finished. */
  #refreshing = new Throttle(() => this.#refresh());
  /** Counts what the form was asked for: an answer to an older question does not change it. */
  #turns = 0;
  /** Whether somebody asked for a study. */
  #asked = false;
  /** The text of what the form asks for, where it has one. @type {string | null} */
  #text = null;
  /** Until it is known whether some of what the form asks for is kept. @type {Promise<unknown>} */
  #looking = Promise.resolve();
  /** The kept autoencoders that are shown beside the study, by name. @type {Set<string>} */
  #beside = new Set();
  #parts;
  #weights;

  /** @param {import('../shell/page-setup.js').PageTools & Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#weights = parts.weights;
    this.form = createFamiliesForm({
      core: parts.core,
      given: parts.given,
      onStart: () => this.start(),
      onCancel: () => this.#running?.abort(),
      onChange: (givenAsked) => this.#handleFormChange(givenAsked),
    });
    this.status = createProgressLine('families', 'the comparison', 'Not run yet.', parts.announce);
    this.unfinished = new UnfinishedWork({
      kind: 'families',
      core: parts.core,
      announce: parts.announce,
      words: ({ done, all, about }) =>
        `${done} of ${all} members of ${about === this.#text ? 'this study' : 'a study'} are kept in this browser`,
      onGo: ({ about }) => this.#resume(about),
    });
    this.result = createStudyResult({
      announce: parts.announce,
      view: () => this.#held?.view ?? null,
      onSave: () => this.#save(),
    });
    const gist = el('span', { class: 'gist' }, 'methods, data, seeds');
    parts.element.append(
      this.status.element,
      this.unfinished.element,
      this.result.element,
      // Where nothing is run unasked, the button that asks is in sight.
      el('details', { class: 'apart', open: !canPrecompute() }, el('summary', {}, 'Parameters', gist), this.form.element),
    );
    this.openLink(parts.study);
    onKeptChange(() => {
      this.#showKeptAutoencoders();
      this.#refreshing.runNow();
    });
  }

  /** Goes on with what was left unfinished. @param {string | null} text of a study that the form does not ask for */
  async #resume(text) {
    if (text !== null && text !== this.#text) {
      this.openLink(text);
      await this.#looking;
    }
    this.start();
  }

  /** The text of the study that somebody asked for; null: nobody did, or there is none. */
  get linkText() {
    return this.#asked ? this.#text : null;
  }

  /** A study, with what there is of it. @param {FamiliesConfig} config @returns {FamiliesStudy} */
  #ensureStudy(config) {
    this.#current = true;
    const { core } = this.#parts;
    const former = this.#held;
    if (former?.key === studyKey(core, config) && former.config.completeness === config.completeness)
      return former;
    const held = new FamiliesStudy(core, config, this.#weights, former);
    this.#held = held;
    this.result.clear();
    this.#beside.clear();
    this.#showKeptAutoencoders();
    this.#publishExport();
    former?.view.free();
    return held;
  }

  /** Offers what is there to whoever takes everything away; while members arrive it is not settled. */
  #publishExport() {
    const there = !this.#running && this.#held && this.result.shown();
    exportables.families = there ? this.#held?.view ?? null : null;
  }

  /** The form asks for something: what is there of it is shown. */
  #syncWithForm() {
    const { core } = this.#parts;
    const config = this.form.judged();
    this.form.offer('Compare families');
    if (config) this.#text = core.families_print(config) ?? null;
    this.form.tellChanged(config, config !== null && this.#text === null);
    // Another reading of what is there needs no worker.
    if (config && this.#held?.key === studyKey(core, config)) {
      const held = this.#ensureStudy(config);
      this.#refreshing.runNow();
      this.status.say(`${held.progressLabel}.`);
    } else {
      this.#current = false;
      this.status.say('Not run yet.');
      this.result.hide();
      this.#publishExport();
      this.#findUnfinished(config);
    }
  }

  /** Looks for what is kept: of this study, or of the last where nobody asked for one. @param {FamiliesConfig | null} config */
  #findUnfinished(config) {
    const look = async () => {
      if (config && (await this.unfinished.offerKept(toMemberConfig(config)))) return;
      if (!this.#asked) await this.unfinished.offerKept();
    };
    this.#looking = look();
  }

  /** Somebody changed the form. */
  #handleChange() {
    this.#turns += 1;
    this.#asked = true;
    this.#syncWithForm();
    this.#parts.onChange();
  }

  /** @param {boolean} givenAsked */
  #handleFormChange(givenAsked) {
    this.#handleChange();
    // Where there are no activations yet, whoever starts is told.
    const config = givenAsked ? this.form.judged() : null;
    if (config) this.#fitToActivations(config).then(() => !this.#running && this.#handleChange(), () => {});
  }

  /** @param {FamiliesConfig} config */
  #fitToActivations(config) {
    const turn = this.#turns;
    return this.form.adopted(config, () => turn === this.#turns);
  }

  #refresh() {
    const held = this.#held;
    if (!held || !this.#current || held.view.methods() === 0) return;
    const { config } = held;
    const said = this.#parts.core.families_print(config);
    const words = ['sfc-bench families --study', said, ...this.form.flags(config), '--json'];
    this.result.show(held.view, {
      line: said === undefined ? null : words.join(' '),
      others: this.form.linkedOthers(config),
    });
    this.#publishExport();
  }

  /** @param {boolean} on */
  #setRunning(on) {
    if (!on) this.#running = null;
    this.status.setRunning(on);
    this.form.setRunning(on);
    this.#publishExport();
  }

  /** The study to run, once what it needs is there. @param {FamiliesConfig} asking @param {AbortSignal} signal @param {boolean} asked whether somebody asked for it */
  async #prepareStudy(asking, signal, asked) {
    const isGiven = asking.world.world === 'given';
    if (isGiven) {
      this.#setRunning(true);
      this.status.say('Reading your activations …');
      asking = await rejectOnAbort(this.#fitToActivations(asking), signal);
    }
    this.#text = this.#parts.core.families_print(asking) ?? null;
    if (asked) {
      this.#asked = true;
      this.#parts.onChange();
    }
    const held = this.#ensureStudy(asking);
    if (isGiven) {
      const { world, train_rows, eval_rows } = asking;
      const seed = world.world === 'given' ? world.seed : 0;
      held.drawn ??= await rejectOnAbort(this.#parts.given.draw(seed, train_rows + eval_rows), signal);
    }
    return held;
  }

  /** Runs the usual study, so that there is something to see; not where one is asked for, or was left unfinished. */
  async startAutomatically() {
    await this.#looking;
    if (!this.#asked && !this.#running && !this.unfinished.hasOffer) this.start(false);
  }

  /** @param {boolean} [asked] whether somebody asked for it */
  async start(asked = true) {
    const asking = this.form.judged(true);
    if (!asking) {
      this.status.say('Refused: some settings are invalid.', true);
      return;
    }
    this.#running?.abort();
    const { signal } = (this.#running = new AbortController());
    const turn = ++this.#turns;
    let held;
    try {
      held = await this.#prepareStudy(asking, signal, asked);
    } catch (error) {
      if (this.#running?.signal === signal) this.#setRunning(false);
      if (turn !== this.#turns) this.#syncWithForm();
      else if (signal.aborted) this.status.say('Cancelled.', true);
      else if (error instanceof CancelledError)
        this.status.say('Broke off: what was reading the files was cancelled.', true);
      else this.status.say(`Refused: ${describeError(error)}`, true);
      return;
    }
    await this.#run(held, signal);
    if (this.#running?.signal === signal) this.#setRunning(false);
    // A link may have asked for another one meanwhile.
    const now = this.form.judged();
    const { key, config } = held;
    if (!now || studyKey(this.#parts.core, now) !== key || now.completeness !== config.completeness)
      this.#syncWithForm();
  }

  /** Takes in what is kept of a study, and keeps what is done of it from now on. @param {FamiliesStudy} held */
  async #restoreMembers(held) {
    const { config } = held;
    const key = toMemberConfig(config);
    await this.#looking;
    await this.unfinished.restoreOffered(key, (kept) => held.restoreMembers(kept));
    // What nobody asked for is not left to them: it is begun anew when they come back.
    if (held.isComplete || !this.#asked) return;
    const about = this.#parts.core.families_print(config) ?? null;
    this.unfinished.begin(key, { all: held.jobs.length, done: held.results, about });
  }

  /** Has done what is missing, and says how far that is. @param {FamiliesStudy} held @param {AbortSignal} signal */
  async #run(held, signal) {
    const { pool } = this.#parts;
    this.#setRunning(true);
    await this.#restoreMembers(held);
    const began = performance.now();
    const [before, all] = [held.results.size, held.jobs.length];
    const tell = () => {
      const there = held.results.size;
      this.status.fill(there / all);
      const left = ((performance.now() - began) / Math.max(1, there - before)) * (all - there);
      const soon = there - before > pool.size && there < all ? `, about ${formatRemaining(left)} left` : '';
      this.status.say(`${there} of ${all} members${soon}.`);
    };
    tell();
    try {
      await held.run(pool, signal, (finished, name, one) => {
        this.unfinished.addPart(name, one);
        // How many there are is part of what is said while not all are.
        if (finished || this.result.shown()) this.#refreshing.schedule(REFRESH_INTERVAL);
        tell();
      });
      this.unfinished.end(true);
      this.#refreshing.runNow();
      this.status.say(`${held.progressLabel} in ${formatDuration(held.ms)}.`, this.#asked);
      this.form.offer('Compare families');
    } catch (error) {
      this.unfinished.end(false);
      this.#refreshing.runNow();
      this.status.say(describeInterruption(error, signal.aborted, `${held.results.size} of ${all} members`), true);
      this.form.offer('Go on');
    }
  }

  #save() {
    const held = this.#held;
    if (!held) return;
    const name = this.form.isUsual(held.config)
      ? this.form.usualName()
      : held.view.file_name('families', 'json');
    saveJson(name, held.view.json());
  }

  /** Has the kept autoencoders of the same world beside the study, and no others. */
  #showKeptAutoencoders() {
    const held = this.#held;
    if (!held) return;
    const world = JSON.stringify(held.config.world);
    const mine = listKept().filter((one) => JSON.stringify(one.world) === world);
    for (const name of this.#beside)
      if (!mine.some((one) => one.name === name)) held.view.forget(name);
    for (const { name, found } of mine) held.view.keep(name, found);
    this.#beside = new Set(mine.map(({ name }) => name));
  }

  /** Sets the form to what a link asks for; nothing is run. @param {string | null} link */
  openLink(link) {
    this.#turns += 1;
    this.#asked = this.form.follow(link);
    const config = this.form.judged();
    if (this.#running && config && this.#held?.key === studyKey(this.#parts.core, config)) return;
    // It ends by showing what the form then asks for.
    if (this.#running) this.#running.abort();
    else this.#syncWithForm();
  }

  /** Scores what is there anew. @param {Weights} wish */
  updateWeights(wish) {
    this.#weights = wish;
    if (!this.#held) return;
    this.#held.view.set_weights(...wish);
    this.#refreshing.schedule(0);
  }

  redraw() {
    this.result.redraw();
  }
}
