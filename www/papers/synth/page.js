// @ts-check
/** SynthSAEBench's page: the shipped run at first, then trainings in this browser as they end. */

import { MeasuredParts } from '../../little/measured-parts.js';
import { ProgressLine } from '../../little/progress-line.js';
import { passingButton } from '../../little/passing-button.js';
import { createStudySettings } from '../../little/study-settings.js';
import { need } from '../../shell/dom.js';
import { duration } from '../../shell/duration.js';
import { exportables } from '../../shell/exportables.js';
import { Figures } from '../../shell/figures.js';
import { save } from '../../shell/save.js';
import { inOneFile } from '../../shell/views.js';
import { synthJobs } from '../../workers/synth.js';
import { createElsewhere } from './elsewhere.js';

/** @typedef {import('../../types/core.d.ts').SynthJob} Found */

/**
 * @typedef {object} Parts
 * @property {HTMLElement} view
 * @property {Lab} core
 * @property {import('../../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {() => void} onState the address is to follow
 * @property {() => void} onComplete all that was asked for is there
 */

export class Synth {
  #parts;
  #figures;
  #settings;
  #measured;
  #status;
  /** The run that the site ships, by its settings' digits. @type {{ of: string, jobs: Found[] }} */
  #shipped;
  /** @type {StudySettings} */
  #wanted;
  /** @type {SynthView | null} */
  #view = null;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { view, core, pool, announce } = parts;
    this.#wanted = core.study_defaults('synth');
    const { settings, jobs } = core.synth_shipped();
    this.#shipped = { of: this.#keyOf(settings), jobs };
    this.#figures = new Figures(
      view.querySelectorAll(/** @type {'figure'} */ ('figure[data-figure]')),
      announce,
      () => this.#view,
    );
    const fields = core.study_fields('synth');
    this.#settings = createStudySettings({
      study: 'synth',
      formOf: (name) => need(fields.find((field) => field.name === name)?.group === 'size' ? '#synth-size' : '#synth-training', view),
      general: need('#synth-error', view),
      core,
      onSettings: (settings) => this.#ask(settings),
    });
    this.#status = new ProgressLine(need('#synth-status', view), 'autoencoders');
    /** @type {MeasuredParts<Found>} */
    this.#measured = new MeasuredParts(core, pool, (settings) => synthJobs(core, settings), {
      onFound: () => this.#found(),
      onEnd: () => this.#ended(),
    });
    createElsewhere({ place: need('#synth-elsewhere-place', view), core, pool, announce });
    need('#synth-save', view).addEventListener('click', () => {
      const now = this.#view;
      if (!now) return;
      const name = now.file_name('', 'json');
      save(name, new Blob([now.json()], { type: 'application/json' }));
      announce(`${name} is saved.`);
    });
  }

  /** For the address. */
  get state() {
    return { settings: this.#wanted, open: 0 };
  }

  get digest() {
    return this.#view?.digest() ?? null;
  }

  redraw() {
    this.#figures.redraw();
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings }) {
    this.#settings.show(settings);
    this.#wanted = settings;
    this.#rest();
  }

  /** The printed table stands beside whatever is trained. @param {StudySettings} settings */
  #keyOf(settings) {
    return JSON.stringify({ ...settings, table: '' });
  }

  /** @param {StudySettings} settings that the core allows */
  #ask(settings) {
    if (JSON.stringify(settings) === JSON.stringify(this.#wanted)) return;
    this.#measured.stop();
    this.#wanted = settings;
    this.#rest();
    this.#parts.onState();
  }

  /** What there is of what is wanted: trained here, else shipped. @returns {Found[]} */
  get #there() {
    const here = this.#measured.of(this.#wanted).map(([, found]) => found);
    return here.length === 0 && this.#keyOf(this.#wanted) === this.#shipped.of ? this.#shipped.jobs : here;
  }

  /** Shows what there is. Nothing is trained before somebody asks for it. */
  #rest() {
    const { core, view } = this.#parts;
    this.#show();
    const { done, all } = this.#measured.count(this.#wanted);
    const train = passingButton(done === 0 ? 'Train in this browser' : 'Go on', () => this.#go());
    if (this.#there === this.#shipped.jobs) {
      // A link is not proven by what this machine has not trained.
      this.#status.say(`Measured by the command line with these settings: ${all} autoencoders. `, train);
    } else if (done === all) {
      this.#status.say(`All ${all} autoencoders are measured.`);
      this.#parts.onComplete();
    } else {
      this.#status.say(`${done} of ${all} autoencoders are measured. `, train);
    }
    need('#synth-cli', view).textContent = this.#command(core);
  }

  /** The same on the command line. @param {Lab} core */
  #command(core) {
    const usual = core.study_defaults('synth');
    const changed = Object.entries(this.#wanted).filter(([name, value]) => value !== usual[name]);
    const flags = changed.map(([name, value]) => ` --${name.replaceAll('_', '-')} ${value}`);
    return `sfc-bench synth${flags.join('')} --checkpoint synth-run`;
  }

  #show() {
    const { core, view } = this.#parts;
    const former = this.#view;
    const shown = core.Study.open('synth', { settings: this.#wanted, jobs: this.#there });
    this.#view = shown;
    // Before the former one is given back: exports read it.
    if (!inOneFile()) exportables.view = shown;
    need('#synth-headline', view).textContent = shown.headline();
    this.#figures.show(shown);
    former?.free();
  }

  #go() {
    const { done, all } = this.#measured.count(this.#wanted);
    this.#status.begin(all, () => this.#measured.cancel());
    this.#status.progress(done);
    this.#measured.measure(this.#wanted);
    this.#show();
  }

  #found() {
    this.#status.progress(this.#measured.count(this.#wanted).done, this.#measured.left);
    this.#show();
  }

  #ended() {
    const { done, all } = this.#measured.count(this.#wanted);
    this.#show();
    if (done < all) {
      this.#parts.announce(this.#status.unfinished(done, all, this.#measured, () => this.#go()));
      return;
    }
    const { took } = this.#measured;
    const words = `All ${all} autoencoders are measured${took === null ? '' : ` in ${duration(took)}`}.`;
    this.#status.say(words);
    this.#parts.announce(words);
    this.#parts.onComplete();
  }
}
