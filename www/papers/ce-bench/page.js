// @ts-check
/** CE-Bench's page: one run, opened under a reading and at a pair, and all that stands beside it. */

import { autoencoderFiles } from '../../little/files.js';
import { PageBase } from '../../little/page-base.js';
import { clause, need, reason } from '../../shell/dom.js';
import { Refusal } from '../../workers/pool.js';
import { createGivenPlaces } from './given.js';
import { createReadings } from './readings.js';
import { createSeeds } from './seeds.js';
import { createStories } from './stories.js';
import { createTraining } from './training.js';

/** @typedef {import('../../types/core.d.ts').CeBenchReport} Report */
/** @typedef {import('../../types/core.d.ts').CeBenchSubject} Subject */
/** @typedef {import('./training.js').Trained} Trained */

/** The name under which a worker is given an autoencoder of this page. */
const OWN = 'own';
/** What people wait for goes before what streams in. */
const FIRST = 2;

/** What stories settings ask for. @param {StudySettings} settings */
const storiesOf = ({ pairs, seed }) => `${pairs} of ${seed}`;

/** @extends {PageBase<CeBenchView>} */
export class CeBench extends PageBase {
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

  /** @param {import('../../little/page-base.js').Parts} parts */
  constructor(parts) {
    const { view } = parts;
    const form = need('#ce-bench-settings', view);
    super(parts, {
      ...{ study: 'ce-bench', status: '#ce-bench-status', error: '#ce-bench-error' },
      formOf: () => form,
    });
    this.#headline = need('#ce-bench-headline', view);
    this.#readings = createReadings(view, (name) => this.#openReading(name));
    this.#stories = createStories(parts, {
      place: need('#ce-bench-stories', view),
      readings: this.#readings,
      onPair: (at) => this.#openPair(at),
    });
    this.form.offer('sae', OWN, false);
    this.#seeds = createSeeds(parts, {
      form: need('#ce-bench-seeds', view),
      status: need('#ce-bench-seeds-status', view),
      settings: () => (this.#complete ? this.wanted : null),
      taskOf: async (settings) => ({
        kind: 'study-call',
        call: 'ce_bench_subjects',
        args: [settings],
        ...(await this.#given(settings)),
      }),
      onSeed: (seed, subjects) => {
        this.view?.add_seed(seed, subjects);
        this.figures.redraw();
      },
    });
    createTraining(parts, {
      form: need('#ce-bench-train-form', view),
      general: need('#ce-bench-train-error', view),
      list: need('#ce-bench-trained', view),
      onTrained: (one, signal) => this.#addTrained(one, signal),
      onOpen: (one) => this.#openTrained(one),
      onRemove: (one) => this.#removeTrained(one),
    });
    createGivenPlaces(parts, { leaderboard: need('#ce-bench-leaderboard', view), own: need('#ce-bench-own', view) });
  }

  /** @override */
  get state() {
    const { name, names } = this.#readings;
    return { settings: this.wanted, open: this.#pair, ...(name === names[0] ? {} : { view: name }) };
  }

  /** Nobody else has what was trained here. @override */
  get digest() {
    return this.#complete && this.wanted.sae !== OWN ? super.digest : null;
  }

  /** Shows what a link says. @param {StudyPage} page @returns what of it could not be followed */
  follow({ settings, open, view }) {
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
    if (settings.sae === OWN && !this.#own) {
      const { sae } = this.parts.core.study_defaults('ce-bench');
      change('sae', OWN, sae, 'what was trained in another tab is not in this one');
      asked = { ...settings, sae };
    }
    if (open >= asked.pairs)
      change('open', String(open), '0', `allowed are 0 to ${Number(asked.pairs) - 1}`);
    this.form.show(asked);
    const same = this.view && this.changed(asked).length === 0;
    if (!same) this.#run(asked);
    else {
      this.#openAll();
      if (this.#complete) this.parts.onComplete();
    }
    return changes;
  }

  /** @param {StudySettings} settings @override */
  ask(settings) {
    if (this.changed(settings).length === 0 && (this.#running || this.#complete)) return;
    this.#run(settings);
    this.parts.onState();
  }

  /** What a worker is given with a task. @param {StudySettings} settings */
  #given(settings) {
    return autoencoderFiles(this.parts.core, 'ce-bench', settings.sae, this.#own?.autoencoder);
  }

  /** @param {StudySettings} settings */
  async #run(settings) {
    this.#running?.abort('others');
    const { signal } = (this.#running = new AbortController());
    const { wanted: former } = this;
    this.wanted = settings;
    this.#complete = false;
    if (storiesOf(settings) !== storiesOf(former)) {
      this.#seeds.clear();
      for (const one of this.#trained.keys()) this.#trained.set(one, null);
    }
    this.status.begin('Progress of the scores', 1, () => this.#running?.abort('cancelled'));
    this.status.progress(0, 'Scoring …');
    try {
      const given = await this.#given(settings);
      const { report, ms } = await this.parts.pool.submit(
        { kind: 'study-run', call: 'ce_bench_stream', args: [settings], ...given },
        {
          signal,
          priority: FIRST,
          onProgress: (kind, share, found) => {
            this.#take(kind, found);
            this.status.progress(share, `${this.#report?.subjects.length ?? 0} scored so far; the others stream in`);
          },
        },
      );
      this.#running = null;
      this.#complete = true;
      this.#report = this.#named(report);
      this.#openAll();
      this.#claim();
      this.status.say(`${report.subjects.length} autoencoders and controls, ${report.pairs.length} story pairs: ${(ms / 1000).toFixed(1)} s.`);
      this.parts.announce(this.#headline.textContent ?? '');
      this.parts.onComplete();
      this.#scoreTrained();
    } catch (error) {
      if (signal.reason === 'others') return;
      this.#running = null;
      this.#brokeOff(error, signal.aborted);
    }
  }

  /** @param {unknown} error @param {boolean} aborted */
  #brokeOff(error, aborted) {
    if (error instanceof Refusal && !aborted) this.form.showProblems([error.problem]);
    const shown = this.#report && this.changed(this.#report.settings).length === 0;
    const far = shown ? `${this.#report?.subjects.length} are scored` : this.#report ? 'what is shown is of the former settings' : 'nothing is scored yet';
    const words = aborted ? `Cancelled: ${far}. ` : `Broke off (${clause(reason(error))}): ${far}. `;
    this.status.unfinished(words, () => this.#run(this.wanted));
    this.parts.announce(words);
  }

  /** What a run tells on its way. @param {string} kind @param {any} found */
  #take(kind, found) {
    if (kind === 'opened') {
      this.#report = this.#named(found);
      this.#openAll();
    } else if (kind === 'subject') {
      this.#report?.subjects.push(found);
      this.view?.add_subject(found);
      this.figures.redraw();
    }
  }

  /** The one that was trained here has a name that says which. @param {Report} report */
  #named(report) {
    const [first] = report.subjects;
    if (this.#own && first && first.name === OWN) {
      first.label = this.#own.label;
      first.trained = this.#own.trained;
    }
    return report;
  }

  /** Opens the report: its reading, its pair, and what stands beside it. */
  #openAll() {
    const report = this.#report;
    if (!report) return;
    const view = this.parts.core.Study.open('ce-bench', report);
    view.open_reading(this.#readings.name);
    const opened = report.settings.sae === OWN ? this.#own : null;
    for (const [one, subject] of this.#trained) if (subject && one !== opened) view.add_subject(subject);
    for (const [seed, subjects] of this.#seeds.all()) view.add_seed(seed, subjects);
    this.#pair = this.#stories.show(report.pairs, this.#pair);
    if (report.pairs.length > 0) view.open_pair(this.#pair);
    this.#headline.textContent = view.headline();
    this.parts.view.dataset.shown = '';
    this.figures.show(this.replace(view));
  }

  /** What the scores separate, under the reading that is chosen. */
  #claim() {
    const { view, parts } = this;
    if (view && this.#complete) need('#ce-bench-claim', parts.view).textContent = view.summary('ce-definitions');
  }

  /** @param {string} name */
  #openReading(name) {
    this.view?.open_reading(name);
    this.#claim();
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
    const settings = { ...this.wanted, sae: OWN };
    const { core, pool } = this.parts;
    const given = await autoencoderFiles(core, 'ce-bench', OWN, one.autoencoder);
    /** @type {Subject} */
    const found = await pool.submit({ kind: 'study-call', call: 'ce_bench_subject', args: [settings], ...given }, { signal });
    if (storiesOf(settings) !== storiesOf(this.wanted)) {
      await this.#addTrained(one, signal);
      return;
    }
    const subject = { ...found, name: one.name, label: one.label, trained: one.trained };
    this.#trained.set(one, subject);
    this.form.offer('sae', OWN, true);
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
  #turnTo(sae) {
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
    this.#turnTo(OWN);
    need('#ce-bench-scores-title', this.parts.view).scrollIntoView();
  }

  /** @param {Trained} one */
  #removeTrained(one) {
    this.#trained.delete(one);
    if (this.#own !== one) {
      this.#openAll();
      return;
    }
    this.#own = [...this.#trained.keys()][0] ?? null;
    this.form.offer('sae', OWN, this.#own !== null);
    if (this.wanted.sae !== OWN) {
      this.#openAll();
      return;
    }
    this.#turnTo(this.parts.core.study_defaults('ce-bench').sae);
  }
}
