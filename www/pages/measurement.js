// @ts-check
/** Measurement theory's fifteen metrics. */

import { Measurement } from '../papers/measurement/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'measurement',
  build: (given) => new Measurement(given),
  groups: ['what is planted', 'the toy model'],
  script: { place: '#measure-script', words: 'It finds the circuits of all tasks that are measured, and EX1, EX25 and MIB of them.' },
});
