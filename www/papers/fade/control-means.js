// @ts-check
/**
 * Controls: the means of every autoencoder, trained and not, over seeds of the natural texts. One seed
 * without steering is computed when the reader comes near and nothing else is under way; more when asked.
 */

import { Throttle } from '../../shell/throttle.js';
import { el, describeError, handleSubmit } from '../../shell/dom.js';
import { formatDuration, formatRemaining } from '../../shell/duration.js';
import { createField, createCheckbox } from '../../shell/fields.js';
import { Figures } from '../../shell/figures.js';
import { createProgressLine } from '../../shell/progress-meter.js';
import { swapButtons } from '../../shell/button-pair.js';

/** @typedef {import('../../types/core.d.ts').FadeMeans} Means */
/** @typedef {import('./session.js').FadeSession} Session */

const FIGURES = ['fade-tells', 'fade-clarity', 'fade-responsiveness', 'fade-purity', 'fade-faithfulness'];
/** Most seeds of the natural texts. */
const SEEDS_MAX = 5;
/** Figures are drawn anew this often while means arrive, in milliseconds. */
const REFRESH_INTERVAL = 300;

/** One autoencoder under one seed. @typedef {{ sae: string, seed: number }} Job */

/** @param {Job} job */
const jobKey = ({ sae, seed }) => `${sae} ${seed}`;

/** The form and what is said beside it. */
function buildForm() {
  const counts = Array.from({ length: SEEDS_MAX }, (_, index) => /** @type {[string, string]} */ ([String(index + 1), String(index + 1)]));
  const seeds = createField({ kind: 'select', id: 'fade-truth-seeds', label: 'Seeds of the natural texts', options: counts });
  const steer = createCheckbox('with faithfulness', { id: 'fade-truth-steer' });
  const start = el('button', { type: 'submit', id: 'fade-truth-start' }, 'Compute');
  const stop = el('button', { type: 'button', id: 'fade-truth-stop', hidden: true }, 'Stop');
  const figures = FIGURES.map((id) => el('figure', { 'data-figure': id, ...(id === 'fade-tells' ? { class: 'wide' } : {}) }));
  const grid = el('div', { class: 'grid', hidden: true }, ...figures);
  const form = el(
    'form',
    { class: 'families-controls', id: 'fade-truth-form' },
    seeds.element,
    steer.element,
    el('span', { class: 'families-go' }, start, stop),
  );
  return { seeds: seeds.input, steer: steer.input, start, stop, figures, grid, form };
}

export class ControlMeans {
  #parts;
  #form = buildForm();
  #line;
  #figures;
  /** What is there, of settings without an autoencoder and a seed. @type {Map<string, { job: Job, means: Means }>} */
  #found = new Map();
  /** Of which settings that is. */
  #key = '';
  /** @type {AbortController | null} */
  #running = null;
  #refreshing = new Throttle(() => this.#refresh());
  #near = false;
  /** Whether the reader stopped it: then only the reader starts it again. */
  #declined = false;

  /** @param {import('../../shell/page-setup.js').PageTools & { element: HTMLElement, session: Session }} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#line = createProgressLine('fade-truth', 'the controls', 'Not computed yet.', parts.announce);
    const { seeds, steer, stop, form, figures, grid } = this.#form;
    this.#figures = new Figures(figures, parts.announce, () => parts.session.held?.view ?? null);
    handleSubmit(form, () => {
      this.start({ seeds: Number(seeds.value), steer: steer.checked, asked: true });
    });
    stop.addEventListener('click', () => this.#running?.abort(new Error('stopped')));
    parts.element.append(form, this.#line.element, grid);
    new IntersectionObserver(
      ([entry]) => {
        this.#near = entry?.isIntersecting ?? false;
        this.startAutomatically();
      },
      { rootMargin: '100px' },
    ).observe(parts.element);
  }

  /** What all means are of, whichever autoencoder and seed. @param {StudySettings} settings */
  #settingsKey(settings) {
    return this.#parts.core.study_print('fade', { ...settings, sae: 'topk256', seed: 0 }, 0);
  }

  /** The page shows other results: what was found under the same settings is of them too. */
  showReport() {
    const held = this.#parts.session.held;
    if (!held) return;
    const key = this.#settingsKey(held.report.settings);
    if (key !== this.#key) {
      this.#running?.abort(new Error('other settings'));
      this.#found.clear();
      this.#key = key;
      this.#declined = false;
      this.#line.say('Not computed yet with these settings.');
    }
    for (const { job, means } of this.#found.values()) held.view.add_means(job.sae, job.seed, means);
    this.#form.grid.hidden = this.#found.size === 0;
    this.#hideEmpty();
    if (this.#found.size > 0) this.#figures.show(held.view);
    else this.#figures.clear();
  }

  /** Another autoencoder was trained here: what was found of the last one is not of it. */
  forgetTrained() {
    for (const [name, { job }] of this.#found) if (job.sae === 'own') this.#found.delete(name);
  }

  /** Begins unasked, once nothing else is under way. */
  startAutomatically() {
    if (this.#near && !this.#declined && !this.#running && this.#found.size === 0 && this.#parts.session.isComplete)
      this.start({ seeds: 1, steer: false, asked: false });
  }

  /** A figure of what nobody asked for has no place yet. */
  #hideEmpty() {
    const steered = [...this.#found.values()].some(({ means }) => means.faithfulness != null);
    for (const figure of this.#form.figures) if (figure.dataset.figure === 'fade-faithfulness') figure.hidden = !steered;
  }

  #refresh() {
    this.#hideEmpty();
    const held = this.#parts.session.held;
    if (!held || this.#found.size === 0) return;
    const { grid } = this.#form;
    if (grid.hidden) {
      grid.hidden = false;
      this.#figures.show(held.view);
    } else this.#figures.redraw();
  }

  /** @param {StudySettings} settings @param {number} seeds @returns {Job[]} */
  #listJobs(settings, seeds) {
    const { core, session } = this.#parts;
    const offered = core.study_fields('fade').find(({ name }) => name === 'sae')?.options ?? [];
    const names = offered.map(({ value }) => value).filter((sae) => sae !== 'own' || session.own);
    return Array.from({ length: seeds }, (_, more) => names.map((sae) => ({ sae, seed: settings.seed + more }))).flat();
  }

  /** @param {{ seeds: number, steer: boolean, asked: boolean }} wish */
  async start({ seeds, steer, asked }) {
    const { session, pool } = this.#parts;
    const held = session.held;
    if (!held || this.#running) return;
    const { settings } = held.report;
    const all = this.#listJobs(settings, seeds);
    const missing = all.filter((job) => {
      const found = this.#found.get(jobKey(job));
      return !found || (steer && found.means.faithfulness == null);
    });
    const { signal } = (this.#running = new AbortController());
    const { start, stop } = this.#form;
    this.#declined = false;
    swapButtons(start, stop, true);
    this.#line.setRunning(true);
    const began = performance.now();
    const there = () => `${all.length - missing.length + done} of ${all.length}`;
    let done = 0;
    const tell = () => {
      this.#line.fill((all.length - missing.length + done) / all.length);
      const left = ((performance.now() - began) / done) * (missing.length - done);
      const soon = done > 0 && done < missing.length ? `, about ${formatRemaining(left)} left` : '';
      this.#line.say(`So far ${there()} autoencoders × seeds${soon}.`);
    };
    tell();
    try {
      const queue = missing.values();
      const work = async () => {
        for (const job of queue) {
          const means = await this.#computeMeans({ ...settings, ...job }, steer, signal);
          this.#found.set(jobKey(job), { job, means });
          session.held?.view.add_means(job.sae, job.seed, means);
          done += 1;
          tell();
          this.#refreshing.schedule(REFRESH_INTERVAL);
        }
      };
      await Promise.all(Array.from({ length: pool.size }, work));
      const took = missing.length > 0 ? ` in ${formatDuration(performance.now() - began)}` : '';
      const without = steer ? '' : '; faithfulness was not asked for';
      this.#line.say(`${all.length} autoencoders × seeds${took}${without}.`, asked);
    } catch (error) {
      this.#declined = true;
      if (signal.aborted) this.#line.say(`Stopped with ${there()} autoencoders × seeds; they are kept, and the ranges are of them alone.`, true);
      else this.#line.say(`Broke off with ${there()} autoencoders × seeds: ${describeError(error)}. Compute tries again.`, true);
    }
    this.#running = null;
    swapButtons(start, stop, false);
    this.#line.setRunning(false);
    this.#refreshing.runNow();
  }

  /** @param {StudySettings} settings @param {boolean} steer @param {AbortSignal} signal @returns {Promise<Means>} */
  async #computeMeans(settings, steer, signal) {
    const { session, pool } = this.#parts;
    const given = await session.loadFiles(settings.sae);
    const means = await pool.submit({ kind: 'study-call', call: 'fade_means', args: [settings, steer], ...given }, { signal });
    signal.throwIfAborted();
    return means;
  }

  redraw() {
    if (this.#found.size > 0) this.#figures.redraw();
  }
}

