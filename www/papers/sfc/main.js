// @ts-check
/** Ties the parts together: what somebody changes, what is run for it, and what is shown. */

import { createControls } from '../../shell/controls.js';
import { createButton, need, reason } from '../../shell/dom.js';
import { unsupported } from '../../shell/features.js';
import { createAnnouncer, Figures } from '../../shell/figures.js';
import { createProgress } from '../../shell/progress.js';
import { createStore, differences, sameRun } from '../../shell/state.js';
import { startTheme } from '../../shell/theme.js';
import { startEngine } from '../../workers/engine.js';
import { Refusal } from '../../workers/pool.js';
import { showDifferences, showFinding, showTime, showVerdict } from './verdict.js';
import { createWeights } from './weights.js';

/** Typing pauses this long before a run starts. */
const DEBOUNCE = 250;

const announce = createAnnouncer();

/** The page cannot compute: it says why, and the printed tables stay. @param {string} reason */
function giveUp(reason) {
  delete document.documentElement.dataset.embed;
  showFailure('Nothing could be computed here.', `${reason} The tables below are the paper’s own, as printed.`);
}

/** Stands where the verdict would. @param {string} sentence @param {string} why @param {HTMLElement} [way] a button that leads on */
function showFailure(sentence, why, way) {
  need('#verdict').dataset.outcome = 'failed';
  need('#verdict-sentence').textContent = sentence;
  need('#verdict-time').textContent = '';
  const line = need('#late');
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
    this.#weightControls = createWeights(this.#store, core);
    this.#listen();
  }

  /** The page's own code failed. @param {unknown} error */
  failed(error) {
    const why = reason(error);
    this.#settle(`Something went wrong on this page (${why})`, `Something went wrong (${why}).`);
  }

  #listen() {
    this.#store.subscribe((_, changed) => {
      if (changed.includes('weights')) this.#rescore();
      if (changed.some((key) => key !== 'weights')) {
        clearTimeout(this.#pause);
        this.#pause = setTimeout(() => this.#check(), DEBOUNCE);
      }
    });
    for (const button of ['#paper-settings', '#verdict-return'])
      need(button).addEventListener('click', () => this.#returnToPaper());
    need('#lab-again').addEventListener('click', () => this.#openLab());
    need('#again').addEventListener('click', () => this.#check(true));
    startTheme(need('#theme'), () => {
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
        follow: (labView) => this.#figures.follow(labView),
        refresh: (ids) => this.#figures.refresh(ids),
      });
      this.#lab = lab;
      // The browser may have come to nothing else since the lab's code arrived.
      await new Promise((resolve) => setTimeout(resolve));
      lab.weigh(this.#weights);
      document.body.dataset.lab = 'ready';
      if (this.#latest) lab.show(this.#latest.report, this.#latest.ms);
    } catch (error) {
      this.#labAsked = false;
      document.body.dataset.lab = 'failed';
      need('#lab-reason').textContent = reason(error);
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
      if (!signal.aborted) this.#show(report, ms);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @returns {boolean} whether there was a run to give up */
  #giveUpRun() {
    if (!this.#wanted) return false;
    this.#running?.abort();
    this.#wanted = null;
    return true;
  }

  #cancel() {
    if (this.#giveUpRun()) this.#settle('Cancelled', 'The run was cancelled.');
  }

  /** A run ended without a result. @param {string} what @param {string} sentence */
  #settle(what, sentence) {
    this.#progress.end();
    if (this.#view) this.#progress.say(`${what}. The figures still show the last finished run.`);
    else this.#showNone('Nothing has been computed yet.', sentence, 'Try again', () => this.#check(true));
  }

  /**
   * Where no run has come to anything, the controls are there without the figures, and so is a way on.
   *
   * @param {string} sentence @param {string} why @param {string} words @param {() => void} goOn
   */
  #showNone(sentence, why, words, goOn) {
    const way = createButton(words, { class: 'quiet', id: 'go-on' }, goOn);
    showFailure(sentence, why, way);
    announce(`${sentence} ${why}`);
    const live = need('#live');
    live.dataset.only = 'controls';
    need('#printed').hidden = true;
    live.hidden = false;
    this.#openLab();
  }

  /** A run ended in an error. @param {unknown} error */
  #fail(error) {
    this.#wanted = null;
    if (error instanceof Refusal) {
      this.#controls.showProblems([error.problem]);
      if (this.#view) {
        this.#progress.say(`The run was refused. ${error.message}`);
      } else {
        this.#progress.end();
        const why = error.message.replace(/^./u, (first) => first.toUpperCase()).replace(/\.?$/, '.');
        this.#showNone('These settings cannot be run.', why, 'Return to the paper', () =>
          this.#returnToPaper(),
        );
      }
    } else {
      const why = reason(error);
      this.#settle(`The run broke off (${why})`, `The computation broke off (${why}).`);
    }
  }

  /** Asks the core about everything that was typed, and runs what it accepts. @param {boolean} [again] */
  #check(again = false) {
    clearTimeout(this.#pause);
    const { draft } = this.#store.get();
    const { problems, settings } = this.#core.validate({ ...draft, weights: this.#weights });
    this.#controls.showProblems(problems);
    need('#kept').hidden = problems.length === 0;
    if (problems.length > 0) {
      announce(problems.map(({ message }) => message).join('. '));
      return;
    }
    if (!settings) return;
    if (again) {
      this.#start(settings);
    } else if (this.#view && sameRun(settings, this.#shown)) {
      // Back where the figures already are: whatever was on its way is no longer wanted.
      this.#giveUpRun();
      this.#progress.end();
    } else if (!this.#wanted || !sameRun(settings, this.#wanted)) {
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
    this.#lab?.weigh(wish);
  }

  /** @param {Report} report @param {number} ms */
  #show(report, ms) {
    const former = this.#view;
    const view = (this.#view = this.#core.Study.open('sfc', report));
    view.set_weights(...this.#weights);
    this.#shown = report.settings;
    this.#ofPaper = report.paper_settings;
    this.#wanted = null;
    this.#progress.end();
    const live = need('#live');
    // What led on goes; the focus must not.
    if (need('#late').contains(document.activeElement)) need('#main').focus({ preventScroll: true });
    delete live.dataset.only;
    live.hidden = false;
    need('#printed').hidden = true;
    need('#late').hidden = true;
    this.#figures.show(view);
    this.#latest = { report, ms };
    if (this.#lab) this.#lab.show(report, ms);
    // What is asked for in a frame is on its way before that frame is on the screen.
    else this.#figures.whenDrawn(() => setTimeout(() => this.#openLab()));
    former?.free();
    const verdict = view.verdict();
    showVerdict(verdict, this.#ofPaper);
    showFinding(report, verdict, this.#ofPaper);
    showTime(ms);
    showDifferences(differences(this.#core.fields(), this.#paper, report.settings));
    if (former) announce(`Computed anew. ${verdict.sentence}`);
  }
}

async function boot() {
  document.documentElement.dataset.begun = '';
  const why = unsupported();
  if (why) {
    giveUp(why);
    return;
  }
  const linked = location.search.length > 1;
  /** @type {PaperPage | undefined} */
  let page;
  addEventListener('error', ({ error, message }) => {
    // No failure: sizes that changed while they were told are told with the next frame.
    if (!error && message.startsWith('ResizeObserver loop')) return;
    page?.failed(error ?? message);
  });
  addEventListener('unhandledrejection', ({ reason }) => page?.failed(reason));
  try {
    // What a link leaves of the page is found while the core comes. Without it all of the page is there.
    const hiding = linked ? import('../../shell/visibility.js').catch(() => null) : null;
    const { core, pool } = await startEngine();
    const link = linked ? core.parse_state(location.search) : null;
    page = new PaperPage(core, pool, link);
    if (link) (await hiding)?.setVisibility(core, link.state);
  } catch (error) {
    giveUp(
      `The page’s computing core could not be loaded (${reason(error)}). Reload the page to try again.`,
    );
  }
}

boot();
