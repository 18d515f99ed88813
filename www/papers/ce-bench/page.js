// @ts-check
/** CE-Bench's page: one run, opened under a reading and at a pair, and all that stands beside it. */

import { loadAutoencoderFiles } from '../../toy-model/model-files.js';
import { StudyPageBase } from '../../study/page-base.js';
import { stripFullStop, requireElement, describeError } from '../../shell/dom.js';
import { RefusalError } from '../../workers/pool.js';
import { createUserFilesPlaces } from './user-files.js';
import { createReadingChoice } from './readings.js';
import { createSeedsForm } from './seeds.js';
import { createStories } from './stories.js';
import { createTrainingList } from './training.js';

/** @typedef {import('../../types/core.d.ts').CeBenchReport} Report */
/** @typedef {import('../../types/core.d.ts').CeBenchSubject} Subject */
/** @typedef {import('./training.js').Trained} Trained */

/** The name under which a worker is given an autoencoder of this page. */
const TRAINED_SAE_NAME = 'own';
/** What people wait for goes before what streams in. */
const RUN_PRIORITY = 2;

/** What stories settings ask for. @param {StudySettings} settings */
const storiesKey = ({ pairs, seed }) => `${pairs} of ${seed}`;

/** @extends {StudyPageBase<CeBenchView>} */
export class CeBenchPage extends StudyPageBase {
  #headline;
  #readings;
  #stories;
  #seeds;
  /** What is shown, as far as it has come. @type {Report | null} */
  #report = null;
  /** Whether all of the run is there. */
  #complete = false;
  #pair = 0;
  /** @type {AbortController | null} */
  #running = null;
  /** Those trained here, by the stories of the run; null as long as they are not scored by these. @type {Map<Trained, Subject | null>} */
  #trained = new Map();
  /** Which of them is opened, where one is. @type {Trained | null} */
  #own = null;

  /** @param {import('../../study/page-base.js').Parts} parts */
  constructor(parts) {
    const { view } = parts;
    const form = requireElement('#ce-bench-settings', view);
    super(parts, {
      ...{ study: 'ce-bench', status: '#ce-bench-status', error: '#ce-bench-error' },
      formOf: () => form,
    });
    this.#headline = requireElement('#ce-bench-headline', view);
    this.#readings = createReadingChoice(view, (name) => this.#openReading(name));
    this.#stories = createStories(parts, {
      place: requireElement('#ce-bench-stories', view),
      readings: this.#readings,
      onPair: (at) => this.#openPair(at),
    });
    this.form.offer('sae', TRAINED_SAE_NAME, false);
    this.#seeds = createSeedsForm(parts, {
      form: requireElement('#ce-bench-seeds', view),
      status: requireElement('#ce-bench-seeds-status', view),
      settings: () => (this.#complete ? this.wanted : null),
      taskOf: async (settings) => ({
        kind: 'study-call',
        call: 'ce_bench_subjects',
        args: [settings],
        ...(await this.#loadFiles(settings)),
      }),
      onSeed: (seed, subjects) => {
        this.view?.add_seed(seed, subjects);
        this.figures.redraw();
      },
    });
    createTrainingList(parts, {
      form: requireElement('#ce-bench-train-form', view),
      general: requireElement('#ce-bench-train-error', view),
      list: requireElement('#ce-bench-trained', view),
      onTrained: (one, signal) => this.#addTrained(one, signal),
      onOpen: (one) => this.#openTrained(one),
      onRemove: (one) => this.#removeTrained(one),
    });
    createUserFilesPlaces(parts, { leaderboard: requireElement('#ce-bench-leaderboard', view), own: requireElement('#ce-bench-own', view) });
  }

  /** @override */
  get state() {
    const { name, names } = this.#readings;
    return { settings: this.wanted, open: this.#pair, ...(name === names[0] ? {} : { view: name }) };
  }

  /** Nobody else has what was trained here. @override */
  get digest() {
    return this.#complete && this.wanted.sae !== TRAINED_SAE_NAME ? super.digest : null;
  }

  /** Shows what a link says. @param {StudyPage} page @returns what of it could not be followed */
  followLink({ settings, open, view }) {
    /** @type {LinkChange[]} */
    const changes = [];
    const change = (/** @type {string} */ key, /** @type {string} */ found, /** @type {string} */ used, /** @type {string} */ why) =>
      changes.push({ key, found, used, sentence: `${key}=${found}: ${why}; ${used} is taken` });
    const { names } = this.#readings;
    const [first = ''] = names;
    if (view !== null && !names.includes(view))
      change('view', view, first, `allowed are ${names.join(', ')}`);
    this.#readings.show(view !== null && names.includes(view) ? view : first);
    this.#pair = open;
    let asked = settings;
    if (settings.sae === TRAINED_SAE_NAME && !this.#own) {
      const { sae } = this.parts.core.study_defaults('ce-bench');
      change('sae', TRAINED_SAE_NAME, sae, 'what was trained in another tab is not in this one');
      asked = { ...settings, sae };
    }
    if (open >= asked.pairs)
      change('open', String(open), '0', `allowed are 0 to ${Number(asked.pairs) - 1}`);
    this.form.show(asked);
    const same = this.view && this.changedSettings(asked).length === 0;
    if (!same) this.#run(asked);
    else {
      this.#openReport();
      if (this.#complete) this.parts.onComplete();
    }
    return changes;
  }

  /** @param {StudySettings} settings @override */
  requestSettings(settings) {
    if (this.changedSettings(settings).length === 0 && (this.#running || this.#complete)) return;
    this.#run(settings);
    this.parts.onState();
  }

  /** What a worker is given with a task. @param {StudySettings} settings */
  #loadFiles(settings) {
    return loadAutoencoderFiles(this.parts.core, 'ce-bench', settings.sae, this.#own?.autoencoder);
  }

  /** @param {StudySettings} settings */
  async #run(settings) {
    this.#running?.abort('others');
    const { signal } = (this.#running = new AbortController());
    const { wanted: former } = this;
    this.wanted = settings;
    this.#complete = false;
    if (storiesKey(settings) !== storiesKey(former)) {
      this.#seeds.clear();
      for (const one of this.#trained.keys()) this.#trained.set(one, null);
    }
    this.status.start('Progress of the scores', 1, () => this.#running?.abort('cancelled'));
    this.status.setProgress(0, 'Scoring …');
    try {
      const given = await this.#loadFiles(settings);
      const { report, ms } = await this.parts.pool.submit(
        { kind: 'study-run', call: 'ce_bench_stream', args: [settings], ...given },
        {
          signal,
          priority: RUN_PRIORITY,
          onProgress: (kind, share, found) => {
            this.#handleProgress(kind, found);
            this.status.setProgress(share, `${this.#report?.subjects.length ?? 0} scored so far; the others stream in`);
          },
        },
      );
      this.#running = null;
      this.#complete = true;
      this.#report = this.#labelTrained(report);
      this.#openReport();
      this.#updateClaim();
      this.status.setContent(`${report.subjects.length} autoencoders and controls, ${report.pairs.length} story pairs: ${(ms / 1000).toFixed(1)} s.`);
      this.parts.announce(this.#headline.textContent ?? '');
      this.parts.onComplete();
      this.#scoreTrained();
    } catch (error) {
      if (signal.reason === 'others') return;
      this.#running = null;
      this.#handleFailure(error, signal.aborted);
    }
  }

  /** @param {unknown} error @param {boolean} aborted */
  #handleFailure(error, aborted) {
    if (error instanceof RefusalError && !aborted) this.form.showProblems([error.problem]);
    const shown = this.#report && this.changedSettings(this.#report.settings).length === 0;
    const far = shown ? `${this.#report?.subjects.length} are scored` : this.#report ? 'what is shown is of the former settings' : 'nothing is scored yet';
    const words = aborted ? `Cancelled: ${far}. ` : `Broke off (${stripFullStop(describeError(error))}): ${far}. `;
    this.status.showUnfinished(words, () => this.#run(this.wanted));
    this.parts.announce(words);
  }

  /** What a run tells on its way. @param {string} kind @param {any} found */
  #handleProgress(kind, found) {
    if (kind === 'opened') {
      this.#report = this.#labelTrained(found);
      this.#openReport();
    } else if (kind === 'subject') {
      this.#report?.subjects.push(found);
      this.view?.add_subject(found);
      this.figures.redraw();
    }
  }

  /** The one that was trained here has a name that says which. @param {Report} report */
  #labelTrained(report) {
    const [first] = report.subjects;
    if (this.#own && first && first.name === TRAINED_SAE_NAME) {
      first.label = this.#own.label;
      first.trained = this.#own.trained;
    }
    return report;
  }

  /** Opens the report: its reading, its pair, and what stands beside it. */
  #openReport() {
    const report = this.#report;
    if (!report) return;
    const view = this.parts.core.Study.open('ce-bench', report);
    view.open_reading(this.#readings.name);
    const opened = report.settings.sae === TRAINED_SAE_NAME ? this.#own : null;
    for (const [one, subject] of this.#trained) if (subject && one !== opened) view.add_subject(subject);
    for (const [seed, subjects] of this.#seeds.all()) view.add_seed(seed, subjects);
    this.#pair = this.#stories.show(report.pairs, this.#pair);
    if (report.pairs.length > 0) view.open_pair(this.#pair);
    this.#headline.textContent = view.headline();
    this.parts.view.dataset.shown = '';
    this.figures.show(this.replaceView(view));
  }

  /** What the scores separate, under the reading that is chosen. */
  #updateClaim() {
    const { view, parts } = this;
    if (view && this.#complete) requireElement('#ce-bench-claim', parts.view).textContent = view.summary('ce-definitions');
  }

  /** @param {string} name */
  #openReading(name) {
    this.view?.open_reading(name);
    this.#updateClaim();
    this.#stories.redraw();
    this.figures.redraw();
    if (this.view) {
      this.#headline.textContent = this.view.headline();
      this.parts.announce(this.view.headline());
    }
    this.parts.onState();
  }

  /** @param {number} at */
  #openPair(at) {
    this.#pair = at;
    this.view?.open_pair(at);
    this.figures.refresh(['ce-pair', 'ce-pairs']);
    this.parts.onState();
  }

  /** @param {Trained} one @param {AbortSignal} [signal] */
  async #addTrained(one, signal) {
    const settings = { ...this.wanted, sae: TRAINED_SAE_NAME };
    const { core, pool } = this.parts;
    const given = await loadAutoencoderFiles(core, 'ce-bench', TRAINED_SAE_NAME, one.autoencoder);
    /** @type {Subject} */
    const found = await pool.submit({ kind: 'study-call', call: 'ce_bench_subject', args: [settings], ...given }, { signal });
    if (storiesKey(settings) !== storiesKey(this.wanted)) {
      await this.#addTrained(one, signal);
      return;
    }
    const subject = { ...found, name: one.name, label: one.label, trained: one.trained };
    this.#trained.set(one, subject);
    this.form.offer('sae', TRAINED_SAE_NAME, true);
    this.#own ??= one;
    this.view?.add_subject(subject);
    this.figures.redraw();
  }

  /** Other stories: those trained here are scored by them, too. */
  async #scoreTrained() {
    for (const [one, subject] of this.#trained) {
      if (subject) continue;
      try {
        await this.#addTrained(one);
      } catch {
        // It no longer belongs beside the others.
        this.#trained.delete(one);
      }
    }
  }

  /** Shows another autoencoder. @param {string} sae */
  #switchAutoencoder(sae) {
    const settings = { ...this.wanted, sae };
    this.form.show(settings);
    this.#run(settings);
    this.parts.onState();
  }

  /** @param {Trained} one */
  #openTrained(one) {
    // Further seeds were scored for the one that went by this name.
    if (this.#own !== one) this.#seeds.clear();
    this.#own = one;
    this.#switchAutoencoder(TRAINED_SAE_NAME);
    requireElement('#ce-bench-scores-title', this.parts.view).scrollIntoView();
  }

  /** @param {Trained} one */
  #removeTrained(one) {
    this.#trained.delete(one);
    if (this.#own !== one) {
      this.#openReport();
      return;
    }
    this.#own = [...this.#trained.keys()][0] ?? null;
    this.form.offer('sae', TRAINED_SAE_NAME, this.#own !== null);
    if (this.wanted.sae !== TRAINED_SAE_NAME) {
      this.#openReport();
      return;
    }
    this.#switchAutoencoder(this.parts.core.study_defaults('ce-bench').sae);
  }
}
