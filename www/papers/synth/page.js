// @ts-check
/** SynthSAEBench's page: the shipped run at first, then trainings in this browser as they end. */

import { JobsPage } from '../../study/jobs-page.js';
import { JobResults } from '../../study/job-results.js';
import { createTransientButton } from '../../study/one-time-button.js';
import { requireElement } from '../../shell/dom.js';
import { formatDuration } from '../../shell/duration.js';
import { createExternalEvaluation } from './user-files.js';

/** @typedef {import('../../types/core.d.ts').SynthJob} Found */

/** @extends {JobsPage<ReportView, JobResults<'synth'>>} */
export class SynthPage extends JobsPage {
  /** The run that the site ships, by its settings' digits. @type {{ of: string, jobs: Found[] }} */
  #shipped;

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view, core, pool } = parts;
    const sizes = core.study_fields('synth').filter(({ group }) => group === 'size').map(({ name }) => name);
    super(parts, {
      ...{ study: 'synth', status: '#synth-status', things: 'autoencoders', error: '#synth-error' },
      formOf: (name) => requireElement(sizes.includes(name) ? '#synth-size' : '#synth-training', view),
      measure: (told) => new JobResults(core, pool, 'synth', told),
    });
    const { settings, jobs } = core.synth_shipped();
    this.#shipped = { of: this.#settingsKey(settings), jobs };
    createExternalEvaluation(parts, { place: requireElement('#synth-elsewhere-place', view) });
    this.bindSaveButton('#synth-save');
  }

  /** Shows what a link says. @param {StudyPage} page */
  followLink({ settings }) {
    this.adoptSettings(settings);
    this.#showIdle();
  }

  /** The printed table stands beside whatever is trained. @param {StudySettings} settings */
  #settingsKey(settings) {
    return JSON.stringify({ ...settings, table: '' });
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    if (this.changedSettings(settings).length === 0) return;
    this.measured.stop();
    this.wanted = settings;
    this.#showIdle();
    this.parts.onState();
  }

  /** What there is of what is wanted: trained here, else shipped. @returns {Found[]} */
  get #currentResults() {
    const here = this.measured.report(this.wanted).jobs;
    return here.length === 0 && this.#settingsKey(this.wanted) === this.#shipped.of ? this.#shipped.jobs : here;
  }

  /** Shows what there is. Nothing is trained before somebody asks for it. */
  #showIdle() {
    const { core, view } = this.parts;
    this.#showReport();
    const { done, all } = this.measured.countMeasured(this.wanted);
    const train = createTransientButton(done === 0 ? 'Train in this browser' : 'Go on', () => this.measureMissing());
    if (this.#currentResults === this.#shipped.jobs) {
      // A link is not proven by what this machine has not trained.
      this.status.setContent(`Measured by the command line with these settings: ${all} autoencoders. `, train);
    } else if (done === all) {
      this.status.setContent(`All ${all} autoencoders are measured.`);
      this.parts.onComplete();
    } else {
      this.status.setContent(`${done} of ${all} autoencoders are measured. `, train);
    }
    requireElement('#synth-cli', view).textContent = this.#formatCommand(core);
  }

  /** The same on the command line. @param {Lab} core */
  #formatCommand(core) {
    const usual = core.study_defaults('synth');
    const changed = Object.entries(this.wanted).filter(([name, value]) => value !== usual[name]);
    const flags = changed.map(([name, value]) => ` --${name.replaceAll('_', '-')} ${value}`);
    return `sfc-bench synth${flags.join('')} --checkpoint synth-run`;
  }

  #showReport() {
    const { core, view } = this.parts;
    const shown = this.replaceView(core.Study.open('synth', { settings: this.wanted, jobs: this.#currentResults }));
    requireElement('#synth-headline', view).textContent = shown.headline();
    this.figures.show(shown);
  }

  /** @override */
  measureMissing() {
    super.measureMissing();
    this.#showReport();
  }

  /** @override */
  handlePart() {
    this.showProgress(this.measured.remainingTime);
    this.#showReport();
  }

  /** @override */
  handleEnd() {
    this.#showReport();
    super.handleEnd();
  }

  /** @override */
  handleComplete() {
    const { took } = this.measured;
    this.status.setContent(`All ${this.countParts().all} autoencoders are measured${took === null ? '' : ` in ${formatDuration(took)}`}.`);
    this.parts.onComplete();
  }
}
