// @ts-check
/**
 * A reader's own files: opened, planned and measured here, away from the page's own thread. Only what
 * the core asks for is read of them. One request is one synchronous call; whoever cancels ends this
 * worker and opens the files in another, which reads their headers only.
 */
import init, { EvaluateFiles, evaluate_example } from '../pkg/sfc_bench_lab.js';
import { measure, partsOf } from './own-run.js';

const scope = /** @type {OwnScope} */ (/** @type {unknown} */ (self));

/** @type {Promise<unknown>} */
let ready = Promise.resolve();
/** @type {EvaluateFiles | null} */
let files = null;
/** The last plan, or its run. @type {import('../pkg/sfc_bench_lab.js').EvaluateRun | null} */
let planned = null;

const opened = () => (files ??= new EvaluateFiles());

/** What can be asked. @type {Record<string, (task: any, tell: (progress: OwnProgress) => void) => unknown>} */
const HANDLERS = {
  /** @param {{ name: string, file: Blob }} task */
  add({ name, file }) {
    return opened().addFile(name, file.size, partsOf(file));
  },
  /** @param {{ name: string }} task */
  remove({ name }) {
    opened().remove(name);
  },
  /** @param {{ request: OwnRequest }} task */
  plan({ request }) {
    planned?.free();
    planned = null;
    planned = opened().plan(request);
    return planned.describe();
  },
  /** Activations as a world; and rows of it, where they are asked for. @param {{ request: OwnGiven, rows?: number }} task */
  given({ request, rows }) {
    const given = opened().given(request);
    try {
      return rows === undefined ? given.world(true) : given.draw(rows);
    } finally {
      given.free();
    }
  },
  run(_task, tell) {
    const run = planned;
    if (!run) throw new Error('nothing is planned');
    const found = measure(run, tell);
    planned = null;
    run.free();
    return found;
  },
  example: () =>
    evaluate_example().map(({ role, name, bytes }) => ({ role, file: new File([bytes], name) })),
};

/** @param {OwnTask} task */
async function answer({ id, kind, ...task }) {
  try {
    await ready;
    const handler = HANDLERS[kind];
    if (!handler) throw new Error(`no worker knows how to do ${kind}`);
    const result = handler(task, (progress) => scope.postMessage({ type: 'progress', id, progress }));
    scope.postMessage({ type: 'done', id, result });
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
      const { code, message, field } = /** @type {Problem} */ (error);
      scope.postMessage({ type: 'failed', id, problem: { code, message, field } });
    } else {
      // The core's memory may be in any state now: the page ends this worker.
      scope.postMessage({ type: 'crashed', id, message: String(error) });
    }
  }
}

scope.addEventListener('message', ({ data }) => {
  if ('module' in data) ready = init({ module_or_path: data.module });
  else answer(data);
});
