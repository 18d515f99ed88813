// @ts-check
/**
 * What the package offers a program: runs, links, figures as files, and the metrics on numbers of its
 * own. The same in a browser and in Node; who loads the core and who keeps the workers is the host's
 * affair. Everything is checked by the core, and refused as an {@link SfcBenchError}.
 */

import { Refusal } from '../workers/pool.js';
import { createStudies } from './api-lab.js';

/** @typedef {import('../types/sfc-bench.d.ts').Api} Api */
/** @typedef {import('../types/sfc-bench.d.ts').MatrixLike} MatrixLike */

/** What is refused, field by field. */
export class SfcBenchError extends Error {
  /** @param {Problem} problem @param {Problem[]} [problems] */
  constructor(problem, problems = [problem]) {
    super(problem.message);
    this.name = 'SfcBenchError';
    this.code = problem.code;
    this.field = problem.field;
    this.value = problem.value;
    this.allowed = problem.allowed;
    this.problems = problems;
  }
}

/**
 * A refusal of what never reaches the core, in its manner.
 *
 * @param {string} code
 * @param {string} field
 * @param {string} value
 * @param {string} allowed
 */
const refusal = (code, field, value, allowed) =>
  new SfcBenchError({
    code,
    field,
    value,
    allowed,
    message: `${field} is ${value}; allowed: ${allowed}`,
  });

/** Calls the core, whose plain objects become errors. @template T @param {() => T} work @returns {T} */
function asked(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) throw error;
    if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error)
      throw new SfcBenchError(/** @type {Problem} */ (error));
    throw new Error(String(error));
  }
}

const NUMBERS = 'numbers: a typed array, or a list of them';

/** In a word or two. @param {unknown} value */
const said = (value) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value);

/**
 * A list of numbers of any kind as the core takes it. The caller's own memory is only read.
 *
 * @param {string} field
 * @param {unknown} value
 * @returns {Float64Array}
 */
function numbers(field, value) {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    if (value instanceof BigInt64Array || value instanceof BigUint64Array)
      throw refusal('metric.type', field, 'big integers', NUMBERS);
    try {
      // Memory that was transferred away has no views any more.
      new Uint8Array(value.buffer);
    } catch {
      throw refusal('metric.detached', field, 'memory that was transferred away', NUMBERS);
    }
    try {
      // One of another realm, or over shared memory, is copied too.
      return value instanceof Float64Array && value.buffer instanceof ArrayBuffer
        ? value
        : new Float64Array(/** @type {ArrayLike<number>} */ (/** @type {unknown} */ (value)));
    } catch {
      throw refusal('metric.memory', field, 'too large to copy', NUMBERS);
    }
  }
  if (!Array.isArray(value)) throw refusal('metric.type', field, said(value), NUMBERS);
  const out = new Float64Array(value.length);
  for (let index = 0; index < value.length; index += 1) {
    const entry = value[index];
    if (typeof entry !== 'number')
      throw refusal('metric.type', `${field}[${index}]`, said(entry), 'a number');
    out[index] = entry;
  }
  return out;
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * Rows of equal length, end to end.
 *
 * @param {string} field
 * @param {readonly unknown[]} rows
 * @returns {{ data: Float64Array, rows: number, cols: number }}
 */
function joined(field, rows) {
  const parts = rows.map((row, index) => numbers(`${field}[${index}]`, row));
  const cols = parts[0]?.length ?? 0;
  const odd = parts.findIndex(({ length }) => length !== cols);
  if (odd >= 0)
    throw refusal('metric.shape', `${field}[${odd}]`, `${parts[odd]?.length} values`, `${cols} values, as in the first row`);
  const data = new Float64Array(parts.length * cols);
  parts.forEach((part, index) => data.set(part, index * cols));
  return { data, rows: parts.length, cols };
}

/** @param {string} field @param {unknown} value */
function matrix(field, value) {
  if (Array.isArray(value)) return joined(field, value);
  if (typeof value !== 'object' || value === null)
    throw refusal('metric.type', field, said(value), '{ data, rows, cols }, or a list of rows');
  const { data, rows, cols } = /** @type {Record<string, unknown>} */ (value);
  return {
    data: numbers(field, data),
    rows: /** @type {number} */ (rows),
    cols: /** @type {number} */ (cols),
  };
}

/** Triples, end to end. @param {unknown} value */
function triples(value) {
  if (!Array.isArray(value) || !value.some(isList)) return numbers('points', value);
  const { data, rows, cols } = joined('points', value);
  if (rows > 0 && cols !== 3) throw refusal('metric.shape', 'points', `${cols} values a point`, '3');
  return data;
}

/**
 * Plain data of the caller's, without accessors that could run in the middle of the core.
 *
 * @template T
 * @param {string} field
 * @param {T} value
 * @returns {T}
 */
function plain(field, value) {
  try {
    return structuredClone(value);
  } catch {
    throw refusal(`${field}.type`, field, 'not plain data', 'an object of numbers, texts and lists');
  }
}

/**
 * @param {object} host
 * @param {() => Promise<Lab>} host.open the core on this thread
 * @param {() => Promise<import('../workers/pool.js').Pool>} host.pool the workers
 * @param {boolean} host.lazy whether workers can read a Blob where it is
 * @param {() => void} host.close
 * @returns {Api}
 */
export function createApi(host) {
  /** @template T @param {(core: Lab) => T} work @returns {Promise<T>} */
  const withCore = async (work) => {
    const core = await host.open();
    return asked(() => work(core));
  };

  /**
   * Has a worker do something, whose refusals are errors of this package.
   *
   * @param {Task} task
   * @param {import('../workers/pool.js').TaskOptions} options
   * @returns {Promise<any>}
   */
  async function submit(task, options) {
    try {
      return await (await host.pool()).submit(task, options);
    } catch (error) {
      if (error instanceof Refusal) throw new SfcBenchError(error.problem);
      throw error;
    }
  }

  /**
   * @template T
   * @param {Lab} core
   * @param {Report} report
   * @param {unknown} weights those of the report where left out
   * @param {(view: View) => T} work
   */
  function viewed(core, report, weights, work) {
    const view = core.Study.open('sfc', plain('report', report));
    try {
      if (weights !== undefined) view.set_weights(...three(weights));
      return work(view);
    } finally {
      view.free();
    }
  }

  /** @param {unknown} weights @returns {Weights} */
  function three(weights) {
    const [a = NaN, b = NaN, c = NaN, ...more] = numbers('weights', weights);
    if (more.length > 0) throw refusal('metric.shape', 'weights', `${3 + more.length} values`, '3');
    return [a, b, c];
  }

  /** @param {Lab} core @param {string} name */
  function figureOf(core, name) {
    const found = core.figure_named(String(name));
    if (found?.study === 'sfc') return found.id;
    const names = core.figure_names('sfc').map((row) => row.name);
    throw refusal('figure.unknown', 'figure', JSON.stringify(name), `one of ${names.join(', ')}`);
  }

  /** @param {Lab} core @param {Draft} draft @returns {Settings} */
  function configured(core, draft) {
    const { settings, problems } = core.validate(plain('settings', draft));
    if (settings) return settings;
    throw new SfcBenchError(/** @type {Problem} */ (problems[0]), problems);
  }

  return {
    ready: () => withCore(() => undefined),
    version: () => withCore((core) => core.version()),
    defaults: () => withCore((core) => core.defaults()),
    profiles: () => withCore((core) => core.profiles()),
    limits: () => withCore((core) => core.limits()),
    figures: () => withCore((core) => core.figure_names('sfc')),

    validate: (draft = {}) => withCore((core) => core.validate(plain('settings', draft))),
    configure: (draft = {}) => withCore((core) => configured(core, draft)),

    async run(draft = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await host.open();
      const settings = asked(() => configured(core, draft));
      /** @type {{ report: Report, ms: number }} */
      const done = await submit(
        { kind: 'run', settings },
        { tries: 2, signal, onProgress: (stage, fraction) => onProgress?.(stage, fraction) },
      );
      return asked(() =>
        viewed(core, done.report, undefined, (view) => ({
          report: done.report,
          verdict: view.verdict(),
          digest: view.digest(),
          ms: done.ms,
        })),
      );
    },

    rescore: (report, weights) =>
      withCore((core) => viewed(core, report, weights, (view) => view.rescored())),
    compare: (report) =>
      withCore((core) =>
        viewed(core, report, undefined, (view) => ({
          verdict: view.verdict(),
          cells: view.printed_cells(),
        })),
      ),
    digest: (report) => withCore((core) => viewed(core, report, undefined, (view) => view.digest())),
    checkDigest: (report, digest, made) =>
      withCore((core) =>
        viewed(core, report, undefined, (view) =>
          view.check_digest(String(digest), made === undefined ? undefined : String(made)),
        ),
      ),
    figure: (report, name, { format = 'svg', width = 720, dark = false, weights } = {}) =>
      withCore((core) =>
        viewed(core, report, weights, (view) =>
          view.export_text(figureOf(core, name), format, Number(width), Boolean(dark)),
        ),
      ),
    table: (report, name, { weights } = {}) =>
      withCore((core) =>
        viewed(core, report, weights, (view) => view.table(figureOf(core, name))),
      ),

    printLink: (state = {}) => withCore((core) => core.print_state(plain('state', state))),
    parseLink: (query) => withCore((core) => core.parse_state(String(query))),
    script: (draft = {}) => withCore((core) => core.numpy_script(configured(core, draft))),

    sparsity: (codes) => withCore((core) => core.metric_sparsity(matrix('codes', codes))),
    fidelity: (activations, reconstruction, { mode = 'cosine', guard } = {}) =>
      withCore((core) =>
        core.metric_fidelity(
          matrix('activations', activations),
          matrix('reconstruction', reconstruction),
          mode,
          guard === undefined ? core.cosine_guard() : Number(guard),
        ),
      ),
    completeness: (activations, dictionary, readout, { bias, reading = 'total' } = {}) =>
      withCore((core) => {
        const across = matrix('readout', readout);
        const shift = bias === undefined ? new Float64Array(across.rows) : numbers('bias', bias);
        return core.metric_completeness(
          matrix('activations', activations),
          matrix('dictionary', dictionary),
          across,
          { data: shift, rows: 1, cols: shift.length },
          reading,
        );
      }),
    completenessOfOutputs: (outputs, projected, { reading = 'total' } = {}) =>
      withCore((core) =>
        core.metric_completeness_of_outputs(
          matrix('outputs', outputs),
          matrix('projected', projected),
          reading,
        ),
      ),
    rate: (codes, { bins = 30 } = {}) =>
      withCore((core) => core.metric_rate(matrix('codes', codes), Number(bins))),
    distortion: (activations, reconstruction) =>
      withCore((core) =>
        core.metric_distortion(
          matrix('activations', activations),
          matrix('reconstruction', reconstruction),
        ),
      ),
    relevance: (codes, outputs) =>
      withCore((core) =>
        core.metric_relevance(matrix('codes', codes), matrix('outputs', outputs)),
      ),
    score: (axes, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_score(numbers('axes', axes), numbers('weights', weights))),
    hypervolume: (points, reference = [0, 0, 0]) =>
      withCore((core) =>
        core.metric_hypervolume(triples(points), numbers('reference', reference)),
      ),
    front: (points, { tolerance = 0 } = {}) =>
      withCore((core) => core.metric_front(triples(points), Number(tolerance))),
    dominates: (first, second, { tolerance = 0 } = {}) =>
      withCore((core) =>
        core.metric_dominates(numbers('first', first), numbers('second', second), Number(tolerance)),
      ),
    simplex: (points, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_simplex(triples(points), numbers('weights', weights))),

    ...createStudies({
      withCore,
      pool: host.pool,
      lazy: host.lazy,
      submit,
      plain,
      matrix,
      numbers,
      three,
      refusal,
      said,
    }),

    close: () => host.close(),
  };
}
