// @ts-check
/**
 * Everything that bends, keeps and shares a result: loaded, with a build of the core of its own, once
 * the paper is drawn.
 */

import { PinnedComparison } from '../../lab/compare.js';
import { EnsembleSection } from '../../lab/ensemble.js';
import {
  isEmbedded,
  onVisibilityChange,
  scrollToLinkedFigure,
  setVisibility,
  getVisibility,
} from '../../shell/visibility.js';
import { requireElement } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';
import { startEmbeddedPage } from '../../shell/embedded.js';
import { setUpPage } from '../../shell/page-setup.js';
import { loadLaterStyles } from '../../shell/later-styles.js';
import { createLink } from '../../shell/link.js';
import { enableOffline } from '../../shell/offline.js';
import { nextTask } from '../../shell/schedule.js';
import { createScriptDialog } from '../../shell/program-panel.js';
import { createRovingFocus } from '../../shell/roving-tabindex.js';
import { isSameRun } from '../../shell/state.js';
import { createBottomSheet } from '../../shell/bottom-sheet.js';
import { canPrecompute } from '../../shell/data-saver.js';
import { exportables } from '../../shell/exportables.js';
import { openLab } from '../../workers/engine.js';
import { fillExplanations } from './explain.js';
import { BOXES_FIGURE, createParetoControls } from './pareto.js';
import { impliedSentence } from './implied-c.js';
import { createRecipeDrawer } from './recipe.js';
import { createSimplexControl } from './simplex.js';
import { createScenarioCharts } from './scenario-charts.js';

/**
 * @typedef {object} Page what the lab needs of it
 * @property {import('../../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {{ state: LinkState, changes: LinkChange[] } | null} link what the page was opened with
 * @property {() => Settings} settings shown or on their way, under the weights of the moment
 * @property {(draft: Draft) => void} apply
 * @property {(view: View) => void} follow has the page's figures drawn from the lab's view from now on
 * @property {(ids: readonly string[]) => void} refresh draws some of the page's figures anew
 * @property {(view: View | null) => void} overlay has the page's figures drawn from the lab's view; null: from its own
 */

/** What the bar of the controls says on a narrow screen. @param {Weights} weights */
const panelLabel = (weights) => `Weights ${weights.join(':')} · Settings`;

/** Its parts, and what they are told. */
class PaperLab {
  #core;
  #page;
  /** @type {View | null} */
  #view = null;
  /** @type {Report | null} */
  #shown = null;
  #weights;
  #figures;
  #ensemble;
  #simplex;
  #pareto;
  #comparison;
  #link;
  #scenarios;
  /** @type {ReturnType<typeof setUpPage> | undefined} */
  #furniture;
  #sheet = createBottomSheet(requireElement('.panel'));
  /** @type {ReturnType<typeof startEmbeddedPage> | null} */
  #framed = null;

  /** @param {Lab} core @param {Page} page */
  constructor(core, page) {
    this.#core = core;
    this.#page = page;
    this.#weights = page.settings().weights;
    const { pool, announce, apply, overlay } = page;
    const tools = { core, pool, announce };
    const view = () => this.#view;
    const weights = () => this.#weights;
    const remember = () => this.#link.remember();
    this.#figures = new Figures(
      document.querySelectorAll('#map [data-figure], #fronts [data-figure]'),
      announce,
      view,
    );
    const redraw = (/** @type {readonly string[]} */ ids) => this.#figures.refresh(ids);
    this.#ensemble = new EnsembleSection({
      ...tools,
      element: requireElement('#ensemble > details'),
      onChoice: remember,
      // Its bands lie behind the first figure of the page.
      ...(isEmbedded() || !canPrecompute() ? {} : { hero: requireElement('[data-figure=fig1b]') }),
      onSummed: (seeds) => {
        this.#view?.show_seeds(seeds);
        page.refresh(['fig1b']);
      },
    });
    this.#simplex = createSimplexControl({
      ...this.#findFigure('simplex'),
      view,
      weights,
      onWeights: (wish) => apply({ weights: wish }),
      announce,
    });
    this.#pareto = createParetoControls(tools, { controls: requireElement('#ties'), ...this.#findFigure(BOXES_FIGURE), view, redraw });
    this.#comparison = new PinnedComparison({
      ...tools,
      ...{ view, weights, apply, overlay, redraw },
      report: () => this.#shown,
      onChange: remember,
    });
    this.#scenarios = createScenarioCharts(tools, { apply: (draft) => apply({ ...draft, weights: this.#weights }) });
    this.#link = this.#createLink();
  }

  /** What is left to build once the parts are there, in a task of its own. */
  finishSetup() {
    this.#createDialogs();
    this.#openLink(this.#page.link);
    fillExplanations();
    enableOffline(this.#page.announce);
    for (const group of ['.keep', '#stress']) createRovingFocus(requireElement(group), 'button');
    this.#furniture = setUpPage(requireElement('.view[data-view=paper]'));
    this.#sheet.say(panelLabel(this.#weights));
  }

  /** Where a figure is. @param {string} id */
  #findFigure(id) {
    const found = this.#figures.findById(id);
    if (!found) throw new Error(`the page has no figure ${id}`);
    return { stage: found.stage, canvas: found.canvas };
  }

  #createLink() {
    const core = this.#core;
    const { settings, apply, announce } = this.#page;
    const link = createLink({
      core,
      view: () => this.#view,
      settled: () => this.#shown !== null && isSameRun(settings(), this.#shown.settings),
      settings,
      ensemble: () => this.#ensemble.getChoices(),
      pin: () => this.#comparison.pinnedSettings(),
      apply: (state) => {
        this.#ensemble.setChoices(state.seeds, state.vary);
        this.#comparison.pinFromLink(state.pin);
        apply(state.settings);
      },
      announce,
      onState: (whole) => this.#framed?.follow(whole),
    });
    onVisibilityChange(() => link.remember());
    if (isEmbedded()) {
      this.#framed = startEmbeddedPage({
        core,
        visit(query) {
          const { embed, theme, id } = getVisibility();
          link.visit(query, { embed, theme, id });
        },
      });
    }
    return link;
  }

  #createDialogs() {
    const core = this.#core;
    const { settings, announce } = this.#page;
    requireElement('#embed').addEventListener('click', async () => {
      try {
        const { openEmbedDialog: openEmbedding } = await import('../../shell/embed.js');
        const [view, report] = [this.#view, this.#shown];
        if (view && report) openEmbedding({ core, view, report, query: this.#link.query });
      } catch {
        announce('This part of the page could not be loaded.');
      }
    });
    const showScript = createScriptDialog(announce);
    requireElement('#numpy').addEventListener('click', () =>
      showScript(
        core.numpy_script(settings()),
        'sfc_check.py',
        'The settings of this page as a program that needs nothing but NumPy. It prints the same tables; with --json, at full precision.',
      ),
    );
    createRecipeDrawer({ core, settings });
  }

  /** Takes what the page was opened with. @param {Page['link']} opened */
  #openLink(opened) {
    if (!opened) return;
    this.#link.open(opened);
    // The parts that came with the lab are hidden, or shown alone, as the others are.
    setVisibility(this.#core, getVisibility());
    this.#ensemble.setChoices(opened.state.seeds, opened.state.vary);
    this.#comparison.pinFromLink(opened.state.pin);
  }

  #updateFlipSentence() {
    if (this.#view) requireElement('#flip').textContent = this.#view.flip_sentence();
  }

  /** The result that the page shows, as this build of the core sees it. */
  view() {
    return this.#view;
  }

  /** Takes the run that the page shows. @param {Report} report @param {number} ms */
  showReport(report, ms) {
    const former = this.#view;
    const view = this.#core.Study.open('comparison', { now: report, pinned: null });
    this.#view = view;
    view.set_weights(...this.#weights);
    exportables.view = view;
    this.#shown = report;
    this.#pareto.apply(view);
    this.#page.follow(view);
    this.#comparison.showRun(view);
    this.#figures.clear();
    // After the frame that lays out what has just been unfolded: asking for widths before it
    // would do that within this task.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.#view !== view) return;
        this.#figures.show(view);
        scrollToLinkedFigure();
      }),
    );
    // In a task of its own, so that none grows long.
    setTimeout(() => {
      if (this.#view !== view) return;
      this.#simplex.update();
      this.#updateFlipSentence();
    });
    this.#ensemble.showRun(report, ms, view);
    this.#scenarios.follow(report.settings);
    const implied = report.paper_settings ? impliedSentence(report.cross) : null;
    requireElement('#implied').textContent = implied ?? '';
    requireElement('#implied').hidden = implied === null;
    // Under other settings cells are expected to differ, which is no failure.
    this.#furniture?.mark(report.paper_settings ? view.verdict().per_table : []);
    this.#link.check();
    this.#link.remember();
    former?.free();
  }

  /** @param {Weights} wish */
  updateWeights(wish) {
    this.#weights = wish;
    this.#sheet.say(panelLabel(wish));
    if (this.#view) {
      this.#view.set_weights(...wish);
      this.#figures.refresh(['simplex']);
      this.#simplex.update();
      this.#updateFlipSentence();
      this.#comparison.updateWeights();
      this.#link.remember();
    }
    this.#ensemble.updateWeights(wish);
  }

  /** Another theme. */
  redraw() {
    this.#figures.redraw();
    this.#ensemble.redraw();
    this.#scenarios.redraw();
    this.#comparison.redraw();
  }
}

/** @param {Page} page */
export async function createLab(page) {
  const [core] = await Promise.all([openLab(), loadLaterStyles()]);
  await nextTask();
  const lab = new PaperLab(core, page);
  await nextTask();
  lab.finishSetup();
  return lab;
}
