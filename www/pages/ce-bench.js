// @ts-check
/** CE-Bench on the toy model. */

import { CeBenchPage } from '../papers/ce-bench/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'ce-bench',
  build: (given) => new CeBenchPage(given),
  groups: ['the means of the autoencoders', 'the scores of the pairs'],
  script: { place: '#ce-bench-script', words: 'What was trained here is no part of it.' },
});
