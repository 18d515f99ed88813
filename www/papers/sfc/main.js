// @ts-check
/** Ties the parts together: what somebody changes, what is run for it, and what is shown. */

import { createControls } from '../../shell/controls.js';
import { need, reason } from '../../shell/dom.js';
import { missingFeature } from '../../shell/features.js';
import { createAnnouncer, Figures } from '../../shell/figures.js';
import { createProgress } from '../../shell/progress.js';
import { createStore, differences, sameRun } from '../../shell/state.js';
import { startTheme } from '../../shell/theme.js';
import { startEngine } from '../../workers/engine.js';
import { Refusal } from '../../workers/pool.js';
import { showDifferences, showTime, showVerdict } from './verdict.js';
import { createWeights } from './weights.js';

/** Typing pauses this long before a run starts. */
const DEBOUNCE = 250;

const announce = createAnnouncer();

/** The page cannot compute: it says why, and the printed tables stay. @param {string} reason */
function giveUp(reason) {
  delete document.documentElement.dataset.embed;
  need('#verdict').dataset.outcome = 'failed';
  need('#verdict-sentence').textContent = 'Nothing could be computed here.';
  need('#verdict-time').textContent = '';
  const line = need('#late');
  line.textContent = `${reason} The tables below are the paper’s own, as printed.`;
  line.classList.remove('late');
}

/**
 * @param {Core} core
 * @param {import('../../workers/pool.js').Pool} pool
 * @param {{ state: LinkState, changes: LinkChange[] } | null} link what the page was opened with
 */
function createPage(core, pool, link) {
  const paper = core.defaults();
  const first = link?.state.settings ?? paper;
  const store = createStore({ draft: { ...first } });
  const figures = new Figures(
    document.querySelectorAll('.live [data-figure]:not(.lab [data-figure])'),
    announce,
    () => lab?.view() ?? null,
  );
  const progress = createProgress(cancel, announce);

  /** @type {View | null} */
  let view = null;
  /** Settings of the run that is shown. */
  let shown = first;
  let ofPaper = true;
  /** Settings of the run under way. @type {Settings | null} */
  let wanted = null;
  /** @type {Weights} */
  let goodWeights = first.weights;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  /** What the figures show. @type {{ report: Report, ms: number } | null} */
  let latest = null;
  /** Everything beyond the paper. @type {Awaited<ReturnType<typeof import('./lab.js')['createLab']>> | null} */
  let lab = null;
  let labAsked = false;

  /** Loads the rest of the page, once the paper is drawn. */
  async function equip() {
    if (lab || labAsked) return;
    labAsked = true;
    document.body.dataset.lab = 'waiting';
    try {
      const { createLab } = await import('./lab.js');
      lab = await createLab({
        pool,
        announce,
        link,
        settings: () => ({ ...(wanted ?? shown), weights: goodWeights }),
        apply: (draft) => store.edit(draft),
        overlay(labView) {
          const drawn = labView ?? view;
          if (drawn) figures.show(drawn);
        },
      });
      // The browser may have had no breath since the lab's code arrived.
      await new Promise((resolve) => setTimeout(resolve));
      lab.weigh(goodWeights);
      document.body.dataset.lab = 'ready';
      if (latest) lab.show(latest.report, latest.ms);
    } catch (error) {
      labAsked = false;
      document.body.dataset.lab = 'failed';
      need('#lab-reason').textContent = reason(error);
    }
  }

  /** The run under way. @type {AbortController | null} */
  let running = null;

  /** Runs settings; a run that is still under way is given up. @param {Settings} settings */
  async function start(settings) {
    running?.abort();
    const { signal } = (running = new AbortController());
    wanted = settings;
    progress.begin();
    try {
      const { report, ms } = await pool.submit(
        { kind: 'run', settings },
        { priority: 1, signal, onProgress: progress.update },
      );
      if (!signal.aborted) show(report, ms);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  /** @returns {boolean} whether there was a run to give up */
  function giveUpRun() {
    if (!wanted) return false;
    running?.abort();
    wanted = null;
    return true;
  }

  function cancel() {
    if (giveUpRun()) settle('Cancelled', 'The run was cancelled.');
  }

  /** A run ended without a result. @param {string} what @param {string} sentence */
  function settle(what, sentence) {
    progress.end();
    if (view) progress.say(`${what}. The figures still show the last finished run.`);
    else giveUp(`${sentence} Reload the page to compute again.`);
  }

  start(first);

  const controls = createControls(store, core);
  const weights = createWeights(store, core);

  /** Asks the core about everything that was typed, and runs what it accepts. @param {boolean} [again] */
  function check(again = false) {
    clearTimeout(pause);
    const { draft } = store.get();
    const problems = core.validate(draft).problems.filter(({ field }) => field !== 'weights');
    controls.showProblems(problems);
    need('#kept').hidden = problems.length === 0;
    if (problems.length > 0) {
      announce(problems.map(({ message }) => message).join('. '));
      return;
    }
    const { settings } = core.validate({ ...draft, weights: goodWeights });
    if (!settings) return;
    if (again) {
      start(settings);
    } else if (view && sameRun(settings, shown)) {
      // Back where the figures already are: whatever was on its way is no longer wanted.
      giveUpRun();
      progress.end();
    } else if (!wanted || !sameRun(settings, wanted)) {
      start(settings);
    }
  }

  /** Scores what is already computed under the weights of the moment. */
  function rescore() {
    const wish = store.get().draft.weights ?? goodWeights;
    const problem = core.validate({ weights: wish }).problems[0];
    weights.showProblem(problem ?? null);
    if (problem) return;
    goodWeights = wish;
    if (!view) return;
    view.set_weights(...wish);
    showVerdict(view.verdict(), ofPaper);
    figures.redraw();
    lab?.weigh(wish);
  }

  store.subscribe((_, changed) => {
    if (changed.includes('weights')) rescore();
    if (changed.some((key) => key !== 'weights')) {
      clearTimeout(pause);
      pause = setTimeout(() => check(), DEBOUNCE);
    }
  });

  need('#paper-settings').addEventListener('click', () => store.edit({ ...paper }));
  need('#verdict-return').addEventListener('click', () => store.edit({ ...paper }));
  need('#lab-again').addEventListener('click', equip);
  need('#again').addEventListener('click', () => check(true));
  need('#version').textContent = core.version();
  startTheme(need('#theme'), () => {
    figures.redraw();
    lab?.redraw();
  });

  /** @param {Report} report @param {number} ms */
  function show(report, ms) {
    const former = view;
    view = new core.View(report);
    view.set_weights(...goodWeights);
    shown = report.settings;
    ofPaper = report.paper_settings;
    wanted = null;
    progress.end();
    need('#live').hidden = false;
    need('#printed').hidden = true;
    need('#late').hidden = true;
    figures.show(view);
    latest = { report, ms };
    if (lab) lab.show(report, ms);
    // What is asked for in a frame is on its way before that frame is on the screen.
    else figures.whenDrawn(() => setTimeout(equip));
    former?.free();
    const verdict = view.verdict();
    showVerdict(verdict, ofPaper);
    showTime(ms);
    showDifferences(differences(core.fields(), paper, report.settings));
    if (former) announce(`Computed anew. ${verdict.sentence}`);
  }

  /** A run ended in an error. @param {unknown} error */
  function fail(error) {
    wanted = null;
    if (error instanceof Refusal) {
      progress.say(`The run was refused. ${error.message}`);
      controls.showProblems([error.problem]);
    } else {
      const why = reason(error);
      settle(`The run broke off (${why})`, `The computation broke off (${why}).`);
    }
  }

  return {
    /** The page's own code failed. @param {unknown} error */
    failed(error) {
      const why = reason(error);
      settle(`Something went wrong on this page (${why})`, `Something went wrong (${why}).`);
    },
  };
}

async function boot() {
  const missing = missingFeature();
  if (missing) {
    giveUp(
      `${missing} This page needs a browser with WebAssembly and its SIMD instructions: Chrome or Edge 91, Firefox 114, Safari 16.4, or later.`,
    );
    return;
  }
  const linked = location.search.length > 1;
  /** @type {ReturnType<typeof createPage> | undefined} */
  let page;
  addEventListener('error', ({ error, message }) => {
    // No failure: sizes that changed while they were told are told with the next frame.
    if (!error && message.startsWith('ResizeObserver loop')) return;
    page?.failed(error ?? message);
  });
  addEventListener('unhandledrejection', ({ reason }) => page?.failed(reason));
  try {
    // What a link leaves of the page is found while the core comes. Without it all of the page is there.
    const arranging = linked ? import('../../shell/arrange.js').catch(() => null) : null;
    const { core, pool } = await startEngine();
    const link = linked ? core.parse_state(location.search) : null;
    page = createPage(core, pool, link);
    if (link) (await arranging)?.arrange(core, link.state);
  } catch (error) {
    giveUp(
      `The page’s computing core could not be loaded (${reason(error)}). Reload the page to try again.`,
    );
  }
}

boot();
