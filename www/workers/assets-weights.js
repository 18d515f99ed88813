// @ts-check
/** The toy model's weights. Each address is written out, since that is how bundlers find the file. */

/** @type {Record<string, URL>} */
const WEIGHT_FILES = {
  'ck-00000.safetensors': new URL('../little/ck-00000.safetensors', import.meta.url),
  'ck-00094.safetensors': new URL('../little/ck-00094.safetensors', import.meta.url),
  'ck-00188.safetensors': new URL('../little/ck-00188.safetensors', import.meta.url),
  'ck-00375.safetensors': new URL('../little/ck-00375.safetensors', import.meta.url),
  'ck-00750.safetensors': new URL('../little/ck-00750.safetensors', import.meta.url),
  'ck-01500.safetensors': new URL('../little/ck-01500.safetensors', import.meta.url),
  'ck-03000.safetensors': new URL('../little/ck-03000.safetensors', import.meta.url),
  'ck-06000.safetensors': new URL('../little/ck-06000.safetensors', import.meta.url),
  'ck-12000.safetensors': new URL('../little/ck-12000.safetensors', import.meta.url),
  'ft-contaminated-00600.safetensors': new URL('../little/ft-contaminated-00600.safetensors', import.meta.url),
  'ft-copy-00300.safetensors': new URL('../little/ft-copy-00300.safetensors', import.meta.url),
  'ft-sum3-00400.safetensors': new URL('../little/ft-sum3-00400.safetensors', import.meta.url),
  'models.safetensors': new URL('../little/models.safetensors', import.meta.url),
  'models-second.safetensors': new URL('../little/models-second.safetensors', import.meta.url),
  'sae.safetensors': new URL('../little/sae.safetensors', import.meta.url),
  'sae_controls.safetensors': new URL('../little/sae_controls.safetensors', import.meta.url),
  'seed1-12000.safetensors': new URL('../little/seed1-12000.safetensors', import.meta.url),
};

/** One of the weights' files, by its name in the folder. @param {string} file @returns {Promise<ArrayBuffer>} */
export async function fetchToyModelFile(file) {
  const address = Object.hasOwn(WEIGHT_FILES, file) ? WEIGHT_FILES[file] : undefined;
  if (!address) throw new Error(`${file} is not a file of this page`);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${file} did not arrive (status ${response.status})`);
  return response.arrayBuffer();
}
