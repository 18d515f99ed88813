// @ts-check
/** A reader's own decomposition, scored. */

import { takeHandedOverFiles } from '../shell/file-handover.js';
import { canPrecompute } from '../shell/data-saver.js';
import { isSingleFile } from '../shell/views.js';
import { computeArchiveFigures } from './archive.js';
import { openUserFiles } from './user-files.js';
import { createPageLink } from './page-link.js';
import { openCoreAndPool, startPage } from './start.js';
import { createWeightsPanel } from './weights-panel.js';

startPage('own', async ({ view, announce }) => {
  const tools = { ...(await openCoreAndPool()), announce };
  const { core, pool } = tools;
  const { settings, own: linked } = core.parse_state(location.search).state;
  const { weights } = settings;
  const own = openUserFiles(core, announce);
  own.weigh(weights);
  if (linked !== null) own.choose(linked);
  const link = createPageLink(tools, {
    name: 'own',
    view,
    state: () => ({ weights: panel.weights, own: own.text() }),
    apply(state) {
      panel.set(state.settings.weights);
      own.choose(state.own);
    },
  });
  own.onChange(() => link.remember());
  const panel = createWeightsPanel(core, {
    ...{ name: 'own', view, weights },
    onWeights(wish) {
      own.weigh(wish);
      link.remember();
    },
  });
  computeArchiveFigures(core, pool, () => panel.weights);
  /** Scores what another page made. */
  async function takeHanded() {
    const files = await takeHandedOverFiles('own');
    if (files.length > 0) own.score(files);
  }
  await takeHanded();
  // In one file the other pages take what is open here for the reader's own.
  if (canPrecompute() && !isSingleFile()) own.begin();
  return {
    redraw: own.redraw,
    shown() {
      link.remember();
      takeHanded();
    },
  };
});
