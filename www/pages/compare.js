// @ts-check
/** Families of methods, compared. */

import { createFamilies } from '../lab/families.js';
import { need } from '../shell/dom.js';
import { mayCompute } from '../shell/unasked.js';
import { exportables } from '../shell/exportables.js';
import { inOneFile } from '../shell/views.js';
import { keepForArchive } from './archive.js';
import { ownFiles, showOwnWhenAsked } from './own-files.js';
import { createPageLink } from './page-link.js';
import { openBench, startPage } from './start.js';
import { createWeightsPanel } from './weights-panel.js';

startPage('compare', async ({ view, announce }) => {
  const { core, pool } = await openBench();
  const own = ownFiles(core, announce);
  const { settings, families: study } = core.parse_state(location.search).state;
  let weights = settings.weights;
  const section = need('#families', view);
  const families = createFamilies({
    element: section,
    core,
    pool,
    weights,
    given: own.given,
    announce,
    study,
    onChange: () => link.remember(),
  });
  const link = createPageLink({
    name: 'compare',
    view,
    core,
    announce,
    state: () => ({ weights, families: families.study() }),
    apply(state) {
      panel.set(state.settings.weights);
      families.choose(state.families);
    },
  });
  const panel = createWeightsPanel({
    panel: need('.panel', view),
    core,
    prefix: 'compare-',
    weights,
    onWeights(wish) {
      weights = wish;
      if (!inOneFile()) exportables.view?.set_weights(...wish);
      families.weigh(wish);
      link.remember();
    },
  });
  showOwnWhenAsked(section);
  if (study && /(^|,)given/.test(study)) need('#own').hidden = false;
  view.toggleAttribute('data-unasked', mayCompute());
  if (mayCompute()) families.begin();
  keepForArchive(core, pool, () => weights);
  return {
    redraw() {
      families.redraw();
      own.redraw();
    },
    shown: link.remember,
  };
});
