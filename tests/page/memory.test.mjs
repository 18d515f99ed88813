import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { start } from './lib/harness.mjs';

const MIB = 2 ** 20;
const RUNS = 200;
/** Runs of other sizes before the count, so that the instance has seen its largest. */
const WARM_UP = 3;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/**
 * The sizes of an instance's memory, in bytes: fresh, after the first runs, and after all of them.
 * The instance lives in a worker of its own, as the page's does; this worker is answered by the test,
 * since a module worker needs an address of the page's own.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} job the body of a function of the core and the number of the run
 * @param {number} runs
 * @returns {Promise<number[]>}
 */
async function sizes(page, job, runs) {
  const path = `www/memory-${Math.random().toString(36).slice(2)}.js`;
  await page.route(`**/${path}`, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `
        import init, * as core from './pkg/sfc_bench.js';
        try {
          const { memory } = await init();
          const sizes = [memory.buffer.byteLength];
          for (let i = 0; i < ${WARM_UP + runs}; i += 1) {
            ((core, i) => { ${job} })(core, i);
            if (i + 1 === ${WARM_UP}) sizes.push(memory.buffer.byteLength);
          }
          postMessage([...sizes, memory.buffer.byteLength]);
        } catch (error) {
          postMessage(error.message ?? String(error));
        }`,
    }),
  );
  return page.evaluate(
    (path) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL(path, document.baseURI), { type: 'module' });
        worker.onmessage = ({ data }) => {
          worker.terminate();
          if (Array.isArray(data)) resolve(data);
          else reject(new Error(data));
        };
        worker.onerror = () => reject(new Error('the worker did not start'));
      }),
    path,
  );
}

test('200 runs in one instance, each of another seed, grow its memory by less than 1 MiB', () =>
  harness.visit({}, async ({ page }) => {
    const job = 'core.run({ ...core.defaults(), model_seed: i, data_seed: i }, () => {});';
    const [fresh, first, last] = await sizes(page, job, RUNS);
    assert.ok(first > fresh, `a run needs memory: ${fresh} bytes before, ${first} after`);
    assert.ok(last - first < MIB, `${RUNS} runs grew it from ${first} to ${last} bytes`);
  }));

test('a run that is refused leaves nothing behind', () =>
  harness.visit({}, async ({ page }) => {
    // Refused by the settings, and by a dictionary wider than the rank.
    const job = `
      if (i < ${WARM_UP}) return core.run(core.defaults(), () => {});
      let refused = false;
      try {
        core.run(i % 2 ? { k: -1 } : { ...core.defaults(), samples: 40 }, () => {});
      } catch { refused = true; }
      if (!refused) throw new Error('not refused');`;
    const [, first, last] = await sizes(page, job, RUNS);
    assert.ok(last - first < MIB, `${RUNS} refusals grew it from ${first} to ${last} bytes`);
  }));

test('the worker of the paper needs less than 96 MiB', () =>
  harness.visit({}, async ({ page }) => {
    const [, , last] = await sizes(page, 'core.run(core.defaults(), () => {});', 1);
    assert.ok(last > MIB && last < 96 * MIB, `${last} bytes`);
  }));
