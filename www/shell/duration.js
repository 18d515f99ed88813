// @ts-check
/** How long something took, and how long it will, as people say it. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** @param {number} minutes @param {number} seconds */
const formatMinutes = (minutes, seconds) => (seconds === 0 ? `${minutes} min` : `${minutes} min ${seconds} s`);

/** How long something took. @param {number} ms */
export function formatDuration(ms) {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < SECOND - 0.5) return `${Math.round(ms)} ms`;
  if (ms < 99.95 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  return formatMinutes(Math.floor(seconds / 60), seconds % 60);
}

/** How long something will take: nobody knows it to the millisecond. @param {number} ms */
export function formatRemaining(ms) {
  if (!Number.isFinite(ms)) return 'some time';
  if (ms < SECOND) return 'a second';
  if (ms < 1.5 * MINUTE) return `${Math.round(ms / SECOND)} s`;
  return `${Math.round(ms / MINUTE)} min`;
}
