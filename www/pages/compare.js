// @ts-check
/** Families of methods, compared. */

import { FamiliesSection } from '../lab/families.js';
import { requireElement } from '../shell/dom.js';
import { canPrecompute } from '../shell/data-saver.js';
import { computeArchiveFigures } from './archive.js';
import { openUserFiles, showUserFilesWhenChosen } from './user-files.js';
import { createPageLink } from './page-link.js';
import { openCoreAndPool, startPage } from './start.js';
import { createWeightsPanel } from './weights-panel.js';

startPage('compare', async ({ view, announce }) => {
  const tools = { ...(await openCoreAndPool()), announce };
  const { core, pool } = tools;
  const own = openUserFiles(core, announce);
  const { settings, families: study } = core.parse_state(location.search).state;
  const { weights } = settings;
  const section = requireElement('#families', view);
  const families = new FamiliesSection({
    ...tools,
    ...{ element: section, weights, study },
    given: own.given,
    onChange: () => link.remember(),
  });
  const link = createPageLink(tools, {
    name: 'compare',
    view,
    state: () => ({ weights: panel.weights, families: families.linkText }),
    apply(state) {
      panel.set(state.settings.weights);
      families.openLink(state.families);
    },
  });
  const panel = createWeightsPanel(core, {
    ...{ name: 'compare', view, weights },
    onWeights(wish) {
      families.updateWeights(wish);
      link.remember();
    },
  });
  showUserFilesWhenChosen(section);
  if (study && /(^|,)given/.test(study)) requireElement('#own').hidden = false;
  view.toggleAttribute('data-unasked', canPrecompute());
  if (canPrecompute()) families.startAutomatically();
  computeArchiveFigures(core, pool, () => panel.weights);
  return {
    redraw() {
      families.redraw();
      own.redraw();
    },
    shown: link.remember,
  };
});
