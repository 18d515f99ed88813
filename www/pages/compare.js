// @ts-check
/** Families of methods, compared. */

import { Families } from '../lab/families.js';
import { need } from '../shell/dom.js';
import { mayCompute } from '../shell/unasked.js';
import { keepForArchive } from './archive.js';
import { ownFiles, showOwnWhenAsked } from './own-files.js';
import { createPageLink } from './page-link.js';
import { openBench, startPage } from './start.js';
import { createWeightsPanel } from './weights-panel.js';

startPage('compare', async ({ view, announce }) => {
  const tools = { ...(await openBench()), announce };
  const { core, pool } = tools;
  const own = ownFiles(core, announce);
  const { settings, families: study } = core.parse_state(location.search).state;
  const { weights } = settings;
  const section = need('#families', view);
  const families = new Families({
    ...tools,
    ...{ element: section, weights, study },
    given: own.given,
    onChange: () => link.remember(),
  });
  const link = createPageLink(tools, {
    name: 'compare',
    view,
    state: () => ({ weights: panel.weights, families: families.text }),
    apply(state) {
      panel.set(state.settings.weights);
      families.choose(state.families);
    },
  });
  const panel = createWeightsPanel(core, {
    ...{ name: 'compare', view, weights },
    onWeights(wish) {
      families.weigh(wish);
      link.remember();
    },
  });
  showOwnWhenAsked(section);
  if (study && /(^|,)given/.test(study)) need('#own').hidden = false;
  view.toggleAttribute('data-unasked', mayCompute());
  if (mayCompute()) families.begin();
  keepForArchive(core, pool, () => panel.weights);
  return {
    redraw() {
      families.redraw();
      own.redraw();
    },
    shown: link.remember,
  };
});
