// @ts-check
/** Measurement theory's fifteen metrics. */

import { Measurement } from '../papers/measurement/page.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';

startPage('measurement', async ({ view, announce }) => {
  const { core, pool } = await openBench();
  const measurement = new Measurement({
    view,
    core,
    pool,
    announce,
    onState: () => link.remember(),
    onComplete: () => link.check(),
  });
  const link = createStudyLink({
    study: 'measurement',
    view,
    core,
    state: () => measurement.state,
    digest: () => measurement.digest,
    groups: ['what is planted', 'the little model'],
    apply: (page) => measurement.follow(page),
    announce,
  });
  link.open();
  return { redraw: () => measurement.redraw() };
});
