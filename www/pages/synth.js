// @ts-check
/** SynthSAEBench: architectures trained on planted features. */

import { Synth } from '../papers/synth/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'synth',
  build: (given) => new Synth(given),
  groups: ['scores of the autoencoders'],
});
