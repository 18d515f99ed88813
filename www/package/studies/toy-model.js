// @ts-check
/** The toy model for programs: FADE and CE-Bench on it, and its tasks. */

import { clonePlain } from '../arguments.js';
import { callCore } from '../refusal.js';
import { configureStudy } from './checks.js';
import { createViews } from './views.js';

/** @typedef {'fade' | 'ce-bench'} LittleStudy */

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'fade' | 'fadeFigure' | 'fadeTable' | 'ceBench' | 'ceBenchFigure' | 'ceBenchTable' | 'littleTasks'>}
 */
export function createToyModelApi(tools) {
  const { open, submit, littleFiles } = tools;
  /**
   * @param {LittleStudy} study
   * @param {unknown} draft
   * @param {import('../../types/sfc-bench.d.ts').RunOptions} options
   */
  async function ran(study, draft, { onProgress, signal }) {
    signal?.throwIfAborted();
    const core = await open();
    const settings = callCore(() => configureStudy(core, study, draft));
    const files = await littleFiles(core, core.little_needs(study, settings.sae));
    const { report } = await submit(
      { kind: 'study-run', call: 'study_run', args: [study, /** @type {any} */ (settings)], files },
      { signal, onProgress: (stage, fraction) => onProgress?.(stage, fraction) },
    );
    return { core, settings, files, report };
  }

  const fadeViews = createViews(tools, 'fade', (core, report) => core.Study.open('fade', clonePlain('report', report)));
  const ceBenchViews = createViews(tools, 'ce-bench', (core, report, { reading }) => {
    const view = core.Study.open('ce-bench', clonePlain('report', report));
    if (reading !== undefined) view.open_reading(String(reading));
    return view;
  });

  return {
    async fade(draft = {}, { steer = true, ...options } = {}) {
      const { settings, files, report } = await ran('fade', draft, options);
      if (!steer) return report;
      const { signal, onProgress } = options;
      let done = 0;
      await Promise.all(
        report.features.map(async (/** @type {any} */ feature) => {
          feature.steered = await submit(
            { kind: 'study-call', call: 'fade_steered', args: [/** @type {any} */ (settings), feature], files },
            { signal },
          );
          done += 1;
          onProgress?.('steering', done / report.features.length);
        }),
      );
      return report;
    },
    fadeFigure: fadeViews.figure,
    fadeTable: fadeViews.table,

    ceBench: async (draft = {}, options = {}) => (await ran('ce-bench', draft, options)).report,
    ceBenchFigure: ceBenchViews.figure,
    ceBenchTable: (report, name, { reading } = {}) => ceBenchViews.table(report, name, { reading }),

    async littleTasks({ checkpoint = 'ck-12000', ablated = [], prompts = 128 } = {}, { signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const files = await littleFiles(core, [String(checkpoint)]);
      const heads = ablated.flatMap((head) => [...head]);
      return submit({ kind: 'toy-tasks', checkpoint, ablated: heads, count: Number(prompts), files }, { signal });
    },
  };
}
