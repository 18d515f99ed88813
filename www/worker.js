// @ts-check
/**
 * One run at a time, away from the main thread. The module arrives compiled; a run is one
 * synchronous call, so cancelling means ending this worker.
 */
import init, { run } from './pkg/sfc_bench.js';

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

/** @param {FromWorker} message */
const send = (message) => scope.postMessage(message);

/** @type {Promise<unknown>} */
let ready = Promise.resolve();

/** What the core throws on purpose; anything else is a trap. @param {unknown} error @returns {error is Problem} */
function isProblem(error) {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** @param {number} id @param {Settings} settings */
function answer(id, settings) {
  try {
    const start = performance.now();
    const report = run(settings, (stage, fraction) =>
      send({ type: 'progress', id, stage, fraction }),
    );
    send({ type: 'done', id, report, ms: performance.now() - start });
  } catch (error) {
    if (isProblem(error)) {
      const { code, message, field, value, allowed } = error;
      send({ type: 'failed', id, problem: { code, message, field, value, allowed } });
    } else {
      // A trap leaves the instance's memory in an unknown state: the page throws this worker away.
      send({ type: 'crashed', id, message: String(error) });
    }
  }
}

scope.addEventListener('message', async ({ data }) => {
  if (data.type === 'init') {
    ready = init({ module_or_path: data.module });
    // A failure is told by the run that waits for it.
    ready.then(
      () => send({ type: 'ready' }),
      () => {},
    );
    return;
  }
  try {
    await ready;
  } catch (error) {
    send({ type: 'crashed', id: data.id, message: String(error) });
    return;
  }
  answer(data.id, data.settings);
});
