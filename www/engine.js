// @ts-check
/**
 * The wasm core: compiled once, used on the main thread for drawing and checking, and in a worker
 * for runs. Every run has a number; whatever comes from an older one is dropped.
 */

/**
 * @typedef {object} EngineEvents
 * @property {(stage: string, fraction: number) => void} onProgress
 * @property {(report: Report, ms: number) => void} onDone
 * @property {(problem: Problem) => void} onRefused the core said no, in its own words
 * @property {(message: string) => void} onCrash the worker died; a new one takes its place
 */

const WASM = new URL('./pkg/sfc_bench_bg.wasm', import.meta.url);
const WORKER = new URL('./worker.js', import.meta.url);

/** @returns {Promise<WebAssembly.Module>} */
async function compile() {
  const response = await fetch(WASM);
  if (!response.ok)
    throw new Error(`the WebAssembly file did not arrive (status ${response.status})`);
  const type = response.headers.get('Content-Type') ?? '';
  // Streaming insists on the MIME type; a plain static host may not know it.
  return typeof WebAssembly.compileStreaming === 'function' && type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

export class Engine {
  /** @type {EngineEvents} */
  #events;
  /** @type {WebAssembly.Module | null} */
  #module = null;
  /** @type {Worker | null} */
  #worker = null;
  /** Number of the run under way; 0 when there is none. */
  #current = 0;
  #lastId = 0;
  /** A worker that never came up is not replaced at once, or a missing file would loop. */
  #cameUp = false;

  /** @param {EngineEvents} events */
  constructor(events) {
    this.#events = events;
  }

  /** Loads everything. @returns {Promise<Core>} the core, ready on this thread */
  async start() {
    this.#spawn();
    const [core, module] = await Promise.all([import('./pkg/sfc_bench.js'), compile()]);
    this.#module = module;
    this.#worker?.postMessage(/** @type {ToWorker} */ ({ type: 'init', module }));
    await core.default({ module_or_path: module });
    return core;
  }

  get running() {
    return this.#current !== 0;
  }

  /** Starts a run; one that is still under way is given up. @param {Settings} settings */
  run(settings) {
    this.cancel();
    if (!this.#worker) this.#spawn();
    this.#current = ++this.#lastId;
    this.#worker?.postMessage(
      /** @type {ToWorker} */ ({ type: 'run', id: this.#current, settings }),
    );
  }

  /** Gives up the run under way. @returns {boolean} whether there was one */
  cancel() {
    if (!this.running) return false;
    this.#dropWorker();
    this.#spawn();
    return true;
  }

  #dropWorker() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#current = 0;
  }

  #spawn() {
    const worker = new Worker(WORKER, { type: 'module', name: 'sfc-bench' });
    this.#worker = worker;
    this.#cameUp = false;
    // A message may already be on its way when its worker is ended: ask who is speaking.
    worker.addEventListener('message', (/** @type {MessageEvent<FromWorker>} */ { data }) => {
      if (worker === this.#worker) this.#hear(data);
    });
    worker.addEventListener('error', (event) => {
      if (worker === this.#worker) this.#crashed(event.message || 'its code could not be loaded');
    });
    worker.addEventListener('messageerror', () => {
      if (worker === this.#worker) this.#crashed('its answer could not be read');
    });
    if (this.#module)
      worker.postMessage(/** @type {ToWorker} */ ({ type: 'init', module: this.#module }));
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.type === 'ready') {
      this.#cameUp = true;
      return;
    }
    if (message.id !== this.#current) return;
    switch (message.type) {
      case 'progress':
        this.#events.onProgress(message.stage, message.fraction);
        break;
      case 'done':
        this.#current = 0;
        this.#events.onDone(message.report, message.ms);
        break;
      case 'failed':
        this.#current = 0;
        this.#events.onRefused(message.problem);
        break;
      case 'crashed':
        this.#crashed(message.message);
        break;
    }
  }

  /** @param {string} message */
  #crashed(message) {
    const replace = this.#cameUp;
    this.#dropWorker();
    if (replace) this.#spawn();
    this.#events.onCrash(message);
  }
}
