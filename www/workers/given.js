// @ts-check
/**
 * A reader's own activations on their way to the workers: as blobs, which many workers can hold at the
 * price of one.
 */

/** @param {GivenNumbers} drawn @returns {GivenBlobs} */
export function packed({ activations, readout, bias }) {
  const blob = (/** @type {Float32Array<ArrayBuffer> | undefined} */ numbers) =>
    numbers && new Blob([numbers]);
  return { activations: new Blob([activations]), readout: blob(readout), bias: blob(bias) };
}
