// @ts-check
/** The steps of a study of a reader's own model: taken one after the other, with how far it is, how fast, in how much memory. */

import { formatDuration, formatRemaining } from '../shell/duration.js';
import { formatInteger } from '../shell/basic-format.js';
import { CancelledError } from '../workers/rpc-client.js';
import { formatMebibytes } from '../shell/number-format.js';

/** How often the workers are asked what they have done, in milliseconds. */
const METER_INTERVAL = 500;

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
export async function runStudySteps({ client, kind, steps, from = 0, unit, tell, onStep, isStopped = () => false }) {
  const [begun, first] = [performance.now(), await client.readMeter()];
  let asked = begun;
  let speed = '';
  async function measure() {
    const { tokens, bytes } = await client.readMeter();
    asked = performance.now();
    const rate = (tokens - first.tokens) / ((asked - begun) / 1000);
    const perSecond = rate < 10 ? rate.toFixed(1) : formatInteger(Math.round(rate));
    speed = `${rate > 0 ? `, ${perSecond} tokens/s` : ''}, ${formatMebibytes(bytes)} of memory`;
  }
  tell(`${formatInteger(from)} of ${formatInteger(steps)} ${unit}`);
  let done = from;
  while (done < steps && !isStopped()) {
    const before = done;
    try {
      done = await client.step(kind);
      if (done <= before) throw new Error('another study was begun meanwhile');
      const isLast = done >= steps;
      if (isLast || performance.now() - asked > METER_INTERVAL) await measure();
    } catch (error) {
      // What has been measured so far is shown.
      if (!(error instanceof CancelledError) || done === 0) throw error;
      break;
    }
    const took = performance.now() - begun;
    const time = done < steps ? `, ${formatRemaining((took / (done - from)) * (steps - done))} left` : ` in ${formatDuration(took)}`;
    tell(`${formatInteger(done)} of ${formatInteger(steps)} ${unit}${done < steps ? speed + time : time + speed}`);
    await onStep?.(done, before);
  }
  return done;
}
