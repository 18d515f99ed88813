// What the page says of its scenarios, held against what comes out of them. No browser is needed.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

const built = (path) => new URL(`../../dist/www/${path}`, import.meta.url).href;

const api = await import(built('package/package-node.js'));
const { SCENARIOS } = await import(built('papers/sfc/scenarios.js'));
const { impliedCompleteness, impliedSentence, PRINTED_VALUES } = await import(built('papers/sfc/implied-c.js'));
after(() => api.close());

const paper = await api.run();

/** A scenario by its name: what is said of it, and what its settings give. @param {string} label */
async function scenario(label) {
  const { patch, look } = SCENARIOS.find((one) => one.label === label);
  const { report, verdict } = await api.run({ ...paper.report.settings, ...patch(paper.report.settings) });
  return { look, report, verdict, points: report.main.points };
}

/** Every number of a text must be one of these, as the page has it. @param {string} look @param {(string | number)[]} held */
function held(look, ...held) {
  const said = (look.match(/\d+(\.\d+)?/g) ?? []).map(Number);
  const odd = said.filter((value) => !held.map(Number).includes(value));
  assert.deepEqual(odd, [], look);
}

const best = (points) => points.reduce((a, b) => (b.sfc > a.sfc ? b : a));
const to3 = (value) => value.toFixed(3);
const before = paper.report.main.points;
/** Share of the layer's directions that a dictionary has: C_GT of a random one. */
const chance = ({ settings }) => settings.k / settings.hidden;

test('the printed hypervolume and the printed peak of a network ask for one completeness', () => {
  const [large, sparse] = ['large', 'sparse'].map((name) => {
    const { points } = paper.report.cross.find((one) => one.name === name);
    return impliedCompleteness(points, PRINTED_VALUES[name]);
  });
  const digits = ([low, high]) => [low.toFixed(4), high.toFixed(4)];
  assert.deepEqual(digits(large.hypervolume), ['0.8887', '0.8899']);
  assert.deepEqual(digits(large.peak), ['0.8868', '0.8901']);
  assert.deepEqual(digits(sparse.hypervolume), ['0.9961', '0.9972']);
  assert.deepEqual(digits(sparse.peak), ['0.9968', '1.0000']);
  // A run's own numbers give its own completeness.
  for (const { points, hypervolume } of paper.report.cross) {
    const best = Math.max(...points.map(({ sfc }) => sfc));
    const { hypervolume: [low, high], peak } = impliedCompleteness(points, { hypervolume: hypervolume ?? 0, peak: best });
    const { completeness } = points[0];
    assert.ok(peak[0] <= completeness && (completeness <= peak[1] || peak[1] === 1));
    if (hypervolume != null) assert.ok(low <= completeness && completeness <= high);
  }
  assert.match(impliedSentence(paper.report.cross) ?? '', /ask for the same C \(large \.8887–\.8899 and \.8868–\.8901; sparse \.9961–\.9972 and ≥ \.9968\)/);
});

describe('what is said of a scenario is so', () => {
  test('next to nothing zeroed', async () => {
    const { look, points, report } = await scenario('Next to nothing zeroed');
    assert.ok(points.every(({ sfc, fidelity, completeness }) => sfc < 0.22 && fidelity > 0.98 && completeness > 0.98));
    const { dropped, sparsity, sfc } = points.find(({ level }) => level === 0.02);
    assert.deepEqual([dropped, sparsity, sfc], [0, 0, 0]);
    held(look, 1, 0.22, 0, 2, report.settings.k, 0.02);
  });

  test('K = hidden width', async () => {
    const { look, points } = await scenario('K = hidden width');
    for (const { completeness, c_gt } of points)
      assert.deepEqual([to3(completeness), to3(c_gt)], ['1.000', '1.000']);
    held(look, 1);
  });

  test('noise', async () => {
    const { look, points, report } = await scenario('Noise');
    points.forEach((point, index) => {
      assert.ok(Math.abs(point.c_gt - before[index].c_gt) < 0.02);
      assert.ok(point.fidelity < before[index].fidelity || point.level === 0);
      assert.ok(point.completeness < before[index].completeness);
    });
    assert.equal(best(points).level, best(before).level);
    held(look, chance(report));
  });

  test('tiny sample', async () => {
    const { look, points, report } = await scenario('Tiny sample');
    points.forEach((point, index) => {
      assert.ok(point.fidelity > before[index].fidelity);
      assert.ok(point.sfc > before[index].sfc || point.sfc === 0);
      assert.ok(point.c_gt < chance(report));
    });
    held(look, report.settings.k, report.settings.samples);
  });

  test('circuit = everything', async () => {
    const { look, points, report } = await scenario('Circuit = everything');
    for (const { c_gt } of points) assert.ok(Math.abs(c_gt - chance(report)) < 1e-9);
    held(look);
  });

  test('48 levels', async () => {
    const { look, points, report } = await scenario('48 levels');
    const top = best(points);
    assert.deepEqual([best(before).level, top.dropped, top.level], [0.85, 42, 0.875]);
    assert.ok(report.main.hypervolume > paper.report.main.hypervolume);
    held(look, before.length, 0.85, report.settings.k, 42, 0.875);
  });

  test('textbook completeness', async () => {
    const { look, points, verdict } = await scenario('Textbook completeness');
    assert.deepEqual([to3(before[0].completeness), to3(points[0].completeness)], ['0.988', '0.977']);
    const table = verdict.per_table.find((one) => one.table === 'Table 3');
    assert.ok(table.agree < table.total);
    held(look, 100, 0.988, 0.977, 3);
  });

  test('C_GT against chance', async () => {
    const { look, points, report } = await scenario('C_GT against chance');
    const { c_gt, completeness } = points[0];
    assert.deepEqual([to3(c_gt), to3(completeness), chance(report)], ['0.140', '0.734', 0.125]);
    held(look, 0.14, 8, 64, 0.125, 0.734);
  });
});
