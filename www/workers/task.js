// @ts-check
/**
 * What a worker of the package does, in a browser or in Node: one task at a time, with the build of the
 * core that has everything, so that a page which embeds a figure fetches one build and not two.
 */

import init, { run } from '../pkg/sfc_bench_lab.js';

/** What the core throws on purpose; anything else is a trap. @param {unknown} error @returns {error is Problem} */
function isProblem(error) {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/**
 * Answers messages until the worker ends.
 *
 * @param {object} port
 * @param {(message: FromWorker) => void} port.send
 * @param {(hear: (message: ToWorker) => void) => void} port.listen
 * @param {(lock: string) => Promise<boolean>} port.hold takes a lock for life; false where there are none
 */
export function serve({ send, listen, hold }) {
  /** @type {(started: Promise<unknown>) => void} */
  let begin = () => {};
  /** A task may arrive before the core does. @type {Promise<unknown>} */
  const ready = new Promise((resolve) => (begin = resolve));

  /** @param {number} id @param {Task} task */
  async function answer(id, task) {
    try {
      await ready;
      /** @param {string} stage @param {number} fraction @param {unknown} [detail] */
      const tell = (stage, fraction, detail) =>
        send({ type: 'progress', id, stage, fraction, detail });
      if (task.kind === 'run') {
        const start = performance.now();
        const report = run(task.settings, tell);
        send({ type: 'done', id, result: { report, ms: performance.now() - start } });
        return;
      }
      // Few pages ever ask for it.
      const { handlers } = await import('./task-lab.js');
      const handler = /** @type {Record<string, (task: any, tell: any) => unknown>} */ (handlers)[task.kind];
      if (!handler) throw new Error(`this worker does not know how to do ${task.kind}`);
      send({ type: 'done', id, result: await handler(task, tell) });
    } catch (error) {
      if (isProblem(error)) {
        const { code, message, field, value, allowed } = error;
        send({ type: 'failed', id, problem: { code, message, field, value, allowed } });
      } else {
        send({ type: 'crashed', id, message: String(error) });
      }
    }
  }

  listen((message) => {
    if (message.type === 'task') {
      answer(message.id, message.task);
      return;
    }
    begin(init({ module_or_path: message.module }));
    Promise.all([hold(message.lock), ready]).then(
      ([held]) => send(held ? { type: 'ready', lock: message.lock } : { type: 'ready' }),
      // A failure is told by the task that waits for it.
      () => {},
    );
  });
}
