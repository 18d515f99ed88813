// @ts-check
/** SynthSAEBench: architectures trained on planted features. */

import { SynthPage } from '../papers/synth/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'synth',
  build: (given) => new SynthPage(given),
  groups: ['scores of the autoencoders'],
});
