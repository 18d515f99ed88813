// @ts-check
/**
 * Everything that bends, keeps and shares a result: loaded, with a build of the core of its own, once
 * the paper is drawn.
 */

import { createBenchmark } from './bench.js';
import { need } from './dom.js';
import { openLab } from './engine.js';
import { createEnsemble } from './ensemble.js';

/**
 * @typedef {object} Desk what the lab needs of the page
 * @property {import('./pool.js').Pool} pool
 * @property {(text: string) => void} announce
 */

/** @param {Desk} desk */
export async function createLab({ pool, announce }) {
  const core = await openLab();
  const ensemble = createEnsemble(core, pool, announce);
  const benchmark = createBenchmark({ element: need('#benchmark'), pool, core, announce });
  /** @type {View | null} */
  let view = null;
  /** @type {Weights} */
  let weights = core.defaults().weights;

  return {
    /** The result that the page shows, as this build of the core sees it. */
    view: () => view,
    /** Takes the run that the page shows. @param {Report} report @param {number} ms */
    show(report, ms) {
      const former = view;
      view = new core.View(report);
      view.set_weights(...weights);
      ensemble.follow(report, ms, view);
      former?.free();
    },
    /** @param {Weights} wish */
    weigh(wish) {
      weights = wish;
      view?.set_weights(...wish);
      ensemble.weigh(wish);
    },
    /** Another theme. */
    redraw() {
      ensemble.redraw();
      benchmark.redraw();
    },
  };
}
