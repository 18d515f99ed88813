// @ts-check
/**
 * Families of methods against each other and against controls: a study's members shared out to the
 * workers, each method shown as soon as all of its members are there. Loaded when the reader comes near.
 */

import { el, reason } from '../shell/dom.js';
import { duration } from '../shell/duration.js';
import { choice } from '../shell/fields.js';
import { Figures } from '../shell/figures.js';
import { save } from '../shell/save.js';
import { shelf } from '../shell/shelf.js';
import { SEED } from '../workers/given.js';
import { Refusal } from '../workers/pool.js';
import { linearOf, plainOf, shareOut } from '../workers/study.js';
import { createStudySettings } from './families-settings.js';
import { Cancelled } from './own-client.js';
import { createTraining } from './training.js';

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
  ['superposition', 'Superposition: more features than dimensions'],
  ['nonlinear', 'Nonlinear circuit: units act by products'],
  ['paper', 'The paper’s hidden activations'],
  ['given', 'Your own activations'],
];

/** @type {[string, string][]} */
const PRESETS = [
  ['small', 'Small: seconds to a minute'],
  ['full', 'Full: trained to the end'],
];

/** @type {[Reading, string][]} */
const READINGS = [
  ['reconstruction', 'f of the reconstruction'],
  ['row-space', 'Row space (the paper’s)'],
  ['active-subspace', 'Active directions of each row'],
];

/** Stands for activations until there are some. @type {World} */
const NOT_YET = {
  world: 'given',
  rows: 4_294_967_295,
  dimensions: 16,
  outputs: null,
  sha256: null,
  with: null,
  seed: SEED,
};

/**
 * What something comes to, unless it is given up first.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * @param {object} desk
 * @param {Lab} desk.core
 * @param {import('../workers/pool.js').Pool} desk.pool
 * @param {Weights} desk.weights of the moment
 * @param {GivenSource} desk.given a reader's own activations
 * @param {(text: string) => void} desk.announce
 * @param {string | null} desk.study what a link asks for; null: nothing
 * @param {() => void} desk.onChange another study is asked for
 */
export function createFamilies({ core, pool, weights, given, announce, study, onChange }) {
  const section = /** @type {HTMLElement} */ (document.querySelector('#families'));

  const world = choice('families-world', 'World', WORLDS);
  const preset = choice('families-preset', 'Size', PRESETS);
  const reading = choice('families-reading', 'Completeness', READINGS);
  const startButton = el('button', { type: 'submit', id: 'families-start' }, 'Compare families');
  const cancelButton = el('button', { type: 'button', id: 'families-cancel', hidden: true }, 'Cancel');
  const settings = createStudySettings(() => {
    set(ofPreset());
    changed();
  });
  const form = el(
    'form',
    { class: 'families-controls', id: 'families-form', novalidate: true },
    world.element,
    preset.element,
    reading.element,
    el('span', { class: 'families-go' }, startButton, cancelButton),
    settings.element,
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
  const others = el('p', { class: 'error', id: 'families-others', hidden: true });
  const command = el('code', { id: 'families-command' });
  const saveButton = el('button', { type: 'button', class: 'quiet', id: 'families-save' }, 'Save them as JSON');
  const elements = FIGURES.map(([id, wide]) =>
    el('figure', { 'data-figure': id, ...(wide ? { class: 'wide' } : {}) }),
  );
  const result = el(
    'div',
    { id: 'families-result', hidden: true },
    headline,
    others,
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
  /** The world of the reader's own activations, as they were last. @type {World} */
  let own = NOT_YET;
  /** The SHA-256 of the activations that a link was made with. @type {string | null} */
  let linked = null;
  /** What the command line is to be given for them. @type {string[]} */
  let flags = [];
  /** Counts what the form was asked for: an answer to an older question does not change it. */
  let turns = 0;
  /** Whether what is held is what the form asks for. */
  let current = false;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refreshing;
  let drawn = 0;

  /** @param {string} name @returns {World} */
  const worldOf = (name) => (name === 'given' ? own : core.world_defaults(name));
  /** What the two choices ask for, with nothing changed. @returns {FamiliesConfig} */
  function ofPreset() {
    const config = core.families_preset(preset.select.value);
    return {
      ...core.families_fit(config, worldOf(world.select.value)),
      completeness: /** @type {Reading} */ (reading.select.value),
    };
  }
  /** What the form was last set to: what has no field is as it has it. */
  let base = ofPreset();
  /** Whether somebody asked for a study, and its text, where it has one. */
  let asked = false;
  /** @type {string | null} */
  let text = null;

  /** What the form asks for, which need not be allowed. @returns {FamiliesConfig} */
  const wanted = () =>
    settings.read({ ...base, completeness: /** @type {Reading} */ (reading.select.value) });
  /** What tells studies apart: all but what members are measured by, which changes no member. @param {FamiliesConfig} config */
  const keyOf = (config) => {
    const plain = plainOf(config);
    return core.families_print(plain) ?? JSON.stringify(plain);
  };
  /** What the form asks for, if it is allowed; if not, that is said. @param {boolean} [focus] */
  function judged(focus) {
    const config = wanted();
    const problems = core.families_check(config);
    settings.showProblems(problems, focus);
    return problems.length === 0 ? config : null;
  }
  /** @param {FamiliesJob} job */
  const nameOf = ({ method, knob, seed }) => `${method} ${knob} ${seed}`;

  /** A view of what is there, in the reading that is chosen. @param {FamiliesConfig} config @param {Iterable<FamiliesResult>} results */
  function viewOf(config, results) {
    const view = new core.FamiliesView(config);
    view.set_weights(...weights);
    for (const one of results) view.add(one);
    return view;
  }

  /** A study, with what there is of it. */
  function hold(/** @type {FamiliesConfig} */ config) {
    const key = keyOf(config);
    current = true;
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
    offer();
    former?.view.free();
    return held;
  }

  /** Offers what is there to whoever takes everything away; while members arrive it is not settled. */
  function offer() {
    const there = !running && held && held.view.methods() > 0 && !result.hidden;
    shelf.families = there ? held?.view ?? null : null;
  }

  /** Sets the whole form. @param {FamiliesConfig} config */
  function set(config) {
    base = config;
    world.select.value = config.world.world;
    reading.select.value = config.completeness;
    settings.show(config);
  }

  /** The form asks for something: what is there of it is shown. */
  function settle() {
    const config = judged();
    startButton.textContent = 'Compare families';
    if (config) text = core.families_print(config) ?? null;
    const usual = ofPreset();
    settings.setChanged(!config || keyOf(config) !== keyOf(usual), config !== null && text === null);
    // Another reading of what is there needs no worker.
    if (config && held && held.key === keyOf(config)) {
      hold(config);
      refresh();
      const { results, jobs } = held;
      say(results.size < jobs.length ? `${results.size} of ${jobs.length} members.` : `${jobs.length} members.`, false);
    } else {
      current = false;
      say('Not run yet.', false);
      result.hidden = true;
      drawn = 0;
      offer();
    }
  }

  /** Somebody changed the form. */
  function changed() {
    turns += 1;
    asked = true;
    settle();
    onChange();
  }

  /** Shows what is finished. */
  function refresh() {
    clearTimeout(refreshing);
    refreshing = undefined;
    if (!held || !current || held.view.methods() === 0) return;
    const { view, config } = held;
    headline.textContent = view.headline();
    const texts = view.warnings();
    warnings.hidden = texts.length === 0;
    warnings.replaceChildren(
      el('p', {}, el('b', {}, 'Read these numbers with care.'), ' Controls should lose, and an axis should tell trained methods from random directions. Here that is not so:'),
      el('ul', {}, ...texts.map((text) => el('li', {}, text))),
    );
    const sha256 = config.world.world === 'given' ? config.world.sha256 : null;
    others.hidden = sha256 === null || linked === null || linked === sha256;
    others.textContent = `The link was made with other activations, whose SHA-256 begins with ${linked?.slice(0, 12)}; that of these begins with ${sha256?.slice(0, 12)}.`;
    // What has no text cannot be asked for in a line.
    const said = core.families_print(config);
    const files = config.world.world === 'given' ? flags : [];
    const line = `sfc-bench families --study ${[said, ...files].join(' ')} --json`;
    command.textContent = said ? line : '(none for this study)';
    saveButton.hidden = held.results.size < held.jobs.length;
    if (drawn === 0) {
      result.hidden = false;
      trainOne.before(result);
      figures.show(view);
    } else figures.redraw();
    drawn = view.methods();
    offer();
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
    settings.setDisabled(on);
    if (on && focused === startButton) cancelButton.focus();
    if (!on) running = null;
    offer();
    if (!on && focused === cancelButton) startButton.focus();
  }

  /**
   * A study made to fit the activations there are now, unless the form is asked for something else
   * meanwhile.
   *
   * @param {FamiliesConfig} config
   */
  async function adopted(config) {
    const turn = turns;
    const seed = config.world.world === 'given' ? config.world.seed : SEED;
    const found = await given.world(seed);
    if (turn !== turns) throw new Error('something else was asked for meanwhile');
    own = found;
    flags = given.flags();
    if (JSON.stringify(own) === JSON.stringify(config.world)) return config;
    const fitted = core.families_fit(config, own);
    // A number of latents that somebody chose is kept.
    const usual = core.families_preset(preset.select.value).train.latents;
    if (config.train.latents !== usual) fitted.train.latents = config.train.latents;
    set(fitted);
    const allowed = judged();
    if (!allowed) throw new Error('some settings are not possible; see below');
    return allowed;
  }

  async function start() {
    let asking = judged(true);
    if (!asking) {
      say('Refused: some settings are not possible.', true);
      return;
    }
    running?.abort();
    const { signal } = (running = new AbortController());
    const turn = ++turns;
    let mine;
    try {
      if (asking.world.world === 'given') {
        setRunning(true);
        say('Reading your activations …', false);
        asking = await unlessAborted(adopted(asking), signal);
      }
      text = core.families_print(asking) ?? null;
      asked = true;
      onChange();
      mine = hold(asking);
      if (asking.world.world === 'given') {
        const { world, train_rows, eval_rows } = asking;
        mine.drawn ??= await unlessAborted(given.draw(world.seed, train_rows + eval_rows), signal);
      }
    } catch (error) {
      if (running?.signal === signal) setRunning(false);
      if (turn !== turns) settle();
      else if (signal.aborted) say('Cancelled.', true);
      else if (error instanceof Cancelled) say('Broke off: what was reading the files was cancelled.', true);
      else say(`Refused: ${reason(error)}`, true);
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
    const shared = {
      /** @type {import('../workers/study.js').Submit} */
      submit: (task, options) => pool.submit(task, options),
      size: pool.size,
      // What members are measured by does not matter to the workers, which keep their world.
      config: plainOf(config),
      ...(mine.drawn ? { drawn: mine.drawn } : {}),
      signal,
    };
    try {
      await shareOut({
        ...shared,
        jobs: missing,
        onResult(one) {
          results.set(nameOf(one), one);
          arrived += 1;
          if (view.add(one)) refreshing ??= setTimeout(refresh, REFRESH);
          tell();
        },
      });
      if (mine.linear.length === 0) mine.linear.push(...(await linearOf(core, shared)));
      view.set_linear(mine.linear);
      refresh();
      const ms = performance.now() - began;
      say(arrived > 0 ? `${members} in ${duration(ms)}.` : `${members}.`, true);
      startButton.textContent = 'Compare families';
    } catch (error) {
      refresh();
      const soFar = `${results.size} of ${members}`;
      if (signal.aborted) say(`Cancelled with ${soFar} done; they are kept.`, true);
      else if (error instanceof Refusal) say(`Refused: ${reason(error)}`, true);
      else say(`Broke off with ${soFar} done (${reason(error)}); they are kept.`, true);
      startButton.textContent = 'Go on';
    }
    if (running?.signal === signal) setRunning(false);
    // A link may have asked for another one meanwhile.
    const now = judged();
    if (!now || keyOf(now) !== mine.key || now.completeness !== config.completeness) settle();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
  form.addEventListener('change', ({ target }) => {
    if (target === preset.select) set(ofPreset());
    if (target === world.select) {
      linked = null;
      const before = wanted();
      const left = before.world.world === 'given' && world.select.value !== 'given';
      // What was made to fit given activations is as usual again.
      const { train, train_rows, eval_rows } = core.families_preset(preset.select.value);
      const { batch, latents } = train;
      const usual = { train_rows, eval_rows, train: { ...before.train, batch, latents } };
      set({ ...before, ...(left ? usual : {}), world: worldOf(world.select.value) });
    }
    changed();
    if (target === world.select && world.select.value === 'given') {
      // Where there are none yet, whoever starts is told.
      const config = judged();
      if (config) adopted(config).then(() => !running && changed(), () => {});
    }
  });
  cancelButton.addEventListener('click', () => running?.abort());
  saveButton.addEventListener('click', () => {
    if (!held) return;
    const usual = keyOf(held.config) === keyOf(ofPreset());
    const name = usual
      ? `sfc-bench-families-${world.select.value}-${preset.select.value}.json`
      : held.view.file_name('families', 'json');
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

  /** Sets the form to what a link asks for; nothing is run. @param {string | null} link */
  function choose(link) {
    turns += 1;
    const read = link === null ? null : core.families_read(link).config;
    const printed = read && core.families_print(read);
    preset.select.value = printed?.split(',')[0] ?? PRESETS[0]?.[0] ?? '';
    linked = read?.world.world === 'given' ? read.world.sha256 : null;
    set(read ?? core.families_preset(preset.select.value));
    asked = read !== null;
    const config = judged();
    if (running && config && held?.key === keyOf(config)) return;
    // It ends by showing what the form then asks for.
    if (running) running.abort();
    else settle();
  }
  choose(study);

  return {
    choose,
    /** The text of the study that somebody asked for; null: nobody did, or there is none. */
    study: () => (asked ? text : null),
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
