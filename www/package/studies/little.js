// @ts-check
/** The toy model for programs: FADE and CE-Bench on it, and its tasks. */

import { plain } from '../given.js';
import { asked } from '../refusal.js';
import { configured } from './checks.js';
import { figureTable, figureText } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */
/** @typedef {'fade' | 'ce-bench'} LittleStudy */

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'fade' | 'fadeFigure' | 'fadeTable' | 'ceBench' | 'ceBenchFigure' | 'ceBenchTable' | 'littleTasks'>}
 */
export function createLittleApi({ withCore, open, submit, littleFiles }) {
  /**
   * @param {LittleStudy} study
   * @param {unknown} draft
   * @param {import('../../types/sfc-bench.d.ts').RunOptions} options
   */
  async function ran(study, draft, { onProgress, signal }) {
    signal?.throwIfAborted();
    const core = await open();
    const settings = asked(() => configured(core, study, draft));
    const files = await littleFiles(core, core.little_needs(study, settings.sae));
    const { report } = await submit(
      { kind: 'study-run', call: 'study_run', args: [study, /** @type {any} */ (settings)], files },
      { tries: 2, signal, onProgress: (stage, fraction) => onProgress?.(stage, fraction) },
    );
    return { core, settings, files, report };
  }

  /** @param {Lab} core @param {import('../../types/core.d.ts').FadeReport} report */
  const fadeView = (core, report) => core.Study.open('fade', plain('report', report));

  /** @param {Lab} core @param {import('../../types/core.d.ts').CeBenchReport} report @param {string} [reading] */
  function ceBenchView(core, report, reading) {
    const view = core.Study.open('ce-bench', plain('report', report));
    if (reading !== undefined) view.open_reading(String(reading));
    return view;
  }

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
            { tries: 2, signal },
          );
          done += 1;
          onProgress?.('steering', done / report.features.length);
        }),
      );
      return report;
    },
    fadeFigure: (report, name, options) =>
      withCore((core) => figureText(core, 'fade', fadeView(core, report), name, options)),
    fadeTable: (report, name) =>
      withCore((core) => figureTable(core, 'fade', fadeView(core, report), name)),

    ceBench: async (draft = {}, options = {}) => (await ran('ce-bench', draft, options)).report,
    ceBenchFigure: (report, name, { reading, ...options } = {}) =>
      withCore((core) =>
        figureText(core, 'ce-bench', ceBenchView(core, report, reading), name, options),
      ),
    ceBenchTable: (report, name, { reading } = {}) =>
      withCore((core) =>
        figureTable(core, 'ce-bench', ceBenchView(core, report, reading), name),
      ),

    async littleTasks({ checkpoint = 'ck-12000', ablated = [], prompts = 128 } = {}, { signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const files = await littleFiles(core, [String(checkpoint)]);
      const heads = ablated.flatMap((head) => [...head]);
      return submit(
        { kind: 'little-tasks', checkpoint, ablated: heads, count: Number(prompts), files },
        { tries: 2, signal },
      );
    },
  };
}
