// @ts-check
/**
 * What every worker does, the page's, the package's and Node's: it answers one task at a time with a
 * core that arrives compiled. A task is one synchronous call as a rule, so cancelling means ending the
 * worker. `connection.js` is the other end.
 */

import { instantiate } from './instantiate.js';

/**
 * The files of handlers, by the first word of a task's kind; each is loaded with the first task of its
 * kind.
 *
 * @type {Record<string, () => Promise<{ handlers: Handlers }>>}
 */
const TASK_MODULES = {
  run: () => import('./tasks/run.js'),
  seeds: () => import('./tasks/seeds.js'),
  families: () => import('./tasks/families.js'),
  train: () => import('./tasks/train.js'),
  evaluate: () => import('./tasks/evaluate.js'),
  files: () => import('./tasks/files.js'),
  bench: () => import('./tasks/bench.js'),
  model: () => import('./tasks/user-model.js'),
  toy: () => import('./tasks/toy-model.js'),
  study: () => import('./tasks/study.js'),
};

/** What the core throws on purpose; anything else is a trap. @param {unknown} error @returns {error is Problem} */
function isProblem(error) {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}

/**
 * What broke, in words. Panics of the core come as errors that say what they are; without one, a core
 * that cannot go on is one whose memory has come to its end.
 *
 * @param {unknown} error
 */
function describeError(error) {
  const exhausted = error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message);
  return exhausted ? `the core ran out of memory (${error})` : String(error);
}

/** @param {Task['kind']} kind @returns {Promise<Handler>} */
async function loadHandler(kind) {
  const [file = ''] = kind.split('-');
  const found = Object.hasOwn(TASK_MODULES, file) ? await TASK_MODULES[file]?.() : undefined;
  const handler = found?.handlers[kind];
  if (!handler) throw new Error(`no worker knows how to do ${kind}`);
  return handler;
}

/**
 * The builds of the core in this worker: each is an instance as soon as its module has come, and
 * whoever asks for it earlier waits.
 *
 * @param {Glue} glue
 */
function createCores(glue) {
  /** @type {Map<Build, { core: Promise<Lab>, give: (module: WebAssembly.Module) => void }>} */
  const cores = new Map();
  /** @type {WebAssembly.Memory[]} */
  const memories = [];
  /** Bytes that the builds have come to hold; WebAssembly gives none back. */
  const held = () => {
    const memory = memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    return memory > 0 ? { memory } : {};
  };
  /** @param {Build} build */
  function coreOf(build) {
    const there = cores.get(build);
    if (there) return there;
    /** @type {(module: WebAssembly.Module) => void} */
    let give = () => {};
    /** @type {Promise<WebAssembly.Module>} */
    const arrived = new Promise((resolve) => (give = resolve));
    const core = arrived.then(async (module) => {
      const found = await glue(build);
      const made = /** @type {{ memory?: WebAssembly.Memory } | undefined} */ (await instantiate(found, module));
      if (made?.memory) memories.push(made.memory);
      return found;
    });
    // A failure is told by the task that waits for it.
    core.catch(() => {});
    const made = { core, give };
    cores.set(build, made);
    return made;
  }
  return { coreOf, held };
}

/**
 * Answers messages until the worker ends.
 *
 * @param {Port} port
 * @param {Glue} glue
 */
export function serveTasks({ send, listen, hold }, glue) {
  const { coreOf, held } = createCores(glue);
  let told = false;

  /** @param {Build} build @param {WebAssembly.Module} module */
  async function take(build, module) {
    const start = performance.now();
    const { core, give } = coreOf(build);
    give(module);
    await core;
    const ms = performance.now() - start;
    if (told) return;
    told = true;
    send({ type: 'ready', ms });
  }

  /** @param {number} id @param {Build} build @param {Task} task */
  async function answer(id, build, task) {
    try {
      const [core, handler] = await Promise.all([coreOf(build).core, loadHandler(task.kind)]);
      const result = await handler(core, task, (stage, fraction, detail) =>
        send({ type: 'progress', id, stage, fraction, detail }),
      );
      send({ type: 'done', id, result, ...held() });
    } catch (error) {
      if (isProblem(error)) {
        const { code, message, field, value, allowed } = error;
        const problem = { code, message, field, value, allowed };
        send({ type: 'failed', id, problem, ...held() });
      } else {
        // A trap leaves the instance's memory in an unknown state: the page throws this worker away.
        send({ type: 'crashed', id, message: describeError(error) });
      }
    }
  }

  listen((message) => {
    switch (message.type) {
      case 'init':
        hold(message.lock).then((sign) => send({ type: 'alive', ...sign }, sign.pulse && [sign.pulse]));
        return;
      case 'module':
        take(message.build, message.module).catch(() => {});
        return;
      case 'task':
        answer(message.id, message.build, message.task);
        return;
    }
  });
  send({ type: 'up' });
}
