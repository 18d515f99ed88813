// @ts-check
/** SynthSAEBench's page: the shipped run at first, then trainings in this browser as they end. */

import { MeasuredPage } from '../../little/measured-page.js';
import { MeasuredParts } from '../../little/measured-parts.js';
import { passingButton } from '../../little/passing-button.js';
import { need } from '../../shell/dom.js';
import { duration } from '../../shell/duration.js';
import { synthJobs } from '../../workers/synth.js';
import { createElsewhere } from './elsewhere.js';

/** @typedef {import('../../types/core.d.ts').SynthJob} Found */

/** @extends {MeasuredPage<ReportView, MeasuredParts<Found>>} */
export class Synth extends MeasuredPage {
  /** The run that the site ships, by its settings' digits. @type {{ of: string, jobs: Found[] }} */
  #shipped;

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const sizes = core.study_fields('synth').filter(({ group }) => group === 'size').map(({ name }) => name);
    super(parts, {
      ...{ study: 'synth', status: '#synth-status', things: 'autoencoders', error: '#synth-error' },
      formOf: (name) => need(sizes.includes(name) ? '#synth-size' : '#synth-training', view),
      measure: (told) => new MeasuredParts(core, pool, (settings) => synthJobs(core, settings), told),
    });
    const { settings, jobs } = core.synth_shipped();
    this.#shipped = { of: this.#keyOf(settings), jobs };
    createElsewhere(parts, { place: need('#synth-elsewhere-place', view) });
    this.offerSave('#synth-save');
  }

  /** Shows what a link says. @param {StudyPage} page */
  follow({ settings }) {
    this.adopt(settings);
    this.#rest();
  }

  /** The printed table stands beside whatever is trained. @param {StudySettings} settings */
  #keyOf(settings) {
    return JSON.stringify({ ...settings, table: '' });
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    if (this.changed(settings).length === 0) return;
    this.measured.stop();
    this.wanted = settings;
    this.#rest();
    this.parts.onState();
  }

  /** What there is of what is wanted: trained here, else shipped. @returns {Found[]} */
  get #there() {
    const here = this.measured.of(this.wanted).map(([, found]) => found);
    return here.length === 0 && this.#keyOf(this.wanted) === this.#shipped.of ? this.#shipped.jobs : here;
  }

  /** Shows what there is. Nothing is trained before somebody asks for it. */
  #rest() {
    const { core, view } = this.parts;
    this.#show();
    const { done, all } = this.measured.count(this.wanted);
    const train = passingButton(done === 0 ? 'Train in this browser' : 'Go on', () => this.go());
    if (this.#there === this.#shipped.jobs) {
      // A link is not proven by what this machine has not trained.
      this.status.say(`Measured by the command line with these settings: ${all} autoencoders. `, train);
    } else if (done === all) {
      this.status.say(`All ${all} autoencoders are measured.`);
      this.parts.onComplete();
    } else {
      this.status.say(`${done} of ${all} autoencoders are measured. `, train);
    }
    need('#synth-cli', view).textContent = this.#command(core);
  }

  /** The same on the command line. @param {Lab} core */
  #command(core) {
    const usual = core.study_defaults('synth');
    const changed = Object.entries(this.wanted).filter(([name, value]) => value !== usual[name]);
    const flags = changed.map(([name, value]) => ` --${name.replaceAll('_', '-')} ${value}`);
    return `sfc-bench synth${flags.join('')} --checkpoint synth-run`;
  }

  #show() {
    const { core, view } = this.parts;
    const shown = this.replace(core.Study.open('synth', { settings: this.wanted, jobs: this.#there }));
    need('#synth-headline', view).textContent = shown.headline();
    this.figures.show(shown);
  }

  /** @override */
  go() {
    super.go();
    this.#show();
  }

  /** @override */
  found() {
    this.progress(this.measured.left);
    this.#show();
  }

  /** @override */
  ended() {
    this.#show();
    super.ended();
  }

  /** @override */
  done() {
    const { took } = this.measured;
    this.status.say(`All ${this.count().all} autoencoders are measured${took === null ? '' : ` in ${duration(took)}`}.`);
    this.parts.onComplete();
  }
}
