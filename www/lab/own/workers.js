// @ts-check
/** How many workers a run takes on this machine, by its processors and memory. */

import { count, size } from './words.js';

/** Where nothing is known of the memory, in bytes: what a phone can spare. */
const UNKNOWN = 2 ** 30;
/** The share of the memory that a run may take. */
const SHARE = 1 / 4;
const GIB = 2 ** 30;
/** More are no help: the first adds what they find. */
const MOST = 16;

/** A machine as browsers tell of it; few tell of its memory, and none of more than 32 GiB. */
const machine = () => {
  const { hardwareConcurrency, deviceMemory } = /** @type {Navigator & { deviceMemory?: number }} */ (navigator);
  return {
    processors: hardwareConcurrency || 1,
    memory: deviceMemory ? deviceMemory * GIB * SHARE : UNKNOWN,
  };
};

/**
 * @param {Pick<OwnPlan, 'rows' | 'k' | 'dimensions' | 'memory' | 'another'>} plan
 * @param {{ processors: number, memory: number }} [on]
 */
export function workersFor({ rows, k, dimensions, memory, another }, on = machine()) {
  /** Multiplications that make another worker worth its start. */
  const WORTH = 5e9;
  const worth = Math.ceil((rows * k * dimensions) / WORTH);
  const room = 1 + Math.max(0, Math.floor((on.memory - memory) / another));
  const workers = Math.max(1, Math.min(MOST, on.processors, room, worth));
  const bytes = memory + (workers - 1) * another;
  const each = workers === 1 ? 'one worker' : `${count(workers)} workers`;
  const why =
    room < Math.min(on.processors, worth)
      ? `, ${workers === 1 ? 'all that' : 'as many as'} ${size(on.memory)} of memory allow`
      : workers === on.processors && workers > 1
        ? ', one a processor'
        : '';
  return { workers, words: `It takes about ${size(bytes)} of memory in ${each}${why}.` };
}
