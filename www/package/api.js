// @ts-check
/**
 * What the package offers a program: runs, links, figures as files, and the metrics on numbers of its
 * own. The same in a browser and in Node; who loads the core and who keeps the workers is the host's
 * affair. Everything is checked by the core, and refused as an {@link SfcBenchError}.
 */

import { RefusalError } from '../workers/pool.js';
import { callCore, SfcBenchError } from './refusal.js';
import { createAuditApi } from './studies/audit.js';
import { createFamiliesApi } from './studies/families.js';
import { createToyModelApi } from './studies/toy-model.js';
import { createToyModelFiles } from './studies/toy-model-files.js';
import { createMetricsApi } from './studies/metrics.js';
import { createMeasurementApi } from './studies/measurement.js';
import { createMuiApi } from './studies/mui.js';
import { createEvaluationApi } from './studies/evaluate.js';
import { createPaperApi } from './studies/paper.js';
import { createTrainingApi } from './studies/training.js';

/** @param {import('./host.js').Host} host @returns {Api} */
export function createApi(host) {
  /** @template T @param {(core: Lab) => T} work @returns {Promise<T>} */
  const withCore = async (work) => {
    const core = await host.open();
    return callCore(() => work(core));
  };

  /**
   * Has a worker do something, whose refusals are errors of this package.
   *
   * @param {Task} task
   * @param {import('../workers/pool.js').TaskOptions} options
   * @returns {Promise<any>}
   */
  async function submit(task, options) {
    try {
      return await (await host.pool()).submit(task, options);
    } catch (error) {
      if (error instanceof RefusalError) throw new SfcBenchError(error.problem);
      throw error;
    }
  }

  const { open, pool, lazy, readToyModelFile: little } = host;
  const tools = { withCore, submit, open, pool, lazy, littleFiles: createToyModelFiles(little) };
  return {
    ready: () => withCore(() => undefined),
    version: () => withCore((core) => core.version()),
    ...createPaperApi(tools),
    ...createMetricsApi(tools),
    ...createEvaluationApi(tools),
    ...createFamiliesApi(tools),
    ...createTrainingApi(tools),
    ...createToyModelApi(tools),
    ...createMuiApi(tools),
    ...createMeasurementApi(tools),
    ...createAuditApi(tools),
    studyFigures: () =>
      withCore((core) =>
        ['families', 'own', 'fade', 'ce-bench', 'mui', 'measurement', 'audit'].flatMap((study) => core.figure_names(study)),
      ),
    close: () => host.close(),
  };
}
