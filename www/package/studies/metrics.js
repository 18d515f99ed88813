// @ts-check
/** The measures, on numbers of the caller's own. */

import { matrix, numbers, triples } from '../given.js';

/** The core's word of a variance. @param {import('../../types/core.d.ts').Variance} [variance] */
const readingOf = (variance = 'total') => (variance === 'grand' ? 'paper' : variance);

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'sparsity' | 'fidelity' | 'completeness' | 'completenessOfOutputs' | 'rate' | 'distortion' | 'relevance' | 'score' | 'hypervolume' | 'front' | 'dominates' | 'simplex'>}
 */
export function createMetricsApi({ withCore }) {
  return {
    sparsity: (codes) => withCore((core) => core.metric_sparsity(matrix('codes', codes))),
    fidelity: (activations, reconstruction, { mode = 'cosine', guard } = {}) =>
      withCore((core) =>
        core.metric_fidelity(
          matrix('activations', activations),
          matrix('reconstruction', reconstruction),
          mode,
          guard === undefined ? core.constants().cosine_guard : Number(guard),
        ),
      ),
    completeness: (activations, dictionary, readout, { bias, variance, reading = readingOf(variance) } = {}) =>
      withCore((core) => {
        const across = matrix('readout', readout);
        const shift = bias === undefined ? new Float64Array(across.rows) : numbers('bias', bias);
        return core.metric_completeness(
          matrix('activations', activations),
          matrix('dictionary', dictionary),
          across,
          { data: shift, rows: 1, cols: shift.length },
          reading,
        );
      }),
    completenessOfOutputs: (outputs, projected, { variance, reading = readingOf(variance) } = {}) =>
      withCore((core) =>
        core.metric_completeness_of_outputs(
          matrix('outputs', outputs),
          matrix('projected', projected),
          reading,
        ),
      ),
    rate: (codes, { bins } = {}) =>
      withCore((core) =>
        core.metric_rate(matrix('codes', codes), Number(bins ?? core.constants().rate_bins)),
      ),
    distortion: (activations, reconstruction) =>
      withCore((core) =>
        core.metric_distortion(
          matrix('activations', activations),
          matrix('reconstruction', reconstruction),
        ),
      ),
    relevance: (codes, outputs) =>
      withCore((core) =>
        core.metric_relevance(matrix('codes', codes), matrix('outputs', outputs)),
      ),
    score: (axes, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_score(numbers('axes', axes), numbers('weights', weights))),
    hypervolume: (points, reference = [0, 0, 0]) =>
      withCore((core) =>
        core.metric_hypervolume(triples(points), numbers('reference', reference)),
      ),
    front: (points, { tolerance = 0 } = {}) =>
      withCore((core) => core.metric_front(triples(points), Number(tolerance))),
    dominates: (first, second, { tolerance = 0 } = {}) =>
      withCore((core) =>
        core.metric_dominates(numbers('first', first), numbers('second', second), Number(tolerance)),
      ),
    simplex: (points, weights = [1, 1, 1]) =>
      withCore((core) => core.metric_simplex(triples(points), numbers('weights', weights))),
  };
}
