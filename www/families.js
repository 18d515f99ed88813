// @ts-check
/**
 * Families of methods against each other and against controls: a study's members shared out to the
 * workers, each method shown as soon as all of its members are there. Loaded when the reader comes near.
 */

import { el, reason } from './dom.js';
import { choice } from './fields.js';
import { Figures } from './figures.js';
import { Refusal } from './pool.js';
import { save } from './save.js';
import { createTraining } from './training.js';
import { duration } from './verdict.js';

/** How many workers may die over one member. */
const TRIES = 3;
/** Figures are drawn anew this often while members arrive, in milliseconds. */
const REFRESH = 300;

/** @type {[string, boolean][]} figures, and whether they take the whole width */
const FIGURES = [
  ['fam-hv', false],
  ['fam-score', false],
  ['fam-sf', false],
  ['fam-sc', false],
  ['fam-fc', false],
  ['fam-map', false],
  ['fam-truth', true],
  ['fam-differences', true],
];

/** @type {[string, string][]} */
const WORLDS = [
  ['superposition', 'Superposition: 32 features in 16 dimensions'],
  ['nonlinear', 'Nonlinear circuit: units act by products'],
  ['paper', 'The paper’s hidden activations'],
  ['given', 'Your own activations'],
];

/** @type {[string, string][]} */
const PRESETS = [
  ['small', 'Small: seconds to a minute'],
  ['full', 'Full: trained to the end, many minutes'],
];

/** @type {[Reading, string][]} */
const READINGS = [
  ['reconstruction', 'f of the reconstruction'],
  ['row-space', 'Row space (the paper’s)'],
  ['active-subspace', 'Active directions of each row'],
];

/** How the command line names a world. @param {World} world */
function worldFlags(world) {
  if (world.world === 'superposition') return [];
  if (world.world !== 'given') return [`--world ${world.world}`];
  return ['--activations FILE', ...(world.outputs === null ? [] : ['--readout FILE'])];
}

/**
 * @param {object} desk
 * @param {Lab} desk.core
 * @param {import('./pool.js').Pool} desk.pool
 * @param {Weights} desk.weights of the moment
 * @param {GivenSource} desk.given a reader's own activations
 * @param {(text: string) => void} desk.announce
 */
export function createFamilies({ core, pool, weights, given, announce }) {
  const section = /** @type {HTMLElement} */ (document.querySelector('#families'));

  const world = choice('families-world', 'World', WORLDS);
  const preset = choice('families-preset', 'Size', PRESETS);
  const reading = choice('families-reading', 'Completeness', READINGS);
  const startButton = el('button', { type: 'submit', id: 'families-start' }, 'Compare families');
  const cancelButton = el('button', { type: 'button', id: 'families-cancel', hidden: true }, 'Cancel');
  const form = el(
    'form',
    { class: 'families-controls', id: 'families-form', novalidate: true },
    world.element,
    preset.element,
    reading.element,
    el('span', { class: 'families-go' }, startButton, cancelButton),
  );
  const meter = el('progress', {
    id: 'families-meter',
    max: 1,
    value: 0,
    'aria-label': 'Progress of the comparison',
    hidden: true,
  });
  const status = el('span', { id: 'families-status' }, 'Not run yet.');
  const headline = el('p', { id: 'families-headline' });
  const warnings = el('div', {
    class: 'families-warnings',
    id: 'families-warnings',
    role: 'note',
    'aria-label': 'Warnings about the metric',
    hidden: true,
  });
  const command = el('code', { id: 'families-command' });
  const saveButton = el('button', { type: 'button', class: 'quiet', id: 'families-save' }, 'Save them as JSON');
  const elements = FIGURES.map(([id, wide]) =>
    el('figure', { 'data-figure': id, ...(wide ? { class: 'wide' } : {}) }),
  );
  const result = el(
    'div',
    { id: 'families-result', hidden: true },
    headline,
    warnings,
    el('div', { class: 'grid' }, ...elements),
    el(
      'p',
      { class: 'help' },
      'The command line gives the same numbers, to the last bit: ',
      command,
      ' ',
      saveButton,
    ),
  );
  const trainOne = el('div', { id: 'train', class: 'train' });
  section.append(
    form,
    el('p', { class: 'ensemble-status' }, meter, status),
    trainOne,
  );
  const figures = new Figures(elements, announce, () => held?.view ?? null);

  /**
   * A study and what there is of it.
   *
   * @type {{ key: string, config: FamiliesConfig, jobs: FamiliesJob[], results: Map<string, FamiliesResult>, linear: FamiliesResult[], drawn: GivenBlobs | undefined, view: FamiliesView } | null}
   */
  let held = null;
  /** The world of the reader's own activations, as they were last. @type {World | null} */
  let own = null;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refreshing;
  let drawn = 0;

  /** The world that is chosen; a reader's own may not be there yet. */
  const chosen = () =>
    world.select.value === 'given' ? own : core.world_defaults(world.select.value);

  /** @returns {FamiliesConfig} */
  function wanted() {
    const config = core.families_preset(preset.select.value);
    return {
      ...core.families_fit(config, chosen() ?? config.world),
      completeness: /** @type {Reading} */ (reading.select.value),
    };
  }
  const keyOf = () => `${preset.select.value} ${JSON.stringify(chosen())}`;
  /** @param {FamiliesJob} job */
  const nameOf = ({ method, knob, seed }) => `${method} ${knob} ${seed}`;

  /** A view of what is there, in the reading that is chosen. @param {FamiliesConfig} config @param {Iterable<FamiliesResult>} results */
  function viewOf(config, results) {
    const view = new core.FamiliesView(config);
    view.set_weights(...weights);
    for (const one of results) view.add(one);
    return view;
  }

  /** The study that the form asks for, with what there is of it. */
  function hold() {
    const key = keyOf();
    const config = wanted();
    if (held?.key === key && held.config.completeness === config.completeness) return held;
    const former = held;
    const same = former?.key === key ? former : null;
    const results = same?.results ?? new Map();
    const view = viewOf(config, results.values());
    if (same) view.set_linear(same.linear);
    held = {
      key,
      config,
      jobs: same?.jobs ?? core.families_jobs(config),
      results,
      linear: same?.linear ?? [],
      drawn: same?.drawn,
      view,
    };
    drawn = 0;
    figures.clear();
    result.hidden = true;
    training.show(held.view, held.config.world);
    former?.view.free();
    return held;
  }

  /** Shows what is finished. */
  function refresh() {
    clearTimeout(refreshing);
    refreshing = undefined;
    if (!held || held.view.methods() === 0) return;
    const { view, config } = held;
    headline.textContent = view.headline();
    const texts = view.warnings();
    warnings.hidden = texts.length === 0;
    warnings.replaceChildren(
      el('p', {}, el('b', {}, 'Read these numbers with care.'), ' Controls should lose, and an axis should tell trained methods from random directions. Here that is not so:'),
      el('ul', {}, ...texts.map((text) => el('li', {}, text))),
    );
    const flags = [
      `--preset ${preset.select.value}`,
      ...worldFlags(config.world),
      ...(config.completeness === 'reconstruction' ? [] : [`--completeness ${config.completeness}`]),
    ];
    command.textContent = `sfc-bench families ${flags.join(' ')} --json`;
    saveButton.hidden = held.results.size < held.jobs.length;
    if (drawn === 0) {
      result.hidden = false;
      trainOne.before(result);
      figures.show(view);
    } else figures.redraw();
    drawn = view.methods();
  }

  /** @param {string} text @param {boolean} aloud */
  function say(text, aloud) {
    status.textContent = text;
    if (aloud) announce(text);
  }

  /** @param {boolean} on */
  function setRunning(on) {
    const focused = document.activeElement;
    meter.hidden = !on;
    cancelButton.hidden = !on;
    startButton.hidden = on;
    for (const { select } of [world, preset, reading]) select.disabled = on;
    if (on && focused === startButton) cancelButton.focus();
    if (!on) running = null;
    if (!on && focused === cancelButton) startButton.focus();
  }

  async function start() {
    running?.abort();
    const { signal } = (running = new AbortController());
    let mine;
    try {
      if (world.select.value === 'given') {
        setRunning(true);
        say('Reading your activations …', false);
        own = await given.world();
        if (signal.aborted) throw new Error('cancelled');
      }
      mine = hold();
      if (mine.config.world.world === 'given')
        mine.drawn ??= await given.draw(mine.config.train_rows + mine.config.eval_rows);
      if (signal.aborted) throw new Error('cancelled');
    } catch (error) {
      say(signal.aborted ? 'Cancelled.' : `Refused: ${reason(error)}`, true);
      if (running?.signal === signal) setRunning(false);
      return;
    }
    const { config, jobs, results, view } = mine;
    const missing = jobs.filter((job) => !results.has(nameOf(job)));
    setRunning(true);
    const began = performance.now();
    let arrived = 0;
    const members = `${jobs.length} members`;
    const tell = () => {
      meter.value = results.size / jobs.length;
      const ms = performance.now() - began;
      const left = (ms / Math.max(1, arrived)) * (jobs.length - results.size);
      const soon = arrived > pool.size ? `, about ${duration(left)} left` : '';
      status.textContent = `${results.size} of ${members}${soon}.`;
    };
    tell();
    // One that fails ends the others.
    const stop = new AbortController();
    signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
    /** @param {FamiliesConfig} of @param {FamiliesJob} job @returns {Promise<FamiliesResult>} */
    const done = (of, job) =>
      pool.submit(
        { kind: 'families', config: of, job, ...(mine.drawn ? { drawn: mine.drawn } : {}) },
        { tries: TRIES, signal: stop.signal },
      );
    // What members are measured by does not matter to the workers, which keep their world.
    const plain = { ...config, completeness: READINGS[0][0] };
    const queue = missing.values();
    const work = async () => {
      for (const job of queue) {
        const one = await done(plain, job);
        if (signal.aborted) return;
        results.set(nameOf(job), one);
        arrived += 1;
        if (view.add(one)) refreshing ??= setTimeout(refresh, REFRESH);
        tell();
      }
    };
    try {
      await Promise.all(Array.from({ length: pool.size }, work));
      if (config.world.world === 'nonlinear' && mine.linear.length === 0) {
        // The same circuit, read out by sums alone.
        /** @type {FamiliesConfig} */
        const linear = { ...plain, world: { ...config.world, interaction: 0 }, methods: ['svd'] };
        for (const job of core.families_jobs(linear)) mine.linear.push(await done(linear, job));
      }
      view.set_linear(mine.linear);
      refresh();
      const ms = performance.now() - began;
      say(arrived > 0 ? `${members} in ${duration(ms)}.` : `${members}.`, true);
      startButton.textContent = 'Compare families';
    } catch (error) {
      stop.abort();
      refresh();
      const soFar = `${results.size} of ${members}`;
      if (signal.aborted) say(`Cancelled with ${soFar} done; they are kept.`, true);
      else if (error instanceof Refusal) say(`Refused: ${reason(error)}`, true);
      else say(`Broke off with ${soFar} done (${reason(error)}); they are kept.`, true);
      startButton.textContent = 'Go on';
    }
    if (running?.signal === signal) setRunning(false);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
  form.addEventListener('change', () => {
    startButton.textContent = 'Compare families';
    // Another reading of what is there needs no worker.
    if (held && held.key === keyOf()) {
      hold();
      refresh();
    } else {
      say('Not run yet.', false);
      result.hidden = true;
      drawn = 0;
    }
  });
  cancelButton.addEventListener('click', () => running?.abort());
  saveButton.addEventListener('click', () => {
    if (!held) return;
    const name = `sfc-bench-families-${world.select.value}-${preset.select.value}.json`;
    save(name, new Blob([held.view.json()], { type: 'application/json' }));
  });

  const training = createTraining({
    element: trainOne,
    core,
    pool,
    worlds: WORLDS,
    given,
    announce,
    /** A kept one came or went. */
    onKept: () => refresh(),
  });

  return {
    /** Scores what is there anew. @param {Weights} wish */
    weigh(wish) {
      weights = wish;
      if (!held) return;
      held.view.set_weights(...wish);
      refreshing ??= setTimeout(refresh, 0);
    },
    redraw() {
      figures.redraw();
      training.redraw();
    },
  };
}
