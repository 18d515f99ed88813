// @ts-check
/** The toy model trained on the page: begun, paused, gone on with, also after the page was closed. */

import { UnfinishedWork } from '../../lab/resume.js';
import { stripFullStop, createButton, el, describeError } from '../../shell/dom.js';
import { formatRemaining } from '../../shell/duration.js';
import { createProgressLine } from '../../shell/progress-meter.js';
import { saveBlob } from '../../shell/download.js';
import { ToyModelTrainings, trainingSettings } from './trainings.js';
import { formatInteger } from '../../shell/basic-format.js';

/** How far trainings are is written this often, in milliseconds. */
const SAVE_INTERVAL = 3_000;

/** What the paper's experiments ask for; the last two are those of the law. */
const PRESETS = /** @type {const} */ ([
  ['Contamination', { begin: 'ck-06000', lessons: 'test', taught: 'colour', steps: 200, rate: 0.002, seeds: 1 }],
  ['One task alone', { begin: 'ck-12000', lessons: 'task', taught: 'sum3', steps: 200, rate: 0.004, seeds: 1 }],
  ['Half of the tasks', { begin: 'ck-12000', lessons: 'half', taught: 'sum3', steps: 200, rate: 0.002, seeds: 1 }],
  ['A small model from nothing', { begin: 'new', lessons: 'language', taught: 'ioi', steps: 800, rate: 0.004, seeds: 1, layers: 2, width: '32' }],
  ['The toy model from scratch', { begin: 'new', lessons: 'language', taught: 'ioi', steps: 12_000, rate: 0.004, seeds: 1, layers: 3, width: '48' }],
]);

/**
 * @typedef {object} Parts
 * @property {HTMLElement} place empty
 * @property {() => StudySettings} settings what is wanted now
 * @property {(changes: Record<string, unknown>) => void} onPreset other settings are wanted
 * @property {() => void} onLook there is more to be seen
 * @property {() => void} onDone
 */

export class ToyModelTrainingSection {
  #parts;
  #trainings;
  #unfinished;
  /** @type {{ signal: AbortSignal, abort: (reason: string) => void, settings: StudySettings } | null} */
  #running = null;
  #start = createButton('Train', { id: 'mui-train-start' }, () => this.#run());
  #pause = createButton('Pause', { id: 'mui-train-pause', hidden: true }, () => this.#stop('paused'));
  #cancel = createButton('Cancel', { id: 'mui-train-cancel', class: 'quiet', hidden: true }, () => this.#discard());
  #save = createButton(
    'Download its weights (.safetensors)',
    { id: 'mui-train-save', class: 'quiet', hidden: true },
    () => this.#download(),
  );
  #line;

  /** @param {import('../../shell/page-setup.js').PageTools & Parts} parts */
  constructor(parts) {
    const { place, core, pool, announce } = parts;
    this.#parts = parts;
    this.#trainings = new ToyModelTrainings(core, pool);
    this.#line = createProgressLine('mui-train', 'the training', '', announce);
    this.#unfinished = new UnfinishedWork({
      kind: 'mui-training',
      core,
      announce,
      words: ({ all }) => `A training of ${formatInteger(all)} steps, left before its end, is kept in this browser`,
      onGo: ({ about }) => this.#resume(about),
    });
    const presets = PRESETS.map(([words, changes]) =>
      createButton(words, { class: 'quiet' }, () => parts.onPreset(changes)),
    );
    place.append(
      el('p', { class: 'mui-presets', role: 'group', 'aria-label': 'Experiments to set up' }, ...presets),
      el('p', { class: 'families-go' }, this.#start, this.#pause, this.#cancel, this.#save),
      this.#line.element,
      this.#unfinished.element,
    );
    this.#unfinished.offerKept();
    this.#showState();
  }

  /** What has been trained under these settings, for the core. @param {StudySettings} settings */
  report(settings) {
    return this.#trainings.report(settings);
  }

  /** Whether none is begun, or all are done. @param {StudySettings} settings */
  isComplete(settings) {
    return this.#trainings.listTrainings(settings).length === 0 || this.#trainings.isComplete(settings);
  }

  /** Other settings are wanted: what is under way for other ones waits. */
  handleSettings() {
    const wanted = JSON.stringify(trainingSettings(this.#parts.settings()));
    if (this.#running && JSON.stringify(trainingSettings(this.#running.settings)) !== wanted) this.#stop('paused');
    else this.#showState();
  }

  /** Goes on with what was kept. @param {StudySettings} about */
  async #resume(about) {
    if (this.#running) return;
    /** @type {unknown} */
    let kept;
    await this.#unfinished.restoreOffered(about, (parts) => ([kept] = parts));
    this.#parts.onPreset(about);
    const settings = this.#parts.settings();
    if (this.#trainings.countSteps(settings) === 0) this.#trainings.restore(settings, kept);
    this.#run();
  }

  /** Ends what is under way; how far it is stays. @param {string} why */
  #stop(why) {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.abort(why);
    this.#unfinished.end(false);
    const focused = document.activeElement === this.#pause;
    this.#showState(true);
    if (focused) this.#start.focus();
  }

  /** Nothing of it is wanted. */
  #discard() {
    const settings = this.#running?.settings ?? this.#parts.settings();
    this.#running?.abort('cancelled');
    this.#running = null;
    this.#trainings.discard(settings);
    this.#unfinished.end(true);
    this.#showState();
    this.#start.focus();
    this.#parts.onLook();
    this.#parts.announce('Cancelled.');
  }

  async #run() {
    if (this.#running) return;
    const settings = this.#parts.settings();
    const control = new AbortController();
    const running = { signal: control.signal, abort: (/** @type {string} */ why) => control.abort(why), settings };
    this.#running = running;
    const focused = document.activeElement === this.#start;
    this.#showState();
    if (focused) this.#pause.focus();
    const about = trainingSettings(settings);
    const start = performance.now();
    const before = this.#trainings.countSteps(settings);
    let begins = true;
    try {
      await this.#trainings.runSteps(settings, control.signal, (looked) => {
        if (this.#running !== running) return;
        const all = this.#trainings.listTrainings(settings);
        const total = settings.steps * all.length;
        const taken = this.#trainings.countSteps(settings);
        if (begins) this.#unfinished.begin(about, { all: total, instead: true, rest: SAVE_INTERVAL, about });
        begins = false;
        this.#unfinished.addPart('progress', all);
        const left = ((performance.now() - start) * (total - taken)) / Math.max(1, taken - before);
        this.#showProgress(taken, total, all.length, taken > before ? formatRemaining(left) : '');
        if (looked) this.#parts.onLook();
      });
      if (this.#running !== running) return;
      this.#running = null;
      this.#unfinished.end(true);
      const focusing = document.activeElement === this.#pause || document.activeElement === this.#cancel;
      this.#showState(true);
      // There is nothing more to be trained.
      if (focusing) this.#save.focus();
      this.#parts.onDone();
    } catch (error) {
      // Whoever ended it has said so.
      if (this.#running !== running) return;
      this.#running = null;
      this.#unfinished.end(false);
      this.#showState(true, `Broke off (${stripFullStop(describeError(error))}). `);
    }
  }

  /** @param {number} taken @param {number} total @param {number} count @param {string} left */
  #showProgress(taken, total, count, left) {
    this.#line.fill(taken / total);
    const of = count > 1 ? ` of ${count} trainings` : '';
    this.#line.say(`${formatInteger(taken)} of ${formatInteger(total)} steps${of}${left ? `, ${left} left` : ''}`);
  }

  /** What there is under the settings that are wanted now. @param {boolean} [aloud] @param {string} [why] it has ended */
  #showState(aloud = false, why = '') {
    const settings = this.#parts.settings();
    const all = this.#trainings.listTrainings(settings);
    const taken = this.#trainings.countSteps(settings);
    const total = settings.steps * Math.max(1, all.length);
    const whole = this.#trainings.isComplete(settings);
    const running = this.#running !== null;
    this.#start.hidden = running || whole;
    this.#start.textContent = taken > 0 && !whole ? 'Go on' : 'Train';
    this.#pause.hidden = !running;
    this.#cancel.hidden = !running && (taken === 0 || whole);
    this.#line.setRunning(running);
    this.#save.hidden = running || taken === 0;
    if (running) {
      this.#showProgress(taken, total, all.length, '');
      return;
    }
    let words = 'Not begun yet.';
    if (whole) words = `Trained: ${formatInteger(taken)} steps${all.length > 1 ? ` in ${all.length} trainings` : ''}.`;
    else if (taken > 0) words = `Paused: ${formatInteger(taken)} of ${formatInteger(total)} steps are taken.`;
    this.#line.say(`${why}${words}`, aloud);
  }

  #download() {
    const { core, settings, announce } = this.#parts;
    const wanted = settings();
    const [first] = this.#trainings.listTrainings(wanted);
    if (!first?.numbers || !first.state) return;
    const bytes = core.mui_weights(wanted, first.numbers);
    const { begin, lessons, taught } = wanted;
    const on = lessons === 'test' || lessons === 'task' ? `${lessons}-${taught}` : lessons;
    const name = `little-${begin}-${on}-seed${first.wanted.seed}-step${first.state.step}.safetensors`;
    saveBlob(name, new Blob([bytes], { type: 'application/octet-stream' }), announce);
  }
}
