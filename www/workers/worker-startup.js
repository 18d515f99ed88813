// @ts-check
/** A worker that lives for one result: how long it takes from a module to there. */
import init, { run } from '../pkg/sfc_bench.js';

const scope = /** @type {StartupScope} */ (/** @type {unknown} */ (self));

scope.addEventListener('message', async ({ data }) => {
  try {
    const start = performance.now();
    await init({ module_or_path: data.module });
    const ready = performance.now();
    run(data.settings, () => {});
    const done = performance.now();
    scope.postMessage({ type: 'done', instance: ready - start, first: done - ready });
  } catch (error) {
    scope.postMessage({ type: 'failed', message: String(error) });
  }
});
scope.postMessage({ type: 'up' });
