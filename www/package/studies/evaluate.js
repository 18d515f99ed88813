// @ts-check
/** Somebody's own decomposition, scored. */

import { parseNumbers, clonePlain } from '../arguments.js';
import { checkKeys, toNpy, parseSizedMatrix } from './checks.js';
import { createFileReader } from './files.js';
import { createViews } from './views.js';

/** Keys of a request, and of its options. */
const REQUEST_KEYS = [
  'activations', 'more_activations', 'sae', 'targets', 'dictionary', 'codes', 'more_codes', 'decoder_bias', 'reconstruction', 'codes_by',
  'readout', 'readout_bias', 'skip', 'options',
];
const ARRAY_KEYS = ['activations', 'dictionary', 'codes', 'decoderBias', 'readout', 'bias'];
const OPTION_KEYS = ['fidelity', 'completeness', 'variance', 'weights', 'active_rows', 'memory'];

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'evaluate' | 'evaluateMatrices' | 'rescoreEvaluation' | 'evaluateFigure' | 'evaluateTable'>}
 */
export function createEvaluationApi(tools) {
  const { submit } = tools;
  const opened = createFileReader(tools);
  const { withView, figure, table } = createViews(tools, 'own', (core, report) =>
    core.Study.open('own', clonePlain('report', report)),
  );

  /** @type {Api['evaluate']} */
  async function evaluate(files, request, { onProgress, signal } = {}) {
    signal?.throwIfAborted();
    /** @type {OwnRequest} */
    const wanted = checkKeys('evaluate', clonePlain('evaluate', request), REQUEST_KEYS);
    if (wanted.options !== undefined) checkKeys('evaluate', wanted.options, OPTION_KEYS);
    return submit(
      { kind: 'evaluate', files: await opened(files), request: wanted },
      // A worker that died over it had no memory left, as a rule: the next one will have no more.
      {
        tries: 1,
        signal,
        onProgress: (phase, fraction) =>
          onProgress?.(/** @type {OwnProgress['phase']} */ (phase), fraction),
      },
    );
  }

  return {
    evaluate,
    async evaluateMatrices(arrays, { codesBy, skip, onProgress, signal, ...options } = {}) {
      /** @type {Record<string, unknown>} */
      const { bias, decoderBias, ...given } = checkKeys('evaluate', arrays, ARRAY_KEYS);
      const roles = { activations: 1, dictionary: 1, codes: 0, readout: 0 };
      /** @type {Record<string, Uint8Array>} */
      const files = {};
      /** @type {Record<string, unknown>} */
      const request = {
        options,
        ...(codesBy === undefined ? {} : { codes_by: codesBy }),
        ...(skip === undefined ? {} : { skip }),
      };
      for (const [role, needed] of Object.entries(roles)) {
        if (given[role] === undefined && !needed) continue;
        files[`${role}.npy`] = toNpy(parseSizedMatrix(role, given[role]));
        request[role] = { file: `${role}.npy` };
      }
      const vectors = /** @type {const} */ ([['bias', 'readout_bias', bias], ['decoderBias', 'decoder_bias', decoderBias]]);
      for (const [name, key, values] of vectors) {
        if (values === undefined) continue;
        const data = parseNumbers(name, values);
        files[`${name}.npy`] = toNpy({ data, rows: 1, cols: data.length });
        request[key] = { file: `${name}.npy` };
      }
      try {
        return await evaluate(files, /** @type {any} */ (request), { onProgress, signal });
      } catch (error) {
        // A file's name here is its array's.
        const named = /** @type {{ field?: string }} */ (error);
        if (error instanceof Error && named.field?.endsWith('.npy'))
          named.field = named.field.slice(0, -'.npy'.length);
        throw error;
      }
    },
    rescoreEvaluation: (report, { weights, fidelity, completeness, variance } = {}) =>
      withView(
        report,
        (view) => {
          view.set_axes({
            fidelity: fidelity ?? report.fidelity.mode,
            completeness: completeness ?? report.reading,
            variance: variance ?? report.variance,
          });
          return view.report();
        },
        { weights },
      ),
    evaluateFigure: figure,
    evaluateTable: table,
  };
}
