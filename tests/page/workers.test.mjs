// The one protocol of all workers: what is said at their end, and how often a build is fetched.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Connection } from '../../www/workers/connection.js';
import { Pool, RECYCLE_BYTES } from '../../www/workers/pool.js';
import { serveTasks } from '../../www/workers/serve.js';
import { armEndings, endings } from './lib/endings.mjs';
import { startFirefox, visit as visitFirefox } from './lib/firefox.mjs';
import { TIMEOUT, killWorkers, start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';
import { serveStatic as serveFolder } from './lib/server.mjs';

const SETTINGS = { k: 48 };

/**
 * A worker without a thread: what it is told, and what it says. Its glue counts how often each build
 * became an instance, and runs by `run`.
 *
 * @param {(settings: any, tell: any) => unknown} [run]
 * @param {(from: any) => Promise<unknown>} [instance] makes one
 */
function worker(run = (settings) => ({ settings }), instance = async () => {}) {
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
  serveTasks(
    {
      send(message) {
        said.push(message);
        look();
      },
      listen: (listener) => (hear = listener),
      hold: async (lock) => ({ lock }),
    },
    async (build) => ({
      default: async ({ module_or_path }) => {
        instances.push([build, module_or_path]);
        await instance(module_or_path);
      },
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
    assert.deepEqual(mine.said, [{ type: 'up' }, { type: 'alive', lock: 'mine' }]);
    mine.tell(MODULE);
    const { result } = await mine.says(({ type }) => type === 'done');
    assert.deepEqual(result.report, { settings: SETTINGS });
    await mine.says(({ type }) => type === 'ready');
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

  test('that finds no memory for an instance tries once more, and then says so', async () => {
    const full = () => new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory');
    let times = 0;
    const again = worker(undefined, async () => {
      if (++times === 1) throw full();
    });
    again.tell(MODULE);
    again.tell(TASK);
    assert.equal((await again.says(({ id }) => id === 7)).type, 'done');
    assert.equal(again.instances.length, 2);

    const never = worker(undefined, async () => {
      throw full();
    });
    never.tell(MODULE);
    never.tell(TASK);
    assert.match((await never.says(({ id }) => id === 7)).message, /no memory left/);
    assert.equal(never.instances.length, 2);

    const other = worker(undefined, async () => {
      throw new WebAssembly.LinkError('import');
    });
    other.tell(MODULE);
    other.tell(TASK);
    assert.match((await other.says(({ id }) => id === 7)).message, /LinkError/);
    assert.equal(other.instances.length, 1);
  });

  test('has the end of memory named, and a panic, and no other trap', async () => {
    const lab = await import('../../dist/www/pkg/sfc_bench_lab.js');
    const bytes = await readFile(new URL('../../dist/www/pkg/sfc_bench_lab_bg.wasm', import.meta.url));
    const said = [];
    /** @type {(message: any) => void} */
    let hear = () => {};
    let told = () => {};
    /** @type {WebAssembly.Memory | undefined} */
    let memory;
    serveTasks(
      {
        send: (message) => {
          said.push(message);
          told();
        },
        listen: (listener) => (hear = listener),
        hold: async () => ({}),
      },
      async () => ({
        ...lab,
        default: async (from) => {
          ({ memory } = await lab.default(from));
        },
      }),
    );
    const ask = (id, task) =>
      new Promise((resolve) => {
        told = () => said.some((one) => one.id === id && one.type !== 'progress') && resolve(said.find((one) => one.id === id && one.type !== 'progress'));
        hear({ type: 'task', id, build: 'sfc_bench_lab', task });
      });
    const settings = { k: 48 };
    hear({ type: 'module', build: 'sfc_bench_lab', module: await WebAssembly.compile(bytes) });
    assert.equal((await ask(1, { kind: 'run', settings })).type, 'done');
    // All that is left of it is taken: an allocation has to fail.
    for (let pages = 65_536; pages >= 1; ) {
      try {
        memory.grow(pages);
      } catch {
        pages = Math.floor(pages / 2);
      }
    }
    const { type, message } = await ask(2, { kind: 'run', settings: { ...settings, samples: 100_000 } });
    assert.equal(type, 'crashed');
    assert.match(message, /ran out of memory .*unreachable/);
    const trap = worker(() => {
      throw new WebAssembly.RuntimeError('memory access out of bounds');
    });
    trap.tell(MODULE);
    trap.tell(TASK);
    assert.equal((await trap.says(({ id }) => id === 7)).message, 'RuntimeError: memory access out of bounds');
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

/** A worker as its page sees it: what it is told, and when it speaks. */
class Told extends EventTarget {
  messages = [];
  ended = false;
  postMessage(message) {
    this.messages.push(message);
  }
  terminate() {
    this.ended = true;
  }
  say(data) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  break(message) {
    this.dispatchEvent(Object.assign(new Event('error'), { message }));
  }
}

describe('a connection', () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve));

  test('gives a build with the first task that needs it, and once; nothing before the worker lives', async () => {
    const asked = [];
    const told = new Told();
    const modules = async (build) => {
      asked.push(build);
      return build;
    };
    const connection = new Connection(() => told, modules, { hear() {}, lost: assert.fail });
    connection.sendModule('sfc_bench');
    for (const id of [1, 2]) connection.sendTask(id, 'sfc_bench_lab', { kind: 'files-run' });
    await soon();
    assert.deepEqual(asked, ['sfc_bench', 'sfc_bench_lab']);
    assert.deepEqual(told.messages.map(({ type }) => type), ['init']);
    told.say({ type: 'alive' });
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
    connection.end();
  });

  test('ends a worker whose core does not come, and says why', async () => {
    const told = new Told();
    const reason = await new Promise((resolve) => {
      const lost = (why) => resolve(why);
      const gone = () => Promise.reject(new Error('no such file'));
      new Connection(() => told, gone, { hear() {}, lost }).sendModule('sfc_bench');
    });
    assert.equal(reason, 'no such file');
    assert.ok(told.ended);
  });

  test('starts another worker where one is not heard of, and takes the one that speaks first', async () => {
    const made = [];
    const make = () => {
      made.push(new Told());
      return made.at(-1);
    };
    const connection = new Connection(make, async (build) => build, { hear() {}, lost: assert.fail });
    connection.sendTask(1, 'sfc_bench', { kind: 'run' });
    while (made.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(!made[0].ended, 'the first may only be slow');
    made[1].say({ type: 'alive' });
    assert.deepEqual(made.map(({ ended }) => ended), [true, false]);
    assert.ok(made[1].messages.some(({ type }) => type === 'task'));
    assert.ok(!made[0].messages.some(({ type }) => type === 'task'));
    connection.end();
  });

  test('says why there is none: not heard of, broken twice, or refused', async () => {
    const reasonOf = (make) => new Promise((lost) => new Connection(make, async () => {}, { hear() {}, lost }));
    const silent = [];
    const make = () => {
      silent.push(new Told());
      return silent.at(-1);
    };
    assert.equal(await reasonOf(make), 'its worker did not start');
    assert.ok(silent.length >= 2 && silent.every(({ ended }) => ended));
    let births = 0;
    const broken = () => {
      births += 1;
      const told = new Told();
      setTimeout(() => told.break('its script has an error'));
      return told;
    };
    assert.equal(await reasonOf(broken), 'its script has an error');
    assert.equal(births, 2);
    assert.equal(
      await reasonOf(() => {
        throw new Error('no more workers');
      }),
      'no more workers',
    );
  });
});

describe('a pool', () => {
  const soon = () => new Promise((resolve) => setTimeout(resolve));

  /** A worker does the task that it was given last. @param {Told} worker @param {unknown} result */
  function finish(worker, result, memory = 0) {
    const { id } = worker.messages.findLast(({ type }) => type === 'task');
    worker.say({ type: 'done', id, result, memory });
  }

  /** One worker at a time, which lives at once; what each has done takes so many bytes. @param {number} memory */
  function pooled(memory) {
    /** @type {Told[]} */
    const workers = [];
    const pool = new Pool(
      () => {
        const told = new Told();
        workers.push(told);
        setTimeout(() => told.say({ type: 'alive' }));
        return told;
      },
      async (build) => build,
      { size: 1 },
    );
    const work = async () => {
      const done = pool.submit({ kind: 'run', settings: SETTINGS });
      await soon();
      await soon();
      finish(workers.at(-1), workers.length, memory);
      return done;
    };
    return { pool, workers, work };
  }

  test('lets a worker go whose memory has grown, once it rests, and starts another for the next task', async () => {
    const { pool, workers, work } = pooled(RECYCLE_BYTES + 1);
    assert.equal(await work(), 1);
    assert.ok(!workers[0].ended, 'another task may follow at once');
    assert.equal(await work(), 1);
    const start = performance.now();
    while (!workers[0].ended && performance.now() - start < TIMEOUT) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(workers[0].ended);
    assert.equal(pool.workerCount, 0);
    assert.equal(await work(), 2);
    pool.close();
  });

  test('rejects with what is thrown by whoever is told of progress, and goes on with the next task', async () => {
    const { pool, workers, work } = pooled(0);
    const onProgress = () => {
      throw new Error('boom');
    };
    const done = pool.submit({ kind: 'run', settings: SETTINGS }, { onProgress });
    const reason = done.then(() => 'nothing', (error) => error.message);
    await soon();
    await soon();
    const [worker] = workers;
    const { id } = worker.messages.findLast(({ type }) => type === 'task');
    worker.say({ type: 'progress', id, stage: 'curve', fraction: 0.5 });
    assert.equal(await reason, 'boom');
    assert.ok(worker.ended, 'it is not under way any more');
    assert.equal(await work(), 2);
    pool.close();
  });

  /** Three workers, of which the first alone comes up. */
  async function poolOfOne() {
    /** @type {Told[]} */
    const workers = [];
    const make = () => {
      const told = new Told();
      const first = workers.push(told) === 1;
      setTimeout(() => told.say({ type: 'alive' }));
      setTimeout(() => (first ? told.say({ type: 'ready', ms: 1 }) : told.break('its code could not be loaded')));
      return told;
    };
    const pool = new Pool(make, async (build) => build, { size: 3 });
    pool.warmUp();
    await soon();
    await soon();
    return { pool, workers };
  }

  test('ends no worker for a task of higher rank while none would come up in its place', async () => {
    const { pool, workers } = await poolOfOne();
    const slow = pool.submit({ kind: 'run', settings: SETTINGS }, { priority: -1 });
    const urgent = pool.submit({ kind: 'run', settings: SETTINGS }, { priority: 2, tries: 1 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual([workers[0].ended, pool.workerCount, pool.readyCount], [false, 1, 1]);
    for (const task of [slow, urgent]) {
      finish(workers[0], 'done');
      assert.equal(await task, 'done');
    }
    pool.close();
  });

  test('tries again for a worker that did not come up, though nothing else happens', async (context) => {
    let now = 0;
    context.mock.method(performance, 'now', () => now);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const turn = async () => {
      for (let count = 0; count < 5; count += 1) {
        context.mock.timers.tick(1);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const made = poolOfOne();
    await turn();
    const { pool, workers } = await made;
    const both = [1, 2].map(() => pool.submit({ kind: 'run', settings: SETTINGS }, { tries: 1 }));
    await turn();
    assert.equal(workers.length, 2);
    now = 5_000;
    context.mock.timers.tick(5_000);
    await turn();
    assert.equal(workers.length, 3);
    pool.close();
    assert.equal((await Promise.allSettled(both)).length, 2);
  });

  test('goes on with the workers that it has where no more come up', async (context) => {
    let now = 0;
    context.mock.method(performance, 'now', () => now);
    const { pool, workers } = await poolOfOne();
    const submit = () => pool.submit({ kind: 'run', settings: SETTINGS }, { tries: 1 });
    const tasks = [submit(), submit(), submit()];
    let results = 0;
    const answer = async () => {
      for (let turn = 0; turn < 5; turn += 1) await soon();
      finish(workers[0], (results += 1));
    };
    for (let count = 0; count < 3; count += 1) await answer();
    assert.deepEqual((await Promise.all(tasks)).sort(), [1, 2, 3]);
    assert.deepEqual([workers.length, pool.workerCount], [3, 1], 'two were tried besides, and none since');
    now += 5_000;
    const more = [submit(), submit()];
    for (let count = 0; count < 2; count += 1) await answer();
    assert.deepEqual((await Promise.all(more)).sort(), [4, 5]);
    assert.deepEqual([workers.length, pool.workerCount], [4, 1]);
    pool.close();
  });

  test('keeps one whose memory has not grown', async () => {
    const { pool, workers, work } = pooled(RECYCLE_BYTES);
    assert.equal(await work(), 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.ok(!workers[0].ended);
    assert.equal(await work(), 1);
    pool.close();
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

  /** Worker by worker, how it ends. @type {[string, (typeof import('./lib/endings.mjs'))['endings'][string]][]} */
  const ENDS = Object.entries(endings);
  for (const [when, ending] of selectMembers(ENDS, 2))
    test(`the first load, its worker ended ${when}: the paper is computed all the same`, () =>
      harness.visit({ before: armEndings(ending, 1) }, async ({ page }) => {
        await page.waitForSelector('#live:not([hidden])');
        await page.waitForSelector('body[data-lab=ready]');
        assert.equal(await page.evaluate(() => globalThis.ended.length), 1);
      }));

  test('the first load, every worker ended at its birth: the page says so, and computes when it is asked again', () =>
    harness.visit({ before: armEndings(endings['at its birth'], Infinity) }, async ({ page }) => {
      await page.waitForSelector('#verdict[data-outcome=failed]');
      assert.match(await page.textContent('#late'), /worker did not start/);
      await page.evaluate(() => (globalThis.endings = 0));
      await page.click('#go-on');
      await page.waitForSelector('#live:not([hidden])');
    }));

  test('the first load, every worker ended in its first task: the page says so', () =>
    harness.visit({ before: armEndings(endings['in its first task'], Infinity) }, async ({ page }) => {
      await page.waitForSelector('#verdict[data-outcome=failed]');
      assert.match(await page.textContent('#late'), /worker ended/);
    }));

  for (const [when, ending] of selectMembers(ENDS))
    test(`files read, the worker ended ${when}: they are scored all the same`, () =>
      harness.visit({ address: 'own/', before: armEndings(ending, 1) }, async ({ page }) => {
        await page.waitForSelector('body[data-lab=ready]');
        await page.click('#own >> text="Try it with an example"');
        await page.waitForFunction(() => /^Done\.$/.test(document.querySelector('#own-status').textContent));
        assert.equal(await page.evaluate(() => globalThis.ended.length), 1);
      }));

  test('files read, the worker ended while it scores: they are scored all the same; ended again: the page says so', () =>
    harness.visit({ address: 'own/', before: armEndings(endings['in its first task'], 0) }, async ({ page }) => {
      const status = (words) => page.waitForFunction((words) => document.querySelector('#own-status').textContent.startsWith(words), words);
      await page.waitForSelector('body[data-lab=ready]');
      await page.click('#own >> text="Try it with an example"');
      await status('Done.');
      for (const [times, words] of [[1, 'Done.'], [2, 'It broke off.'], [0, 'Done.']]) {
        await page.evaluate((times) => {
          globalThis.endings = times;
          globalThis.ended.length = 0;
          globalThis.only = 'files-run';
        }, times);
        await page.click('#own-start');
        if (times > 0) await page.waitForFunction((times) => globalThis.ended.length === times, times);
        await status(words);
      }
    }));

  test('where a policy allows workers of the page’s own address alone: the paper is computed', async () => {
    const strict = await start({ headers: { 'Content-Security-Policy': "worker-src 'self'" } });
    try {
      await strict.visit({ expectedErrors: [/Content Security Policy/] }, async ({ page }) => {
        await page.waitForSelector('#live:not([hidden])');
        await page.waitForSelector('body[data-lab=ready]');
      });
    } finally {
      await strict.close();
    }
  });

  test('where there are no locks: the paper is computed', () =>
    harness.visit({ before: (context) => context.addInitScript('delete Navigator.prototype.locks') }, async ({ page }) => {
      await page.waitForSelector('#live:not([hidden])');
    }));

  for (const closes of selectMembers([false, true]))
    test(`in a frame without an origin, which has no locks, a worker that ${closes ? 'closes itself' : 'is ended'} in the middle is made up for`, async () => {
      const open = await start({ headers: { 'Access-Control-Allow-Origin': '*' } });
      try {
        const before = armEndings({ age: 0 }, 0);
        await open.visit({ before, address: 'www/shell/icons/favicon.svg', expectedErrors: [/favicon.ico/] }, async ({ page }) => {
          const body = '<!doctype html><iframe sandbox="allow-scripts" width="900" height="900" src="./?v=1&embed=1"></iframe>';
          await page.route('**/host.html', (route) => route.fulfill({ contentType: 'text/html', body }));
          await page.goto(`${open.url}host.html`);
          const [, frame] = page.frames();
          await frame.waitForSelector('body[data-lab=ready]');
          assert.equal(await frame.evaluate(() => origin), 'null');
          await frame.check('[name=ensemble-seeds][value="100"]');
          await frame.locator('#ensemble').scrollIntoViewIfNeeded();
          await frame.waitForFunction(() => /^[1-9]/.test(document.querySelector('#ensemble-status').textContent));
          // Its own pulse ends with it, and no other's.
          if (closes) await killWorkers(page.workers().slice(0, 1));
          else await frame.evaluate(() => void globalThis.endAny(0));
          await frame.waitForFunction(() => /^100 networks/.test(document.querySelector('#ensemble-status').textContent));
        });
      } finally {
        await open.close();
      }
    });

  test('where there is no memory for the core at first: the paper is computed', () =>
    harness.visit(
      {
        before: (context) =>
          context.addInitScript(() => {
            const { instantiate } = WebAssembly;
            globalThis.refused = 0;
            WebAssembly.instantiate = (...given) => {
              if (globalThis.refused > 0) return instantiate(...given);
              globalThis.refused += 1;
              return Promise.reject(new RangeError('Out of memory: Cannot allocate Wasm memory for new instance'));
            };
          }),
      },
      async ({ page }) => {
        await page.waitForSelector('#live:not([hidden])');
        assert.equal(await page.evaluate(() => globalThis.refused), 1);
      },
    ));
});

describe('in Firefox', () => {
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  /** @type {import('./lib/server.mjs').Server} */
  let server;
  before(async () => {
    browser = await startFirefox();
    server = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)));
  });
  after(() => Promise.all([browser?.close(), server?.close()]));

  for (const when of selectMembers(['at its birth', 'before it lives', 'by itself, while it starts', 'in its first task']))
    test(`the first load, its worker ended ${when}: the paper is computed all the same`, { timeout: 2 * TIMEOUT }, () =>
      visitFirefox(
        browser,
        server.url,
        '',
        async (page) => {
          await page.waitForSelector('#live:not([hidden])');
          assert.equal(await page.evaluate(() => globalThis.ended.length), 1);
        },
        (page) => armEndings(endings[when], 1)({ addInitScript: (script, given) => page.evaluateOnNewDocument(script, given) }),
      ));
});
