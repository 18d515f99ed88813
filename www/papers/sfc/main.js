// @ts-check
/** Ties the parts together: what somebody changes, what is run for it, and what is shown. */

import { createControls } from '../../shell/controls.js';
import { createButton, requireElement, describeError } from '../../shell/dom.js';
import { describeUnsupported } from '../../shell/features.js';
import { createAnnouncer, Figures } from '../../shell/figures.js';
import { createProgress } from '../../shell/progress.js';
import { createStore, describeDifferences, isSameRun } from '../../shell/state.js';
import { setUpThemeSwitch } from '../../shell/theme.js';
import { startEngine } from '../../workers/engine.js';
import { RefusalError } from '../../workers/pool.js';
import { showDifferences, showFinding, showDuration, showVerdict } from './verdict.js';
import { createWeightControls } from './weights.js';

/** Typing pauses this long before a run starts. */
const DEBOUNCE_DELAY = 250;

const announce = createAnnouncer();

/** The page cannot compute: it says why, and the printed tables stay. @param {string} reason */
function showUnavailable(reason) {
  delete document.documentElement.dataset.embed;
  showFailure('Nothing could be computed here.', `${reason} The tables below are the paper’s own, as printed.`);
}

/** Stands where the verdict would. @param {string} sentence @param {string} why @param {HTMLElement} [way] a button that leads on */
function showFailure(sentence, why, way) {
  requireElement('#verdict').dataset.outcome = 'failed';
  requireElement('#verdict-sentence').textContent = sentence;
  requireElement('#verdict-time').textContent = '';
  const line = requireElement('#late');
  line.replaceChildren(why, ...(way ? [' ', way] : []));
  line.classList.remove('late');
  line.hidden = false;
}

/** @typedef {Awaited<ReturnType<typeof import('./lab.js')['createLab']>>} LabOfPage everything beyond the paper */

/** The paper's page: what is shown, what is on its way, and what follows from a change of either. */
class PaperPage {
  #core;
  #pool;
  #link;
  #paper;
  #store;
  #figures;
  #progress;
  #controls;
  #weightControls;

  /** @type {View | null} */
  #view = null;
  /** Settings of the run that is shown. */
  #shown;
  #ofPaper = true;
  /** Settings of the run under way. @type {Settings | null} */
  #wanted = null;
  /** The run under way. @type {AbortController | null} */
  #running = null;
  /** The last that the core took. @type {Weights} */
  #weights;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** What the figures show. @type {{ report: Report, ms: number } | null} */
  #latest = null;
  /** @type {LabOfPage | null} */
  #lab = null;
  #labAsked = false;

  /**
   * @param {Core} core
   * @param {import('../../workers/pool.js').Pool} pool
   * @param {{ state: LinkState, changes: LinkChange[] } | null} link what the page was opened with
   */
  constructor(core, pool, link) {
    this.#core = core;
    this.#pool = pool;
    this.#link = link;
    this.#paper = core.defaults();
    this.#shown = link?.state.settings ?? this.#paper;
    this.#weights = this.#shown.weights;
    this.#store = createStore({ draft: { ...this.#shown } });
    this.#figures = new Figures(
      document.querySelectorAll('#live [data-figure]:not(.lab [data-figure])'),
      announce,
      () => this.#lab?.view() ?? null,
    );
    this.#progress = createProgress(() => this.#cancel(), announce);
    // The run begins before the controls are built.
    this.#start(this.#shown);
    this.#controls = createControls(this.#store, core);
    this.#weightControls = createWeightControls(this.#store, core);
    this.#bindEvents();
  }

  /** The page's own code failed. @param {unknown} error */
  handleError(error) {
    const why = describeError(error);
    this.#endWithoutResult(`Something went wrong on this page (${why})`, `Something went wrong (${why}).`);
  }

  #bindEvents() {
    this.#store.subscribe((_, changed) => {
      if (changed.includes('weights')) this.#rescore();
      if (changed.some((key) => key !== 'weights')) {
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#validateAndRun(), DEBOUNCE_DELAY);
      }
    });
    for (const button of ['#paper-settings', '#verdict-return'])
      requireElement(button).addEventListener('click', () => this.#returnToPaper());
    requireElement('#lab-again').addEventListener('click', () => this.#openLab());
    requireElement('#again').addEventListener('click', () => this.#validateAndRun(true));
    setUpThemeSwitch(requireElement('#theme'), () => {
      this.#figures.redraw();
      this.#lab?.redraw();
    });
  }

  #returnToPaper() {
    this.#store.edit({ ...this.#paper });
  }

  /** Loads the rest of the page, once the paper is drawn. */
  async #openLab() {
    if (this.#lab || this.#labAsked) return;
    this.#labAsked = true;
    document.body.dataset.lab = 'waiting';
    try {
      const { createLab } = await import('./lab.js');
      const lab = await createLab({
        pool: this.#pool,
        announce,
        link: this.#link,
        settings: () => ({ ...(this.#wanted ?? this.#shown), weights: this.#weights }),
        apply: (draft) => this.#store.edit(draft),
        overlay: (labView) => {
          const drawn = labView ?? this.#lab?.view() ?? this.#view;
          if (drawn) this.#figures.show(drawn);
        },
        follow: (labView) => this.#figures.setView(labView),
        refresh: (ids) => this.#figures.refresh(ids),
      });
      this.#lab = lab;
      // The browser may have come to nothing else since the lab's code arrived.
      await new Promise((resolve) => setTimeout(resolve));
      lab.updateWeights(this.#weights);
      document.body.dataset.lab = 'ready';
      if (this.#latest) lab.showReport(this.#latest.report, this.#latest.ms);
    } catch (error) {
      this.#labAsked = false;
      document.body.dataset.lab = 'failed';
      requireElement('#lab-reason').textContent = describeError(error);
    }
  }

  /** Runs settings; a run that is still under way is given up. @param {Settings} settings */
  async #start(settings) {
    this.#running?.abort();
    const { signal } = (this.#running = new AbortController());
    this.#wanted = settings;
    this.#progress.begin();
    try {
      const { report, ms } = await this.#pool.submit(
        { kind: 'run', settings },
        { priority: 1, signal, onProgress: this.#progress.update },
      );
      if (!signal.aborted) this.#showReport(report, ms);
    } catch (error) {
      if (!signal.aborted) this.#handleFailure(error);
    }
  }

  /** @returns {boolean} whether there was a run to give up */
  #abortRun() {
    if (!this.#wanted) return false;
    this.#running?.abort();
    this.#wanted = null;
    return true;
  }

  #cancel() {
    if (this.#abortRun()) this.#endWithoutResult('Cancelled', 'The run was cancelled.');
  }

  /** A run ended without a result. @param {string} what @param {string} sentence */
  #endWithoutResult(what, sentence) {
    this.#progress.end();
    if (this.#view) this.#progress.say(`${what}. The figures still show the last finished run.`);
    else this.#showNoResult('Nothing has been computed yet.', sentence, 'Try again', () => this.#validateAndRun(true));
  }

  /**
   * Where no run has come to anything, the controls are there without the figures, and so is a way on.
   *
   * @param {string} sentence @param {string} why @param {string} words @param {() => void} goOn
   */
  #showNoResult(sentence, why, words, goOn) {
    const way = createButton(words, { class: 'quiet', id: 'go-on' }, goOn);
    showFailure(sentence, why, way);
    announce(`${sentence} ${why}`);
    const live = requireElement('#live');
    live.dataset.only = 'controls';
    requireElement('#printed').hidden = true;
    live.hidden = false;
    this.#openLab();
  }

  /** A run ended in an error. @param {unknown} error */
  #handleFailure(error) {
    this.#wanted = null;
    if (error instanceof RefusalError) {
      this.#controls.showProblems([error.problem]);
      if (this.#view) {
        this.#progress.say(`The run was refused. ${error.message}`);
      } else {
        this.#progress.end();
        const why = error.message.replace(/^./u, (first) => first.toUpperCase()).replace(/\.?$/, '.');
        this.#showNoResult('These settings cannot be run.', why, 'Return to the paper', () =>
          this.#returnToPaper(),
        );
      }
    } else {
      const why = describeError(error);
      this.#endWithoutResult(`The run broke off (${why})`, `The computation broke off (${why}).`);
    }
  }

  /** Asks the core about everything that was typed, and runs what it accepts. @param {boolean} [again] */
  #validateAndRun(again = false) {
    clearTimeout(this.#pause);
    const { draft } = this.#store.get();
    const { problems, settings } = this.#core.validate({ ...draft, weights: this.#weights });
    this.#controls.showProblems(problems);
    requireElement('#kept').hidden = problems.length === 0;
    if (problems.length > 0) {
      announce(problems.map(({ message }) => message).join('. '));
      return;
    }
    if (!settings) return;
    if (again) {
      this.#start(settings);
    } else if (this.#view && isSameRun(settings, this.#shown)) {
      // Back where the figures already are: whatever was on its way is no longer wanted.
      this.#abortRun();
      this.#progress.end();
    } else if (!this.#wanted || !isSameRun(settings, this.#wanted)) {
      this.#start(settings);
    }
  }

  /** Scores what is already computed under the weights of the moment. */
  #rescore() {
    const wish = this.#store.get().draft.weights ?? this.#weights;
    const problem = this.#core.validate({ weights: wish }).problems[0];
    this.#weightControls.showProblem(problem ?? null);
    if (problem) return;
    this.#weights = wish;
    if (!this.#view) return;
    this.#view.set_weights(...wish);
    showVerdict(this.#view.verdict(), this.#ofPaper);
    this.#figures.redraw();
    this.#lab?.updateWeights(wish);
  }

  /** @param {Report} report @param {number} ms */
  #showReport(report, ms) {
    const former = this.#view;
    const view = (this.#view = this.#core.Study.open('sfc', report));
    view.set_weights(...this.#weights);
    this.#shown = report.settings;
    this.#ofPaper = report.paper_settings;
    this.#wanted = null;
    this.#progress.end();
    const live = requireElement('#live');
    // What led on goes; the focus must not.
    if (requireElement('#late').contains(document.activeElement)) requireElement('#main').focus({ preventScroll: true });
    delete live.dataset.only;
    live.hidden = false;
    requireElement('#printed').hidden = true;
    requireElement('#late').hidden = true;
    this.#figures.show(view);
    this.#latest = { report, ms };
    if (this.#lab) this.#lab.showReport(report, ms);
    // What is asked for in a frame is on its way before that frame is on the screen.
    else this.#figures.whenDrawn(() => setTimeout(() => this.#openLab()));
    former?.free();
    const verdict = view.verdict();
    showVerdict(verdict, this.#ofPaper);
    showFinding(report, verdict, this.#ofPaper);
    showDuration(ms);
    showDifferences(describeDifferences(this.#core.fields(), this.#paper, report.settings));
    if (former) announce(`Computed anew. ${verdict.sentence}`);
  }
}

async function start() {
  document.documentElement.dataset.begun = '';
  const why = describeUnsupported();
  if (why) {
    showUnavailable(why);
    return;
  }
  const linked = location.search.length > 1;
  /** @type {PaperPage | undefined} */
  let page;
  addEventListener('error', ({ error, message }) => {
    // No failure: sizes that changed while they were told are told with the next frame.
    if (!error && message.startsWith('ResizeObserver loop')) return;
    page?.handleError(error ?? message);
  });
  addEventListener('unhandledrejection', ({ reason }) => page?.handleError(reason));
  try {
    // What a link leaves of the page is found while the core comes. Without it all of the page is there.
    const hiding = linked ? import('../../shell/visibility.js').catch(() => null) : null;
    const { core, pool } = await startEngine();
    const link = linked ? core.parse_state(location.search) : null;
    page = new PaperPage(core, pool, link);
    if (link) (await hiding)?.setVisibility(core, link.state);
  } catch (error) {
    showUnavailable(
      `The page’s computing core could not be loaded (${describeError(error)}). Reload the page to try again.`,
    );
  }
}

start();
