// The parts of the page that need no browser.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { makeUncachedCopy, listWorkerCounts } from '../../www/lab/bench-measure.js';
import {
  buildBenchCharts,
  buildBenchTables,
  formatSignificant,
  formatQuartiles,
  toJson,
  toMarkdown,
} from '../../www/lab/bench-report.js';
import { checksum } from '../../www/lab/checksum.js';
import { describeProblem } from '../../www/shell/fields.js';
import { describeError } from '../../www/shell/dom.js';
import { formatList, parseList } from '../../www/lab/families/settings.js';
import { findDecoderBias, guessRole, createFileLines } from '../../www/lab/evaluate/array-roles.js';
import { findColumnMark, findCompanions, areInColumns, findMark, findNextMark } from '../../www/shell/readout.js';
import { createStore, describeDifferences, isSameRun } from '../../www/shell/state.js';
import { formatDuration, formatRemaining } from '../../www/shell/duration.js';
import { STUDY_BYTES_MAX, readFiles } from '../../www/shell/whole-files.js';
import { compareWithChance } from '../../www/papers/sfc/verdict.js';
import { Connection } from '../../www/workers/connection.js';

/** @returns {Settings} */
const paper = () => ({
  config: 'standard',
  inputs: 16,
  hidden: 64,
  outputs: 4,
  circuit: 8,
  weight_scale: 0.3,
  bias_scale: 0.1,
  noise: 0,
  model_seed: 42,
  data_seed: 1,
  completeness_seed: 42,
  samples: 2000,
  k: 48,
  levels: [0, 0.5],
  completeness: 'paper',
  fidelity: 'cosine',
  centred: false,
  weights: [1, 1, 1],
});

test('a panic of the core is no text for readers; what it refuses is', () => {
  assert.equal(describeError('panicked at src/lab/evaluate.rs:12:5:\nindex out of bounds'), 'a fault in this program, and none of yours');
  assert.equal(describeError(new Error('Error: panicked at src/a.rs:1:1:\nno')), 'a fault in this program, and none of yours');
  assert.equal(describeError({ code: 'a', message: 'k is 0' }), 'k is 0');
});

test('a checksum is of every value and of where it stands', () => {
  const value = { a: [1, 2, { b: 'c' }], d: new Float64Array([1, -0]), e: null };
  assert.match(checksum(value), /^[0-9a-f]{16}$/);
  assert.equal(checksum(value), checksum({ e: null, d: new Float64Array([1, -0]), a: [1, 2, { b: 'c' }], f: undefined }));
  const others = [
    { ...value, a: [2, 1, { b: 'c' }] },
    { ...value, d: new Float64Array([1, 0]) },
    { ...value, d: new Float64Array([1]) },
    { ...value, e: 0 },
    { ...value, a: [1, 2, { b: 'd' }] },
    { ...value, a: [1, '2', { b: 'c' }] },
    [value],
  ];
  assert.equal(new Set([value, ...others].map(checksum)).size, others.length + 1);
});

const point = (x, y, series) => ({ x, y, w: 0, h: 0, series, title: '', text: '' });
const box = (x, y, w, h) => ({ x, y, w, h, series: '', title: '', text: '' });

test('the pointer means the nearest point in reach, and nothing beyond it', () => {
  const marks = [point(10, 10, 'a'), point(40, 10, 'a')];
  assert.equal(findMark(marks, 22, 12), 0);
  assert.equal(findMark(marks, 28, 12), 1);
  assert.equal(findMark(marks, 100, 100), -1);
  assert.equal(findMark([], 0, 0), -1);
});

test('the pointer means the smallest box around it, edges included', () => {
  const marks = [box(0, 0, 100, 100), box(20, 20, 10, 10)];
  assert.equal(findMark(marks, 25, 25), 1);
  assert.equal(findMark(marks, 20, 20), 1);
  assert.equal(findMark(marks, 60, 60), 0);
  assert.equal(findMark(marks, 160, 60), -1);
  assert.equal(findMark([box(0, 0, 10, 0)], 5, 4), 0, 'a bar of no height is within reach');
});

test('a curve’s markers are points although they have a size', () => {
  const marker = (x, y, series) => ({ ...box(x - 4, y - 4, 8, 8), series });
  const marks = [marker(0, 0, 'a'), marker(50, 30, 'a'), marker(40, 0, 'b')];
  assert.equal(findMark(marks, 44, 12), 2);
  assert.equal(findNextMark(marks, 0, 'ArrowRight'), 1, 'along its own curve');
});

test('over curves a pointer anywhere means the nearest level, over scattered points it does not', () => {
  const at = (x, y, title) => ({ ...box(x - 4, y - 4, 8, 8), title });
  const curves = [at(0, 10, 'λ = 0'), at(100, 90, 'λ = 1'), at(100, 10, 'λ = 1')];
  assert.ok(areInColumns(curves));
  assert.equal(findColumnMark(curves, 60, 20), 2);
  assert.equal(findColumnMark(curves, 60, 80), 1);
  assert.equal(findColumnMark(curves, 40, 500), 0);
  assert.ok(!areInColumns([at(0, 10, 'λ = 0'), at(50, 10, 'λ = 0')]));
  assert.ok(!areInColumns([box(0, 0, 40, 12)]));
});

test('all series at one place are read out together', () => {
  const at = (title, series) => ({ ...box(0, 0, 8, 8), title, series });
  const marks = [at('λ = 0.1', 'S'), at('λ = 0.2', 'S'), at('λ = 0.1', 'F')];
  assert.deepEqual(
    findCompanions(marks, marks[0]).map(({ series }) => series),
    ['S', 'F'],
  );
});

test('arrows keep to a curve sideways and change curves up and down', () => {
  const marks = [point(0, 50, 'a'), point(10, 52, 'a'), point(0, 10, 'b'), point(10, 51, 'b')];
  assert.equal(findNextMark(marks, 0, 'ArrowRight'), 1);
  assert.equal(findNextMark(marks, 1, 'ArrowRight'), 1, 'stays at the end');
  assert.equal(findNextMark(marks, 1, 'ArrowLeft'), 0);
  assert.equal(findNextMark(marks, 0, 'ArrowUp'), 2);
  assert.equal(findNextMark(marks, 2, 'ArrowDown'), 0);
  assert.equal(findNextMark(marks, 1, 'Home'), 0);
  assert.equal(findNextMark(marks, 0, 'End'), 3);
  assert.equal(findNextMark(marks, -1, 'ArrowRight'), 0, 'starts at the first');
  assert.equal(findNextMark([], 0, 'ArrowRight'), -1);
});

test('arrows walk a grid of boxes by row and column', () => {
  const marks = [box(0, 0, 30, 12), box(30, 0, 30, 12), box(0, 12, 30, 12), box(30, 12, 30, 12)];
  assert.equal(findNextMark(marks, 0, 'ArrowRight'), 1);
  assert.equal(findNextMark(marks, 0, 'ArrowDown'), 2);
  assert.equal(findNextMark(marks, 3, 'ArrowLeft'), 2);
  assert.equal(findNextMark(marks, 3, 'ArrowUp'), 1);
  assert.equal(findNextMark(marks, 3, 'ArrowDown'), 3);
});

test('lists of numbers are read as they are shown', () => {
  for (const [text, values] of [
    ['0, 1, 2', [0, 1, 2]],
    ['0-4, 7', [0, 1, 2, 3, 4, 7]],
    ['5, 4, 3', [5, 4, 3]],
    ['0.5, 1.5, 2.5, 3.5, 4.5', [0.5, 1.5, 2.5, 3.5, 4.5]],
    ['1e-7, 0.02', [1e-7, 0.02]],
    ['', []],
  ]) {
    assert.deepEqual(parseList(text, 100), values);
    assert.equal(formatList(values), text);
  }
  assert.deepEqual(parseList(' 3;4  5–6,', 100), [3, 4, 5, 6]);
  // What is no list is for the core to refuse.
  for (const text of ['x', '4-2', '0-100', '0-4294967295', '1-', '-', '1_2'])
    assert.ok(parseList(text, 100).every(Number.isNaN), text);
  assert.deepEqual(parseList('-1', 100), [-1]);
});

test('two runs are the same whatever their weights, and no other setting is forgotten', () => {
  assert.ok(isSameRun(paper(), { ...paper(), weights: [5, 1, 1] }));
  const other = {
    config: 'large',
    levels: [0, 0.4],
    completeness: 'total',
    fidelity: 'r2',
    centred: true,
  };
  for (const name of Object.keys(paper()).filter((name) => name !== 'weights')) {
    assert.ok(!isSameRun(paper(), { ...paper(), [name]: other[name] ?? 7 }), name);
  }
});

/** Rows as the core describes them. */
const fields = [
  { name: 'k', kind: 'number', label: 'Dictionary size', options: [] },
  {
    name: 'fidelity',
    kind: 'choice',
    label: 'Fidelity is',
    options: [
      { value: 'cosine', label: 'Cosine', help: '' },
      { value: 'r2', label: 'R²', help: '' },
    ],
  },
  { name: 'centred', kind: 'switch', label: 'Centre the activations first', options: [] },
  { name: 'weights', kind: 'weights', label: 'Weights', options: [] },
];

test('differences from the paper are said in words, the weights aside', () => {
  assert.deepEqual(describeDifferences(fields, paper(), paper()), []);
  const other = { ...paper(), k: 32, centred: true, fidelity: 'r2', weights: [5, 1, 1] };
  assert.deepEqual(describeDifferences(fields, paper(), other), [
    'Dictionary size 48 → 32',
    'Fidelity is Cosine → R²',
    'Centre the activations first off → on',
  ]);
});

test('many levels are told by how many they are, numbers as people write them', () => {
  const rows = [
    { name: 'levels', kind: 'list', label: 'Levels', options: [] },
    { name: 'noise', kind: 'number', label: 'Noise', options: [] },
  ];
  const told = (more) => describeDifferences(rows, paper(), { ...paper(), ...more });
  const levels = Array.from({ length: 48 }, (_, zeroed) => zeroed / 48);
  const printed = paper().levels.join(', ');
  assert.deepEqual(told({ levels }), [`Levels ${printed} → 48 from 0 to 0.979167`]);
  assert.deepEqual(told({ noise: 0.1 + 0.2 }), ['Noise 0 → 0.3']);
  // What differs is not told alike.
  const near = describeDifferences([rows[1]], { ...paper(), noise: 0.3 }, { ...paper(), noise: 0.1 + 0.2 });
  assert.deepEqual(near, ['Noise 0.3 → 0.30000000000000004']);
});

test('the store tells its listeners what changed, and keeps the rest', () => {
  const store = createStore({ draft: paper() });
  const heard = [];
  store.subscribe((state, changed) => heard.push([state.draft.k, changed]));
  store.edit({ k: 32 });
  assert.deepEqual(heard, [[32, ['k']]]);
  assert.equal(store.get().draft.samples, 2000);
});

test('a duration has as many digits as it deserves', () => {
  assert.equal(formatDuration(3.14159), '3.1 ms');
  assert.equal(formatDuration(41.7), '42 ms');
  assert.equal(formatDuration(9.97), '10 ms');
  assert.equal(formatDuration(999.7), '1.0 s');
  assert.equal(formatDuration(8_245), '8.2 s');
  assert.equal(formatDuration(12_345), '12.3 s');
  assert.equal(formatDuration(99_960), '1 min 40 s');
  assert.equal(formatDuration(180_000), '3 min');
});

test('what is left is told as people would', () => {
  assert.equal(formatRemaining(8_266), '8 s');
  assert.equal(formatRemaining(300), 'a second');
  assert.equal(formatRemaining(66_400), '66 s');
  assert.equal(formatRemaining(400_000), '7 min');
  assert.equal(formatRemaining(NaN), 'some time');
  assert.equal(formatRemaining(Infinity), 'some time');
});

test('a refusal says what was given and what is allowed', () => {
  const problem = {
    code: 'settings.k',
    field: 'k',
    value: '99',
    allowed: 'a whole number from 1 to 64',
    message: '',
  };
  assert.equal(describeProblem(problem), 'Invalid value: 99. Allowed: a whole number from 1 to 64.');
  assert.equal(describeProblem({ code: 'x', message: 'Out of memory' }), 'Out of memory');
});

/** @returns {BenchResult} */
const measured = () => ({
  version: '1.2.3',
  date: '2026-01-02T03:04:05.000Z',
  machine: { Browser: 'A | B', Processors: '2' },
  rounds: 9,
  completed: 2,
  background: false,
  rows: [
    {
      group: 'kernel',
      name: 'gram',
      detail: '2000 × 64',
      path: 'plain',
      unit: 'GFLOP/s',
      samples: [5, 4],
      quartiles: [4.25, 4.5, 4.75],
    },
    {
      group: 'kernel',
      name: 'gram',
      detail: '2000 × 64',
      path: 'simd',
      unit: 'GFLOP/s',
      samples: [9, 18],
      quartiles: [11.25, 13.5, 15.75],
    },
    { group: 'stage', name: 'codes', unit: 'ms', samples: [1, 3], quartiles: [1.5, 2, 2.5] },
    { group: 'stage', name: 'rates', unit: 'ms', samples: [6, 6], quartiles: [6, 6, 6] },
    { group: 'seeds', name: '1', unit: '1/s', samples: [100], quartiles: [100, 100, 100] },
    { group: 'seeds', name: '2', unit: '1/s', samples: [150], quartiles: [150, 150, 150] },
    { group: 'start', name: 'compiling the wasm', unit: 'ms', samples: [], quartiles: [] },
  ],
});

test('a measured number has three figures, and none where there is none', () => {
  const found = [0, 0.01234, 0.5, 1.005, 9.996, 16.25, 99.96, 731.5, 12345].map(formatSignificant);
  assert.deepEqual(found, [
    '0',
    '0.0123',
    '0.500',
    '1.00',
    '10.0',
    '16.3',
    '100',
    '732',
    '12345',
  ]);
  assert.equal(formatSignificant(NaN), '–');
  assert.equal(formatSignificant(Infinity), '–');
  const row = { group: /** @type {const} */ ('whole'), name: '', unit: 'ms' };
  const samples = [1, 2, 3, 4, 5];
  assert.equal(formatQuartiles({ ...row, samples, quartiles: [2, 3, 4] }), '3.00 (2.00–4.00)');
  assert.equal(formatQuartiles({ ...row, samples: [], quartiles: [] }), '–');
  assert.equal(formatQuartiles(undefined), '–');
});

test('the benchmark’s Markdown has a table for what was measured and none for what was not', () => {
  const text = toMarkdown(measured());
  assert.ok(text.startsWith('## sfc-bench 1.2.3, 2026-01-02T03:04:05.000Z\n\n'));
  assert.ok(text.includes('| Browser | A \\| B |'), 'what would end a cell is escaped');
  assert.ok(text.includes('| Rounds | 2 of 9 |'));
  assert.ok(
    text.includes(
      [
        '### Kernels, GFLOP/s',
        '',
        '| Kernel | Size | Plain Rust | SIMD | Ratio |',
        '| :-- | :-- | --: | --: | --: |',
        '| HᵀH | 2000 × 64 | 4.50 (4.25–4.75) | 13.5 (11.3–15.8) | 3.00× |',
      ].join('\n'),
    ),
    text,
  );
  assert.ok(text.includes('| 1. codes | 2.00 (1.50–2.50) | 25.0 % |'));
  assert.ok(text.includes('| sum of the stages | 8.00 | 100.0 % |'));
  assert.ok(text.includes('| 2 | 150 (150–150) | 1.50× |'));
  assert.ok(!text.includes('Start-up'));
  assert.equal(buildBenchTables({ ...measured(), rows: [] }).length, 0);
});

test('the benchmark’s JSON keeps every sample beside its quartiles', () => {
  const { benchmark, rows } = JSON.parse(toJson(measured()));
  assert.equal(benchmark, 'sfc-bench');
  assert.equal(rows.length, 6, 'what has no sample is left out');
  assert.deepEqual(rows[0].samples, [5, 4]);
  assert.deepEqual([rows[0].q25, rows[0].median, rows[0].q75], [4.25, 4.5, 4.75]);
});

test('a chart has one value a series for each of its groups', () => {
  const charts = buildBenchCharts(measured());
  assert.deepEqual(
    charts.map(({ id }) => id),
    ['fig-kernels', 'fig-stages', 'fig-seeds'],
  );
  for (const { groups, series } of charts) {
    for (const { values } of series) assert.equal(values.length, groups.length);
  }
  assert.deepEqual(
    charts[0].series.map(({ values }) => values),
    [[4.5], [13.5]],
  );
  assert.deepEqual(buildBenchCharts({ ...measured(), rows: [] }), []);
});

test('workers are tried in doubling numbers, and all of them', () => {
  assert.deepEqual([1, 2, 3, 8, 12].map(listWorkerCounts), [
    [1],
    [1, 2],
    [1, 2, 3],
    [1, 2, 4, 8],
    [1, 2, 4, 8, 12],
  ]);
});

test('a module of other bytes is still the same module', async () => {
  const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const [one, other] = [makeUncachedCopy(bytes), makeUncachedCopy(bytes)];
  assert.notDeepEqual(one, other);
  const module = await WebAssembly.compile(one);
  assert.equal(WebAssembly.Module.customSections(module, 'bench').length, 1);
});

test('a run takes the workers that processors, memory and its size allow, and says which', async () => {
  const { planWorkers } = await import('../../www/lab/evaluate/worker-count.js');
  const GIB = 2 ** 30;
  const large = { rows: 20_000, k: 24_576, dimensions: 768, memory: 290 * 2 ** 20, another: 250 * 2 ** 20 };
  const on = (/** @type {number} */ processors, /** @type {number} */ memory) =>
    planWorkers(large, undefined, { processors, memory });
  // A phone of 4 GB: a quarter of it.
  assert.deepEqual(on(8, 1 * GIB), {
    workers: 3,
    words: 'It takes about 790 MiB of memory in 3 workers, as many as 1 GiB of memory allow.',
  });
  assert.deepEqual(on(16, 8 * GIB), {
    workers: 16,
    words: 'It takes about 3.95 GiB of memory in 16 workers, one a processor.',
  });
  assert.equal(on(1, 8 * GIB).words, 'It takes about 290 MiB of memory in one worker.');
  // What is over at once is not worth another worker's start.
  const small = planWorkers({ ...large, rows: 200 }, undefined, { processors: 16, memory: 8 * GIB });
  assert.equal(small.workers, 1);
  // Where one takes all the memory, one is what there is.
  assert.equal(planWorkers({ ...large, memory: 2 * GIB }, undefined, { processors: 8, memory: GIB }).workers, 1);
  // Less than usual is meant of all of them; and more is allowed where the machine does not say what it has.
  assert.equal(planWorkers(large, 0.6 * GIB, { processors: 16, memory: 8 * GIB }).workers, 2);
  assert.equal(planWorkers(large, 3 * GIB, { processors: 8, memory: GIB }).workers, 8);
});

test('what an array is likely to be is told by its name, and parts of an autoencoder are none of it', () => {
  /** @param {string} name @param {string[]} arrays @param {OwnFileDescription['format']} format */
  const roles = (name, arrays, format) => {
    const description = /** @type {OwnFileDescription} */ ({
      name,
      format,
      arrays: arrays.map((array) => ({ name: array, dtype: 'float32', shape: [2, 2], rows: 2, cols: 2 })),
    });
    /** @type {Set<OwnRole | ''>} */
    const taken = new Set();
    return createFileLines(description).map((line) => {
      const role = guessRole(description, line, taken);
      taken.add(role);
      return role;
    });
  };
  const parts = ['encoder.weight', 'encoder.bias', 'W_dec', 'b_dec'];
  assert.deepEqual(roles('sae.safetensors', parts, 'safetensors'), ['', '', 'dictionary', '']);
  assert.deepEqual(roles('autoencoder_codes.npy', [''], 'npy'), ['codes']);
  assert.deepEqual(roles('ckpt/activation_scaler.json', [], 'json'), ['scaler']);
  assert.deepEqual(roles('ckpt/cfg.json', [], 'json'), ['config']);
  assert.deepEqual(roles('ckpt/activation_whitening.safetensors', ['whitening'], 'safetensors'), ['more_weights']);
  assert.deepEqual(roles('clt/W_dec_12.safetensors', ['W_dec_12'], 'safetensors'), ['more_weights']);
  assert.deepEqual(roles('decoder_bias.npy', [''], 'npy'), ['']);
  // It has a role beside codes.
  /** @param {...[name: string, role: OwnRole | '']} files */
  const bias = (...files) =>
    findDecoderBias(
      files.map(([name, role]) => {
        const line = { arrays: [''], array: '', role };
        const description = /** @type {any} */ ({ name, format: 'npy', arrays: [] });
        return { entry: { name, file: new File([], name), description, problem: '', lines: [line] }, line };
      }),
    );
  assert.ok(bias(['codes.npy', 'codes'], ['b_dec.npy', '']));
  assert.equal(bias(['b_dec.npy', '']), undefined);
  assert.equal(bias(['codes.npy', 'codes'], ['b.npy', 'decoder_bias'], ['b_dec.npy', '']), undefined);
});

test('files that are too large together are refused before a byte is read', async () => {
  const unread = () => assert.fail('it is read');
  const file = (/** @type {number} */ size) => /** @type {any} */ ({ size, arrayBuffer: unread });
  await assert.rejects(
    readFiles([['a.json', file(STUDY_BYTES_MAX)], ['model.safetensors', file(1)]], STUDY_BYTES_MAX),
    new RegExp(`^Error: the files take ${STUDY_BYTES_MAX + 1} bytes; allowed: ${STUDY_BYTES_MAX}$`),
  );
  const read = await readFiles([['a.csv', new Blob(['1'])]], 1);
  assert.deepEqual(read, [{ name: 'a.csv', bytes: new Uint8Array([49]) }]);
  // The limit is the core's.
  const core = await readFile(new URL('../../src/study/user_file.rs', import.meta.url), 'utf8');
  assert.match(core, /BYTES_MAX: u64 = 64 << 20;/);
  assert.equal(STUDY_BYTES_MAX, 64 * 2 ** 20);
});

const [WITHIN, ABOVE, BELOW] = ['within two standard deviations of chance', 'more than two standard deviations above chance', 'more than two standard deviations below chance'];
test('C_GT is at chance level within two standard deviations of K/D, above or below it else', () => {
  // Table 6 of the paper: K and C_GT, at D = 64 and 8 units of the circuit.
  const words = [[48, 0.79], [32, 0.581], [24, 0.442], [8, 0.14]].map(
    ([k = 0, found = 0]) => compareWithChance(found, { k, hidden: 64, circuit: 8 }).words,
  );
  assert.deepEqual(words, [WITHIN, ABOVE, ABOVE, WITHIN]);
  assert.equal(compareWithChance(0.6, { k: 48, hidden: 64, circuit: 8 }).words, BELOW);
  // Nothing is left to chance: a dictionary, or a circuit, of all directions.
  assert.equal(compareWithChance(1, { k: 64, hidden: 64, circuit: 8 }).words, WITHIN);
  assert.equal(compareWithChance(0.75, { k: 48, hidden: 64, circuit: 64 }).words, WITHIN);
  // The deviation is that of random projections: one direction in a plane spans cos² of a unit, whose variance is 1/8.
  const edge = 2 * Math.sqrt(1 / 8);
  assert.equal(compareWithChance(0.5 + edge - 1e-6, { k: 1, hidden: 2, circuit: 1 }).words, WITHIN);
  assert.equal(compareWithChance(0.5 + edge + 1e-6, { k: 1, hidden: 2, circuit: 1 }).words, ABOVE);
});

test('each message of a worker is heard once, and none after its end, whatever Node has collected', async () => {
  // Of the listeners that a signal takes away from one target, Node 20 keeps the last one's removal alone.
  setFlagsFromString('--expose-gc');
  const collect = async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      runInNewContext('gc')();
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  class Fake extends EventTarget {
    postMessage() {}
    terminate() {}
    /** @param {object} data */
    say(data) {
      this.dispatchEvent(new MessageEvent('message', { data }));
    }
  }
  const worker = new Fake();
  /** @type {string[]} */
  const heard = [];
  const connection = new Connection(
    () => /** @type {any} */ (worker),
    () => Promise.reject(new Error('no module is asked for')),
    { hear: ({ type }) => heard.push(type), lost: () => heard.push('lost') },
  );
  await collect();
  worker.say({ type: 'alive' });
  worker.say({ type: 'progress' });
  assert.deepEqual(heard, ['progress']);
  await collect();
  connection.end();
  worker.say({ type: 'progress' });
  assert.deepEqual(heard, ['progress']);
});
