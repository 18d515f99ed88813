// @ts-check
/**
 * A worker from its first moment until it says that it lives. One that ends while it starts says
 * nothing at all, and neither does its browser: so it is waited for, and another is started in its
 * place. Whichever speaks first is taken.
 */

/** Time is counted in ticks of this length, in milliseconds. */
const TICK_MS = 50;
/** Another is started when none has spoken for so long, in milliseconds. */
const RETRY_MS = 600;
/** A worker that has not spoken after this long, in milliseconds, will not. */
const STARTUP_MS_MAX = 1_800;
/** How many are started, one after the other. */
const STARTS_MAX = 3;
/** How many may fail, and say so. */
const FAILURES_MAX = 2;

let lockCount = 0;

/**
 * A worker as it is made. One that comes over a network, or whose host tells of its end by itself, may
 * be waited for longer.
 *
 * @typedef {Worker & { patience?: number }} Newborn
 */

/**
 * Starts a worker.
 *
 * @param {() => Newborn} make
 * @param {object} listener
 * @param {(worker: Worker, sign: Sign) => void} listener.lives told once, of one
 * @param {(message: FromWorker) => void} listener.hear what it said before that
 * @param {(reason: string) => void} listener.failed told once: there is none
 * @returns {() => void} ends it; nothing is told any more
 */
export function startWithRetry(make, { lives, hear, failed }) {
  const ending = new AbortController();
  const { signal } = ending;
  /** Those that have not spoken yet. @type {Set<Worker>} */
  const newborn = new Set();
  let births = 0;
  let failures = 0;
  let ticks = 0;
  let patience = STARTUP_MS_MAX;

  /** Nothing is waited for any more. @param {Worker} [taken] the one that lives on */
  function end(taken) {
    ending.abort();
    clearInterval(clock);
    for (const worker of newborn) if (worker !== taken) worker.terminate();
    newborn.clear();
  }

  /** @param {string} reason */
  function giveUp(reason) {
    if (signal.aborted) return;
    end();
    failed(reason);
  }

  /** @param {string} reason @param {Worker} [worker] */
  function fail(reason, worker) {
    if (signal.aborted) return;
    failures += 1;
    worker?.terminate();
    if (worker) newborn.delete(worker);
    if (failures < FAILURES_MAX && births < STARTS_MAX) start();
    else if (newborn.size === 0) giveUp(reason);
  }

  function start() {
    births += 1;
    /** @type {Newborn} */
    let worker;
    try {
      worker = make();
    } catch (error) {
      // Told when whoever asked has heard that it is on its way.
      setTimeout(() => fail(error instanceof Error ? error.message : String(error)));
      return;
    }
    newborn.add(worker);
    patience = worker.patience ?? STARTUP_MS_MAX;
    worker.addEventListener(
      'message',
      (/** @type {MessageEvent<FromWorker>} */ { data }) => {
        // Node may have collected what takes a listener away by its signal.
        if (signal.aborted) return;
        if (data.type === 'alive') {
          end(worker);
          lives(worker, data);
        } else hear(data);
      },
      { signal },
    );
    // What breaks in a worker is told by whoever waits for it: it is no fault of the page's own code.
    worker.addEventListener('error', (event) => event.preventDefault());
    worker.addEventListener(
      'error',
      (event) => fail(event.message || 'its code could not be loaded', worker),
      { signal },
    );
    lockCount += 1;
    const lock = `sfc-bench-${performance.timeOrigin}-${Math.random()}-${lockCount}`;
    worker.postMessage(/** @type {ToWorker} */ ({ type: 'init', lock }));
  }

  // A page that sleeps, is hidden or has much to do has fewer ticks, and its workers more time.
  const clock = setInterval(() => {
    ticks += 1;
    const waited = ticks * TICK_MS;
    if (waited >= patience) giveUp('its worker did not start');
    else if (patience < Infinity && births < STARTS_MAX && waited >= births * RETRY_MS) start();
  }, TICK_MS);
  start();
  // In Node a timer keeps the program from ending; nobody waits for one that never comes to anything.
  if (patience === Infinity) /** @type {any} */ (clock).unref?.();
  return () => end();
}
