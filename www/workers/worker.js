// @ts-check
/**
 * One task at a time, away from the main thread. The module arrives compiled; a task is one
 * synchronous call, so cancelling means ending this worker.
 */
import init, { run, SeedRunner } from '../pkg/sfc_bench.js';

const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (self));

/** @param {FromWorker} message */
const send = (message) => scope.postMessage(message);

/** @type {Promise<unknown>} */
let ready = Promise.resolve();

/** What the core throws on purpose; anything else is a trap. @param {unknown} error @returns {error is Problem} */
function isProblem(error) {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/** The plan of the last seeds: the next are of the same, as a rule. @type {{ key: string, runner: SeedRunner } | null} */
let kept = null;

/** @param {Plan} plan */
function runnerOf(plan) {
  const key = JSON.stringify(plan);
  if (kept?.key !== key) {
    kept?.runner.free();
    kept = null;
    kept = { key, runner: new SeedRunner(plan.settings, plan.varied) };
  }
  return kept.runner;
}

/** @typedef {(task: any, tell: (stage: string, fraction: number) => void) => any} Handler */

/** What each kind of task does. @type {Record<string, Handler>} */
const HANDLERS = {
  /** @param {{ settings: Settings }} task */
  run({ settings }, tell) {
    const start = performance.now();
    const report = run(settings, tell);
    return { report, ms: performance.now() - start };
  },
  /** @param {{ plan: Plan, from: number, to: number }} task */
  seeds({ plan, from, to }) {
    const start = performance.now();
    const members = runnerOf(plan).members(from, to);
    return { members, ms: performance.now() - start };
  },
};

/** @param {number} id @param {Task} task */
async function answer(id, task) {
  try {
    await ready;
    if (task.kind.startsWith('bench-') && !(task.kind in HANDLERS)) {
      // Few ever ask for it.
      Object.assign(HANDLERS, (await import('./worker-bench.js')).benchHandlers);
    }
    if (/^(families|train)/.test(task.kind) && !(task.kind in HANDLERS)) {
      Object.assign(HANDLERS, (await import('./worker-families.js')).familiesHandlers);
    }
    const handler = HANDLERS[task.kind];
    if (!handler) throw new Error(`no worker knows how to do ${task.kind}`);
    const result = await handler(task, (stage, fraction) =>
      send({ type: 'progress', id, stage, fraction }),
    );
    send({ type: 'done', id, result });
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

/**
 * Takes a lock for life, by which the page knows that this worker lives. Where there are none
 * (an opaque origin), it does without.
 *
 * @param {string} lock @returns {Promise<boolean>}
 */
function holdForLife(lock) {
  return new Promise((resolve) => {
    const held = () => {
      resolve(true);
      return new Promise(() => {});
    };
    if (!navigator.locks) resolve(false);
    else navigator.locks.request(lock, held).catch(() => resolve(false));
  });
}

scope.addEventListener('message', ({ data }) => {
  if (data.type === 'task') {
    answer(data.id, data.task);
    return;
  }
  ready = init({ module_or_path: data.module });
  Promise.all([holdForLife(data.lock), ready]).then(
    ([held]) => send(held ? { type: 'ready', lock: data.lock } : { type: 'ready' }),
    // A failure is told by the task that waits for it.
    () => {},
  );
});
