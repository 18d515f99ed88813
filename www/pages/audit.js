// @ts-check
/** The audit: what each metric can be trusted for. */

import { Audit } from '../papers/audit/page.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';

startPage('audit', async ({ view, announce }) => {
  const { core, pool } = await openBench(true);
  const audit = new Audit({
    view,
    core,
    pool,
    announce,
    onState: () => link.remember(),
    onComplete: () => link.check(),
  });
  const link = createStudyLink({
    study: 'audit',
    view,
    core,
    state: () => audit.state,
    digest: () => audit.digest,
    groups: ['what is measured of decompositions', 'of circuits', 'of models', 'of scores'],
    apply: (page) => audit.follow(page),
    announce,
  });
  link.open();
  return { redraw: () => audit.redraw() };
});
