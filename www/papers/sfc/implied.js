// @ts-check
/**
 * What the printed values that differ would ask of C. C does not depend on the level, so a hypervolume is C times the
 * area under (S, F), and a peak fixes C, too: both are solved for C with the recipe's S and F.
 */

/** As the paper prints them, in Table 5 and in §5.3, by network. @type {Record<string, { hypervolume: number, peak: number }>} */
export const PRINTED = { large: { hypervolume: 0.748, peak: 0.854 }, sparse: { hypervolume: 0.883, peak: 0.908 } };
/** Half a unit of the last printed digit. */
const ROUNDING = 0.0005;

/** @typedef {Report['main']['points'][number]} Point */

/** The area of all that some level beats on S and F. @param {readonly Point[]} points */
function area(points) {
  const falling = [...points].sort((a, b) => b.sparsity - a.sparsity);
  let [sum, best] = [0, 0];
  falling.forEach(({ sparsity, fidelity }, at) => {
    best = Math.max(best, fidelity);
    sum += (sparsity - (falling[at + 1]?.sparsity ?? 0)) * best;
  });
  return sum;
}

/** The best score of equal weights at some completeness. @param {readonly Point[]} points @param {number} c */
const peak = (points, c) =>
  Math.max(...points.map(({ sparsity: s, fidelity: f }) => (s > 0 && f > 0 ? 3 / (1 / s + 1 / f + 1 / c) : 0)));

/** The completeness at which the best score is this; 1 where it is higher at none. @param {readonly Point[]} points @param {number} score */
function atPeak(points, score) {
  let [low, high] = [0.01, 1];
  if (peak(points, 1) <= score) return 1;
  for (let turn = 0; turn < 60; turn += 1) {
    const middle = (low + high) / 2;
    if (peak(points, middle) < score) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The ranges of C that either printed number allows.
 *
 * @param {readonly Point[]} points of the network, by the recipe
 * @param {{ hypervolume: number, peak: number }} printed
 * @returns {{ hypervolume: [number, number], peak: [number, number] }}
 */
export function impliedC(points, printed) {
  const under = area(points);
  return {
    hypervolume: [(printed.hypervolume - ROUNDING) / under, (printed.hypervolume + ROUNDING) / under],
    peak: [atPeak(points, printed.peak - ROUNDING), atPeak(points, printed.peak + ROUNDING)],
  };
}

/** ".8887–.8899", or "≥ .9968" where nothing limits it from above. @param {[number, number]} range */
function range([low, high]) {
  const text = (/** @type {number} */ value) => value.toFixed(4).replace(/^0/, '');
  return high >= 1 ? `≥ ${text(low)}` : `${text(low)}–${text(high)}`;
}

/** The ranges of all networks that the paper prints both numbers of, in a sentence; null where the run has none of them. @param {Report['cross']} cross */
export function impliedSentence(cross) {
  const networks = cross.flatMap(({ name, points }) => {
    const printed = PRINTED[name];
    if (!printed) return [];
    const { hypervolume, peak: best } = impliedC(points, printed);
    const meet = hypervolume[0] <= best[1] && best[0] <= hypervolume[1];
    return [{ meet, text: `${name} ${range(hypervolume)} and ${range(best)}` }];
  });
  if (networks.length === 0) return null;
  const same = networks.every(({ meet }) => meet);
  return (
    `With the recipe’s S and F, Table 5’s hypervolume and §5.3’s peak ask for ${same ? 'the same' : 'different'} C (${networks.map(({ text }) => text).join('; ')})` +
    `${same ? ': the printed values are consistent with other draws of C alone' : ''}. No natural choice of seeds was found that gives all four networks.`
  );
}
