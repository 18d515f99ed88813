// @ts-check
/** The audit: what each metric can be trusted for. */

import { AuditPage } from '../papers/audit/page.js';
import { startStudyPage } from './study-page.js';

startStudyPage({
  study: 'audit',
  build: (given) => new AuditPage(given),
  groups: ['what is measured of decompositions', 'of circuits', 'of models', 'of scores'],
  warm: true,
});
