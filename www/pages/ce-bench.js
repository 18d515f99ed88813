// @ts-check
/** CE-Bench on the toy model. */

import { CeBench } from '../papers/ce-bench/page.js';
import { need } from '../shell/dom.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';
import { createStudyScript } from './study-script.js';

startPage('ce-bench', async ({ view, announce }) => {
  const { core, pool } = await openBench();
  const bench = new CeBench({
    view,
    core,
    pool,
    announce,
    onState: () => link.remember(),
    onComplete: () => link.check(),
  });
  const link = createStudyLink({
    study: 'ce-bench',
    view,
    core,
    state: () => bench.state,
    digest: () => bench.digest,
    groups: ['the means of the autoencoders', 'the scores of the pairs'],
    apply(page) {
      page.changes.push(...bench.follow(page));
    },
    announce,
  });
  createStudyScript({
    place: need('#ce-bench-script', view),
    ...{ core, announce },
    view: () => bench.shown,
    words: 'What was trained here is no part of it.',
  });
  link.open();
  return { redraw: () => bench.redraw() };
});
