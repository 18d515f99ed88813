// @ts-check
/** The package in a browser. */

import { openCore, share } from '../workers/shared.js';
import { createApi } from './api.js';

/** @type {ReturnType<typeof share> | null} */
let mine = null;

const api = createApi({
  open: openCore,
  async pool() {
    mine ??= share();
    return mine.pool;
  },
  lazy: true,
  close() {
    mine?.release();
    mine = null;
  },
});

export const {
  ready,
  version,
  defaults,
  profiles,
  limits,
  figures,
  validate,
  configure,
  run,
  rescore,
  compare,
  digest,
  checkDigest,
  figure,
  table,
  printLink,
  parseLink,
  script,
  sparsity,
  fidelity,
  completeness,
  completenessOfOutputs,
  rate,
  distortion,
  relevance,
  score,
  hypervolume,
  front,
  dominates,
  simplex,
  evaluate,
  evaluateMatrices,
  rescoreEvaluation,
  evaluateFigure,
  evaluateTable,
  familiesPreset,
  compareFamilies,
  familiesFigure,
  familiesTable,
  familiesSummary,
  trainDefaults,
  worldDefaults,
  train,
  studyFigures,
  close,
} = api;
export { SfcBenchError } from './api.js';
