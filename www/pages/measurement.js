// @ts-check
/** Measurement theory's fifteen metrics. */

import { Measurement } from '../papers/measurement/page.js';
import { need } from '../shell/dom.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';
import { createStudyScript } from './study-script.js';

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
    groups: ['what is planted', 'the toy model'],
    apply: (page) => measurement.follow(page),
    announce,
  });
  createStudyScript({
    place: need('#measure-script', view),
    ...{ core, announce },
    view: () => measurement.shown,
    words: 'It finds the circuits of all tasks that are measured, and EX1, EX25 and MIB of them.',
  });
  link.open();
  return { redraw: () => measurement.redraw() };
});
