// @ts-check
/** The measures, on numbers of the caller's own. */

import { parseMatrix, parseNumbers, parseTriples } from '../arguments.js';

/** The core's word of a variance. @param {import('../../types/core.d.ts').Variance} [variance] */
const toCoreVariance = (variance = 'total') => (variance === 'grand' ? 'paper' : variance);

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'sparsity' | 'fidelity' | 'completeness' | 'completenessOfOutputs' | 'rate' | 'distortion' | 'relevance' | 'score' | 'hypervolume' | 'front' | 'dominates' | 'simplex'>}
 */
export function createMetricsApi({ withCore }) {
  return {
    sparsity: (codes) => withCore((core) => core.metric_sparsity(parseMatrix('codes', codes))),
    fidelity: (activations, reconstruction, { mode = 'cosine', guard } = {}) =>
      withCore((core) =>
        core.metric_fidelity(
          parseMatrix('activations', activations),
          parseMatrix('reconstruction', reconstruction),
          mode,
          guard === undefined ? core.constants().cosine_guard : Number(guard),
        ),
      ),
    completeness: (activations, dictionary, readout, { bias, variance, reading = toCoreVariance(variance) } = {}) =>
      withCore((core) => {
        const across = parseMatrix('readout', readout);
        const shift = bias === undefined ? new Float64Array(across.rows) : parseNumbers('bias', bias);
        return core.metric_completeness(
          parseMatrix('activations', activations),
          parseMatrix('dictionary', dictionary),
          across,
          { data: shift, rows: 1, cols: shift.length },
          reading,
        );
      }),
    completenessOfOutputs: (outputs, projected, { variance, reading = toCoreVariance(variance) } = {}) =>
      withCore((core) =>
        core.metric_completeness_of_outputs(
          parseMatrix('outputs', outputs),
          parseMatrix('projected', projected),
          reading,
        ),
      ),
    rate: (codes, { bins } = {}) =>
      withCore((core) =>
        core.metric_rate(parseMatrix('codes', codes), Number(bins ?? core.constants().rate_bins)),
      ),
    distortion: (activations, reconstruction) =>
      withCore((core) =>
        core.metric_distortion(
          parseMatrix('activations', activations),
          parseMatrix('reconstruction', reconstruction),
        ),
      ),
    relevance: (codes, outputs) =>
      withCore((core) =>
        core.metric_relevance(parseMatrix('codes', codes), parseMatrix('outputs', outputs)),
      ),
    score: (axes, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_score(parseNumbers('axes', axes), parseNumbers('weights', weights))),
    hypervolume: (points, reference = [0, 0, 0]) =>
      withCore((core) =>
        core.metric_hypervolume(parseTriples(points), parseNumbers('reference', reference)),
      ),
    front: (points, { tolerance = 0 } = {}) =>
      withCore((core) => core.metric_front(parseTriples(points), Number(tolerance))),
    dominates: (first, second, { tolerance = 0 } = {}) =>
      withCore((core) =>
        core.metric_dominates(parseNumbers('first', first), parseNumbers('second', second), Number(tolerance)),
      ),
    simplex: (points, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_simplex(parseTriples(points), parseNumbers('weights', weights))),
  };
}
