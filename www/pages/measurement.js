// @ts-check
/** Measurement theory's fifteen metrics. */

import { MeasurementPage } from '../papers/measurement/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'measurement',
  build: (given) => new MeasurementPage(given),
  groups: ['what is planted', 'the toy model'],
  script: { place: '#measure-script', words: 'It finds the circuits of all tasks that are measured, and EX1, EX25 and MIB of them.' },
});
