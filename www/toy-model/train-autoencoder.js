// @ts-check
/** An autoencoder trained on the toy model's residual stream, in a worker. */

import { loadToyModelFiles } from './model-files.js';

/** The checkpoint that was never trained: what is trained on it is a control. */
export const UNTRAINED_CHECKPOINT = 'ck-00000';
/** How often a training tells how far it is. */
export const PROGRESS_POINTS = 40;

/**
 * @param {{ core: Lab, pool: import('../workers/pool.js').Pool }} tools
 * @param {LittleTrainingWanted} wanted of a checkpoint
 * @param {{ signal: AbortSignal, priority?: number, onMetrics: (share: number, metrics: Metrics) => void }} under `onMetrics`: how far it is
 * @returns {Promise<LittleAutoencoder>}
 */
export async function trainAutoencoder({ core, pool }, wanted, { signal, priority, onMetrics }) {
  const files = await loadToyModelFiles(core, [wanted.checkpoint ?? '']);
  const { autoencoder } = await pool.submit(
    { kind: 'toy-train', wanted, points: PROGRESS_POINTS, files },
    { signal, priority, onProgress: (_, share, metrics) => onMetrics(share, metrics) },
  );
  return autoencoder;
}
