// @ts-check
/** What the choices of a study are called on the page. */

/** @type {[string, string][]} */
export const WORLDS = [
  ['superposition', 'Superposition: more features than dimensions'],
  ['nonlinear', 'Nonlinear circuit: units act by products'],
  ['paper', 'The paper’s hidden activations'],
  ['given', 'Your own activations'],
];

/** @type {[string, string][]} */
export const PRESETS = [
  ['small', 'Small: seconds to a minute'],
  ['full', 'Full: trained to the end'],
];

/** @type {[Reading, string][]} */
export const READINGS = [
  ['reconstruction', 'f of the reconstruction'],
  ['row-space', 'Row space (the paper’s)'],
  ['active-subspace', 'Active directions of each row'],
];
