// @ts-check
/** One autoencoder, trained in a worker under the reader's eyes: paused, gone on with, kept, taken away, scored. */

import { Coalesced } from '../shell/coalesced.js';
import { createButton, el, reason } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { createMeterLine } from '../shell/meter-line.js';
import { save } from '../shell/save.js';
import { inOneFile } from '../shell/views.js';
import { Refusal } from '../workers/pool.js';
import { keep } from './kept.js';
import { createTrainingForm } from './training/form.js';
import { createKeptList, three } from './training/kept-list.js';
import { Training } from './training/session.js';
import { Unfinished } from './unfinished.js';
import { grouped } from '../shell/grouped.js';

/** Curves are drawn anew this often, in milliseconds. */
const REFRESH = 200;

/** The state of a training is written this often, in milliseconds: it is all of the autoencoder. */
const KEEP = 2_000;

const FIGURES = ['train-recovery', 'train-loss', 'train-l0', 'train-dead'];

/** @param {Metrics} metrics */
const words = ({ step, loss, l0, dead }) =>
  `Step ${grouped(step)}: loss ${loss.toPrecision(3)}, ${l0.toFixed(1)} active, ${dead} dead`;

/** What a training depends on. @param {Training} mine */
const keyOf = ({ config, of: { world, rows, held } }) => ({ config, world, rows, held });

/** What is said of a training that has come to its end. @param {Training} training */
function ended({ step, before, after }) {
  const cosines =
    after === null || before === null
      ? ''
      : ` Mean max cosine with the planted directions: ${three(after)}; ${three(before)} before the first step.`;
  return `Trained, ${grouped(step)} steps.${cosines}`;
}

/**
 * @typedef {object} Parts
 * @property {HTMLElement} element where it is to be
 * @property {GivenSource} given a reader's own activations
 * @property {((files: File[]) => void | Promise<void>) | null} onScore takes an autoencoder and its activations to where they are scored; null: there is no such place
 */

/** The training that is shown, and what is done with it. */
export class TrainingSection {
  #parts;
  /** @type {Training | null} */
  #mine = null;
  /** @type {AbortController | null} */
  #running = null;
  #pausing = false;
  /** Whether nobody asked for the training that is shown. */
  #unasked = false;
  /** Whether the rows for another one are on their way. */
  #asking = false;
  /** Shows the curves. */
  #refreshing = new Coalesced(() => this.#refresh());
  /** Everything that can be pressed. */
  #buttons = {
    start: el('button', { type: 'submit', id: 'train-start' }, 'Train'),
    pause: createButton('Pause', { id: 'train-pause', hidden: true }, () => (this.#pausing = true)),
    resume: createButton('Go on', { id: 'train-resume', hidden: true }, () => {
      this.#unasked = false;
      this.#go();
    }),
    cancel: createButton('Cancel', { id: 'train-cancel', hidden: true }, () => this.#cancel()),
    score: createButton('Score this', { id: 'train-score', hidden: true }, () => this.#score()),
    keep: createButton('Keep it', { id: 'train-keep', hidden: true, class: 'quiet' }, () => this.#keep()),
    save: createButton('Download it for SAELens (.zip)', { id: 'train-save', hidden: true, class: 'quiet' }, () =>
      this.#save(),
    ),
  };
  /** Until it is known whether one was left unfinished. */
  #looking;
  #line;
  #elements = FIGURES.map((id, at) => el('figure', { 'data-figure': id, class: at === 0 && 'wide' }));
  #curves = el('div', { class: 'grid', id: 'train-curves', hidden: true }, ...this.#elements);

  /** @param {import('../shell/page-setup.js').PageTools & Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { start, pause, resume, cancel, score, keep: keeping, save: saving } = this.#buttons;
    this.form = createTrainingForm({
      core: parts.core,
      buttons: el('span', { class: 'families-go' }, start, pause, resume, cancel),
      announce: parts.announce,
      onSubmit: () => this.#start(),
    });
    this.unfinished = new Unfinished({
      kind: 'training',
      core: parts.core,
      announce: parts.announce,
      words: ({ all }) =>
        `A training of ${grouped(all)} steps, left before its end, is kept in this browser`,
      onGo: ({ about }) => this.#goOn(about),
    });
    this.figures = new Figures(this.#elements, parts.announce, () => this.#mine?.view ?? null);
    this.#line = createMeterLine('train', 'the training', 'Not started.', parts.announce);
    this.taking = el('p', { class: 'keep' }, score, keeping, saving);
    const rows = grouped(parts.core.families_choices().rows);
    parts.element.append(
      el('h2', { id: 'train-title' }, 'Settings and curves'),
      this.form.element,
      this.form.general,
      this.#line.element,
      this.unfinished.element,
      this.taking,
      el(
        'p',
        {},
        `An autoencoder of your own, on ${rows} rows of synthetic data, or on your own activations. What you keep is measured on held-out rows and shown in the figures of `,
        el('a', { href: inOneFile() ? '#compare/' : '../compare/' }, 'Compare'),
        ' on the same data, until this tab is closed.',
      ),
      createKeptList(() => (keeping.hidden ? start : keeping).focus()),
    );
    this.#looking = this.unfinished.look();
  }

  /** @param {string} text @param {boolean} [aloud] */
  #say(text, aloud = true) {
    this.#line.say(text, aloud);
  }

  /** Goes on with one that was left. @param {ReturnType<typeof keyOf>} about */
  async #goOn({ config, world, rows, held }) {
    if (this.#running || this.#asking) return;
    const create = () => new Training(this.#parts.core, this.#parts.pool, config, { world, rows, held });
    let mine = create();
    const restored = await this.unfinished.take(keyOf(mine), ([progress]) => mine.restore(progress));
    if (!restored) mine = create();
    this.#unasked = false;
    this.#become(mine);
  }

  /** Shows another training in the place of the last, and has it go on. @param {Training} mine */
  #become(mine) {
    const former = this.#mine;
    this.#mine = mine;
    this.#curves.hidden = true;
    this.figures.clear();
    former?.view.free();
    this.#go();
  }

  /**
   * Keeps how far a training has come; of a reader's own activations nothing is kept unasked, nor of a training that nobody
   * asked for, which is begun anew when they come back.
   *
   * @param {Training} mine @param {boolean} begins
   */
  #keepProgress(mine, begins) {
    if (mine.of.drawn || !mine.state || this.#unasked) return;
    const key = keyOf(mine);
    if (begins) this.unfinished.begin(key, { all: mine.config.steps, instead: true, rest: KEEP, about: key });
    this.unfinished.add('progress', mine.progress);
  }

  #refresh() {
    if (!this.#mine) return;
    if (this.#curves.hidden) {
      this.#curves.hidden = false;
      // Nobody knows the directions of a reader's own activations.
      const [recovery] = this.#elements;
      if (recovery) recovery.hidden = this.#mine.after === null;
      // Figures that nobody has asked for are not in the page.
      this.taking.before(this.#curves);
      this.figures.show(this.#mine.view);
    } else this.figures.redraw();
  }

  /** @param {'idle' | 'running' | 'paused'} at */
  #setState(at) {
    const focused = document.activeElement;
    const { start, pause, resume, cancel, score, keep: keeping, save: saving } = this.#buttons;
    start.hidden = at !== 'idle';
    pause.hidden = at !== 'running';
    resume.hidden = at !== 'paused';
    cancel.hidden = at === 'idle';
    this.#line.setRunning(at !== 'idle');
    const there = this.#mine?.state != null && at !== 'running';
    keeping.hidden = !there || this.#mine?.kept === true;
    saving.hidden = !there;
    score.hidden = !there || !this.#parts.onScore;
    const turns = [start, pause, resume, cancel];
    if (turns.some((one) => one === focused && one.hidden)) turns.find((one) => !one.hidden)?.focus();
  }

  async #go() {
    const mine = this.#mine;
    if (!mine || this.#running) return;
    const { signal } = (this.#running = new AbortController());
    this.#pausing = false;
    this.#setState('running');
    let begins = true;
    try {
      while (!mine.finished && !this.#pausing) {
        const metrics = await mine.go(signal);
        if (!mine.finished) this.#keepProgress(mine, begins);
        begins = false;
        this.#line.fill(metrics.step / mine.config.steps);
        this.#say(`${words(metrics)}.`, false);
        this.#refreshing.soon(REFRESH);
      }
      this.unfinished.end(mine.finished);
      this.#refreshing.now();
      this.#running = null;
      const steps = [mine.step, mine.config.steps].map((step) => grouped(step));
      this.#say(mine.finished ? ended(mine) : `Paused at step ${steps[0]} of ${steps[1]}.`);
      this.#setState(mine.finished ? 'idle' : 'paused');
    } catch (error) {
      this.unfinished.end(false);
      this.#refreshing.now();
      this.#running = null;
      this.#brokeOff(mine, error, signal.aborted);
    }
  }

  /** @param {Training} mine @param {unknown} error @param {boolean} aborted */
  #brokeOff(mine, error, aborted) {
    const step = grouped(mine.step);
    const refused = error instanceof Refusal && !aborted;
    if (aborted) this.#say(`Cancelled at step ${step}.`);
    else if (refused) {
      this.#say('Refused.', false);
      this.form.showProblem(error.problem);
    } else this.#say(`Broke off at step ${step} (${reason(error)}).`);
    // What broke off can be gone on with; the state of the last share is here.
    this.#setState(aborted || refused || !mine.state ? 'idle' : 'paused');
  }

  /** The rows that the form asks for. @returns {Promise<TrainRows>} */
  async #rowsWanted() {
    const { core, given } = this.#parts;
    const name = this.form.world();
    const isGiven = name === 'given';
    if (isGiven) this.#say('Reading your activations …', false);
    const { own_seed: seed } = core.constants();
    const world = isGiven ? await given.world(seed) : core.world_defaults(name);
    const [rows = 0, held = 0] = core.world_split(world, core.families_choices().rows);
    return { world, rows, held, drawn: isGiven ? await given.draw(seed, rows + held) : undefined };
  }

  /** @param {boolean} [unasked] whether nobody asked for it */
  async #start(unasked = false) {
    if (this.#running || this.#asking || !this.#buttons.resume.hidden) return;
    const config = this.form.wanted();
    if ('message' in config) {
      this.form.showProblem(config);
      return;
    }
    this.form.showProblem(null);
    /** @type {TrainRows} */
    let of;
    this.#asking = true;
    try {
      of = await this.#rowsWanted();
    } catch (error) {
      this.#say(`Refused: ${reason(error)}`);
      return;
    } finally {
      this.#asking = false;
    }
    // No batch can be larger than all there is.
    config.batch = Math.min(config.batch, of.rows);
    this.#unasked = unasked;
    this.#become(new Training(this.#parts.core, this.#parts.pool, config, of));
  }

  /**
   * Trains what the form says unasked, so that there is something to see; not where one was left unfinished.
   *
   * @returns {Promise<boolean>} whether one is there or begins
   */
  async begin() {
    await this.#looking;
    if (this.unfinished.offers) return false;
    if (!this.#mine) await this.#start(true);
    return this.#mine !== null;
  }

  redraw() {
    this.figures.redraw();
  }

  #cancel() {
    if (this.#running) {
      this.#running.abort();
      return;
    }
    this.#say(`Cancelled at step ${grouped(this.#mine?.step ?? 0)}.`, false);
    this.#setState('idle');
  }

  async #keep() {
    const mine = this.#mine;
    if (!mine?.state) return;
    const name = mine.name.replace(/^sae-/, '');
    this.#buttons.keep.hidden = true;
    try {
      const found = await mine.measured();
      mine.kept = true;
      if (keep({ name, world: mine.of.world, found })) this.#parts.announce(`Kept ${name}.`);
    } catch (error) {
      this.#buttons.keep.hidden = false;
      this.#say(`It could not be measured: ${reason(error)}.`);
    }
  }

  async #save() {
    const mine = this.#mine;
    if (!mine?.state) return;
    const { name } = mine;
    try {
      save(`${name}.zip`, new Blob([await mine.folder()], { type: 'application/zip' }));
      this.#parts.announce(`Saved as ${name}.zip.`);
    } catch (error) {
      this.#say(`It could not be saved: ${reason(error)}.`);
    }
  }

  async #score() {
    const mine = this.#mine;
    if (!mine?.state) return;
    try {
      const files = await mine.files();
      await this.#parts.onScore?.(files.map(({ name, bytes }) => new File([bytes], name)));
    } catch (error) {
      this.#say(`It could not be handed over: ${reason(error)}.`);
    }
  }
}
