// The built page as an npm package: packed as npm packs it, imported by its name in Node and by its
// address in a page, its types compiled against what it really gives.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const golden = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(join(ROOT, 'tests/golden', `${name}.json`), 'utf8'));

/** The digest of the paper's results, as tests/core/link.rs has it. */
const PAPER_DIGEST = 'kpe33-x6exm-vhqe0';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** A folder of somebody else's, with the package among its modules. */
let folder = '';
/** The package, imported by its name. @type {typeof import('../../www/types/sfc-bench.d.ts')} */
let bench;

before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-package-'));
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, join(ROOT, 'dist')],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [{ filename }] = JSON.parse(packed);
  const place = join(folder, 'node_modules/sfc-bench');
  await mkdir(place, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, filename), '-C', place, '--strip-components=1']);
  await writeFile(join(folder, 'entry.mjs'), "export * from 'sfc-bench';\n");
  bench = await import(pathToFileURL(join(folder, 'entry.mjs')).href);
});
after(async () => {
  bench?.close();
  await harness?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Golden files write what JSON has no number for as a text. @param {unknown} value */
const number = (value) => (typeof value === 'string' ? Number(value) : /** @type {number} */ (value));
/** @param {unknown[][]} rows */
const matrix = (rows) => ({
  data: Float64Array.from(rows.flat(), number),
  rows: rows.length,
  cols: rows[0]?.length ?? 0,
});

/** @param {string} what @param {number} found @param {number} wanted @param {{ rel: number, abs: number }} tolerance */
function close(what, found, wanted, { rel, abs }) {
  const far = Math.abs(found - wanted);
  assert.ok(far <= abs + rel * Math.abs(wanted), `${what}: ${found}, but ${wanted} is expected`);
}

/** A metric without a value is refused here and NaN in the vectors. @param {string} what @param {Promise<number>} found @param {unknown} wanted @param {{ rel: number, abs: number }} tolerance */
async function equals(what, found, wanted, tolerance) {
  const expected = number(wanted);
  if (Number.isNaN(expected))
    await assert.rejects(found, (error) => error instanceof bench.SfcBenchError, what);
  else close(what, await found, expected, tolerance);
}

/** @param {Promise<unknown>} work @param {string} code @param {string} [field] */
const refuses = (work, code, field) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof bench.SfcBenchError, String(error));
    assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.field, field);
    assert.ok(error.message.length > 10);
    if (/^(metric|pareto|figure)\./.test(code)) assert.ok(error.allowed, `${code} says what is allowed`);
    return true;
  });

describe('in Node', () => {
  test('a program imports it by name, runs the paper and ends by itself', async () => {
    await writeFile(
      join(folder, 'program.mjs'),
      `import { run, SfcBenchError } from 'sfc-bench';
       const stages = [];
       const { report, verdict, digest } = await run({}, { onProgress: (stage, part) => stages.push(part) });
       const refused = await run({ k: 700 }).catch((error) => [error instanceof SfcBenchError, error.field]);
       console.log(JSON.stringify({ digest, agree: verdict.agree, last: stages.at(-1), refused, version: report.version }));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], {
      cwd: folder,
      timeout: 60_000,
    });
    const { version } = JSON.parse(await readFile(join(ROOT, 'dist/package.json'), 'utf8'));
    assert.deepEqual(JSON.parse(stdout), {
      digest: PAPER_DIGEST,
      agree: 84,
      last: 1,
      refused: [true, 'k'],
      version,
    });
  });

  test('runs are given up, and the next one is done', async () => {
    const stop = new AbortController();
    const slow = bench.run({ samples: 20_000, hidden: 256, k: 200 }, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(slow, /enough/);
    const midway = new AbortController();
    const begun = bench.run(
      { samples: 20_000 },
      { signal: midway.signal, onProgress: () => midway.abort(new Error('midway')) },
    );
    await assert.rejects(begun, /midway/);
    const [one, two] = await Promise.all([bench.run({ model_seed: 7 }), bench.run()]);
    assert.equal(two.digest, PAPER_DIGEST);
    assert.notEqual(one.digest, two.digest);
  });

  test('a run that the core refuses is told with its code', () =>
    refuses(bench.run({ samples: 40 }), 'dictionary.rank-deficient', 'k'));

  test('curves equal those of the command line, weights included', async () => {
    const { report } = await bench.run({ k: 20, model_seed: 5, weights: [2, 1, 1] });
    const args = ['curve', '--k', '20', '--model-seed', '5', '--weights', '2,1,1', '--json'];
    const printed = JSON.parse(
      execFileSync(CLI, args, { encoding: 'utf8' }),
    );
    const curve = printed.points ? printed : (printed.main ?? printed.curve);
    assert.deepEqual(report.main.points, curve.points);
    const heavy = await bench.rescore(report, [5, 1, 1]);
    for (const point of heavy.main.points) {
      const axes = [point.sparsity, point.fidelity, point.completeness];
      assert.equal(point.sfc, await bench.score(axes, [5, 1, 1]));
    }
  });

  test('reports are compared, digested, drawn and written as links', async () => {
    const { report, digest } = await bench.run();
    const { verdict, cells } = await bench.compare(report);
    assert.equal(verdict.agree, cells.filter(({ table, agrees }) => agrees && /[346]$/.test(table) && !table.startsWith('Figure')).length);
    assert.equal(await bench.digest(report), digest);
    assert.ok((await bench.checkDigest(report, digest, report.version)).equal);
    assert.ok(!(await bench.checkDigest(await bench.rescore(report, [5, 1, 1]), digest)).equal);
    assert.match(await bench.figure(report, 'curves', { format: 'svg' }), /^<svg[^]*<\/svg>\s*$/);
    assert.equal(
      await bench.figure(report, 'sizes', { format: 'csv' }),
      await bench.figure(report, 'table6', { format: 'csv' }),
    );
    assert.equal((await bench.table(report, 'levels')).rows.length, 8);
    await refuses(bench.figure(report, 'fig9'), 'figure.unknown', 'figure');

    const settings = await bench.configure({ k: 20, weights: [2, 1, 1] });
    const link = await bench.printLink({ settings, seeds: 12 });
    assert.equal(link, 'v=1&k=20&w=2,1,1&seeds=12');
    const { state, changes } = await bench.parseLink(link);
    assert.deepEqual([state.settings, state.seeds, changes], [settings, 12, []]);
    const mended = await bench.parseLink('k=700');
    assert.deepEqual([mended.state.settings.k, mended.changes.length], [64, 1]);
    assert.match(await bench.script({ k: 32 }), /K = 32/);
  });

  test('settings are checked by the core', async () => {
    const { settings, problems } = await bench.validate({ k: -1, samples: 1 });
    assert.equal(settings, null);
    assert.deepEqual(problems.map(({ field }) => field).sort(), ['k', 'samples']);
    await refuses(bench.configure({ hidden: 2.5 }), 'settings.hidden', 'hidden');
    // @ts-expect-error: an accessor could run in the middle of the core
    await refuses(bench.configure({ k: () => 1 }), 'settings.type', 'settings');
    assert.deepEqual(await bench.configure(), await bench.defaults());
  });
});

describe('metrics equal the vectors from NumPy, moocore and pymoo', () => {
  /** @param {string} name @param {number} least @param {(name: string, input: any, expected: any, tolerance: any) => Promise<void>} check */
  async function each(name, least, check) {
    const { cases, tolerance } = await golden(name);
    assert.ok(cases.length >= least);
    for (const { name: of, input, expected } of cases) await check(of, input, expected, tolerance);
  }

  test('sparsity', () =>
    each('sfc_sparsity', 8, async (name, { c }, { S }, tolerance) => {
      const codes = matrix(c);
      // Stated beside the vector: what is not finite is refused.
      if (codes.data.some((code) => !Number.isFinite(code)))
        await refuses(bench.sparsity(codes), 'metric.non-finite', 'codes');
      else await equals(name, bench.sparsity(codes), S, tolerance);
    }));

  test('fidelity', () =>
    each('sfc_fidelity', 9, async (name, input, expected, tolerance) => {
      const [a, b] = [matrix(input.a), matrix(input.a_hat)];
      await equals(name, bench.fidelity(a, b, { guard: 0 }), expected.cosine, tolerance);
      await equals(name, bench.fidelity(a, b, { mode: 'r2' }), expected.r2, tolerance);
      await equals(name, bench.fidelity(a, b, { mode: 'rel-mse' }), expected.rel_mse, tolerance);
    }));

  test('completeness', () =>
    each('sfc_completeness', 7, async (name, input, expected, tolerance) => {
      const parts = /** @type {const} */ ([matrix(input.a), matrix(input.W), matrix(input.W2)]);
      const bias = input.b2.map(number);
      await equals(name, bench.completeness(...parts, { bias }), expected.C_total, tolerance);
      const paper = bench.completeness(...parts, { bias, reading: 'paper' });
      assert.equal(await bench.completeness(...parts, { bias, variance: 'grand' }), await paper);
      await equals(name, paper, expected.C_elementwise, tolerance);
    }));

  test('rate', () =>
    each('sfc_rate', 4, (name, { c, bins }, { rate }, tolerance) =>
      equals(name, bench.rate(matrix(c), { bins }), rate, tolerance),
    ));

  test('score', () =>
    each('sfc_score', 50, async (name, input, { sfc }, tolerance) => {
      const weights = [input.alpha, input.beta, input.gamma].map(number);
      const found = bench.score([input.S, input.F, input.C].map(number), weights);
      if (typeof sfc === 'number') close(name, await found, sfc, tolerance);
      else await assert.rejects(found, (error) => error instanceof bench.SfcBenchError, name);
    }));

  test('hypervolume and front', () =>
    each('sfc_hypervolume', 13, async (name, input, expected, tolerance) => {
      const points = input.points.map((/** @type {unknown[]} */ point) => point.map(number));
      const reference = input.ref.map(number);
      if (reference.length > 3) return;
      // Fewer objectives are three of which the last ones are 1 for all.
      for (const point of points) while (point.length < 3) point.push(1);
      while (reference.length < 3) reference.push(0);
      if (expected.hv === 'reject') {
        await refuses(bench.hypervolume(points, reference), 'pareto.non-finite', 'points');
        await refuses(bench.front(points), 'pareto.non-finite', 'points');
        return;
      }
      const { hypervolume, contributions } = await bench.hypervolume(points, reference);
      close(name, hypervolume, number(expected.hv), tolerance);
      assert.equal(contributions.length, points.length);
      const front = await bench.front(Float64Array.from(points.flat()));
      const flags = points.map((_, index) => front.includes(index));
      assert.deepEqual(flags, expected.nondominated, name);
    }));

  test('every kind of number gives the same', async () => {
    const rows = [
      [1, 0, 2, 0],
      [0, 0, 0, 3],
    ];
    const flat = rows.flat();
    const kinds = [Float64Array, Float32Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
    const shared = new Float64Array(new SharedArrayBuffer(64));
    shared.set(flat);
    const codes = [
      rows,
      rows.map((row) => Float32Array.from(row)),
      { data: flat, rows: 2, cols: 4 },
      { data: shared, rows: 2, cols: 4 },
      ...kinds.map((Kind) => ({ data: Kind.from(flat), rows: 2, cols: 4 })),
    ];
    for (const one of codes) assert.equal(await bench.sparsity(one), 1 - 3 / 8);
    assert.equal(await bench.dominates([1, 1, 1], [1, 0.5, 1]), true);
    assert.equal(await bench.dominates([1, 1, 1], [1, 1, 1]), false);
    const { standing, regions } = await bench.simplex([
      [0.9, 0.5, 0.9],
      [0.5, 0.9, 0.9],
    ], [5, 1, 1]);
    assert.equal(standing?.index, 0);
    close('the two share the triangle', regions.reduce((sum, { share }) => sum + share, 0), 1, { rel: 1e-9, abs: 0 });
  });
});

test('bad input is refused by name and leaves the core as it was', async () => {
  const good = { data: Float64Array.from({ length: 12 }, (_, i) => Math.sin(i + 1)), rows: 4, cols: 3 };
  const before = [await bench.sparsity(good), await bench.fidelity(good, good)];
  const gone = new Float64Array(12);
  structuredClone(gone, { transfer: [gone.buffer] });
  const throwing = Object.defineProperty({ rows: 4, cols: 3 }, 'data', {
    get() {
      throw new TypeError('an accessor');
    },
  });
  /** @type {[any, string, string?][]} */
  const codes = [
    [{ ...good, data: gone }, 'metric.detached', 'codes'],
    [{ ...good, rows: 5 }, 'metric.shape', 'codes'],
    [{ ...good, rows: -4 }, 'metric.size', 'codes.rows'],
    [{ ...good, rows: 4.5 }, 'metric.size', 'codes.rows'],
    [{ ...good, cols: NaN }, 'metric.size', 'codes.cols'],
    [{ ...good, cols: '3' }, 'metric.size', 'codes.cols'],
    [{ ...good, rows: 2 ** 40, cols: 2 ** 40 }, 'metric.size', 'codes.rows'],
    [{ data: good.data }, 'metric.size', 'codes.rows'],
    [{ data: [], rows: 0, cols: 0 }, 'metric.empty', 'codes'],
    [[], 'metric.empty', 'codes'],
    [[[]], 'metric.empty', 'codes'],
    [[[1, 2], [1]], 'metric.shape', 'codes[1]'],
    [[[1, '2']], 'metric.type', 'codes[0][1]'],
    [[1, 2], 'metric.type', 'codes[0]'],
    [{ ...good, data: good.data.map((x, i) => (i === 7 ? NaN : x)) }, 'metric.non-finite', 'codes'],
    [{ ...good, data: good.data.map((x, i) => (i === 7 ? Infinity : x)) }, 'metric.non-finite', 'codes'],
    [{ ...good, data: new BigInt64Array(12) }, 'metric.type', 'codes'],
    [{ ...good, data: new DataView(new ArrayBuffer(96)) }, 'metric.type', 'codes'],
    [{ ...good, data: 'numbers' }, 'metric.type', 'codes'],
    [{ ...good, data: { length: 12 } }, 'metric.type', 'codes'],
    [{ data: new Uint8Array(2 ** 25 + 1), rows: 1, cols: 2 ** 25 + 1 }, 'metric.size', 'codes.cols'],
    [{ data: new Uint8Array(2 ** 25 + 1), rows: 1, cols: 1 }, 'metric.memory', 'codes'],
    [null, 'metric.type', 'codes'],
    [undefined, 'metric.type', 'codes'],
    [7, 'metric.type', 'codes'],
    ['text', 'metric.type', 'codes'],
    [Symbol.iterator, 'metric.type', 'codes'],
  ];
  for (const [value, code, field] of codes) await refuses(bench.sparsity(value), code, field);
  await assert.rejects(bench.sparsity(/** @type {any} */ (throwing)), /an accessor/);

  const zeros = { data: new Float64Array(12), rows: 4, cols: 3 };
  const other = { data: new Float64Array(8).fill(1), rows: 4, cols: 2 };
  const huge = { data: new Float64Array(12).fill(1e300).map((x, i) => x * (i + 1)), rows: 4, cols: 3 };
  /** @type {[Promise<unknown>, string, string?][]} */
  const calls = [
    [bench.fidelity(good, other), 'metric.shape', 'reconstruction'],
    [bench.fidelity(good, good, { mode: /** @type {any} */ ('angle') }), 'metric.mode', 'mode'],
    [bench.fidelity(good, good, { mode: /** @type {any} */ (7) }), 'metric.mode', 'mode'],
    [bench.fidelity(good, good, { guard: -1 }), 'metric.guard', 'guard'],
    [bench.fidelity(good, good, { guard: NaN }), 'metric.guard', 'guard'],
    [bench.fidelity(zeros, zeros, { mode: 'r2' }), 'metric.constant', 'activations'],
    [bench.fidelity(huge, huge), 'metric.overflow', 'activations'],
    [bench.completeness(good, other, good), 'metric.shape', 'dictionary'],
    [bench.completeness(good, good, other), 'metric.shape', 'readout'],
    [bench.completeness(good, good, good, { bias: [1] }), 'metric.shape', 'bias'],
    [bench.completeness(good, good, zeros), 'metric.constant', 'outputs'],
    [bench.completeness(good, huge, good), 'metric.overflow', 'dictionary'],
    [bench.completeness(good, good, good, { reading: /** @type {any} */ ('both') }), 'metric.reading', 'reading'],
    [bench.completenessOfOutputs(good, other), 'metric.shape', 'projected'],
    [bench.rate(good, { bins: 1 }), 'metric.bins', 'bins'],
    [bench.rate(good, { bins: 1e12 }), 'metric.bins', 'bins'],
    [bench.relevance(good, { data: [1, 2], rows: 2, cols: 1 }), 'metric.shape', 'outputs'],
    [bench.score([0.5, NaN, 0.5]), 'metric.non-finite', 'axes'],
    [bench.score([0.5, 0.5]), 'metric.shape', 'axes'],
    [bench.score([0.5, 0.5, 0.5], [0, 0, 0]), 'metric.weights', 'weights'],
    [bench.score([0.5, 0.5, 0.5], [1, -1, 1]), 'metric.weights', 'weights'],
    [bench.hypervolume([[1, 2]]), 'metric.shape', 'points'],
    [bench.hypervolume(/** @type {any} */ ([1, 2])), 'metric.shape', 'points'],
    [bench.hypervolume([[1, 2, NaN]]), 'pareto.non-finite', 'points'],
    [bench.hypervolume([[1, 2, 3]], [0, 0, Infinity]), 'pareto.reference', 'reference'],
    [bench.hypervolume([[1e200, 1e200, 1e200]]), 'pareto.overflow', 'points'],
    [bench.front([[1, 2, 3]], { tolerance: -1 }), 'pareto.tolerance', 'tolerance'],
    [bench.dominates([1, 2, 3], [1, 2, 3], { tolerance: NaN }), 'pareto.tolerance', 'tolerance'],
    [bench.dominates([1, 2, NaN], [1, 2, 3]), 'pareto.non-finite', 'first'],
    [bench.simplex([[1, NaN, 1]]), 'pareto.non-finite', 'points'],
    [bench.simplex(new Float64Array(3 * 1025)), 'metric.memory', 'points'],
    [bench.digest(/** @type {any} */ ({})), 'report.malformed'],
    [bench.printLink(/** @type {any} */ ({ settings: { k: 700 } })), 'settings.k', 'k'],
  ];
  // All were begun above; each is awaited in turn, and none may be an unhandled rejection meanwhile.
  for (const [work] of calls) work.catch(() => {});
  for (const [work, code, field] of calls) await refuses(work, code, field);

  assert.deepEqual([await bench.sparsity(good), await bench.fidelity(good, good)], before);
  assert.equal((await bench.hypervolume([])).hypervolume, 0);
  assert.equal((await bench.run()).digest, PAPER_DIGEST);
});

describe('studies', () => {
  const DATA = join(ROOT, 'tests/golden/evaluate');
  const bytes = (/** @type {string} */ name) => readFile(join(DATA, name));
  /** What the command line prints. @param {string[]} args @param {string} [cwd] */
  const printed = (args, cwd = DATA) =>
    execFileSync(CLI, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  /** As the command line writes it. @param {unknown} value */
  const written = (value) => JSON.parse(JSON.stringify(value));

  test('a decomposition is scored as on the command line, digests of the files included', async () => {
    const files = {
      'acts_f32.npy': await bytes('acts_f32.npy'),
      'sae_topk/cfg.json': new Blob([await bytes('sae_topk/cfg.json')]),
      'sae_topk/sae_weights.safetensors': (await bytes('sae_topk/sae_weights.safetensors')).buffer,
      'readout.npy': new DataView(Uint8Array.from(await bytes('readout.npy')).buffer),
    };
    /** @type {string[]} */
    const phases = [];
    const { report, script } = await bench.evaluate(
      new Map(Object.entries(files)),
      {
        activations: { file: 'acts_f32.npy' },
        sae: { config: 'sae_topk/cfg.json', weights: 'sae_topk/sae_weights.safetensors' },
        readout: { file: 'readout.npy' },
        options: { completeness: 'reconstruction', weights: [1, 2, 1] },
      },
      { onProgress: (phase) => phases.push(phase) },
    );
    const given = ['--activations', 'acts_f32.npy', '--sae', 'sae_topk', '--readout', 'readout.npy'];
    const how = ['--completeness', 'reconstruction', '--weights', '1,2,1'];
    // The command line takes digests for a script only: here they are held against Node's own.
    for (const { role, file, sha256 } of report.files) {
      assert.equal(sha256, createHash('sha256').update(await bytes(file)).digest('hex'), role);
    }
    /** @param {typeof report} of */
    const bare = (of) => ({ ...of, files: of.files.map(({ sha256: _, ...rest }) => rest) });
    assert.deepEqual(bare(report), bare(JSON.parse(printed(['evaluate', ...given, ...how, '--json']))));
    assert.match(script, /import numpy as np/);
    assert.equal(phases.at(-1), 'digests');

    const again = await bench.rescoreEvaluation(report, { weights: [5, 1, 1], completeness: 'row-space' });
    const other = printed(['evaluate', ...given, '--completeness', 'row-space', '--weights', '5,1,1', '--json']);
    assert.deepEqual(bare(again), bare(JSON.parse(other)));
    assert.match(await bench.evaluateFigure(again, 'own-score'), /^<svg[^]*<\/svg>\s*$/);
    assert.ok((await bench.evaluateTable(again, 'own-measures')).rows.length > 5);
  });

  test('arrays are scored as the metrics of the package score them', async () => {
    const dictionary = [
      [1, 0, 0],
      [0.5, -2, 0.25],
    ];
    const activations = { data: Float32Array.from({ length: 60 }, (_, i) => ((i * 37) % 23) / 4 - 2), rows: 20, cols: 3 };
    const codes = { data: Float64Array.from({ length: 40 }, (_, i) => ((i * 29) % 17) / 8 - 1), rows: 20, cols: 2 };
    const readout = [[1, 0.5, -1]];
    const { report } = await bench.evaluateMatrices(
      { activations, dictionary, codes, readout, bias: [0.5] },
      { fidelity: 'r2' },
    );
    // The metrics of the package on the same numbers, all of which a float32 holds.
    const product = Array.from({ length: 20 }, (_, row) =>
      Array.from({ length: 3 }, (_, col) =>
        dictionary.reduce((sum, atom, k) => sum + (codes.data[2 * row + k] ?? NaN) * (atom[col] ?? NaN), 0),
      ),
    );
    const near = { rel: 1e-12, abs: 1e-12 };
    close('S', report.sparsity.s, await bench.sparsity(codes), near);
    close('F', report.fidelity.r2 ?? NaN, await bench.fidelity(activations, product, { mode: 'r2' }), near);
    close(
      'C',
      report.completeness[0]?.total ?? NaN,
      await bench.completeness(activations, dictionary, readout, { bias: [0.5] }),
      near,
    );
    assert.equal(report.files.length, 5);
    const read = await bench.evaluateMatrices({ activations, dictionary }, { codesBy: 'least-squares' });
    assert.equal(read.report.codes, 'least-squares');
  });

  test('a study is the one of the command line, whoever did its members', async () => {
    const args = ['families', '--preset', 'small', '--world', 'nonlinear', '--methods', 'svd,topk,random'];
    const json = printed([...args, '--ks', '2,3', '--seeds', '2', '--steps', '20', '--completeness', 'row-space', '--json']);
    /** @type {string[]} */
    const heard = [];
    /** @type {number[]} */
    const counts = [];
    const report = await bench.compareFamilies(
      {
        world: { world: 'nonlinear', interaction: 1 },
        methods: ['svd', 'topk', 'random'],
        ks: [2, 3],
        seeds: [0, 1],
        train: { steps: 20 },
        completeness: 'row-space',
      },
      {
        onProgress: (method, fraction) => heard.push(`${method} ${fraction}`),
        onResult: (_, done, total) => counts.push(done / total),
      },
    );
    assert.deepEqual(report, JSON.parse(json));
    assert.deepEqual(counts, Array.from({ length: 10 }, (_, i) => (i + 1) / 10));
    assert.equal(heard.length, 10);
    assert.match(await bench.familiesFigure(report, 'families'), /^<svg[^]*<\/svg>\s*$/);
    assert.equal(
      await bench.familiesFigure(report, 'families-score', { format: 'csv', weights: [5, 1, 1] }),
      await bench.familiesFigure(report, 'fam-score', { format: 'csv', weights: [5, 1, 1] }),
    );
    assert.ok((await bench.familiesTable(report, 'families-differences')).rows.length > 0);
    const { headline, warnings } = await bench.familiesSummary(report);
    assert.ok(headline.length > 40 && warnings.length > 0);
  });

  test('a training is the one of the command line, to the last bit of its weights', async () => {
    const out = join(folder, 'trained');
    const args = ['train', '--family', 'gated', '--latents', '24', '--steps', '95', '--batch', '64'];
    const json = JSON.parse(printed([...args, '--rows', '900', '--seed', '3', '--out', out, '--json']));
    /** @type {number[]} */
    const heard = [];
    const config = { ...json.config };
    const trained = await bench.train(
      { family: 'gated', latents: 24, k: 3, steps: 95, batch: 64, seed: 3 },
      { world: 'superposition' },
      { rows: 900, onProgress: ({ step }) => heard.push(step) },
    );
    assert.deepEqual(trained.curve, json.curve);
    assert.deepEqual(heard, json.curve.map((/** @type {any} */ { step }) => step));
    assert.deepEqual(trained.matching, json.matching);
    assert.deepEqual(trained.state.config, config);
    for (const [name, content] of Object.entries(trained.files))
      assert.deepEqual(Buffer.from(content), await readFile(join(out, name)), name);
    const zip = Buffer.from(await trained.folder('mine'));
    assert.ok(zip.includes('mine/cfg.json') && zip.length > trained.files['sae_weights.safetensors'].length);

    // In two parts it comes to the same; and what was trained can be scored.
    const half = await bench.train(trained.state.config, 'superposition', { rows: 900, steps: 40 });
    const whole = await bench.train({}, 'superposition', { rows: 900, state: written(half.state) });
    assert.deepEqual(whole.state, trained.state);
    assert.deepEqual(whole.found, trained.found);
    const rows = Array.from({ length: 30 }, (_, i) => Array.from({ length: 16 }, (_, j) => Math.sin(i * j + i)));
    const { report } = await bench.evaluate(
      { ...trained.files, 'acts.csv': Buffer.from(rows.map(String).join('\n')) },
      {
        activations: { file: 'acts.csv' },
        sae: { config: 'cfg.json', weights: 'sae_weights.safetensors' },
      },
    );
    assert.deepEqual([report.rows, report.k, report.codes], [30, 24, 'gated']);
  });

  test('they are given up where somebody says so, and the next one is done', async () => {
    /** @param {(signal: AbortSignal, stop: () => void) => Promise<unknown>} begin */
    const stopped = async (begin) => {
      const stop = new AbortController();
      await assert.rejects(
        begin(stop.signal, () => stop.abort(new Error('enough'))),
        /enough/,
      );
    };
    const big = { data: new Float32Array(400_000).map((_, i) => Math.sin(i * i)), rows: 4_000, cols: 100 };
    await stopped((signal, stop) => bench.compareFamilies({}, { signal, onResult: stop }));
    await stopped((signal, stop) => bench.train({ steps: 1_000_000 }, 'paper', { signal, points: 10_000, onProgress: stop }));
    await stopped((signal, stop) => bench.evaluateMatrices({ activations: big, dictionary: big }, { signal, onProgress: stop }));
    const gone = AbortSignal.abort(new Error('before'));
    await assert.rejects(bench.compareFamilies({}, { signal: gone }), /before/);
    await assert.rejects(bench.train({}, 'paper', { signal: gone }), /before/);
    const next = await bench.train({ steps: 3, latents: 8, k: 1 }, 'paper', { rows: 300 });
    assert.equal(next.state.step, 3);
  });

  test('activations of one’s own are a world', async () => {
    const activations = Array.from({ length: 200 }, (_, row) =>
      Array.from({ length: 6 }, (_, at) => Math.sin(1 + row * (at + 1)) + (at === row % 6 ? 2 : 0)),
    );
    const study = { methods: /** @type {any} */ (['svd', 'topk']), ks: [2], seeds: [0], train: { steps: 20 } };
    const report = await bench.compareFamilies(study, { given: { activations } });
    const { world, train_rows, eval_rows } = report.config;
    assert.equal(world.world, 'given');
    assert.deepEqual([train_rows, eval_rows], [160, 40]);
    assert.equal(report.results[0]?.c_gt, null);
    const readout = [[1, 0, 0, 0, 0, 0]];
    const read = await bench.compareFamilies(study, { given: { activations, readout } });
    assert.notDeepEqual(read.results[0]?.completeness, report.results[0]?.completeness);
    const trained = await bench.train({ latents: 12, k: 2, steps: 20, batch: 32 }, undefined, { given: { activations } });
    assert.ok(trained.found.fidelity > 0);
    await assert.rejects(bench.compareFamilies({ world: 'paper' }, { given: { activations } }), { field: 'world' });
    await assert.rejects(bench.train({}, 'paper', { given: { activations } }), { field: 'world' });
  });

  test('what is refused says which field', async () => {
    const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
    const acts = await bytes('acts_f32.npy');
    const one = { activations: { file: 'a.npy' }, dictionary: { file: 'a.npy' } };
    const report = await bench.compareFamilies({ methods: ['svd'], ks: [2], train_rows: 300, eval_rows: 50 });
    /** @type {[Promise<unknown>, string, string?][]} */
    const calls = [
      [bench.evaluate(any(null), one), 'evaluate.type', 'files'],
      [bench.evaluate({ 'a.npy': any('text') }, one), 'evaluate.type', 'a.npy'],
      [bench.evaluate({ 'a.npy': acts.subarray(0, 200) }, one), 'io.truncated', 'a.npy'],
      [bench.evaluate({ 'a.npy': new Uint8Array(9) }, one), 'io.format', 'a.npy'],
      [bench.evaluate({ 'b.npy': acts }, one), 'evaluate.file', 'a.npy'],
      [bench.evaluate({ 'a.npy': acts }, { activations: { file: 'a.npy' } }), 'evaluate.method', 'sae'],
      [bench.evaluate({ 'a.npy': acts }, any({ ...one, dictionry: 1 })), 'evaluate.malformed', 'dictionry'],
      [bench.evaluate({ 'a.npy': acts }, { ...one, options: { memory: 5 } }), 'evaluate.memory', 'memory'],
      [bench.evaluateMatrices({ activations: [[1, 2]], dictionary: [[1]] }), 'io.shape', 'dictionary'],
      [bench.evaluateMatrices({ activations: { data: [1], rows: 1, cols: 2 }, dictionary: [[1]] }), 'metric.shape', 'activations'],
      [bench.evaluateMatrices(any({ dictionary: [[1]] })), 'metric.type', 'activations'],
      [bench.evaluateFigure(any({}), 'own-score'), 'report.malformed'],
      [bench.familiesPreset('huge'), 'settings.preset', 'preset'],
      [bench.compareFamilies({ methods: any(['svm']) }), 'families.malformed', 'methods'],
      [bench.compareFamilies(any({ method: ['svd'] })), 'families.malformed', 'method'],
      [bench.compareFamilies({ seeds: [1, 1] }), 'settings.seeds', 'seeds'],
      [bench.compareFamilies({ world: { world: 'superposition', zipf: -1 } }), 'settings.zipf', 'zipf'],
      [bench.compareFamilies({ world: any('real') }), 'settings.world', 'world'],
      [bench.familiesFigure(report, 'fig1a'), 'figure.unknown', 'figure'],
      [bench.familiesFigure(report, 'own-score'), 'figure.unknown', 'figure'],
      [bench.familiesFigure(report, 'families', { weights: [0, 0, 0] }), 'settings.weights', 'weights'],
      [bench.trainDefaults(any('l1')), 'settings.family', 'family'],
      [bench.train({ latents: 0 }), 'settings.latents', 'latents'],
      [bench.train({ steps: 1.5 }), 'train.malformed', 'steps'],
      [bench.train({}, 'paper', { state: any(7) }), 'state.malformed', 'state'],
      [bench.train({}, 'paper', { state: any({ config: {}, step: 0 }), steps: 5 }), 'state.malformed'],
      [bench.familiesFigure(any(null), 'families'), 'report.malformed', 'report'],
      [bench.rescoreEvaluation(any(undefined)), 'report.malformed'],
      [bench.evaluateMatrices(any(undefined)), 'evaluate.malformed', 'evaluate'],
      [bench.evaluateMatrices(any({ activations: [[1]], atoms: [[1]] })), 'evaluate.malformed', 'atoms'],
      [bench.train(any({ stpes: 1 })), 'train.malformed', 'stpes'],
      [bench.train({}, 'paper', { rows: 100 }), 'settings.batch', 'batch'],
      [bench.train({}, 'paper', { rows: 1e9 }), 'train.number', 'rows'],
      [bench.train({}, 'paper', { points: 0 }), 'train.number', 'points'],
    ];
    for (const [work] of calls) work.catch(() => {});
    for (const [work, code, field] of calls) await refuses(work, code, field);
    assert.equal((await bench.run()).digest, PAPER_DIGEST);
  });
});

// For all of them, on a busy machine.
describe('the toy model', { timeout: 600_000 }, () => {
  const small = { texts: 60, made: 5, continuations: 4, factors: [0, 10] };
  const flags = ['--texts', '60', '--made', '5', '--continuations', '4', '--factors', '0,10'];
  /** @param {string[]} args */
  const printed = async (...args) => JSON.parse((await promisify(execFile)(CLI, [...args, '--json'], { maxBuffer: 2 ** 28 })).stdout);

  test('FADE is that of the command line', async () => {
    const [report, wanted] = await Promise.all([bench.fade(small), printed('fade', ...flags)]);
    for (const [index, row] of wanted.features.entries()) {
      const found = report.features[index];
      assert.equal(found?.latent, row.latent);
      assert.equal(found?.clarity.code, row.clarity);
      assert.equal(found?.clarity.document, row.clarity_document);
      assert.equal(found?.purity.code, row.purity);
      assert.equal(found?.steered?.faithfulness, row.faithfulness);
    }
    assert.match(await bench.fadeFigure(report, 'fade-scores'), /^<svg/);
    assert.ok((await bench.fadeTable(report, 'fade-table')).rows.length > 18);
    const plain = await bench.fade(small, { steer: false });
    assert.ok(plain.features.every(({ steered }) => steered === null));
  });

  test('CE-Bench is that of the command line, in every reading', async () => {
    const [report, wanted] = await Promise.all([
      bench.ceBench({ pairs: 8, sae: 'random256' }),
      printed('ce-bench', '--pairs', '8', '--sae', 'random256'),
    ]);
    assert.deepEqual(report.subjects[0]?.readings, wanted.readings);
    const table = await bench.ceBenchTable(report, 'ce-scores', { reading: 'paper' });
    assert.notDeepEqual(table, await bench.ceBenchTable(report, 'ce-scores'));
  });

  test('measurement theory is that of the command line, in parts, and one metric is opened', async () => {
    /** @type {string[]} */
    const told = [];
    const report = await bench.measure(
      { n_prompts: 8, seeds: 1, metric: 'ex1' },
      { picture: true, onProgress: (part) => told.push(part) },
    );
    assert.equal(report.parts.length, 15);
    assert.deepEqual(told.sort(), [...report.parts.map(({ part }) => part), 'ex1'].sort());
    const { metrics } = await printed('measure', 'all', '--n-prompts', '8', '--seeds', '1');
    for (const { metric, quantity, ground, subject, values } of report.parts.filter(({ part }) => part === 'features-0').flatMap(({ lines }) => lines))
      assert.deepEqual(metrics[metric][quantity][ground][subject].values, values, `${metric} ${quantity} ${subject}`);
    assert.ok(report.picture?.quantities.some(({ name, subject }) => name === 'dprime' && subject === 'found circuit'));
    assert.match(await bench.measureFigure(report, 'measure-language', { dark: true }), /^<svg/);
    assert.equal((await bench.measureTable(report, 'measure-means')).rows.length, 33);
    // A part of a report is one, too, and a case of what a limit can reach is chosen by number.
    assert.match(await bench.measureFigure({ settings: { metric: 'ex11' }, case: 1 }, 'measure-reach'), /^<svg/);
    const [metricsSaid, reached] = await Promise.all([bench.measureMetrics(), bench.measureReached('m13')]);
    assert.equal(metricsSaid.length, 15);
    assert.deepEqual(reached.map(({ says }) => says), (await printed('measure', 'reach', '--metric', 'm13')).map((/** @type {{ says: string }} */ { says }) => says));
    const alone = await bench.measure({ n_prompts: 8, metric: 'm14' }, { all: false, picture: true });
    assert.deepEqual([alone.parts.length, alone.picture?.metric], [0, 'm14']);
    await assert.rejects(bench.measure({ seeds: 0 }), { code: 'settings.seeds', field: 'seeds' });
    await assert.rejects(bench.measureReached('m99'), { code: 'settings.metric' });
    await assert.rejects(bench.measure({}, { signal: AbortSignal.abort('no') }), (reason) => reason === 'no');
  });

  test('the audit is that of the command line, and is judged by other limits without measuring', async () => {
    /** @type {string[]} */
    const told = [];
    const report = await bench.audit({ seeds: 2, world: 'planted' }, { onProgress: (part) => told.push(part) });
    assert.deepEqual(told.sort(), ['planted-0', 'planted-1']);
    const wanted = await printed('audit', '--seeds', '2', '--world', 'planted');
    const plain = (/** @type {any} */ { jobs }) =>
      jobs.map(({ job, rows }) => [job, rows.map(({ truth, values }) => [truth, values.map(({ metric, value }) => [metric, value])])]);
    assert.deepEqual(plain(report), plain(wanted));
    const reliable = async (/** @type {object} */ settings) => {
      // By the first edition's rule, whose limits two seeds suffice for.
      const { entries } = await bench.auditWords({ ...report, settings: { ...report.settings, edition: '1', ...settings } });
      return entries.filter(({ cells }) => cells.some(({ column, word }) => column === 'reliability' && word === 'holds')).length;
    };
    assert.ok((await reliable({ cv: 0 })) < (await reliable({})));
    const metrics = await bench.auditMetrics();
    assert.equal((await bench.auditTable(report, 'audit-table')).rows.length, metrics.length);
    assert.match(await bench.auditFigure(report, 'audit-redundancy', { dark: true }), /^<svg/);
    await assert.rejects(bench.audit({ seeds: 0 }), { code: 'settings.seeds', field: 'seeds' });
    await assert.rejects(bench.audit({}, { signal: AbortSignal.abort('no') }), (reason) => reason === 'no');
  });

  test('MUI is that of the command line, with the experiments that are asked for', async () => {
    /** @type {[string, number][]} */
    const told = [];
    const report = await bench.mui(
      { prompts: 16, checkpoint: 'ck-03000' },
      { experiments: ['masking'], onProgress: (stage, part) => told.push([stage, part]) },
    );
    const words = ['--prompts', '16', '--checkpoint', 'ck-03000'];
    const [{ tasks }, { experiments }] = await Promise.all([
      printed('mui', ...words),
      printed('mui', 'experiment', 'masking', ...words),
    ]);
    const opened = report.checkpoints.find(({ checkpoint }) => checkpoint === 'ck-03000');
    assert.equal(opened?.tasks.length, 10);
    for (const { task, ...found } of opened?.tasks ?? []) assert.deepEqual(found, tasks[task]);
    assert.deepEqual(report.experiments, experiments);
    const names = report.checkpoints.map(({ checkpoint }) => checkpoint);
    assert.equal(names.length, 13);
    assert.deepEqual(told.map(([stage]) => stage).sort(), [...names, 'growth', 'masking'].sort());
    assert.equal(told.at(-1)?.[1], 1);
    assert.match(await bench.muiFigure(report, 'mui-masking', { dark: true }), /^<svg/);
    assert.equal((await bench.muiTable(report, 'mui-tasks')).rows.length, 10);
    assert.equal((await bench.muiTable(report, 'mui-growth')).rows.length, 16);

    const stop = new AbortController();
    const stopped = bench.mui({ prompts: 17 }, { signal: stop.signal, onProgress: () => stop.abort('enough') });
    await assert.rejects(stopped, (reason) => reason === 'enough');
    await assert.rejects(bench.mui({}, { signal: AbortSignal.abort('no') }), (reason) => reason === 'no');
  });

  test('MUI from print, the law of one’s own models and their neurons are those of the command line', async () => {
    assert.deepEqual(await bench.muiPrinted(), await printed('mui', 'tables'));
    const rows = [
      { model: 'a', accuracy: 11.9, mui: 5.4 },
      { model: 'b', accuracy: 25.8, mui: 3.8 },
      { accuracy: 58.7, mui: 3 },
    ];
    const csv = join(folder, 'models.csv');
    await writeFile(csv, `model,accuracy,mui\n${rows.map(({ model = '', accuracy, mui }) => `${model},${accuracy},${mui}\n`).join('')}`);
    const { law, points } = await bench.muiLaw(rows);
    assert.deepEqual(law, await printed('mui', 'law', csv));
    assert.deepEqual(points.map(({ model }) => model), ['a', 'b', 'model 2']);

    const { files: kept } = await golden('mui_own');
    const names = ['model_task_result.jsonl', 'sets.jsonl'];
    const files = new Map(names.map((name) => [join(folder, name), Buffer.from(kept[name])]));
    for (const [path, bytes] of files) await writeFile(path, bytes);
    /** @type {number[]} */
    const parts = [];
    const own = await bench.muiOwn(files, { layers: 3, neurons: 40, k: 4 }, { onProgress: (_, part) => parts.push(part) });
    assert.deepEqual(own, await printed('mui', 'own', ...files.keys(), '--layers', '3', '--neurons', '40', '--k', '4'));
    assert.equal(parts.at(-1), 1);

    // Nothing is measured for these.
    assert.match(await bench.muiFigure({ settings: { data_set: 'HumanEval' } }, 'mui-law'), /The law on HumanEval/);
    const growth = (await bench.muiFigure({ own }, 'mui-own-growth', { format: 'csv' })).trimEnd().split('\r\n');
    assert.deepEqual(growth[0]?.split(','), ['answers', ...names.flatMap((name) => [name, `"${name}`, ' random baseline"'])]);
    const counts = new Set(own.files.flatMap((file) => file.growth.map(({ answers }) => answers)));
    assert.equal(growth.length - 1, counts.size);
    const figures = await bench.studyFigures();
    for (const id of ['fade-scores', 'mui-law', 'mui-trained-path', 'mui-own-growth'])
      assert.ok(figures.some((figure) => figure.id === id), id);
  });

  test('tasks fall where a head is ablated that they take', async () => {
    const [whole, without] = await Promise.all([
      bench.littleTasks({ prompts: 32 }),
      bench.littleTasks({ prompts: 32, ablated: [[0, 0]] }),
    ]);
    assert.equal(whole.find(({ task }) => task === 'ioi')?.accuracy, 1);
    assert.ok((without.find(({ task }) => task === 'ioi')?.accuracy ?? 1) < 0.9);
  });

  test('what is refused says which field', async () => {
    await assert.rejects(bench.fade({ sae: 'none' }), { code: 'settings.sae' });
    await assert.rejects(bench.fade({ factors: [1] }), { code: 'settings.factors' });
    await assert.rejects(bench.littleTasks({ checkpoint: 'ck-1' }), { field: 'checkpoint' });
    await assert.rejects(bench.littleTasks({ ablated: [[9, 0]] }), { field: 'layer' });
    const any = (/** @type {unknown} */ value) => /** @type {any} */ (value);
    await assert.rejects(bench.ceBenchFigure(any(null), 'ce-scores'), { name: 'SfcBenchError' });
    await assert.rejects(bench.mui({ k: 0 }), { code: 'settings.k', field: 'k' });
    for (const experiments of [['all'], 'masking', null, ['masking', 7]])
      await assert.rejects(bench.mui({}, { experiments: any(experiments) }), { code: 'mui.experiment', field: 'experiments' });
    await assert.rejects(bench.muiFigure(any(null), 'mui-law'), { code: 'report.malformed', field: 'report' });
    await assert.rejects(bench.muiFigure(any({ sfc: 1 }), 'mui-law'), { code: 'report.malformed', field: 'sfc' });
    await assert.rejects(bench.muiFigure({ settings: { k: 0 } }, 'mui-law'), { code: 'settings.k', field: 'k' });
    await assert.rejects(bench.muiFigure(any({ settings: null }), 'mui-law'), { code: 'settings.malformed' });
    await assert.rejects(bench.muiFigure({ own: any({}) }, 'mui-law'), { code: 'report.malformed' });
    await assert.rejects(bench.muiFigure({}, 'fade-scores'), { code: 'figure.unknown', field: 'figure' });
    await assert.rejects(bench.muiLaw([{ accuracy: 0, mui: 1 }]), { code: 'given.value', field: 'rows[0]' });
    await assert.rejects(bench.muiLaw(any('a,b')), { code: 'rows.malformed' });
    await assert.rejects(bench.muiLaw([]), { code: 'given.value' });
    await assert.rejects(bench.muiOwn({ 'a.jsonl': any('[[0, 1]]') }), { code: 'given.type', field: 'a.jsonl' });
    await assert.rejects(bench.muiOwn({}), { code: 'given.none' });
    await assert.rejects(bench.muiOwn({ 'a.jsonl': Buffer.from('[[0, 1]]') }, { k: -1 }), { field: 'k' });
  });
});

test('the types are those of what it gives, name by name and field by field', async () => {
  const { report, verdict } = await bench.run({ samples: 200 });
  const { cells } = await bench.compare(report);
  const trained = await bench.train({ steps: 3, latents: 4, k: 1, batch: 50 }, 'superposition', { rows: 60 });
  const points = report.main.points.map(
    (point) => /** @type {[number, number, number]} */ ([point.sparsity, point.fidelity, point.completeness]),
  );
  /** What each type must be able to hold, nothing missing and nothing over. @type {Record<string, unknown>} */
  const values = {
    Report: report,
    Settings: report.settings,
    Verdict: verdict,
    'Cell[]': cells,
    DataTable: await bench.table(report, 'levels'),
    Divided: await bench.simplex(points),
    Hypervolume: await bench.hypervolume(points),
    ParsedLink: await bench.parseLink('k=700&pin=paper&fig=fig2&hide=verdict&digest=00000-00000-00000&made=0.1.0'),
    LinkVerdict: await bench.checkDigest(report, '00000-00000-00000', '0.1.0'),
    'Problem[]': (await bench.validate({ k: -1 })).problems,
    'Record<string, Limit>': await bench.limits(),
    'Profile[]': await bench.profiles(),
    FamiliesConfig: await bench.familiesPreset(),
    FamiliesReport: await bench.compareFamilies({ methods: ['svd', 'random', 'untrained'], ks: [2], seeds: [0, 1], train_rows: 300, eval_rows: 50, train: { batch: 64 } }),
    'World[]': await Promise.all(/** @type {const} */ (['paper', 'superposition', 'nonlinear']).map(bench.worldDefaults)),
    TrainConfig: await bench.trainDefaults('gated'),
    TrainState: trained.state,
    'TrainMetrics[]': trained.curve,
    Matching: trained.matching,
    FamiliesResult: trained.found,
    MuiReport: await bench.mui({ prompts: 8 }, { experiments: true }),
    MuiPrinted: await bench.muiPrinted(),
    MuiOwn: await bench.muiOwn({ 'a.jsonl': Buffer.from('[[0, 1]]\n[[1, 0]]\n'), 'b.jsonl': Buffer.from('[[0, 2]]') }, { layers: 2, neurons: 4 }),
    MuiOwnLaw: await bench.muiLaw([{ accuracy: 10, mui: 20 }, { model: 'b', accuracy: 100, mui: 5 }]),
    EvaluateReport: (await bench.evaluateMatrices({ activations: [[1, 2], [2, 1]], dictionary: [[1, 0]] })).report,
  };
  const names = Object.keys(bench);
  const types = Object.keys(values).flatMap((name) => name.match(/\b(?!Record|string)[A-Z]\w+/g) ?? []);
  await writeFile(
    join(folder, 'consumer.ts'),
    [
      "import * as bench from 'sfc-bench';",
      "import type { SfcBenchElement } from 'sfc-bench/element';",
      `import type { ${[...new Set(types)].join(', ')} } from 'sfc-bench';`,
      `export const names: Record<keyof typeof bench, true> = { ${names.map((name) => `${name}: true`).join(', ')} };`,
      ...Object.entries(values).map(
        ([type, value], index) => `export const value${index}: ${type} = ${JSON.stringify(value)};`,
      ),
      "export const s: Promise<number> = bench.sparsity({ data: new Float32Array(4), rows: 2, cols: 2 });",
      "export const element: SfcBenchElement = document.createElement('sfc-bench');",
      "element.addEventListener('sfc-bench:result', ({ detail }) => (detail.kind === 'run' ? detail.scores[0]?.sfc : detail.report)?.toString());",
      "export const study: Promise<bench.FamiliesReport> = bench.compareFamilies({ world: { world: 'nonlinear', interaction: 0.5 }, train: { steps: 5 } });",
      "export const own: Promise<bench.Evaluation> = bench.evaluate({ 'a.npy': new Uint8Array(3), b: new Blob([]) }, { activations: { file: 'a.npy' } });",
      "export const drawn: Promise<string> = bench.muiFigure({ settings: { data_set: 'HumanEval' } }, 'mui-law');",
      "export const asked: Promise<bench.MuiReport> = bench.mui({ k: 3 }, { experiments: ['masking'] });",
      'element.report = { trained: [] };',
      '// @ts-expect-error: there is no such experiment',
      "export const none: Promise<unknown> = bench.mui({}, { experiments: ['luck'] });",
      '// @ts-expect-error: the paper has no such number',
      "export const world: Promise<unknown> = bench.train({}, { world: 'paper', zipf: 1 });",
      '// @ts-expect-error: there is no such setting',
      'export const wrong: Promise<unknown> = bench.run({ sampels: 3 });',
    ].join('\n'),
  );
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        lib: ['ES2022', 'DOM'],
        strict: true,
        noEmit: true,
        types: [],
      },
      files: ['consumer.ts'],
    }),
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error) => error,
  );
  assert.equal(stdout, '');
});

/** What a project that is typed strictly does with the element in JSX. @param {string} name of the attribute for classes */
const jsx = (name) => `import 'sfc-bench/element';
  export const shown = () => <sfc-bench key="a" ${name}="wide" figure="curves" k={20} report={null}>Words</sfc-bench>;
  // @ts-expect-error: there is no such attribute
  export const wrong = () => <sfc-bench figur="curves" />;`;

for (const typescript of selectMembers(['typescript', 'typescript-5.4']))
  for (const [project, file, text] of [
    ['no framework', 'plain.ts', `import { run, train } from 'sfc-bench';
      import type { SfcBenchElement } from 'sfc-bench/element';
      export const blob = async () => new Blob([(await train({}, 'superposition')).files['cfg.json']]);
      export const digest: Promise<string> = run({ k: 32 }).then((found) => found.digest);
      export const element: SfcBenchElement | null = document.querySelector('sfc-bench');
      element?.addEventListener('sfc-bench:error', ({ detail }) => { throw detail as Error; });`],
    ['react', 'react.tsx', jsx('className')],
    ['preact', 'preact.tsx', jsx('class')],
  ])
    test(`the types compile with ${typescript} and ${project}`, async () => {
      const place = join(folder, `types-${typescript}-${file.split('.')[0]}`);
      const modules = join(place, 'node_modules');
      await mkdir(join(modules, '@types'), { recursive: true });
      await symlink(join(folder, 'node_modules/sfc-bench'), join(modules, 'sfc-bench'));
      const needs = { react: ['@types/react', 'csstype'], preact: ['preact'] }[project] ?? [];
      for (const name of needs) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
      await writeFile(join(place, file), text ?? '');
      await writeFile(join(place, 'package.json'), '{ "type": "module" }');
      const compilerOptions = {
        target: 'ES2022',
        module: 'NodeNext',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        strict: true,
        noEmit: true,
        types: [],
        // Each project sees its own packages only, and their declarations are checked too.
        preserveSymlinks: true,
        skipLibCheck: false,
        jsx: 'react-jsx',
        jsxImportSource: project,
      };
      await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
      const tsc = join(ROOT, 'node_modules', typescript, 'bin/tsc');
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', place]).catch((error) => error);
      assert.equal(stdout, '');
    });

test('in a page it is the same, over the pool of workers', () =>
  harness.visit({}, async ({ page }) => {
    const found = await page.evaluate(async () => {
      const address = new URL('www/package/package.js', location.href).href;
      const bench = /** @type {typeof import('../../www/types/sfc-bench.d.ts')} */ (await import(address));
      const { digest, verdict } = await bench.run({}, { onProgress: () => {} });
      const refused = await bench
        .sparsity([[1, NaN]])
        .catch(({ name, code, field }) => ({ name, code, field }));
      const stopped = await bench.run({}, { signal: AbortSignal.abort('no') }).catch((reason) => reason);
      const study = { methods: /** @type {const} */ (['svd', 'topk']), ks: [2], seeds: [0], train: { steps: 5 } };
      const { methods } = await bench.compareFamilies({ ...study, methods: [...study.methods] });
      const trained = await bench.train({ steps: 5, latents: 8, k: 2 }, 'superposition', { rows: 300 });
      const weights = new File([trained.files['sae_weights.safetensors']], 'w.safetensors');
      const numbers = Array.from({ length: 320 }, (_, i) => String(((i * 37) % 23) / 4 - 2));
      const rows = Array.from({ length: 20 }, (_, i) => numbers.slice(16 * i, 16 * (i + 1)).join());
      const { report } = await bench.evaluate(
        { 'cfg.json': trained.files['cfg.json'], 'w.safetensors': weights, 'a.csv': new Blob([rows.join('\n')]) },
        { activations: { file: 'a.csv' }, sae: { config: 'cfg.json', weights: 'w.safetensors' } },
      );
      bench.close();
      return {
        studied: methods.map(({ method }) => method),
        scored: [report.rows, report.dimensions, report.k, Number.isFinite(report.sfc)],
        digest,
        agree: verdict.agree,
        sparsity: await bench.sparsity([[1, 0]]),
        refused,
        stopped,
        names: Object.keys(bench),
      };
    });
    assert.deepEqual(found, {
      studied: ['svd', 'topk'],
      scored: [20, 16, 8, true],
      digest: PAPER_DIGEST,
      agree: 84,
      sparsity: 0.5,
      refused: { name: 'SfcBenchError', code: 'metric.non-finite', field: 'codes' },
      stopped: 'no',
      names: Object.keys(bench),
    });
  }));
