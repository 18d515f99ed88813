// @ts-check
/** The Model Utilization Index. */

import { Mui } from '../papers/mui/page.js';
import { need } from '../shell/dom.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';
import { createStudyScript } from './study-script.js';

startPage('mui', async ({ view, announce }) => {
  const { core, pool } = await openBench();
  const mui = new Mui({
    view,
    core,
    pool,
    announce,
    onState: () => link.remember(),
    onComplete: () => link.check(),
  });
  const link = createStudyLink({
    study: 'mui',
    view,
    core,
    state: () => mui.state,
    digest: () => mui.digest,
    groups: ['what follows from the paper’s tables', 'the index of the toy model', 'the training'],
    apply: (page) => mui.follow(page),
    announce,
  });
  createStudyScript({
    place: need('#mui-script', view),
    ...{ core, announce },
    view: () => mui.shown,
    words: 'It measures the checkpoint that is opened, all ten tasks of it.',
  });
  link.open();
  return { redraw: () => mui.redraw() };
});
