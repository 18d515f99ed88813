// @ts-check
/** Families of methods, compared. */

import { runFamiliesJobs } from '../../workers/families-jobs.js';
import { clonePlain, describeValue } from '../arguments.js';
import { createRefusal } from '../refusal.js';
import { importActivations, checkFamilies, checkKeys, resolveWorld } from './checks.js';
import { createViews } from './views.js';

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'familiesPreset' | 'compareFamilies' | 'familiesFigure' | 'familiesTable' | 'familiesSummary'>}
 */
export function createFamiliesApi(tools) {
  const { withCore, pool, submit } = tools;

  /**
   * @param {Lab} core
   * @param {import('../../types/sfc-bench.d.ts').FamiliesDraft} draft
   * @param {World} [own] of given activations
   * @returns {{ config: FamiliesConfig, jobs: FamiliesJob[] }}
   */
  function study(core, draft, own) {
    const preset = core.families_preset('small');
    const usual = own ? core.families_fit(preset, own) : preset;
    if (own && draft.world !== undefined)
      throw createRefusal('families.world', 'world', 'named', 'nothing where activations are given');
    /** @type {import('../../types/sfc-bench.d.ts').FamiliesDraft} */
    const { world, train = {}, ...rest } = checkKeys('families', clonePlain('families', draft), Object.keys(usual));
    const config = {
      ...usual,
      ...rest,
      world: world === undefined ? usual.world : resolveWorld(core, world),
      train: { ...usual.train, ...checkKeys('train', train, Object.keys(usual.train)) },
    };
    return { config, jobs: checkFamilies(core, config, { ...usual, world: config.world }, 'families') };
  }

  const { withView, figure, table } = createViews(tools, 'families', (core, /** @type {FamiliesReport} */ report) => {
    const { config, results, provisional } = clonePlain('report', report) ?? {};
    if (!Array.isArray(results))
      throw createRefusal('report.malformed', 'report', describeValue(report), 'what compareFamilies gives');
    // Methods that wait are part of an unfinished study still, so that it stays provisional.
    const methods = [...config.methods, ...(provisional?.waiting ?? [])];
    const view = core.gather_families({ ...config, methods });
    for (const result of results) view.add_result(result);
    return view;
  });

  return {
    familiesPreset: (name = 'small') => withCore((core) => core.families_preset(String(name))),
    async compareFamilies(draft = {}, { given, onProgress, onResult, signal } = {}) {
      signal?.throwIfAborted();
      const { config, jobs, drawn } = await withCore((core) => {
        const own = given === undefined ? null : importActivations(core, given);
        const found = study(core, draft, own?.world);
        const { train_rows, eval_rows } = found.config;
        return { ...found, drawn: own?.draw(train_rows + eval_rows) };
      });
      const { size } = await pool();
      /** @type {FamiliesResult[]} */
      const results = [];
      await runFamiliesJobs({
        ...{ config, jobs, drawn, signal },
        pool: { submit, size: Math.min(size, jobs.length) },
        onResult(found) {
          results.push(found);
          onResult?.(found, results.length, jobs.length);
          onProgress?.(found.method, results.length / jobs.length);
        },
      });
      return withCore((core) => core.families_gather(config, results));
    },
    familiesFigure: figure,
    familiesTable: table,
    familiesSummary: (report, options) =>
      withView(report, (view) => ({ headline: view.headline(), warnings: view.warnings() }), options),
  };
}
