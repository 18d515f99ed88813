// @ts-check
/** FADE on the toy model. */

import { FadePage } from '../papers/fade/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'fade',
  build: (given) => new FadePage(given),
  groups: ['the scores of texts', 'what was written'],
  warm: true,
  script: {
    place: '#fade-script',
    words: 'With --steer it measures faithfulness too, of the features that have been steered here.',
  },
});
