// @ts-check
/** How FADE's results are said. */

/** @typedef {import('../../types/core.d.ts').FadeFeature} FadeFeature */

/** Length of a prefix, in words: the model wrote what follows them. */
export const PREFIX_LENGTH = 8;

/** Why a feature is looked at. @type {Record<import('../../types/core.d.ts').FadeCase, string>} */
export const CASE_LABELS = {
  best: 'best latent',
  wrong: 'wrong concept',
  broad: 'described too broadly',
  narrow: 'described too narrowly',
  dead: 'dead latent',
  dense: 'dense latent',
};

/** A factor as people write it. @param {number} factor */
export const formatFactor = (factor) => String(factor).replace('-', '−');

/** "latent 63 as person". @param {FadeFeature} feature */
export const formatFeatureName = ({ latent, concept }) => `latent ${latent} as ${concept}`;
