// The parts of the page that need no browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { refusal } from '../../www/controls.js';
import { columnAt, companions, inColumns, markAt, step } from '../../www/readout.js';
import { createStore, differences, FIELDS, sameRun } from '../../www/state.js';
import { duration } from '../../www/verdict.js';

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

const point = (x, y, series) => ({ x, y, w: 0, h: 0, series, title: '', text: '' });
const box = (x, y, w, h) => ({ x, y, w, h, series: '', title: '', text: '' });

test('the pointer means the nearest point in reach, and nothing beyond it', () => {
  const marks = [point(10, 10, 'a'), point(40, 10, 'a')];
  assert.equal(markAt(marks, 22, 12), 0);
  assert.equal(markAt(marks, 28, 12), 1);
  assert.equal(markAt(marks, 100, 100), -1);
  assert.equal(markAt([], 0, 0), -1);
});

test('the pointer means the smallest box around it, edges included', () => {
  const marks = [box(0, 0, 100, 100), box(20, 20, 10, 10)];
  assert.equal(markAt(marks, 25, 25), 1);
  assert.equal(markAt(marks, 20, 20), 1);
  assert.equal(markAt(marks, 60, 60), 0);
  assert.equal(markAt(marks, 160, 60), -1);
  assert.equal(markAt([box(0, 0, 10, 0)], 5, 4), 0, 'a bar of no height is within reach');
});

test('a curve’s markers are points although they have a size', () => {
  const marker = (x, y, series) => ({ ...box(x - 4, y - 4, 8, 8), series });
  const marks = [marker(0, 0, 'a'), marker(50, 30, 'a'), marker(40, 0, 'b')];
  assert.equal(markAt(marks, 44, 12), 2);
  assert.equal(step(marks, 0, 'ArrowRight'), 1, 'along its own curve');
});

test('over curves a pointer anywhere means the nearest level, over scattered points it does not', () => {
  const at = (x, y, title) => ({ ...box(x - 4, y - 4, 8, 8), title });
  const curves = [at(0, 10, 'λ = 0'), at(100, 90, 'λ = 1'), at(100, 10, 'λ = 1')];
  assert.ok(inColumns(curves));
  assert.equal(columnAt(curves, 60, 20), 2);
  assert.equal(columnAt(curves, 60, 80), 1);
  assert.equal(columnAt(curves, 40, 500), 0);
  assert.ok(!inColumns([at(0, 10, 'λ = 0'), at(50, 10, 'λ = 0')]));
  assert.ok(!inColumns([box(0, 0, 40, 12)]));
});

test('all series at one place are read out together', () => {
  const at = (title, series) => ({ ...box(0, 0, 8, 8), title, series });
  const marks = [at('λ = 0.1', 'S'), at('λ = 0.2', 'S'), at('λ = 0.1', 'F')];
  assert.deepEqual(
    companions(marks, marks[0]).map(({ series }) => series),
    ['S', 'F'],
  );
});

test('arrows keep to a curve sideways and change curves up and down', () => {
  const marks = [point(0, 50, 'a'), point(10, 52, 'a'), point(0, 10, 'b'), point(10, 51, 'b')];
  assert.equal(step(marks, 0, 'ArrowRight'), 1);
  assert.equal(step(marks, 1, 'ArrowRight'), 1, 'stays at the end');
  assert.equal(step(marks, 1, 'ArrowLeft'), 0);
  assert.equal(step(marks, 0, 'ArrowUp'), 2);
  assert.equal(step(marks, 2, 'ArrowDown'), 0);
  assert.equal(step(marks, 1, 'Home'), 0);
  assert.equal(step(marks, 0, 'End'), 3);
  assert.equal(step(marks, -1, 'ArrowRight'), 0, 'starts at the first');
  assert.equal(step([], 0, 'ArrowRight'), -1);
});

test('arrows walk a grid of boxes by row and column', () => {
  const marks = [box(0, 0, 30, 12), box(30, 0, 30, 12), box(0, 12, 30, 12), box(30, 12, 30, 12)];
  assert.equal(step(marks, 0, 'ArrowRight'), 1);
  assert.equal(step(marks, 0, 'ArrowDown'), 2);
  assert.equal(step(marks, 3, 'ArrowLeft'), 2);
  assert.equal(step(marks, 3, 'ArrowUp'), 1);
  assert.equal(step(marks, 3, 'ArrowDown'), 3);
});

test('one entry a setting: the description of the state leaves none out but the weights', () => {
  const described = FIELDS.map(({ key }) => key).sort();
  const { weights: _, ...rest } = paper();
  assert.deepEqual(described, Object.keys(rest).sort());
});

test('two runs are the same whatever their weights, and no other setting is forgotten', () => {
  assert.ok(sameRun(paper(), { ...paper(), weights: [5, 1, 1] }));
  const other = {
    config: 'large',
    levels: [0, 0.4],
    completeness: 'total',
    fidelity: 'r2',
    centred: true,
  };
  for (const { key } of FIELDS) {
    assert.ok(!sameRun(paper(), { ...paper(), [key]: other[key] ?? 7 }), key);
  }
});

test('differences from the paper are said in words', () => {
  assert.deepEqual(differences(paper(), paper()), []);
  assert.deepEqual(differences(paper(), { ...paper(), k: 32, centred: true, fidelity: 'r2' }), [
    'Dictionary size 48 → 32',
    'Centre the activations first off → on',
    'Fidelity is Cosine → R²',
  ]);
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
  assert.equal(duration(3.14159), '3.1 ms');
  assert.equal(duration(41.7), '42 ms');
  assert.equal(duration(12_345), '12.3 s');
});

test('a refusal says what was given and what is allowed', () => {
  const problem = {
    code: 'settings.k',
    field: 'k',
    value: '99',
    allowed: 'a whole number from 1 to 64',
    message: '',
  };
  assert.equal(refusal(problem), 'Not possible: 99. Allowed: a whole number from 1 to 64.');
  assert.equal(refusal({ code: 'x', message: 'Out of memory' }), 'Out of memory');
});
