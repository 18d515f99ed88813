// @ts-check
/** The papers' metrics on a reader's own model: FADE and CE-Bench of its autoencoder, the Model Utilization Index, circuits of heads. */

import { createButton, el } from '../shell/dom.js';
import { saveJson } from '../shell/download.js';
import { isSingleFile } from '../shell/views.js';
import { formatWithInterval, formatRounded, formatPercent } from '../shell/number-format.js';
import { createCircuitsTables, createCircuitsForm } from './circuits.js';
import { runStudySteps } from './study-steps.js';
import { createElementTable } from '../shell/scroll-region.js';
import { createUtilization } from './utilization.js';

/** @typedef {import('./model-client.js').ModelClient} ModelClient */
/** @typedef {<T>(words: string, work: () => Promise<T>, then: (found: T) => string) => Promise<void>} Doing */

/** @typedef {(report: any) => HTMLElement | Promise<HTMLElement>} Show */

/** FADE by concept: the latent, and its controls below it. @param {ModelFade} report */
function createFadeTable(report) {
  /** @param {ModelFadeConcept} row @param {string} name @param {ModelFadeFeature | null} of */
  const line = ({ prevalence }, name, of) =>
    of ? [[name, String(of.index), formatWithInterval(of.clarity.code, of.intervals.clarity), formatWithInterval(of.responsiveness.code, of.intervals.responsiveness), formatRounded(of.purity.code), formatRounded(prevalence), formatRounded(of.faithfulness)]] : [];
  const rows = report.concepts.flatMap((row) => [
    ...line(row, row.concept, row.latent),
    ...line(row, 'a random direction', row.random),
    ...line(row, 'shuffled labels', row.shuffled),
  ]);
  const name = `FADE of the latent (of ${report.latents}) and of the random direction (of ${report.directions}) that separate a concept’s tokens best in ${report.chosen_in} texts at ${report.hook}, rated in ${report.natural.length} others by the reference code’s reading, with 95 % intervals over texts (0 is in them where the direction is not sure; none of fewer than ten texts of a kind); steered where clear and responsive enough`;
  return createElementTable(name, ['Concept', 'Number', 'Clarity', 'Responsiveness', 'Purity', 'by chance', 'Faithfulness'], rows);
}

/** CE-Bench's scores. */
const SCORE_NAMES = /** @type {const} */ (['contrastive', 'independence', 'interpretability']);

/** @param {ModelCeBench} report */
function createCeBenchTable(report) {
  /** @type {[string, ModelCeBench['autoencoder']][]} */
  const encoders = [['The autoencoder', report.autoencoder], ['Control: random directions', report.random], ['Control: tokens in random order', report.shuffled]];
  const rows = encoders.map(([name, { latents, readings, intervals, of_bound: share }]) => {
    const [values, ends] = [readings.v1_marked, intervals.v1_marked];
    const scores = SCORE_NAMES.map((kind) => formatWithInterval(values[kind], ends[kind]));
    return [name, String(latents), ...scores, formatPercent(share)];
  });
  const name = `CE-Bench at ${report.hook} over ${report.pairs.length} pairs of stories, by the reading of the older code, with 95 % intervals over pairs; the share is of the largest value that so many latents allow`;
  return createElementTable(name, ['Encoder', 'Latents', 'Contrastive', 'Independence', 'Interpretability', 'Share of the largest'], rows);
}

/** What computes a report's numbers anew, where the site has it beside this page. */
function createCheckNote() {
  const program = 'A program in NumPy';
  const command = el('code', {}, 'python3 check.py REPORT --model FOLDER --sae FOLDER');
  return el('p', { class: 'help' }, isSingleFile() ? program : el('a', { href: 'check.py' }, program), ' computes FADE, CE-Bench and the index anew from a saved report, the model’s folder and the autoencoder’s: ', command, '.');
}

/**
 * @param {object} parts
 * @param {ModelClient} parts.client
 * @param {Doing} parts.doing
 * @param {() => string} parts.hook of the autoencoder
 * @param {() => { texts?: string, rules?: string }} parts.given texts and rules where others than those built in are wanted
 * @param {() => string} parts.name of the model
 */
export function createUserModelMetrics({ client, doing, hook, given, name }) {
  const utilization = createUtilization({ client, name });
  const progress = el('p', { class: 'help', id: 'model-own-metrics-progress' });
  const fade = el('div', { id: 'model-own-fade' });
  const stories = el('div', { id: 'model-own-ce-bench' });
  const questions = el('div', { id: 'model-own-mui' });
  const circuits = el('div', { id: 'model-own-circuits' });
  const form = createCircuitsForm();
  const own = el('div', { hidden: true });
  /** What begins a study. @type {HTMLButtonElement[]} */
  const presses = [];
  /** What goes on with one. @returns {NodeListOf<HTMLButtonElement>} */
  const resumeButtons = () => element.querySelectorAll('button.model-own-go-on');
  /** What was cancelled before is let go with the first step of another, and with the autoencoder. */
  function removeResumeButtons() {
    for (const press of resumeButtons()) press.remove();
  }
  /** Nothing else is begun meanwhile: the worker has one study. @template T @param {() => Promise<T>} work */
  async function runExclusive(work) {
    const disable = (/** @type {boolean} */ is) => [...presses, ...resumeButtons()].forEach((press) => (press.disabled = is));
    disable(true);
    try {
      return await work();
    } finally {
      disable(false);
    }
  }
  /** @param {ModelMetric} request @param {Show} show @param {HTMLElement} place */
  async function run(request, show, place) {
    place.replaceChildren();
    progress.textContent = '';
    removeResumeButtons();
    const steps = await client.beginStudy('model-metric', { request });
    return runSteps({ request, show, place, steps }, 0);
  }
  /**
   * Takes all steps from one on, and shows what they come to; what is said of it.
   *
   * @param {{ request: ModelMetric, show: Show, place: HTMLElement, steps: number }} of @param {number} from
   */
  async function runSteps(of, from) {
    const { request, show, place, steps } = of;
    const unit = request.metric === 'circuits' ? 'forward passes' : 'steps';
    const tell = (/** @type {string} */ words) => {
      progress.textContent = words;
    };
    const done = await runStudySteps({ client, kind: 'model-metric-step', steps, from, unit, tell });
    const cancelled = done < steps;
    const report = await client.ask('model-metric-report', {});
    // A part of which nothing is measured yet has no scores.
    const measured = 'pairs' in report ? report.pairs : 'concepts' in report ? report.concepts : report.tasks;
    if (cancelled && measured.length === 0) {
      place.replaceChildren(el('p', { class: 'row' }, createResumeButton(of, done)));
      return 'Cancelled before anything was measured.';
    }
    const keep = createButton('Save this report', { id: `${place.id}-save` }, () =>
      saveJson(`sfc-bench-model-${request.metric}.json`, report),
    );
    place.replaceChildren(await show(report), el('p', { class: 'row' }, keep, ' ', cancelled ? createResumeButton(of, done) : ''));
    return cancelled ? 'Cancelled; what was measured is below.' : 'The scores are below.';
  }
  /** @param {Parameters<typeof runSteps>[0]} of @param {number} done */
  function createResumeButton(of, done) {
    const work = async () => {
      await client.resume();
      return runSteps(of, done);
    };
    const attributes = { id: `${of.place.id}-go-on`, class: 'model-own-go-on' };
    return createButton('Go on', attributes, () => doing('Computing…', () => runExclusive(work), String));
  }
  /** @param {string} words @param {string} id @param {() => ModelMetric} request @param {Show} show @param {HTMLElement} place */
  function createRunButton(words, id, request, show, place) {
    const press = createButton(words, { id }, () =>
      doing('Computing…', () => runExclusive(async () => run(request(), show, place)), String),
    );
    presses.push(press);
    return press;
  }
  const options = { seed: 0 };
  own.append(
    createRunButton('FADE', 'model-own-fade-run', () => ({ metric: 'fade', hook: hook(), ...given(), options }), createFadeTable, fade),
    ' ',
    createRunButton('CE-Bench', 'model-own-ce-bench-run', () => ({ metric: 'ce-bench', hook: hook(), options }), createCeBenchTable, stories),
  );
  const element = el(
    'div',
    { hidden: true },
    el('h3', {}, 'The papers’ metrics on it'),
    el('p', {}, 'FADE with concepts that a rule decides (above, where latents are looked for) and CE-Bench on stories made by templates, of the autoencoder; the Model Utilization Index on questions made by rule: copying, comparing, agreement. Each beside its controls.'),
    createCheckNote(),
    utilization.element,
    el('p', { class: 'row' }, own, createRunButton('Model Utilization Index', 'model-own-mui-run', () => ({ metric: 'mui', options: utilization.options() }), utilization.scores, questions)),
    progress,
    fade,
    stories,
    questions,
    form.element,
    el('p', { class: 'row' }, createRunButton('Circuits of heads', 'model-own-circuits-run', form.request, createCircuitsTables, circuits)),
    circuits,
  );
  return {
    element,
    /** Whether there is an autoencoder. @param {boolean} is */
    setAutoencoder(is) {
      own.hidden = !is;
      removeResumeButtons();
      for (const place of [fade, stories]) place.replaceChildren();
    },
    setModel: form.setModel,
    clear() {
      progress.textContent = '';
      for (const place of [fade, stories, questions, circuits]) place.replaceChildren();
      utilization.clear();
    },
  };
}
