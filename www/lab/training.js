// @ts-check
/** One autoencoder, trained in a worker under the reader's eyes: paused, gone on with, kept, taken away. */

import { el, reason } from '../shell/dom.js';
import { choice } from '../shell/fields.js';
import { Figures } from '../shell/figures.js';
import { save } from '../shell/save.js';
import { SEED } from '../workers/given.js';
import { Refusal } from '../workers/pool.js';
import { TRIES } from '../workers/study.js';

/** Steps between two looks are to take about this long, in milliseconds. */
const SHARE = 120;
const MOST_STEPS = 500;
/** Rows trained on; of given activations as many as there are. */
const ROWS = 20_000;
/** Curves are drawn anew this often, in milliseconds. */
const REFRESH = 200;

/** @type {[string, string][]} */
const FAMILIES = [
  ['topk', 'TopK'],
  ['relu', 'ReLU + L1'],
  ['batch-topk', 'BatchTopK'],
  ['jumprelu', 'JumpReLU'],
  ['gated', 'Gated'],
  ['matryoshka', 'Matryoshka'],
];
const WITH_K = ['topk', 'batch-topk', 'matryoshka'];

const FIGURES = ['train-loss', 'train-l0', 'train-dead'];

/** @param {string} key @param {string} label @param {number} value */
function number(key, label, value) {
  const id = `train-${key}`;
  const input = el('input', {
    type: 'number',
    id,
    name: key,
    step: 'any',
    value: String(value),
    autocomplete: 'off',
    'aria-describedby': `${id}-error`,
  });
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const element = el(
    'div',
    { class: 'field number' },
    el('label', { for: id }, label),
    el('div', { class: 'entry' }, input),
    error,
  );
  return { key, input, error, element };
}

/** @param {number | null | undefined} value */
const three = (value) => (typeof value === 'number' ? value.toFixed(3) : '–');

/**
 * @param {object} desk
 * @param {HTMLElement} desk.element
 * @param {Lab} desk.core
 * @param {import('../workers/pool.js').Pool} desk.pool
 * @param {readonly [string, string][]} desk.worlds
 * @param {GivenSource} desk.given a reader's own activations
 * @param {(text: string) => void} desk.announce
 * @param {() => void} desk.onKept
 */
export function createTraining({ element, core, pool, worlds, given, announce, onKept }) {
  const family = choice('train-family', 'Family', FAMILIES);
  const world = choice('train-world', 'World', worlds);
  const fields = [
    number('latents', 'Latents', 32),
    number('k', 'Codes a row, k', 3),
    number('sparsity', 'Sparsity, λ', 0.02),
    number('steps', 'Steps', 1_500),
    number('seed', 'Seed', 0),
  ];
  const field = (/** @type {string} */ key) => fields.find((one) => one.key === key);
  const general = el('p', { class: 'error', id: 'train-error', hidden: true });
  /** @param {string} id @param {string} text @param {boolean} [quiet] */
  const button = (id, text, quiet = false) =>
    el('button', { type: 'button', id, hidden: true, ...(quiet ? { class: 'quiet' } : {}) }, text);
  const startButton = el('button', { type: 'submit', id: 'train-start' }, 'Train');
  const pauseButton = button('train-pause', 'Pause');
  const resumeButton = button('train-resume', 'Go on');
  const cancelButton = button('train-cancel', 'Cancel');
  const keepButton = button('train-keep', 'Keep it', true);
  const saveButton = button('train-save', 'Download it for SAELens (.zip)', true);
  const form = el(
    'form',
    { class: 'families-controls', id: 'train-form', novalidate: true, 'aria-labelledby': 'train-title' },
    family.element,
    world.element,
    ...fields.map((one) => one.element),
    el('span', { class: 'families-go' }, startButton, pauseButton, resumeButton, cancelButton),
  );
  const meter = el('progress', {
    id: 'train-meter',
    max: 1,
    value: 0,
    'aria-label': 'Progress of the training',
    hidden: true,
  });
  const status = el('span', { id: 'train-status' }, 'Not begun yet.');
  const elements = FIGURES.map((id) => el('figure', { 'data-figure': id }));
  const curves = el('div', { class: 'grid', id: 'train-curves', hidden: true }, ...elements);
  const list = el('ul', { id: 'train-kept' });
  const kept = el('div', { hidden: true }, el('h4', {}, 'Kept'), list);
  const taking = el('p', { class: 'keep' }, keepButton, saveButton);
  element.append(
    el('h3', { id: 'train-title' }, 'Train one'),
    el(
      'p',
      {},
      `An autoencoder of your own, on ${ROWS.toLocaleString('en')} rows of a world (or on what there is of your own activations). What is kept is measured on rows it was not trained on, and joins the figures above where they are of the same world.`,
    ),
    form,
    general,
    el('p', { class: 'ensemble-status' }, meter, status),
    taking,
    kept,
  );
  const figures = new Figures(elements, announce, () => mine?.view ?? null);

  /**
   * The training that is shown.
   *
   * @type {{ config: TrainConfig, of: TrainRows, state: TrainState | null, view: TrainView, before: number | null, after: number | null, share: number, kept: boolean } | null}
   */
  let mine = null;
  /** @type {AbortController | null} */
  let running = null;
  let pausing = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refreshing;
  /** The study above. @type {{ view: FamiliesView, world: World } | null} */
  let study = null;
  /** @type {{ name: string, world: World, found: FamiliesResult }[]} */
  const all = [];

  function followFamily() {
    const k = WITH_K.includes(family.select.value);
    const [codes, sparsity] = [field('k'), field('sparsity')];
    if (codes) codes.element.hidden = !k;
    if (sparsity) {
      sparsity.element.hidden = k;
      sparsity.input.value = String(core.train_defaults(family.select.value).sparsity);
    }
  }
  family.select.addEventListener('change', followFamily);
  followFamily();

  /** A field that is blank or no number is told as the core tells it. @param {Problem | null} problem */
  function showProblem(problem) {
    for (const { input, error } of fields) {
      error.hidden = true;
      input.removeAttribute('aria-invalid');
    }
    general.hidden = true;
    if (!problem) return;
    const to = field(problem.field ?? '');
    if (to && !to.element.hidden) {
      to.error.textContent = problem.message;
      to.error.hidden = false;
      to.input.setAttribute('aria-invalid', 'true');
      to.input.focus();
    } else {
      general.textContent = problem.message;
      general.hidden = false;
    }
    announce(problem.message);
  }

  /** What the form holds; a problem where a field holds no number. @returns {TrainConfig | Problem} */
  function wanted() {
    /** @type {Record<string, number>} */
    const values = {};
    for (const { key, input, element: box } of fields) {
      if (box.hidden) continue;
      const value = input.value.trim() === '' ? NaN : Number(input.value);
      const whole = key !== 'sparsity';
      // The core's own types have no place for these.
      if (!Number.isFinite(value) || value < 0 || value > 0xffff_ffff || (whole && value % 1 !== 0)) {
        const what = whole ? 'a whole number' : 'a number';
        return { code: 'train.number', field: key, message: `${key}: ${what} from 0 is needed` };
      }
      values[key] = value;
    }
    return { ...core.train_defaults(family.select.value), ...values };
  }

  function refresh() {
    clearTimeout(refreshing);
    refreshing = undefined;
    if (!mine) return;
    if (curves.hidden) {
      curves.hidden = false;
      taking.before(curves);
      figures.show(mine.view);
    } else figures.redraw();
  }

  /** @param {'idle' | 'running' | 'paused'} at */
  function setState(at) {
    const focused = document.activeElement;
    const buttons = [startButton, pauseButton, resumeButton, cancelButton];
    startButton.hidden = at !== 'idle';
    pauseButton.hidden = at !== 'running';
    resumeButton.hidden = at !== 'paused';
    cancelButton.hidden = at === 'idle';
    meter.hidden = at === 'idle';
    const there = mine?.state != null && at !== 'running';
    keepButton.hidden = !there || mine?.kept === true;
    saveButton.hidden = !there;
    const lost = buttons.find((one) => one === focused && one.hidden);
    if (lost) buttons.find((one) => !one.hidden)?.focus();
  }

  /** @param {Metrics} metrics */
  const words = ({ step, loss, l0, dead }) =>
    `Step ${step.toLocaleString('en')}: loss ${loss.toPrecision(3)}, ${l0.toFixed(1)} active, ${dead} dead`;

  async function go() {
    if (!mine || running) return;
    const it = mine;
    const { signal } = (running = new AbortController());
    pausing = false;
    setState('running');
    try {
      for (;;) {
        const done = it.state?.step ?? 0;
        const left = it.config.steps - done;
        if (left <= 0 || pausing) break;
        const steps = Math.min(left, it.share);
        /** @type {TrainAnswer} */
        const answer = await pool.submit(
          {
            kind: 'train',
            config: it.config,
            ...it.of,
            state: it.state,
            steps,
            last: steps === left,
          },
          { tries: TRIES, signal },
        );
        it.state = answer.state;
        it.before = answer.before ?? it.before;
        it.after = answer.after;
        // The first share found cold code, and a world to draw.
        it.share = Math.min(MOST_STEPS, Math.max(5, Math.round((SHARE * steps) / answer.ms)));
        it.view.push(answer.metrics);
        meter.value = answer.metrics.step / it.config.steps;
        status.textContent = `${words(answer.metrics)}.`;
        refreshing ??= setTimeout(refresh, REFRESH);
      }
      refresh();
      const { step } = it.state ?? { step: 0 };
      if (step >= it.config.steps) {
        const cosines =
          it.after === null
            ? ''
            : ` Mean max cosine with the planted directions: ${three(it.after)}; ${three(it.before)} before the first step.`;
        status.textContent = `Trained, ${step.toLocaleString('en')} steps.${cosines}`;
        announce(status.textContent);
        running = null;
        setState('idle');
        return;
      }
      status.textContent = `Paused at step ${step.toLocaleString('en')} of ${it.config.steps.toLocaleString('en')}.`;
      announce(status.textContent);
      running = null;
      setState('paused');
    } catch (error) {
      refresh();
      running = null;
      const step = (it.state?.step ?? 0).toLocaleString('en');
      if (signal.aborted) status.textContent = `Cancelled at step ${step}.`;
      else if (error instanceof Refusal) {
        status.textContent = 'Refused.';
        showProblem(error.problem);
      } else status.textContent = `Broke off at step ${step} (${reason(error)}).`;
      if (!(error instanceof Refusal)) announce(status.textContent ?? '');
      // What broke off can be gone on with; the state of the last share is here.
      setState(signal.aborted || error instanceof Refusal || !it.state ? 'idle' : 'paused');
    }
  }

  /** The rows that the form asks for. @returns {Promise<TrainRows>} */
  async function rowsWanted() {
    const name = world.select.value;
    const isGiven = name === 'given';
    if (isGiven) status.textContent = 'Reading your activations …';
    const of = isGiven ? await given.world(SEED) : core.world_defaults(name);
    const [rows = 0, held = 0] = core.world_split(of, ROWS);
    return { world: of, rows, held, ...(isGiven ? { drawn: await given.draw(SEED, rows + held) } : {}) };
  }

  let asking = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running || asking || !resumeButton.hidden) return;
    const config = wanted();
    if ('message' in config) {
      showProblem(config);
      return;
    }
    showProblem(null);
    /** @type {TrainRows} */
    let of;
    asking = true;
    try {
      of = await rowsWanted();
      // No batch can be larger than all there is.
      config.batch = Math.min(config.batch, of.rows);
    } catch (error) {
      status.textContent = `Refused: ${reason(error)}`;
      announce(status.textContent);
      return;
    } finally {
      asking = false;
    }
    const former = mine;
    mine = {
      config,
      of,
      state: null,
      view: new core.TrainView(),
      before: null,
      after: null,
      share: 5,
      kept: false,
    };
    mine.view.set_training(config, mine.of.world);
    curves.hidden = true;
    figures.clear();
    former?.view.free();
    go();
  });
  pauseButton.addEventListener('click', () => (pausing = true));
  resumeButton.addEventListener('click', () => go());
  cancelButton.addEventListener('click', () => {
    if (running) running.abort();
    else {
      status.textContent = `Cancelled at step ${(mine?.state?.step ?? 0).toLocaleString('en')}.`;
      setState('idle');
    }
  });

  /** @param {TrainConfig} config @param {World} of @param {number} step */
  function nameOf(config, of, step) {
    const knob = WITH_K.includes(config.family) ? `k${config.k}` : `l${config.sparsity}`;
    return `sae-${config.family}-${of.world}-${config.latents}-${knob}-seed${config.seed}-step${step}`.replace(
      /[^\w-]/g,
      '_',
    );
  }

  keepButton.addEventListener('click', async () => {
    if (!mine?.state) return;
    const { config, of, state } = mine;
    const it = mine;
    keepButton.hidden = true;
    try {
      const found = await pool.submit(
        { kind: 'train-measured', state, ...of },
        { tries: TRIES },
      );
      it.kept = true;
      const one = { name: nameOf(config, of.world, state.step).replace(/^sae-/, ''), world: of.world, found };
      if (all.some(({ name }) => name === one.name)) return;
      all.push(one);
      show(one);
      join(one);
      onKept();
    } catch (error) {
      keepButton.hidden = false;
      status.textContent = `It could not be measured: ${reason(error)}.`;
      announce(status.textContent);
    }
  });

  /** @param {{ name: string, world: World, found: FamiliesResult }} one */
  function show(one) {
    const { sparsity, fidelity, completeness, l0, mcc } = one.found;
    const matched = mcc === null ? '' : `, MCC ${three(mcc)}`;
    const gone = el('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${one.name}` }, 'Remove');
    const item = el(
      'li',
      {},
      el('b', {}, one.name),
      `: S ${three(sparsity)}, F ${three(fidelity)}, C ${three(completeness.reconstruction)}, ${l0.toFixed(1)} active${matched} `,
      gone,
    );
    gone.addEventListener('click', () => {
      all.splice(all.indexOf(one), 1);
      item.remove();
      kept.hidden = all.length === 0;
      study?.view.forget(one.name);
      onKept();
      keepButton.focus();
    });
    list.append(item);
    kept.hidden = false;
    announce(`Kept ${one.name}.`);
  }

  /** @param {{ name: string, world: World, found: FamiliesResult }} one */
  function join(one) {
    if (study && JSON.stringify(study.world) === JSON.stringify(one.world))
      study.view.keep(one.name, one.found);
  }

  saveButton.addEventListener('click', async () => {
    if (!mine?.state) return;
    const { config, of, state } = mine;
    const name = nameOf(config, of.world, state.step);
    try {
      const bytes = await pool.submit(
        { kind: 'train-folder', state, ...of, name },
        { tries: TRIES },
      );
      save(`${name}.zip`, new Blob([bytes], { type: 'application/zip' }));
      announce(`Saved as ${name}.zip.`);
    } catch (error) {
      status.textContent = `It could not be saved: ${reason(error)}.`;
      announce(status.textContent);
    }
  });

  return {
    /** The study above is shown by another view. @param {FamiliesView} view @param {World} of */
    show(view, of) {
      study = { view, world: of };
      for (const one of all) join(one);
    },
    redraw: () => figures.redraw(),
  };
}
