// @ts-check
/** The toy model's files on a page: each fetched once, checked by the core, and handed to workers. */

import { describeError } from '../shell/dom.js';
import { fetchToyModelFile } from '../workers/assets-weights.js';

/** By the files' names. @type {Map<string, Promise<ArrayBuffer>>} */
const requestedFiles = new Map();

/** @param {Lab} core @param {string} name */
async function fetchFile(core, name) {
  const row = core.little_files().find((one) => one.name === name);
  if (!row) throw new Error(`there is no file of the toy model named ${name}`);
  /** @type {ArrayBuffer} */
  let bytes;
  try {
    bytes = await fetchToyModelFile(row.file);
  } catch (error) {
    // Browsers say no more than that a fetch failed.
    const why = error instanceof TypeError ? `${row.file} did not arrive` : describeError(error);
    throw new Error(`The weights ${name} could not be loaded: ${why}`, { cause: error });
  }
  core.little_give(name, new Uint8Array(bytes));
  return bytes;
}

/**
 * Files of the toy model, which the core of this thread has when they are there. One that failed is
 * asked for anew the next time.
 *
 * @param {Lab} core
 * @param {readonly string[]} names
 * @returns {Promise<Record<string, ArrayBuffer>>} for a worker's task, by name
 */
export async function loadToyModelFiles(core, names) {
  const files = names.map(async (name) => {
    const there = requestedFiles.get(name) ?? fetchFile(core, name);
    requestedFiles.set(name, there);
    there.catch(() => requestedFiles.delete(name));
    return /** @type {const} */ ([name, await there]);
  });
  return Object.fromEntries(await Promise.all(files));
}

/**
 * What a worker needs for the scores of an autoencoder; "own" is the one of this page.
 *
 * @param {Lab} core @param {LittleStudy} study @param {string} sae @param {LittleAutoencoder | null} [own] @returns {Promise<LittleGiven>}
 */
export async function loadAutoencoderFiles(core, study, sae, own = null) {
  const files = await loadToyModelFiles(core, core.little_needs(study, sae));
  return sae === 'own' && own ? { files, own } : { files };
}
