// @ts-check
/** The Model Utilization Index. */

import { MuiPage } from '../papers/mui/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'mui',
  build: (given) => new MuiPage(given),
  groups: ['what follows from the paper’s tables', 'the index of the toy model', 'the training'],
  script: { place: '#mui-script', words: 'It measures the checkpoint that is opened, all ten tasks of it.' },
});
