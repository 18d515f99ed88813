// The one protocol of all workers: what is said at their end, and how often a build is fetched.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { Connection } from '../../www/workers/connection.js';
import { serve } from '../../www/workers/serve.js';
import { start } from './lib/harness.mjs';

const SETTINGS = { k: 48 };

/**
 * A worker without a thread: what it is told, and what it says. Its glue counts how often each build
 * became an instance, and runs by `run`.
 *
 * @param {(settings: any, tell: any) => unknown} [run]
 */
function worker(run = (settings) => ({ settings })) {
  const said = [];
  const instances = [];
  let waiting = [];
  const look = () => {
    waiting = waiting.filter(({ wanted, resolve }) => {
      const found = said.find(wanted);
      if (found) resolve(found);
      return !found;
    });
  };
  let hear;
  serve(
    {
      send(message) {
        said.push(message);
        look();
      },
      listen: (listener) => (hear = listener),
      hold: async () => true,
    },
    async (build) => ({
      default: async ({ module_or_path }) => instances.push([build, module_or_path]),
      run,
    }),
  );
  return {
    said,
    instances,
    tell: (message) => hear(message),
    /** @param {(message: any) => boolean} wanted */
    says: (wanted) =>
      new Promise((resolve) => {
        waiting.push({ wanted, resolve });
        look();
      }),
  };
}

const MODULE = { type: 'module', build: 'sfc_bench', module: 'compiled' };
const TASK = { type: 'task', id: 7, build: 'sfc_bench', task: { kind: 'run', settings: SETTINGS } };

describe('a worker', () => {
  test('keeps a task until the core has come', async () => {
    const mine = worker();
    mine.tell({ type: 'init', lock: 'mine' });
    mine.tell(TASK);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(mine.said, [{ type: 'up' }]);
    mine.tell(MODULE);
    const { result } = await mine.says(({ type }) => type === 'done');
    assert.deepEqual(result.report, { settings: SETTINGS });
    assert.equal((await mine.says(({ type }) => type === 'ready')).lock, 'mine');
    assert.deepEqual(mine.instances, [['sfc_bench', 'compiled']]);
  });

  test('passes on all of a refusal', async () => {
    const problem = { code: 'a.b', message: 'no', field: 'k', value: 900, allowed: '1 to 512' };
    const mine = worker(() => {
      throw problem;
    });
    mine.tell(MODULE);
    mine.tell(TASK);
    assert.deepEqual(await mine.says(({ id }) => id === 7), { type: 'failed', id: 7, problem });
  });

  test('says what it does not know, and what broke', async () => {
    const mine = worker(() => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    mine.tell(MODULE);
    mine.tell(TASK);
    assert.match((await mine.says(({ id }) => id === 7)).message, /unreachable/);
    for (const [id, kind] of [[8, 'dance'], [9, 'run-away'], [10, 'toString']]) {
      mine.tell({ ...TASK, id, task: { kind } });
      const { type, message } = await mine.says((one) => one.id === id);
      assert.equal(type, 'crashed');
      assert.match(message, new RegExp(`no worker knows how to do ${kind}`));
    }
  });

  test('has each build once, and tells once that it is ready', async () => {
    const mine = worker();
    mine.tell({ type: 'init', lock: 'mine' });
    mine.tell(MODULE);
    mine.tell({ ...MODULE, build: 'sfc_bench_lab', module: 'other' });
    mine.tell({ ...TASK, build: 'sfc_bench_lab' });
    await mine.says(({ type }) => type === 'done');
    await mine.says(({ type }) => type === 'ready');
    assert.deepEqual(mine.instances, [
      ['sfc_bench', 'compiled'],
      ['sfc_bench_lab', 'other'],
    ]);
    assert.equal(mine.said.filter(({ type }) => type === 'ready').length, 1);
  });
});

describe('a connection', () => {
  class Told extends EventTarget {
    messages = [];
    ended = false;
    postMessage(message) {
      this.messages.push(message);
    }
    terminate() {
      this.ended = true;
    }
  }

  test('gives a build with the first task that needs it, and once', async () => {
    const asked = [];
    const told = new Told();
    const modules = async (build) => {
      asked.push(build);
      return build;
    };
    const connection = new Connection(told, modules, { hear() {}, lost: assert.fail });
    connection.give('sfc_bench');
    for (const id of [1, 2]) connection.ask(id, 'sfc_bench_lab', { kind: 'files-run' });
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(asked, ['sfc_bench', 'sfc_bench_lab']);
    assert.deepEqual(
      told.messages.map(({ type, build }) => [type, build]),
      [
        ['init', undefined],
        ['task', 'sfc_bench_lab'],
        ['task', 'sfc_bench_lab'],
        ['module', 'sfc_bench'],
        ['module', 'sfc_bench_lab'],
      ],
    );
  });

  test('ends a worker whose core does not come, and says why', async () => {
    const told = new Told();
    const reason = await new Promise((resolve) => {
      const lost = (why) => resolve(why);
      const gone = () => Promise.reject(new Error('no such file'));
      new Connection(told, gone, { hear() {}, lost }).give('sfc_bench');
    });
    assert.equal(reason, 'no such file');
    assert.ok(told.ended);
  });
});

describe('in the page', () => {
  /** @type {import('./lib/harness.mjs').Harness} */
  let harness;
  before(async () => {
    harness = await start();
  });
  after(() => harness?.close());

  /** How often the lab's build was asked for since so many requests. @param {number} from */
  const fetched = (from) =>
    harness.server.requests.slice(from).filter(({ path }) => path.endsWith('/sfc_bench_lab_bg.wasm')).length;

  test('the lab’s build is fetched once by a page, whoever works with it', async () => {
    let from = harness.server.requests.length;
    // The benchmark's kernels are the lab's, in the pool; files are read in a worker of their own.
    await harness.visit({ width: 1280, address: 'method/#benchmark' }, async ({ page }) => {
      // Loaded for those who come near.
      await page.click('#benchmark >> text="Run the benchmark"');
      await page.waitForFunction(() => document.querySelector('#benchmark progress').value > 0.01);
      await page.click('#benchmark >> text="Cancel"');
      assert.equal(fetched(from), 1);
    });
    from = harness.server.requests.length;
    await harness.visit({ width: 1280, address: 'own/' }, async ({ page }) => {
      await page.waitForSelector('body[data-lab=ready]');
      await page.click('#own >> text="Try it with an example"');
      await page.waitForFunction(() => /^Done\.$/.test(document.querySelector('#own-status').textContent));
      assert.equal(fetched(from), 1);
    });
  });
});
