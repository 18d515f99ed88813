// @ts-check
/**
 * Everything that bends, keeps and shares a result: loaded, with a build of the core of its own, once
 * the paper is drawn.
 */

import { createBenchmark } from '../../lab/bench.js';
import { createComparison } from '../../lab/compare.js';
import { createEnsemble } from '../../lab/ensemble.js';
import { createOwn } from '../../lab/own/own.js';
import { arrangement, embedded, goAhead, onRearranged } from '../../shell/arrange.js';
import { el, need } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';
import { startFramed } from '../../shell/framed.js';
import { createLink } from '../../shell/link.js';
import { keepOffline } from '../../shell/offline.js';
import { createScript } from '../../shell/script.js';
import { shelf } from '../../shell/shelf.js';
import { openLab } from '../../workers/engine.js';
import { createExplanations } from './explain.js';
import { BOXES, createPareto } from './pareto.js';
import { createRecipe } from './recipe.js';
import { createSimplex } from './simplex.js';
import { createStresses } from './stress.js';

/**
 * @typedef {object} Desk what the lab needs of the page
 * @property {import('../../workers/pool.js').Pool} pool
 * @property {(text: string) => void} announce
 * @property {{ state: LinkState, changes: LinkChange[] } | null} link what the page was opened with
 * @property {() => Settings} settings shown or on their way, under the weights of the moment
 * @property {(draft: Draft) => void} apply
 * @property {(view: View | null) => void} overlay has the page's figures drawn from the lab's view; null: from its own
 */

/** @param {Desk} desk */
export async function createLab({ pool, announce, link: opened, settings, apply, overlay }) {
  const core = await openLab();
  const paper = core.defaults();
  /** @type {View | null} */
  let view = null;
  /** @type {Report | null} */
  let shown = null;
  /** @type {Weights} */
  let weights = settings().weights;

  const figures = new Figures(
    document.querySelectorAll('#map [data-figure], #fronts [data-figure]'),
    announce,
    () => view,
  );
  /** @param {string} id */
  const figure = (id) => {
    const found = figures.of(id);
    if (!found) throw new Error(`the page has no figure ${id}`);
    return found;
  };
  const ensemble = createEnsemble({
    element: need('#ensemble'),
    core,
    pool,
    announce,
    onChoice: () => link.remember(),
  });
  const simplex = createSimplex({
    stage: figure('simplex').stage,
    canvas: figure('simplex').canvas,
    view: () => view,
    weights: () => weights,
    onWeights: (wish) => apply({ weights: wish }),
    announce,
  });
  const pareto = createPareto({
    controls: need('#ties'),
    stage: figure(BOXES).stage,
    canvas: figure(BOXES).canvas,
    view: () => view,
    redraw: (ids) => figures.refresh(ids),
    announce,
  });
  const comparison = createComparison({
    core,
    pool,
    view: () => view,
    report: () => shown,
    weights: () => weights,
    apply,
    overlay,
    redraw: (ids) => figures.refresh(ids),
    onChange: () => link.remember(),
    announce,
  });
  /** Loaded when the reader comes near. @type {ReturnType<typeof import('../../lab/families.js')['createFamilies']> | null} */
  let families = null;
  /** @type {ReturnType<typeof import('../../lab/training.js')['createTraining']> | null} */
  let training = null;
  /** The study of families that a link asks for, until there is a form for it. */
  let study = opened?.state.families ?? null;
  /** What a link says of somebody's own files, until there is a place for them. */
  let ownText = () => opened?.state.own ?? null;
  const link = createLink({
    core,
    view: () => view,
    settings,
    ensemble: ensemble.choices,
    pin: comparison.settings,
    families: () => (families ? families.study() : study),
    own: () => ownText(),
    apply(state) {
      ensemble.choose(state.seeds, state.vary);
      comparison.open(state.pin);
      study = state.families;
      families?.choose(study);
      own.choose(state.own);
      apply(state.settings);
    },
    announce,
    onState: (whole) => framed?.follow(whole),
  });
  onRearranged(() => link.remember());
  const framed = embedded()
    ? startFramed({
        core,
        visit(query) {
          const { embed, theme, id } = arrangement();
          link.visit(query, { embed, theme, id });
        },
      })
    : null;
  need('#embed').addEventListener('click', async () => {
    try {
      const { openEmbedding } = await import('../../shell/embed.js');
      if (view) openEmbedding({ core, view, query: link.query });
    } catch {
      announce('This part of the page could not be loaded.');
    }
  });
  const stresses = createStresses(paper, (draft) => apply({ ...draft, weights }));
  const script = createScript({ core, settings, announce });
  const own = createOwn({
    container: need('#own'),
    core,
    weights: () => weights,
    script: script.show,
    announce,
    linked: opened?.state.own ?? null,
    onChange: () => link.remember(),
  });
  ownText = own.text;
  createExplanations();
  createRecipe({ core, settings });
  const benchmark = createBenchmark({ element: need('#benchmark'), pool, core, announce });
  if (opened) {
    link.open(opened);
    ensemble.choose(opened.state.seeds, opened.state.vary);
    comparison.open(opened.state.pin);
  }
  keepOffline(announce);
  const nearing = new IntersectionObserver(
    async ([entry]) => {
      if (!entry?.isIntersecting) return;
      nearing.disconnect();
      try {
        const [{ createFamilies }, { createTraining }] = await Promise.all([
          import('../../lab/families.js'),
          import('../../lab/training.js'),
        ]);
        const element = need('#families');
        families = createFamilies({
          element,
          core,
          pool,
          weights,
          given: own.given,
          announce,
          study,
          onChange: () => link.remember(),
        });
        const train = el('div', { id: 'train', class: 'train' });
        element.append(train);
        training = createTraining({
          element: train,
          core,
          pool,
          given: own.given,
          announce,
          onScore: null,
        });
      } catch {
        announce('This part of the page could not be loaded.');
        nearing.observe(need('#families'));
      }
    },
    { rootMargin: '400px' },
  );
  nearing.observe(need('#families'));

  function tellFlip() {
    if (view) need('#flip').textContent = view.flip_sentence();
  }

  return {
    /** The result that the page shows, as this build of the core sees it. */
    view: () => view,
    /** Takes the run that the page shows. @param {Report} report @param {number} ms */
    show(report, ms) {
      const former = view;
      const mine = new core.View(report);
      view = mine;
      view.set_weights(...weights);
      shelf.view = view;
      shown = report;
      pareto.apply(view);
      comparison.follow(view);
      figures.clear();
      // After the frame that lays out what has just been unfolded: asking for widths before it
      // would do that within this task.
      requestAnimationFrame(() =>
        setTimeout(() => {
          if (view !== mine) return;
          figures.show(view);
          goAhead();
        }),
      );
      simplex.update();
      tellFlip();
      ensemble.follow(report, ms, view);
      stresses.follow(report.settings);
      link.check();
      link.remember();
      former?.free();
    },
    /** @param {Weights} wish */
    weigh(wish) {
      weights = wish;
      if (view) {
        view.set_weights(...wish);
        figures.refresh(['simplex']);
        simplex.update();
        tellFlip();
        comparison.weigh();
        link.remember();
      }
      ensemble.weigh(wish);
      families?.weigh(wish);
      own.weigh(wish);
    },
    /** Another theme. */
    redraw() {
      figures.redraw();
      ensemble.redraw();
      own.redraw();
      comparison.redraw();
      benchmark.redraw();
      families?.redraw();
      training?.redraw();
    },
  };
}
