// @ts-check
/** The steps of a study of a reader's own model: taken one after the other, with how far it is, how fast, in how much memory. */

import { duration, remaining } from '../shell/duration.js';
import { grouped } from '../shell/grouped.js';
import { Cancelled } from '../workers/rpc-client.js';
import { megabytes } from './number-format.js';

/** How often the workers are asked what they have done, in milliseconds. */
const BETWEEN = 500;

/**
 * Takes the steps of what was begun, until there are no more, or it is cancelled or stopped; how many have been taken. Cancelled
 * before the first of all ended, it throws.
 *
 * @param {object} parts
 * @param {import('./model-client.js').ModelClient} parts.client
 * @param {'model-study-step' | 'model-gather-step' | 'model-metric-step'} parts.kind
 * @param {number} parts.steps how many there are
 * @param {number} [parts.from] how many had been taken before
 * @param {string} parts.unit what they are called
 * @param {(words: string) => void} parts.tell
 * @param {(done: number, before: number) => Promise<void> | void} [parts.onStep]
 * @param {() => boolean} [parts.isStopped]
 */
export async function takeSteps({ client, kind, steps, from = 0, unit, tell, onStep, isStopped = () => false }) {
  const [begun, first] = [performance.now(), await client.meter()];
  let asked = begun;
  let speed = '';
  async function measure() {
    const { tokens, bytes } = await client.meter();
    asked = performance.now();
    const rate = (tokens - first.tokens) / ((asked - begun) / 1000);
    const perSecond = rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate));
    speed = `${rate > 0 ? `, ${perSecond} tokens/s` : ''}, ${megabytes(bytes)} of memory`;
  }
  tell(`${grouped(from)} of ${grouped(steps)} ${unit}`);
  let done = from;
  while (done < steps && !isStopped()) {
    const before = done;
    try {
      done = await client.step(kind);
      if (done <= before) throw new Error('another study was begun meanwhile');
      const isLast = done >= steps;
      if (isLast || performance.now() - asked > BETWEEN) await measure();
    } catch (error) {
      // What has been measured so far is shown.
      if (!(error instanceof Cancelled) || done === 0) throw error;
      break;
    }
    const took = performance.now() - begun;
    const time = done < steps ? `, ${remaining((took / (done - from)) * (steps - done))} left` : ` in ${duration(took)}`;
    tell(`${grouped(done)} of ${grouped(steps)} ${unit}${done < steps ? speed + time : time + speed}`);
    await onStep?.(done, before);
  }
  return done;
}
