// @ts-check
/** How it is made: prose, and what is loaded for it when the reader comes near. */

import { createBenchmark } from '../lab/bench.js';
import { requireElement, describeError } from '../shell/dom.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { openLab, startEngine } from '../workers/engine.js';
import { requireSupport, startPage } from './start.js';

startPage('method', ({ view, announce }) => {
  const place = requireElement('#benchmark', view);
  /** @type {ReturnType<typeof createBenchmark> | undefined} */
  let benchmark;
  whenNearViewport(place, async () => {
    try {
      requireSupport();
      // What is measured is the paper’s build, as its page has it.
      const [{ pool }, core] = await Promise.all([startEngine(), openLab()]);
      benchmark = createBenchmark({ element: place, pool, core, announce });
      const bibtex = requireElement('#bibtex', view);
      requireElement('code', bibtex).textContent = `${core.bibtex('paper')}\n${core.bibtex('software')}`;
      bibtex.hidden = false;
    } catch (error) {
      place.append(`The benchmark could not be loaded: ${describeError(error)}`);
    }
  });
  return { redraw: () => benchmark?.redraw() };
});
