// @ts-check
/**
 * A reader's own activations on their way to the workers: as blobs, which many workers can hold at the
 * price of one.
 */

/** @param {GivenNumbers} drawn @returns {GivenBlobs} */
export function packArrays({ activations, readout, bias }) {
  const blob = (/** @type {Float32Array<ArrayBuffer> | undefined} */ numbers) =>
    numbers && new Blob([numbers]);
  return { activations: new Blob([activations]), readout: blob(readout), bias: blob(bias) };
}

/** What was packed, in a worker. @param {GivenBlobs | undefined} blobs @returns {Promise<GivenNumbers | undefined>} */
export async function unpackArrays(blobs) {
  if (!blobs) return undefined;
  const numbers = async (/** @type {Blob | undefined} */ blob) =>
    blob && new Float32Array(await blob.arrayBuffer());
  return {
    activations: new Float32Array(await blobs.activations.arrayBuffer()),
    readout: await numbers(blobs.readout),
    bias: await numbers(blobs.bias),
  };
}
