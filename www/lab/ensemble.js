// @ts-check
/** The same study under many seeds: shared out to the workers, streamed into bands and counts. */

import { el, need, reason } from '../shell/dom.js';
import { duration } from '../shell/duration.js';
import { Figures } from '../shell/figures.js';
import { save } from '../shell/save.js';
import { shelf } from '../shell/shelf.js';
import { sameRun } from '../shell/state.js';
import { Refusal } from '../workers/pool.js';

/** A share of seeds is to take about this long, in milliseconds: results flow and cancelling is quick. */
const SHARE = 80;
const LARGEST_SHARE = 64;
/** The bands are drawn anew this often while seeds arrive, in milliseconds. */
const REFRESH = 250;
/** An ensemble that is likely to take longer than this, in milliseconds, waits to be asked for. */
const UNASKED = 5_000;
/** How many workers may die over one share. */
const TRIES = 3;
/** Workers together may take this much memory, in bytes. */
const MEMORY = 2 ** 31;

/**
 * Runs the seeds of a plan, in shares that grow until they take about {@link SHARE}.
 *
 * @param {import('../workers/pool.js').Pool} pool
 * @param {Plan} plan
 * @param {readonly number[]} seeds ascending
 * @param {(members: Member[]) => void} onMembers
 * @param {AbortSignal} signal
 */
export async function runSeeds(pool, plan, seeds, onMembers, signal) {
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  let next = 0;
  let share = 1;
  /** A run of neighbouring seeds. @returns {[number, number] | null} */
  const take = () => {
    const from = seeds[next];
    if (from === undefined) return null;
    // Near the end shares shrink, so that no worker is left alone with the last one.
    const fair = Math.max(1, Math.ceil((seeds.length - next) / (2 * pool.size)));
    const most = Math.min(share, fair);
    let count = 1;
    while (count < most && seeds[next + count] === from + count) count += 1;
    next += count;
    return [from, from + count];
  };
  const work = async () => {
    for (let part = take(); part; part = take()) {
      const [from, to] = part;
      const { members, ms } = await pool.submit(
        { kind: 'seeds', plan, from, to },
        { tries: TRIES, signal: stop.signal },
      );
      share = Math.min(LARGEST_SHARE, Math.max(1, Math.round((SHARE * (to - from)) / ms)));
      onMembers(members);
    }
  };
  try {
    await Promise.all(Array.from({ length: pool.size }, work));
  } finally {
    // One share that failed ends the others.
    stop.abort();
    signal.removeEventListener('abort', onAbort);
  }
}

/** @param {number} count */
const networks = (count) => `${count.toLocaleString('en')} network${count === 1 ? '' : 's'}`;

/** The command that prints the same. @param {Plan} plan @param {Settings} paper @param {number} seeds */
export function commandOf({ settings, varied }, paper, seeds) {
  const flags = Object.entries(settings)
    .filter(
      ([key, value]) =>
        String(value) !== String(paper[/** @type {SettingKey} */ (key)]) &&
        key !== 'model_seed' &&
        !(varied === 'model-and-data' && key === 'data_seed') &&
        // The network's name stands for its sizes.
        !(settings.config !== 'custom' && /^(inputs|hidden|outputs|circuit)$/.test(key)),
    )
    .map(([key, value]) => {
      const flag = `--${key.replaceAll('_', '-')}`;
      return value === true ? flag : `${flag} ${String(value)}`;
    });
  const vary = varied === 'model-and-data' ? ['--vary-data'] : [];
  return ['sfc-bench ensemble', `--seeds ${seeds}`, ...vary, ...flags, '--json'].join(' ');
}

/**
 * @param {Lab} core
 * @param {import('../workers/pool.js').Pool} pool
 * @param {(text: string) => void} announce
 * @param {() => void} onChoice
 */
export function createEnsemble(core, pool, announce, onChoice) {
  const section = need('#ensemble');
  const form = /** @type {HTMLFormElement} */ (need('#ensemble-form'));
  const vary = /** @type {HTMLInputElement} */ (need('#ensemble-vary'));
  const startButton = /** @type {HTMLButtonElement} */ (need('#ensemble-start'));
  const cancelButton = need('#ensemble-cancel');
  const meter = /** @type {HTMLProgressElement} */ (need('#ensemble-meter'));
  const status = need('#ensemble-status');
  const figures = new Figures(
    section.querySelectorAll('[data-figure]'),
    announce,
    () => held?.view ?? null,
  );
  const paper = core.defaults();

  /** The run that the page shows, and how long it took. @type {{ report: Report, ms: number, view: View } | null} */
  let shown = null;
  /** @type {Weights} */
  let weights = paper.weights;
  /** What the view holds. @type {{ plan: Plan, view: EnsembleView, seeds: Set<number> } | null} */
  let held = null;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refreshing;
  let near = false;
  /** Whether the reader stopped it: then only the reader starts it again. */
  let declined = false;

  const wantedSeeds = () => Number(new FormData(form).get('ensemble-seeds'));
  /** @returns {Plan | null} */
  const wantedPlan = () =>
    shown && {
      settings: { ...shown.report.settings, weights },
      varied: vary.checked ? 'model-and-data' : 'model',
    };

  /** Whether two plans have the same members. @param {Plan} a @param {Plan} b */
  function samePlan(a, b) {
    const seedless = (/** @type {Plan} */ { settings, varied }) => ({
      ...settings,
      model_seed: 0,
      data_seed: varied === 'model' ? settings.data_seed : 0,
    });
    return a.varied === b.varied && sameRun(seedless(a), seedless(b));
  }

  /** Offers what is there to whoever takes everything away; while seeds arrive it is not settled. */
  function offer() {
    shelf.ensemble = !running && held && held.seeds.size > 0 ? held.view : null;
  }

  /** What is there, summed up and shown. */
  function refresh() {
    clearTimeout(refreshing);
    refreshing = undefined;
    if (!held || held.seeds.size === 0) return;
    held.view.refresh();
    need('#ensemble-headline').textContent = held.view.headline();
    need('#ensemble-command').textContent = commandOf(held.plan, paper, held.seeds.size);
    const result = need('#ensemble-result');
    if (result.hidden) {
      result.hidden = false;
      figures.show(held.view);
    } else {
      figures.redraw();
    }
  }

  /** @param {Plan} plan */
  function hold(plan) {
    if (held && samePlan(held.plan, plan)) return held;
    const former = held;
    held = { plan, view: new core.EnsembleView(plan.settings, plan.varied), seeds: new Set() };
    held.view.set_weights(...weights);
    if (shown) held.view.set_run(shown.view);
    offer();
    if (former) {
      need('#ensemble-result').hidden = true;
      figures.clear();
      former.view.free();
    }
    return held;
  }

  /** @param {boolean} asked whether somebody asked for it */
  async function start(asked) {
    const plan = wantedPlan();
    if (!plan) return;
    running?.abort();
    declined = false;
    const { signal } = (running = new AbortController());
    const mine = hold(plan);
    const total = wantedSeeds();
    const missing = Array.from({ length: total }, (_, seed) => seed).filter(
      (seed) => !mine.seeds.has(seed),
    );
    if ([...mine.seeds].some((seed) => seed >= total)) {
      // Fewer than are there: what was computed is kept by its seeds, so this is quick.
      mine.view.keep(total);
      for (const seed of [...mine.seeds]) if (seed >= total) mine.seeds.delete(seed);
    }
    const memory = core.memory_needed(plan.settings);
    pool.setLimit(Math.max(1, Math.floor(MEMORY / memory)));

    setRunning(true);
    const began = performance.now();
    let arrived = 0;
    const tell = () => {
      meter.value = mine.seeds.size / total;
      const seconds = (performance.now() - began) / 1000;
      const rate = arrived / seconds;
      const left = (total - mine.seeds.size) / rate;
      status.textContent =
        arrived > 0 && seconds > 0.5
          ? `${mine.seeds.size.toLocaleString('en')} of ${networks(total)}, ${rate.toPrecision(2)} a second, about ${duration(1000 * left)} left.`
          : `${mine.seeds.size.toLocaleString('en')} of ${networks(total)}.`;
    };
    tell();
    try {
      await runSeeds(
        pool,
        plan,
        missing,
        (members) => {
          if (signal.aborted) return;
          mine.view.add(members);
          for (const { seed } of members) mine.seeds.add(seed);
          arrived += members.length;
          tell();
          // The first few at once: something to look at.
          refreshing ??= setTimeout(refresh, mine.seeds.size <= pool.size ? 0 : REFRESH);
        },
        signal,
      );
      const ms = performance.now() - began;
      refresh();
      say(
        arrived > 0
          ? `${networks(total)} in ${duration(ms)}, ${workers(pool.size)}.`
          : `${networks(total)}.`,
        asked,
      );
    } catch (error) {
      if (running?.signal !== signal) return;
      refresh();
      const soFar = `${mine.seeds.size.toLocaleString('en')} of ${networks(total)}`;
      if (signal.aborted) {
        say(`Cancelled with ${soFar} done; they are kept.`, true);
        declined = true;
        startButton.textContent = 'Go on';
      } else {
        const why = reason(error);
        say(
          error instanceof Refusal
            ? `Refused: ${why}`
            : `Broke off with ${soFar} done (${why}); they are kept.`,
          true,
        );
      }
    }
    if (running?.signal === signal) setRunning(false);
  }

  /** @param {number} count */
  const workers = (count) => (count === 1 ? 'with one worker' : `with ${count} workers`);

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
    if (on) {
      startButton.textContent = 'Run them';
      if (focused === startButton) cancelButton.focus();
    } else {
      running = null;
      pool.setLimit(pool.size);
      if (focused === cancelButton) startButton.focus();
    }
    offer();
  }

  /** Keeps up with the page where that is quick; otherwise waits to be asked. */
  function follow() {
    const plan = wantedPlan();
    if (!plan || !shown) return;
    if (held && samePlan(held.plan, plan)) {
      held.view.set_run(shown.view);
      refresh();
      if (running || held.seeds.size === wantedSeeds()) return;
    } else {
      running?.abort();
      setRunning(false);
      hold(plan);
      declined = false;
      say('Not run yet with these settings.', false);
    }
    // A seed is about a tenth of a run, and less than that of the first, which found cold code.
    const likely = ((shown.ms / 10) * wantedSeeds()) / pool.size;
    if (near && !declined && likely < UNASKED) start(false);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start(true);
  });
  form.addEventListener('change', () => {
    onChoice();
    start(true);
  });
  cancelButton.addEventListener('click', () => running?.abort());
  need('#ensemble-save').addEventListener('click', () => {
    if (!held) return;
    save(
      `sfc-bench-ensemble-${held.plan.settings.config}-${held.seeds.size}.json`,
      new Blob([held.view.json()], { type: 'application/json' }),
    );
  });
  new IntersectionObserver(
    ([entry]) => {
      near = entry?.isIntersecting ?? false;
      if (near) follow();
    },
    { rootMargin: '100px' },
  ).observe(section);

  return {
    /** The page shows another run. @param {Report} report @param {number} ms @param {View} view */
    follow(report, ms, view) {
      shown = { report, ms, view };
      follow();
    },
    /** Scores what is there anew. @param {Weights} wish */
    weigh(wish) {
      weights = wish;
      if (!held) return;
      held.plan = { ...held.plan, settings: { ...held.plan.settings, weights } };
      held.view.set_weights(...wish);
      if (held.seeds.size > 0) refreshing ??= setTimeout(refresh, near ? 0 : REFRESH);
    },
    redraw: () => figures.redraw(),
    /** @returns {{ seeds: number, vary: Varied }} */
    choices: () => ({ seeds: wantedSeeds(), vary: vary.checked ? 'model-and-data' : 'model' }),
    /** Sets what a link asks for. @param {number} seeds @param {Varied} which */
    choose(seeds, which) {
      const radios = /** @type {NodeListOf<HTMLInputElement>} */ (
        form.querySelectorAll('[name=ensemble-seeds]')
      );
      let radio = [...radios].find(({ value }) => Number(value) === seeds);
      if (!radio) {
        // A number of its own has a place of its own.
        radio = el('input', { type: 'radio', name: 'ensemble-seeds', value: seeds });
        radios[0]?.closest('.pills')?.append(
          el('label', {}, radio, el('span', {}, seeds.toLocaleString('en'))),
        );
      }
      radio.checked = true;
      vary.checked = which === 'model-and-data';
      follow();
    },
  };
}
