// @ts-check
/**
 * The package's studies: somebody's own decomposition scored, families of methods compared, an
 * autoencoder trained. What they have in common with the rest of the package is in api.js.
 */

import { packed, SEED } from '../workers/given.js';
import { shareOut, TRIES } from '../workers/study.js';

/** @typedef {import('../types/sfc-bench.d.ts').Api} Api */
/** @typedef {import('../types/sfc-bench.d.ts').FileLike} FileLike */

/** As the command line has them. */
const ROWS = 20_000;
const MOST_ROWS = 100_000;
const POINTS = 10;
const MOST_POINTS = 10_000;
/** An array of a header as NumPy writes it is aligned to this many bytes. */
const ALIGNMENT = 64;

/** Keys of a request, and of its options. */
const REQUEST = ['activations', 'sae', 'dictionary', 'codes', 'codes_by', 'readout', 'readout_bias', 'options'];
const ARRAYS = ['activations', 'dictionary', 'codes', 'readout', 'bias'];
const OPTIONS = ['fidelity', 'completeness', 'variance', 'weights', 'active_rows', 'memory'];

/** Keys of activations that a caller gives. */
const GIVEN = ['activations', 'readout', 'bias', 'seed'];

const FILES = 'an object or a Map of names and bytes (Uint8Array, ArrayBuffer) or Blobs';
const BYTES = 'a Uint8Array, another view, an ArrayBuffer or a Blob';

/** Two-dimensional values as the bytes of an `.npy` file. @param {Values} matrix */
function npy({ data, rows, cols }) {
  const wide = 8;
  const words = `{'descr': '<f${wide}', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  // Magic, version and the header's length are ten bytes; the header ends with a new line.
  const length = Math.ceil((10 + words.length + 1) / ALIGNMENT) * ALIGNMENT;
  const bytes = new Uint8Array(length + data.length * wide);
  const header = `\x93NUMPY\x01\x00${String.fromCharCode((length - 10) & 255, (length - 10) >> 8)}${words.padEnd(length - 11)}\n`;
  for (let index = 0; index < length; index += 1) bytes[index] = header.charCodeAt(index);
  const view = new DataView(bytes.buffer, length);
  data.forEach((value, index) => view.setFloat64(wide * index, value, true));
  return bytes;
}

/**
 * @param {object} tools of api.js
 * @param {<T>(work: (core: Lab) => T) => Promise<T>} tools.withCore
 * @param {() => Promise<import('../workers/pool.js').Pool>} tools.pool
 * @param {boolean} tools.lazy whether workers can read a Blob where it is
 * @param {<T>(task: Task, options: import('../workers/pool.js').TaskOptions) => Promise<T>} tools.submit with the package's errors
 * @param {<T>(field: string, value: T) => T} tools.plain
 * @param {(field: string, value: unknown) => Values} tools.matrix
 * @param {(field: string, value: unknown) => Float64Array} tools.numbers
 * @param {(weights: unknown) => Weights} tools.three
 * @param {(code: string, field: string, value: string, allowed: string) => Error} tools.refusal
 * @param {(value: unknown) => string} tools.said
 */
export function createStudies({ withCore, pool, lazy, submit, plain, matrix, numbers, three, refusal, said }) {
  /** A whole number of the caller's. @param {string} field @param {unknown} value @param {number} min @param {number} max */
  function whole(field, value, min, max) {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
      return value;
    const found = typeof value === 'number' ? String(value) : said(value);
    throw refusal('train.number', field, found, `a whole number from ${min} to ${max}`);
  }

  /**
   * A plain object that has no other keys: the core would not see them.
   *
   * @template {object} T
   * @param {string} what
   * @param {unknown} value
   * @param {readonly string[]} allowed
   * @returns {T}
   */
  function keyed(what, value, allowed) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw refusal(`${what}.malformed`, what, said(value), 'an object');
    const odd = Object.keys(value).find((key) => !allowed.includes(key));
    if (odd !== undefined)
      throw refusal(`${what}.malformed`, odd.slice(0, 40), 'unknown', `one of ${allowed.join(', ')}`);
    return /** @type {T} */ (value);
  }

  /**
   * Has the core judge a study. What cannot even be read is told by its name.
   *
   * @param {Lab} core
   * @param {FamiliesConfig} config
   * @param {FamiliesConfig} usual
   * @param {'families' | 'train'} what
   */
  function judged(core, config, usual, what) {
    try {
      return core.families_jobs(config);
    } catch (error) {
      const { code, message } = /** @type {Problem} */ (error);
      if (code !== 'families.malformed') throw error;
      for (const part of /** @type {const} */ (['', 'train', 'world'])) {
        const [mine, whole] = part ? [config[part], usual[part]] : [config, usual];
        for (const [field, value] of Object.entries(mine)) {
          if (!part && ['train', 'world'].includes(field)) continue;
          const alone = { ...whole, [field]: value };
          try {
            core.families_jobs(part ? { ...usual, [part]: alone } : /** @type {any} */ (alone));
          } catch (single) {
            if (/** @type {Problem} */ (single).code !== code) continue;
            const why = message.replace(/^families: (Error: )?/, '');
            throw { code: `${what}.malformed`, message: `${field}: ${why}`, field };
          }
        }
      }
      throw error;
    }
  }

  /** @param {string} name @param {unknown} value @returns {Promise<Uint8Array | Blob>} */
  async function bytesOf(name, value) {
    if (typeof Blob === 'function' && value instanceof Blob)
      return lazy ? value : new Uint8Array(await value.arrayBuffer());
    const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
    const shared = typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
    if (!(buffer instanceof ArrayBuffer) && !shared)
      throw refusal('evaluate.type', name, said(value), BYTES);
    try {
      const { byteOffset, byteLength } = ArrayBuffer.isView(value)
        ? value
        : { byteOffset: 0, byteLength: buffer.byteLength };
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      // A view of a part would take the whole along to the worker, and shared memory may change.
      return shared || byteLength < buffer.byteLength ? bytes.slice() : bytes;
    } catch {
      throw refusal('evaluate.detached', name, 'memory that was transferred away', BYTES);
    }
  }

  /** @param {unknown} files @returns {Promise<[string, Uint8Array | Blob][]>} */
  function opened(files) {
    if (typeof files !== 'object' || files === null || ArrayBuffer.isView(files))
      throw refusal('evaluate.type', 'files', said(files), FILES);
    const entries = files instanceof Map ? [...files] : Object.entries(files);
    return Promise.all(
      entries.map(async ([name, value]) => [String(name), await bytesOf(String(name), value)]),
    );
  }

  /** @type {Api['evaluate']} */
  async function evaluate(files, request, { onProgress, signal } = {}) {
    signal?.throwIfAborted();
    /** @type {OwnRequest} */
    const wanted = keyed('evaluate', plain('evaluate', request), REQUEST);
    if (wanted.options !== undefined) keyed('evaluate', wanted.options, OPTIONS);
    return submit(
      { kind: 'evaluate', files: await opened(files), request: wanted },
      // A worker that died over it had no memory left, as a rule: the next one will have no more.
      {
        tries: 1,
        signal,
        onProgress: (phase, fraction) =>
          onProgress?.(/** @type {OwnProgress['phase']} */ (phase), fraction),
      },
    );
  }

  /**
   * Activations of the caller's as a world.
   *
   * @param {Lab} core
   * @param {unknown} arrays
   * @returns {{ world: Extract<World, { world: 'given' }>, draw: (rows: number) => GivenBlobs }}
   */
  function givenOf(core, arrays) {
    /** @type {import('../types/sfc-bench.d.ts').GivenArrays} */
    const { activations, readout, bias, seed = SEED } = keyed('given', arrays, GIVEN);
    const files = new core.EvaluateFiles();
    /** @type {OwnGiven} */
    const request = {
      activations: { file: 'activations.npy' },
      seed: whole('seed', seed, 0, 4_294_967_295),
    };
    files.add('activations.npy', npy(sized('activations', activations)));
    if (readout !== undefined) {
      files.add('readout.npy', npy(sized('readout', readout)));
      request.readout = { file: 'readout.npy' };
    }
    if (bias !== undefined) {
      const data = numbers('bias', bias);
      files.add('bias.npy', npy({ data, rows: 1, cols: data.length }));
      request.readout_bias = { file: 'bias.npy' };
    }
    const rows = files.given(request);
    files.free();
    return { world: rows.world(true), draw: (wanted) => packed(rows.draw(wanted)) };
  }

  /** A matrix whose sizes are possible. @param {string} role @param {unknown} value */
  function sized(role, value) {
    const { data, rows, cols } = matrix(role, value);
    if (!Number.isInteger(rows) || rows < 1 || !Number.isInteger(cols) || cols < 1)
      throw refusal('metric.size', role, `${rows} × ${cols}`, 'whole numbers of rows and columns from 1');
    if (data.length !== rows * cols)
      throw refusal('metric.shape', role, `${data.length} values`, `${rows} × ${cols}`);
    return { data, rows, cols };
  }

  /**
   * @param {Lab} core
   * @param {import('../types/sfc-bench.d.ts').FamiliesDraft} draft
   * @param {World} [own] of given activations
   * @returns {{ config: FamiliesConfig, jobs: FamiliesJob[] }}
   */
  function study(core, draft, own) {
    const preset = core.families_preset('small');
    const usual = own ? core.families_fit(preset, own) : preset;
    if (own && draft.world !== undefined)
      throw refusal('families.world', 'world', 'named', 'nothing where activations are given');
    /** @type {import('../types/sfc-bench.d.ts').FamiliesDraft} */
    const { world, train = {}, ...rest } = keyed('families', plain('families', draft), Object.keys(usual));
    const config = {
      ...usual,
      ...rest,
      world: world === undefined ? usual.world : worldOf(core, world),
      train: { ...usual.train, ...keyed('train', train, Object.keys(usual.train)) },
    };
    return { config, jobs: judged(core, config, { ...usual, world: config.world }, 'families') };
  }

  /** @param {Lab} core @param {import('../types/sfc-bench.d.ts').WorldDraft | string} world @returns {World} */
  function worldOf(core, world) {
    if (typeof world === 'string') return core.world_defaults(world);
    const usual = core.world_defaults(String(/** @type {{ world?: unknown }} */ (world ?? {}).world));
    return { ...usual, ...keyed('world', world, Object.keys(usual)) };
  }

  /** @param {Lab} core @param {string} name @param {'fam' | 'own'} kind */
  function idOf(core, name, kind) {
    const id = core.study_figure_named(String(name));
    if (id?.startsWith(kind)) return id;
    const names = core.study_figure_names().filter((row) => row.id.startsWith(kind));
    const allowed = `one of ${names.map((row) => row.name).join(', ')}`;
    throw refusal('figure.unknown', 'figure', JSON.stringify(String(name)), allowed);
  }

  /**
   * @template {FamiliesView | EvaluateView} V
   * @template T
   * @param {V} view
   * @param {unknown} weights
   * @param {(view: V) => T} work
   */
  function weighed(view, weights, work) {
    try {
      if (weights !== undefined) view.set_weights(...three(weights));
      return work(view);
    } finally {
      view.free();
    }
  }

  /** @param {Lab} core @param {FamiliesReport} report */
  function familiesView(core, report) {
    const { config, results } = plain('report', report) ?? {};
    if (!Array.isArray(results))
      throw refusal('report.malformed', 'report', said(report), 'what compareFamilies gives');
    const view = new core.FamiliesView(config);
    for (const result of results) view.add(result);
    return view;
  }

  /** @param {Lab} core @param {OwnReport} report */
  const evaluateView = (core, report) => new core.EvaluateView(plain('report', report));

  /** @type {Pick<Api, 'evaluate' | 'evaluateMatrices' | 'rescoreEvaluation' | 'evaluateFigure' | 'evaluateTable' | 'familiesPreset' | 'compareFamilies' | 'familiesFigure' | 'familiesTable' | 'familiesSummary' | 'trainDefaults' | 'worldDefaults' | 'train' | 'studyFigures'>} */
  const api = {
    evaluate,
    async evaluateMatrices(arrays, { codesBy, onProgress, signal, ...options } = {}) {
      /** @type {Record<string, unknown>} */
      const { bias, ...given } = keyed('evaluate', arrays, ARRAYS);
      const roles = { activations: 1, dictionary: 1, codes: 0, readout: 0 };
      /** @type {Record<string, Uint8Array>} */
      const files = {};
      /** @type {Record<string, unknown>} */
      const request = { options, ...(codesBy === undefined ? {} : { codes_by: codesBy }) };
      for (const [role, needed] of Object.entries(roles)) {
        if (given[role] === undefined && !needed) continue;
        files[`${role}.npy`] = npy(sized(role, given[role]));
        request[role] = { file: `${role}.npy` };
      }
      if (bias !== undefined) {
        const data = numbers('bias', bias);
        files['bias.npy'] = npy({ data, rows: 1, cols: data.length });
        request.readout_bias = { file: 'bias.npy' };
      }
      try {
        return await evaluate(files, /** @type {any} */ (request), { onProgress, signal });
      } catch (error) {
        // A file's name here is its array's.
        const named = /** @type {{ field?: string }} */ (error);
        if (error instanceof Error && named.field?.endsWith('.npy'))
          named.field = named.field.slice(0, -'.npy'.length);
        throw error;
      }
    },
    rescoreEvaluation: (report, { weights, fidelity, completeness, variance } = {}) =>
      withCore((core) =>
        weighed(evaluateView(core, report), weights, (view) => {
          view.set_axes({
            fidelity: fidelity ?? report.fidelity.mode,
            completeness: completeness ?? report.reading,
            variance: variance ?? report.variance,
          });
          return view.report();
        }),
      ),
    evaluateFigure: (report, name, { format = 'svg', width = 720, dark = false, weights } = {}) =>
      withCore((core) =>
        weighed(evaluateView(core, report), weights, (view) =>
          view.export_text(idOf(core, name, 'own'), format, Number(width), Boolean(dark)),
        ),
      ),
    evaluateTable: (report, name, { weights } = {}) =>
      withCore((core) =>
        weighed(evaluateView(core, report), weights, (view) => view.table(idOf(core, name, 'own'))),
      ),

    familiesPreset: (name = 'small') => withCore((core) => core.families_preset(String(name))),
    async compareFamilies(draft = {}, { given, onProgress, onResult, signal } = {}) {
      signal?.throwIfAborted();
      const { config, jobs, drawn } = await withCore((core) => {
        const own = given === undefined ? null : givenOf(core, given);
        const found = study(core, draft, own?.world);
        const { train_rows, eval_rows } = found.config;
        return { ...found, drawn: own?.draw(train_rows + eval_rows) };
      });
      const { size } = await pool();
      /** @type {FamiliesResult[]} */
      const results = [];
      await shareOut({
        submit,
        size: Math.min(size, jobs.length),
        config,
        jobs,
        ...(drawn ? { drawn } : {}),
        ...(signal ? { signal } : {}),
        onResult(found) {
          results.push(found);
          onResult?.(found, results.length, jobs.length);
          onProgress?.(found.method, results.length / jobs.length);
        },
      });
      return withCore((core) => core.families_gather(config, results));
    },
    familiesFigure: (report, name, { format = 'svg', width = 720, dark = false, weights } = {}) =>
      withCore((core) =>
        weighed(familiesView(core, report), weights, (view) =>
          view.export_text(idOf(core, name, 'fam'), format, Number(width), Boolean(dark)),
        ),
      ),
    familiesTable: (report, name, { weights } = {}) =>
      withCore((core) =>
        weighed(familiesView(core, report), weights, (view) => view.table(idOf(core, name, 'fam'))),
      ),
    familiesSummary: (report, { weights } = {}) =>
      withCore((core) =>
        weighed(familiesView(core, report), weights, (view) => ({
          headline: view.headline(),
          warnings: view.warnings(),
        })),
      ),

    trainDefaults: (family = 'topk') => withCore((core) => core.train_defaults(String(family))),
    worldDefaults: (name = 'superposition') => withCore((core) => core.world_defaults(String(name))),
    async train(draft = {}, of, options = {}) {
      const { given, points = POINTS, state = null, onProgress, signal } = options;
      signal?.throwIfAborted();
      if (state !== null && typeof state?.config !== 'object')
        throw refusal('state.malformed', 'state', said(state), 'the state of an earlier training');
      const { config, ...trained } = await withCore((core) => {
        const small = core.families_preset('small');
        const own = given === undefined ? null : givenOf(core, given);
        /** @type {Partial<TrainConfig>} */
        const asked = keyed('train', plain('train', draft), Object.keys(small.train));
        if (own && of !== undefined)
          throw refusal('train.world', 'world', 'named', 'undefined where activations are given');
        const world = own?.world ?? worldOf(core, plain('world', of ?? 'superposition'));
        const [most = 0, held = 0] = core.world_split(world, MOST_ROWS);
        const rows = whole('rows', options.rows ?? Math.min(ROWS, most), 2, most);
        const config = state
          ? plain('state', state).config
          : { ...core.train_defaults(String(asked.family ?? 'topk')), ...asked };
        // Some knobs of the study may be more than the latents: those are not asked about.
        const one = { ...small, world, ks: [1], train_rows: rows, eval_rows: held };
        if (!state) judged(core, { ...one, train: config }, one, 'train');
        return { config, world, rows, held, ...(own ? { drawn: own.draw(rows + held) } : {}) };
      });
      const left = state ? config.steps - state.step : config.steps;
      const task = /** @type {TrainWholeTask} */ ({
        kind: 'train-whole',
        config,
        ...trained,
        state: state && plain('state', state),
        steps: whole('steps', options.steps ?? left, 1, 10_000_000),
        points: whole('points', points, 1, MOST_POINTS),
      });
      /** @type {Omit<import('../types/sfc-bench.d.ts').Trained, 'folder'>} */
      const found = await submit(task, {
        tries: TRIES,
        signal,
        onProgress: (_, fraction, metrics) => onProgress?.(metrics, fraction),
      });
      const { family, seed } = config;
      const usual = `sae-${family}-${trained.world.world}-seed${seed}-step${found.state.step}`;
      return {
        ...found,
        folder: (name = usual) =>
          submit(
            {
              kind: 'train-folder',
              state: found.state,
              ...trained,
              name: String(name),
            },
            { tries: TRIES },
          ),
      };
    },
    studyFigures: () => withCore((core) => core.study_figure_names()),
  };
  return api;
}
