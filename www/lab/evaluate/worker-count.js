// @ts-check
/** How many workers a run takes on this machine, by its processors and memory. */

import { formatInteger } from '../../shell/basic-format.js';
import { runMemoryLimit } from '../../workers/pool.js';
import { formatBytes } from './byte-format.js';

/** What a run may take where the reader has not said so, in bytes. */
const MEMORY_DEFAULT = 2 ** 30;
/** More are no help: the first adds what they find. */
const WORKERS_MAX = 16;

const detectMachine = () => ({ processors: navigator.hardwareConcurrency || 1, memory: runMemoryLimit() });

/**
 * What a reader allows: less than usual binds all workers together, more is there where the machine would not say so.
 *
 * @param {number} asked @param {number} memory that a run may take of the machine
 */
const allowedMemory = (asked, memory) => (asked < MEMORY_DEFAULT ? Math.min(asked, memory) : asked > MEMORY_DEFAULT ? Math.max(asked, memory) : memory);

/**
 * @param {Pick<OwnPlan, 'rows' | 'k' | 'dimensions' | 'memory' | 'another'>} plan
 * @param {number | undefined} asked the memory that the run may take, in bytes
 * @param {{ processors: number, memory: number }} [on]
 */
export function planWorkers({ rows, k, dimensions, memory, another }, asked = MEMORY_DEFAULT, on = detectMachine()) {
  /** Multiplications that make another worker worth its start. */
  const WORTH = 5e9;
  const worth = Math.ceil((rows * k * dimensions) / WORTH);
  const allowed = allowedMemory(asked, on.memory);
  const fit = 1 + Math.max(0, Math.floor((allowed - memory) / another));
  const workers = Math.max(1, Math.min(WORKERS_MAX, on.processors, fit, worth));
  const bytes = memory + (workers - 1) * another;
  const each = workers === 1 ? 'one worker' : `${formatInteger(workers)} workers`;
  const why =
    fit < Math.min(on.processors, worth)
      ? `, ${workers === 1 ? 'all that' : 'as many as'} ${formatBytes(allowed)} of memory allow`
      : workers === on.processors && workers > 1
        ? ', one a processor'
        : '';
  return { workers, words: `It takes about ${formatBytes(bytes)} of memory in ${each}${why}.` };
}
