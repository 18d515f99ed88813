// @ts-check
/** Settings at which the score shows what it is made of, each with what to look at. */

/**
 * @typedef {object} Scenario
 * @property {string} label
 * @property {(paper: Settings) => Draft} patch what is other than in the paper's settings
 * @property {'fig1a' | 'fig1b'} figure where it shows
 * @property {string} look
 */

/** @type {readonly Scenario[]} */
export const SCENARIOS = [
  {
    label: 'Next to nothing zeroed',
    figure: 'fig1b',
    patch: () => ({ levels: [0, 0.02, 0.04, 0.06, 0.08, 0.1] }),
    look: 'SFC: F and C are near 1 throughout, yet the score stays below 0.22 and is 0 where S is. Zeroing 2 % of 48 codes zeroes none, so λ = 0.02 has S = 0 too.',
  },
  {
    label: 'K = hidden width',
    figure: 'fig1a',
    patch: ({ hidden }) => ({ k: hidden }),
    look: 'C and C_GT: a dictionary as wide as the layer spans all of it, so both are 1 whatever the network computes. They say nothing any more, but still lift the score.',
  },
  {
    label: 'Noise',
    figure: 'fig1a',
    patch: () => ({ noise: 0.5 }),
    look: 'C_GT: it hardly moves (chance alone gives 0.75), while F and C fall. The best level stays where it was.',
  },
  {
    label: 'Tiny sample',
    figure: 'fig1a',
    patch: () => ({ samples: 60 }),
    look: 'F: 48 directions fit 60 rows almost perfectly, and every score rises. On fewer data the same measure looks better; C_GT, which knows the truth, falls below its chance level.',
  },
  {
    label: 'Circuit = everything',
    figure: 'fig1a',
    patch: ({ hidden }) => ({ config: 'custom', circuit: hidden }),
    look: 'C_GT against its chance level: when every unit belongs to the circuit, the two are equal by construction, for any dictionary.',
  },
  {
    label: '48 levels',
    figure: 'fig1b',
    // As fine as the codes allow.
    patch: ({ k }) => ({ levels: Array.from({ length: k }, (_, zeroed) => zeroed / k) }),
    look: 'The peak: on a grid of 8 it lies at λ = 0.85. On the finest grid that 48 codes allow it lies at 42 codes zeroed, λ = 0.875. The hypervolume rises too: it counts points.',
  },
  {
    label: 'Textbook completeness',
    figure: 'fig1a',
    patch: () => ({ completeness: 'total' }),
    look: 'C: all rows instead of 100, and each output’s own mean instead of one for all. It goes from 0.988 to 0.977, and Table 3 no longer agrees.',
  },
  {
    label: 'C_GT against chance',
    figure: 'fig1a',
    patch: () => ({ k: 8 }),
    look: 'C_GT: 0.140 where a random dictionary of 8 directions in 64 has 0.125, although C says that 0.734 of the output is explained.',
  },
];
