// Whether a task of a worker is still wanted: asked of an address that the page takes away. Stands in for the browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Addresses that are there. @type {Set<string>} */
const there = new Set();
let asked = 0;
let now = 0;
class Request {
  status = 0;
  #address = '';
  /** @param {string} _method @param {string} address */
  open(_method, address) {
    this.#address = address;
  }
  send() {
    asked += 1;
    if (!there.has(this.#address)) throw new Error('a network error');
    this.status = 200;
  }
}
Object.assign(globalThis, { XMLHttpRequest: Request });
Object.assign(URL, {
  createObjectURL: () => (there.add('blob:own'), 'blob:own'),
  revokeObjectURL: (/** @type {string} */ address) => there.delete(address),
});
Object.defineProperty(globalThis, 'performance', { value: { now: () => now } });

const { createCancelGuard, runCancellable } = await import('../../www/workers/tasks/cancellation.js');

/** A core whose work asks ten times, 15 ms apart, and ends where it is told to. */
function core() {
  /** @type {(() => boolean) | undefined} */
  let ask;
  const found = {
    rounds: 0,
    /** @param {(() => boolean) | undefined} given */
    cancel_when(given) {
      ask = given;
    },
    /** @param {(round: number) => void} [meanwhile] */
    work(meanwhile) {
      for (found.rounds = 0; found.rounds < 10 && !ask?.(); found.rounds += 1) {
        now += 15;
        meanwhile?.(found.rounds);
      }
      return found.rounds;
    },
    asks: () => ask !== undefined,
  };
  return found;
}

test('work that is wanted is done, and not asked about at every turn', () => {
  there.add('blob:1');
  const one = core();
  assert.equal(runCancellable(one, 'blob:1', () => one.work()), 10);
  const before = asked;
  assert.equal(runCancellable(one, 'blob:1', () => one.work()), 10);
  assert.ok(asked - before >= 3 && asked - before <= 5, `${asked - before} questions in 150 ms`);
  assert.equal(one.asks(), false, 'nobody is asked afterwards');
});

test('work that no longer is ends in between, and its answer is refused', () => {
  there.add('blob:2');
  const one = core();
  const cancelled = { code: 'cancelled', message: 'it was cancelled' };
  const gone = () => runCancellable(one, 'blob:2', () => one.work((round) => round === 1 && there.delete('blob:2')));
  assert.throws(gone, (error) => (assert.deepEqual(error, cancelled), true));
  assert.ok(one.rounds >= 2 && one.rounds <= 5, `after ${one.rounds} rounds`);
  assert.equal(one.asks(), false);
  // What waits behind it is not begun.
  one.rounds = -1;
  assert.throws(() => runCancellable(one, 'blob:2', () => one.work()), (error) => (assert.deepEqual(error, cancelled), true));
  assert.equal(one.rounds, -1);
  assert.equal(runCancellable(one, undefined, () => one.work()), 10, 'without an address nobody asks');
});

test('what is written piece by piece is refused between pieces', () => {
  there.add('blob:3');
  const check = createCancelGuard('blob:3');
  check();
  there.delete('blob:3');
  check();
  now += 50;
  assert.throws(check, (error) => /** @type {any} */ (error).code === 'cancelled');
  assert.throws(check, 'and from then on');
});
