// The built page as an npm package: packed as npm packs it, imported by its name in Node and by its
// address in a page, its types compiled against what it really gives.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { start } from './lib/harness.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const golden = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(join(ROOT, 'tests/golden', `${name}.json`), 'utf8'));

/** The digest of the paper's results, as tests/link.rs has it. */
const PAPER_DIGEST = 'kpe33-x6exm-vhqe0';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** A folder of somebody else's, with the package among its modules. */
let folder = '';
/** The package, imported by its name. @type {typeof import('../../www/sfc-bench.d.ts')} */
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
      execFileSync(process.env.SFC_BENCH ?? 'sfc-bench', args, { encoding: 'utf8' }),
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

test('the types are those of what it gives, name by name and field by field', async () => {
  const { report, verdict } = await bench.run({ samples: 200 });
  const { cells } = await bench.compare(report);
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
      "element.addEventListener('sfc-bench:result', ({ detail }) => detail.scores[0]?.sfc.toFixed(3));",
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

test('in a page it is the same, over the pool of workers', () =>
  harness.visit({}, async ({ page }) => {
    const found = await page.evaluate(async () => {
      const address = new URL('www/package.js', location.href).href;
      const bench = /** @type {typeof import('../../www/sfc-bench.d.ts')} */ (await import(address));
      const { digest, verdict } = await bench.run({}, { onProgress: () => {} });
      const refused = await bench
        .sparsity([[1, NaN]])
        .catch(({ name, code, field }) => ({ name, code, field }));
      const stopped = await bench.run({}, { signal: AbortSignal.abort('no') }).catch((reason) => reason);
      bench.close();
      return {
        digest,
        agree: verdict.agree,
        sparsity: await bench.sparsity([[1, 0]]),
        refused,
        stopped,
        names: Object.keys(bench),
      };
    });
    assert.deepEqual(found, {
      digest: PAPER_DIGEST,
      agree: 84,
      sparsity: 0.5,
      refused: { name: 'SfcBenchError', code: 'metric.non-finite', field: 'codes' },
      stopped: 'no',
      names: Object.keys(bench),
    });
  }));
