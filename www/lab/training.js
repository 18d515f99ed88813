// @ts-check
/** One autoencoder, trained in a worker under the reader's eyes: paused, gone on with, kept, taken away, scored. */

import { Throttle } from '../shell/throttle.js';
import { createButton, el, describeError } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { createProgressLine } from '../shell/progress-meter.js';
import { saveBlob } from '../shell/download.js';
import { isSingleFile } from '../shell/views.js';
import { RefusalError } from '../workers/pool.js';
import { keepAutoencoder } from './kept-autoencoders.js';
import { createTrainingForm } from './training/form.js';
import { createKeptList, formatMetric } from './training/kept-list.js';
import { TrainingSession } from './training/session.js';
import { UnfinishedWork } from './resume.js';
import { formatInteger } from '../shell/basic-format.js';

/** Curves are drawn anew this often, in milliseconds. */
const REFRESH_INTERVAL = 200;

/** The state of a training is written this often, in milliseconds: it is all of the autoencoder. */
const SAVE_INTERVAL = 2_000;

const FIGURES = ['train-recovery', 'train-loss', 'train-l0', 'train-dead'];

/** @param {Metrics} metrics */
const describeMetrics = ({ step, loss, l0, dead }) =>
  `Step ${formatInteger(step)}: loss ${loss.toPrecision(3)}, ${l0.toFixed(1)} active, ${dead} dead`;

/** What a training depends on. @param {TrainingSession} mine */
const trainingKey = ({ config, of: { world, rows, held } }) => ({ config, world, rows, held });

/** What is said of a training that has come to its end. @param {TrainingSession} training */
function completionSentence({ step, before, lastCosine: after }) {
  const cosines =
    after === null || before === null
      ? ''
      : ` Mean max cosine with the planted directions: ${formatMetric(after)}; ${formatMetric(before)} before the first step.`;
  return `Trained, ${formatInteger(step)} steps.${cosines}`;
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
  /** @type {TrainingSession | null} */
  #mine = null;
  /** @type {AbortController | null} */
  #running = null;
  #pausing = false;
  /** Whether nobody asked for the training that is shown. */
  #unasked = false;
  /** Whether the rows for another one are on their way. */
  #asking = false;
  /** Shows the curves. */
  #refreshing = new Throttle(() => this.#refresh());
  /** Everything that can be pressed. */
  #buttons = {
    start: el('button', { type: 'submit', id: 'train-start' }, 'Train'),
    pause: createButton('Pause', { id: 'train-pause', hidden: true }, () => (this.#pausing = true)),
    resume: createButton('Go on', { id: 'train-resume', hidden: true }, () => {
      this.#unasked = false;
      this.#run();
    }),
    cancel: createButton('Cancel', { id: 'train-cancel', hidden: true }, () => this.#cancel()),
    score: createButton('Score this', { id: 'train-score', hidden: true }, () => this.#scoreTrainedAutoencoder()),
    keep: createButton('Keep it', { id: 'train-keep', hidden: true, class: 'quiet' }, () => this.#keepTrainedAutoencoder()),
    save: createButton('Download it for SAELens (.zip)', { id: 'train-save', hidden: true, class: 'quiet' }, () =>
      this.#saveFolder(),
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
    this.unfinished = new UnfinishedWork({
      kind: 'training',
      core: parts.core,
      announce: parts.announce,
      words: ({ all }) =>
        `A training of ${formatInteger(all)} steps, left before its end, is kept in this browser`,
      onGo: ({ about }) => this.#resume(about),
    });
    this.figures = new Figures(this.#elements, parts.announce, () => this.#mine?.view ?? null);
    this.#line = createProgressLine('train', 'the training', 'Not started.', parts.announce);
    this.taking = el('p', { class: 'keep' }, score, keeping, saving);
    const rows = formatInteger(parts.core.families_choices().rows);
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
        el('a', { href: isSingleFile() ? '#compare/' : '../compare/' }, 'Compare'),
        ' on the same data, until this tab is closed.',
      ),
      createKeptList(() => (keeping.hidden ? start : keeping).focus()),
    );
    this.#looking = this.unfinished.offerKept();
  }

  /** @param {string} text @param {boolean} [aloud] */
  #setStatus(text, aloud = true) {
    this.#line.say(text, aloud);
  }

  /** Goes on with one that was left. @param {ReturnType<typeof trainingKey>} about */
  async #resume({ config, world, rows, held }) {
    if (this.#running || this.#asking) return;
    const create = () => new TrainingSession(this.#parts.core, this.#parts.pool, config, { world, rows, held });
    let mine = create();
    const restored = await this.unfinished.restoreOffered(trainingKey(mine), ([progress]) => mine.restore(progress));
    if (!restored) {
      mine.view.free();
      mine = create();
    }
    this.#unasked = false;
    this.#replaceTraining(mine);
  }

  /** Shows another training in the place of the last, and has it go on. @param {TrainingSession} mine */
  #replaceTraining(mine) {
    const former = this.#mine;
    this.#mine = mine;
    this.#curves.hidden = true;
    this.figures.clear();
    former?.view.free();
    this.#run();
  }

  /**
   * Keeps how far a training has come; of a reader's own activations nothing is kept unasked, nor of a training that nobody
   * asked for, which is begun anew when they come back.
   *
   * @param {TrainingSession} mine @param {boolean} begins
   */
  #saveProgress(mine, begins) {
    if (mine.of.drawn || !mine.state || this.#unasked) return;
    const key = trainingKey(mine);
    if (begins) this.unfinished.begin(key, { all: mine.config.steps, instead: true, rest: SAVE_INTERVAL, about: key });
    this.unfinished.addPart('progress', mine.resumeState);
  }

  #refresh() {
    if (!this.#mine) return;
    if (this.#curves.hidden) {
      this.#curves.hidden = false;
      // Nobody knows the directions of a reader's own activations.
      const [recovery] = this.#elements;
      if (recovery) recovery.hidden = this.#mine.lastCosine === null;
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

  async #run() {
    const mine = this.#mine;
    if (!mine || this.#running) return;
    const { signal } = (this.#running = new AbortController());
    this.#pausing = false;
    this.#setState('running');
    let begins = true;
    try {
      while (!mine.isFinished && !this.#pausing) {
        const metrics = await mine.runSteps(signal);
        if (!mine.isFinished) this.#saveProgress(mine, begins);
        begins = false;
        this.#line.fill(metrics.step / mine.config.steps);
        this.#setStatus(`${describeMetrics(metrics)}.`, false);
        this.#refreshing.schedule(REFRESH_INTERVAL);
      }
      this.unfinished.end(mine.isFinished);
      this.#refreshing.runNow();
      this.#running = null;
      const steps = [mine.step, mine.config.steps].map((step) => formatInteger(step));
      this.#setStatus(mine.isFinished ? completionSentence(mine) : `Paused at step ${steps[0]} of ${steps[1]}.`);
      this.#setState(mine.isFinished ? 'idle' : 'paused');
    } catch (error) {
      this.unfinished.end(false);
      this.#refreshing.runNow();
      this.#running = null;
      this.#handleFailure(mine, error, signal.aborted);
    }
  }

  /** @param {TrainingSession} mine @param {unknown} error @param {boolean} aborted */
  #handleFailure(mine, error, aborted) {
    const step = formatInteger(mine.step);
    const refused = error instanceof RefusalError && !aborted;
    if (aborted) this.#setStatus(`Cancelled at step ${step}.`);
    else if (refused) {
      this.#setStatus('Refused.', false);
      this.form.showProblem(error.problem);
    } else this.#setStatus(`Broke off at step ${step} (${describeError(error)}).`);
    // What broke off can be gone on with; the state of the last share is here.
    this.#setState(aborted || refused || !mine.state ? 'idle' : 'paused');
  }

  /** The rows that the form asks for. @returns {Promise<TrainRows>} */
  async #loadRows() {
    const { core, given } = this.#parts;
    const name = this.form.world();
    const isGiven = name === 'given';
    if (isGiven) this.#setStatus('Reading your activations …', false);
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
      of = await this.#loadRows();
    } catch (error) {
      this.#setStatus(`Refused: ${describeError(error)}`);
      return;
    } finally {
      this.#asking = false;
    }
    // No batch can be larger than all there is.
    config.batch = Math.min(config.batch, of.rows);
    this.#unasked = unasked;
    this.#replaceTraining(new TrainingSession(this.#parts.core, this.#parts.pool, config, of));
  }

  /**
   * Trains what the form says unasked, so that there is something to see; not where one was left unfinished.
   *
   * @returns {Promise<boolean>} whether one is there or begins
   */
  async startAutomatically() {
    await this.#looking;
    if (this.unfinished.hasOffer) return false;
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
    this.#setStatus(`Cancelled at step ${formatInteger(this.#mine?.step ?? 0)}.`, false);
    this.#setState('idle');
  }

  async #keepTrainedAutoencoder() {
    const mine = this.#mine;
    if (!mine?.state) return;
    const name = mine.name.replace(/^sae-/, '');
    this.#buttons.keep.hidden = true;
    try {
      const found = await mine.measure();
      mine.kept = true;
      if (keepAutoencoder({ name, world: mine.of.world, found })) this.#parts.announce(`Kept ${name}.`);
    } catch (error) {
      this.#buttons.keep.hidden = false;
      this.#setStatus(`It could not be measured: ${describeError(error)}.`);
    }
  }

  async #saveFolder() {
    const mine = this.#mine;
    if (!mine?.state) return;
    const { name } = mine;
    try {
      saveBlob(`${name}.zip`, new Blob([await mine.packFolder()], { type: 'application/zip' }));
      this.#parts.announce(`Saved as ${name}.zip.`);
    } catch (error) {
      this.#setStatus(`It could not be saved: ${describeError(error)}.`);
    }
  }

  async #scoreTrainedAutoencoder() {
    const mine = this.#mine;
    if (!mine?.state) return;
    try {
      const files = await mine.exportFiles();
      await this.#parts.onScore?.(files.map(({ name, bytes }) => new File([bytes], name)));
    } catch (error) {
      this.#setStatus(`It could not be handed over: ${describeError(error)}.`);
    }
  }
}
