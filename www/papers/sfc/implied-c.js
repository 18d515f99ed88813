// @ts-check
/**
 * What the printed values that differ would ask of C. C does not depend on the level, so a hypervolume is C times the
 * area under (S, F), and a peak fixes C, too: both are solved for C with the recipe's S and F.
 */

/** As the paper prints them, in Table 5 and in §5.3, by network. @type {Record<string, { hypervolume: number, peak: number }>} */
export const PRINTED_VALUES = { large: { hypervolume: 0.748, peak: 0.854 }, sparse: { hypervolume: 0.883, peak: 0.908 } };
/** Half a unit of the last printed digit. */
const ROUNDING_ERROR = 0.0005;

/** @typedef {Report['main']['points'][number]} Point */

/** The area of all that some level beats on S and F. @param {readonly Point[]} points */
function areaUnderFront(points) {
  const falling = [...points].sort((a, b) => b.sparsity - a.sparsity);
  let [sum, best] = [0, 0];
  falling.forEach(({ sparsity, fidelity }, at) => {
    best = Math.max(best, fidelity);
    sum += (sparsity - (falling[at + 1]?.sparsity ?? 0)) * best;
  });
  return sum;
}

/**
 * The completeness at which the best score of equal weights is this: the least of those at which some level has it,
 * 3 / score = 1/S + 1/F + 1/C; 1 where no level has it at less.
 *
 * @param {readonly Point[]} points @param {number} score
 */
function completenessAtPeak(points, score) {
  const inverse = points.map(({ sparsity, fidelity }) => 3 / score - 1 / sparsity - 1 / fidelity);
  return Math.min(1, ...inverse.filter((value) => value > 0).map((value) => 1 / value));
}

/**
 * The ranges of C that either printed number allows.
 *
 * @param {readonly Point[]} points of the network, by the recipe
 * @param {{ hypervolume: number, peak: number }} printed
 * @returns {{ hypervolume: [number, number], peak: [number, number] }}
 */
export function impliedCompleteness(points, printed) {
  const under = areaUnderFront(points);
  return {
    hypervolume: [(printed.hypervolume - ROUNDING_ERROR) / under, (printed.hypervolume + ROUNDING_ERROR) / under],
    peak: [completenessAtPeak(points, printed.peak - ROUNDING_ERROR), completenessAtPeak(points, printed.peak + ROUNDING_ERROR)],
  };
}

/** ".8887–.8899", or "≥ .9968" where nothing limits it from above. @param {[number, number]} range */
function formatRange([low, high]) {
  const text = (/** @type {number} */ value) => value.toFixed(4).replace(/^0/, '');
  return high >= 1 ? `≥ ${text(low)}` : `${text(low)}–${text(high)}`;
}

/** The ranges of all networks that the paper prints both numbers of, in a sentence; null where the run has none of them. @param {Report['cross']} cross */
export function impliedSentence(cross) {
  const networks = cross.flatMap(({ name, points }) => {
    const printed = PRINTED_VALUES[name];
    if (!printed) return [];
    const { hypervolume, peak: best } = impliedCompleteness(points, printed);
    const meet = hypervolume[0] <= best[1] && best[0] <= hypervolume[1];
    return [{ meet, text: `${name} ${formatRange(hypervolume)} and ${formatRange(best)}` }];
  });
  if (networks.length === 0) return null;
  const same = networks.every(({ meet }) => meet);
  return (
    `With the recipe’s S and F, Table 5’s hypervolume and §5.3’s peak ask for ${same ? 'the same' : 'different'} C (${networks.map(({ text }) => text).join('; ')})` +
    `${same ? ': the printed values are consistent with other draws of C alone' : ''}. No natural choice of seeds was found that gives all four networks.`
  );
}
