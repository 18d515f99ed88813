// @ts-check
/** What an archive of all figures begins with: the paper's own, which other pages do not show. */

import { exportables } from '../shell/exportables.js';
import { isSingleFile } from '../shell/views.js';

/**
 * Has the paper's figures computed in a worker, under the weights of the page.
 *
 * @param {Lab} core
 * @param {import('../workers/pool.js').Pool} pool
 * @param {() => Weights} weights
 */
export async function computeArchiveFigures(core, pool, weights) {
  // There the paper's page has them.
  if (isSingleFile()) return;
  try {
    const { report } = await pool.submit({ kind: 'run', settings: core.defaults() });
    const view = core.Study.open('sfc', report);
    view.set_weights(...weights());
    exportables.view = view;
  } catch {
    // Then there is no archive, and whoever asks for one is told.
  }
}
