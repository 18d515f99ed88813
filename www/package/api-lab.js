// @ts-check
/**
 * The package's studies: somebody's own decomposition scored, families of methods compared, an
 * autoencoder trained. What they have in common with the rest of the package is in api.js.
 */

import { createChecks } from './studies/checks.js';
import { createFamiliesApi } from './studies/families.js';
import { createOwnApi } from './studies/own.js';
import { createTrainingApi } from './studies/training.js';
import { createViews } from './studies/views.js';

/** @param {import('./studies/checks.js').Tools} tools of api.js */
export function createStudies(tools) {
  const checks = createChecks(tools);
  const views = createViews(tools);
  return {
    ...createOwnApi(tools, checks, views),
    ...createFamiliesApi(tools, checks, views),
    ...createTrainingApi(tools, checks),
    studyFigures: () => tools.withCore((core) => [
      ...core.figure_names('families'),
      ...core.figure_names('own'),
    ]),
  };
}
