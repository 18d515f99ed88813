// @ts-check
/** A reader's own activations, once they have come to a worker: given.js packed them. */

/** @param {GivenBlobs | undefined} blobs @returns {Promise<GivenNumbers | undefined>} */
export async function unpacked(blobs) {
  if (!blobs) return undefined;
  const numbers = async (/** @type {Blob | undefined} */ blob) =>
    blob && new Float32Array(await blob.arrayBuffer());
  return {
    activations: new Float32Array(await blobs.activations.arrayBuffer()),
    readout: await numbers(blobs.readout),
    bias: await numbers(blobs.bias),
  };
}
