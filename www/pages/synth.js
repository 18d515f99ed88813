// @ts-check
/** SynthSAEBench: architectures trained on planted features. */

import { Synth } from '../papers/synth/page.js';
import { openBench, startPage } from './start.js';
import { createStudyLink } from './study-link.js';

startPage('synth', async ({ view, announce }) => {
  const { core, pool } = await openBench();
  const synth = new Synth({
    view,
    core,
    pool,
    announce,
    onState: () => link.remember(),
    onComplete: () => link.check(),
  });
  const link = createStudyLink({
    study: 'synth',
    view,
    core,
    state: () => synth.state,
    digest: () => synth.digest,
    groups: ['scores of the autoencoders'],
    apply: (page) => synth.follow(page),
    announce,
  });
  link.open();
  return { redraw: () => synth.redraw() };
});
