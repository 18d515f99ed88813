// @ts-check
/**
 * Families of methods against each other and against controls: a study's members shared out to the
 * workers, each method shown as soon as all of its members are there. Loaded when the reader comes near.
 */

import { Coalesced } from '../shell/coalesced.js';
import { el, reason } from '../shell/dom.js';
import { duration, remaining } from '../shell/duration.js';
import { createMeterLine } from '../shell/meter-line.js';
import { saveJson } from '../shell/save.js';
import { exportables } from '../shell/exportables.js';
import { mayCompute } from '../shell/unasked.js';
import { createStudyForm, keyOf } from './families/form.js';
import { HeldStudy } from './families/held.js';
import { createStudyResult } from './families/result.js';
import { kept, onKept } from './kept.js';
import { Cancelled } from '../workers/rpc-client.js';
import { endWords, Unfinished } from './unfinished.js';
import { plainOf } from '../workers/study.js';

/** Figures are drawn anew this often while members arrive, in milliseconds. */
const REFRESH = 300;

/**
 * What something comes to, unless it is given up first.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function unlessAborted(promise, signal) {
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
export class Families {
  /** @type {HeldStudy | null} */
  #held = null;
  /** Whether what is held is what the form asks for. */
  #current = false;
  /** @type {AbortController | null} */
  #running = null;
  /** Shows what is finished. */
  #refreshing = new Coalesced(() => this.#refresh());
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
    this.form = createStudyForm({
      core: parts.core,
      given: parts.given,
      onStart: () => this.start(),
      onCancel: () => this.#running?.abort(),
      onChange: (givenAsked) => this.#formChanged(givenAsked),
    });
    this.status = createMeterLine('families', 'the comparison', 'Not run yet.', parts.announce);
    this.unfinished = new Unfinished({
      kind: 'families',
      core: parts.core,
      announce: parts.announce,
      words: ({ done, all, about }) =>
        `${done} of ${all} members of ${about === this.#text ? 'this study' : 'a study'} are kept in this browser`,
      onGo: ({ about }) => this.#goOn(about),
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
      el('details', { class: 'apart', open: !mayCompute() }, el('summary', {}, 'Parameters', gist), this.form.element),
    );
    this.choose(parts.study);
    onKept(() => {
      this.#showBeside();
      this.#refreshing.now();
    });
  }

  /** Goes on with what was left unfinished. @param {string | null} text of a study that the form does not ask for */
  async #goOn(text) {
    if (text !== null && text !== this.#text) {
      this.choose(text);
      await this.#looking;
    }
    this.start();
  }

  /** The text of the study that somebody asked for; null: nobody did, or there is none. */
  get text() {
    return this.#asked ? this.#text : null;
  }

  /** A study, with what there is of it. @param {FamiliesConfig} config @returns {HeldStudy} */
  #hold(config) {
    this.#current = true;
    const { core } = this.#parts;
    const former = this.#held;
    if (former?.key === keyOf(core, config) && former.config.completeness === config.completeness)
      return former;
    const held = new HeldStudy(core, config, this.#weights, former);
    this.#held = held;
    this.result.clear();
    this.#beside.clear();
    this.#showBeside();
    this.#offer();
    former?.view.free();
    return held;
  }

  /** Offers what is there to whoever takes everything away; while members arrive it is not settled. */
  #offer() {
    const there = !this.#running && this.#held && this.result.shown();
    exportables.families = there ? this.#held?.view ?? null : null;
  }

  /** The form asks for something: what is there of it is shown. */
  #settle() {
    const { core } = this.#parts;
    const config = this.form.judged();
    this.form.offer('Compare families');
    if (config) this.#text = core.families_print(config) ?? null;
    this.form.tellChanged(config, config !== null && this.#text === null);
    // Another reading of what is there needs no worker.
    if (config && this.#held?.key === keyOf(core, config)) {
      const held = this.#hold(config);
      this.#refreshing.now();
      this.status.say(`${held.words}.`);
    } else {
      this.#current = false;
      this.status.say('Not run yet.');
      this.result.hide();
      this.#offer();
      this.#look(config);
    }
  }

  /** Looks for what is kept: of this study, or of the last where nobody asked for one. @param {FamiliesConfig | null} config */
  #look(config) {
    const look = async () => {
      if (config && (await this.unfinished.look(plainOf(config)))) return;
      if (!this.#asked) await this.unfinished.look();
    };
    this.#looking = look();
  }

  /** Somebody changed the form. */
  #changed() {
    this.#turns += 1;
    this.#asked = true;
    this.#settle();
    this.#parts.onChange();
  }

  /** @param {boolean} givenAsked */
  #formChanged(givenAsked) {
    this.#changed();
    // Where there are no activations yet, whoever starts is told.
    const config = givenAsked ? this.form.judged() : null;
    if (config) this.#adopted(config).then(() => !this.#running && this.#changed(), () => {});
  }

  /** @param {FamiliesConfig} config */
  #adopted(config) {
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
    this.#offer();
  }

  /** @param {boolean} on */
  #setRunning(on) {
    if (!on) this.#running = null;
    this.status.setRunning(on);
    this.form.setRunning(on);
    this.#offer();
  }

  /** The study to run, once what it needs is there. @param {FamiliesConfig} asking @param {AbortSignal} signal @param {boolean} asked whether somebody asked for it */
  async #prepared(asking, signal, asked) {
    const isGiven = asking.world.world === 'given';
    if (isGiven) {
      this.#setRunning(true);
      this.status.say('Reading your activations …');
      asking = await unlessAborted(this.#adopted(asking), signal);
    }
    this.#text = this.#parts.core.families_print(asking) ?? null;
    if (asked) {
      this.#asked = true;
      this.#parts.onChange();
    }
    const held = this.#hold(asking);
    if (isGiven) {
      const { world, train_rows, eval_rows } = asking;
      const seed = world.world === 'given' ? world.seed : 0;
      held.drawn ??= await unlessAborted(this.#parts.given.draw(seed, train_rows + eval_rows), signal);
    }
    return held;
  }

  /** Runs the usual study, so that there is something to see; not where one is asked for, or was left unfinished. */
  async begin() {
    await this.#looking;
    if (!this.#asked && !this.#running && !this.unfinished.offers) this.start(false);
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
      held = await this.#prepared(asking, signal, asked);
    } catch (error) {
      if (this.#running?.signal === signal) this.#setRunning(false);
      if (turn !== this.#turns) this.#settle();
      else if (signal.aborted) this.status.say('Cancelled.', true);
      else if (error instanceof Cancelled)
        this.status.say('Broke off: what was reading the files was cancelled.', true);
      else this.status.say(`Refused: ${reason(error)}`, true);
      return;
    }
    await this.#run(held, signal);
    if (this.#running?.signal === signal) this.#setRunning(false);
    // A link may have asked for another one meanwhile.
    const now = this.form.judged();
    const { key, config } = held;
    if (!now || keyOf(this.#parts.core, now) !== key || now.completeness !== config.completeness)
      this.#settle();
  }

  /** Takes in what is kept of a study, and keeps what is done of it from now on. @param {HeldStudy} held */
  async #recall(held) {
    const { config } = held;
    const key = plainOf(config);
    await this.#looking;
    await this.unfinished.take(key, (kept) => held.recall(kept));
    // What nobody asked for is not left to them: it is begun anew when they come back.
    if (held.whole || !this.#asked) return;
    const about = this.#parts.core.families_print(config) ?? null;
    this.unfinished.begin(key, { all: held.jobs.length, done: held.results, about });
  }

  /** Has done what is missing, and says how far that is. @param {HeldStudy} held @param {AbortSignal} signal */
  async #run(held, signal) {
    const { pool } = this.#parts;
    this.#setRunning(true);
    await this.#recall(held);
    const began = performance.now();
    const [before, all] = [held.results.size, held.jobs.length];
    const tell = () => {
      const there = held.results.size;
      this.status.fill(there / all);
      const left = ((performance.now() - began) / Math.max(1, there - before)) * (all - there);
      const soon = there - before > pool.size && there < all ? `, about ${remaining(left)} left` : '';
      this.status.say(`${there} of ${all} members${soon}.`);
    };
    tell();
    try {
      await held.run(pool, signal, (finished, name, one) => {
        this.unfinished.add(name, one);
        // How many there are is part of what is said while not all are.
        if (finished || this.result.shown()) this.#refreshing.soon(REFRESH);
        tell();
      });
      this.unfinished.end(true);
      this.#refreshing.now();
      this.status.say(`${held.words} in ${duration(held.ms)}.`, this.#asked);
      this.form.offer('Compare families');
    } catch (error) {
      this.unfinished.end(false);
      this.#refreshing.now();
      this.status.say(endWords(error, signal.aborted, `${held.results.size} of ${all} members`), true);
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
  #showBeside() {
    const held = this.#held;
    if (!held) return;
    const world = JSON.stringify(held.config.world);
    const mine = kept().filter((one) => JSON.stringify(one.world) === world);
    for (const name of this.#beside)
      if (!mine.some((one) => one.name === name)) held.view.forget(name);
    for (const { name, found } of mine) held.view.keep(name, found);
    this.#beside = new Set(mine.map(({ name }) => name));
  }

  /** Sets the form to what a link asks for; nothing is run. @param {string | null} link */
  choose(link) {
    this.#turns += 1;
    this.#asked = this.form.follow(link);
    const config = this.form.judged();
    if (this.#running && config && this.#held?.key === keyOf(this.#parts.core, config)) return;
    // It ends by showing what the form then asks for.
    if (this.#running) this.#running.abort();
    else this.#settle();
  }

  /** Scores what is there anew. @param {Weights} wish */
  weigh(wish) {
    this.#weights = wish;
    if (!this.#held) return;
    this.#held.view.set_weights(...wish);
    this.#refreshing.soon(0);
  }

  redraw() {
    this.result.redraw();
  }
}
