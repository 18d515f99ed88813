// @ts-check
/** Files that are read whole: as long as they are not too large, which is looked at before anything is read. */

/** Most bytes of files for a study, together: the core's limit. */
export const STUDY_BYTES_MAX = 64 * 2 ** 20;
/** Most bytes of an audit's report. */
export const REPORT_BYTES_MAX = 256 * 2 ** 20;

/**
 * @param {readonly [string, Blob][]} files with their names
 * @param {number} most bytes that all of them may have together
 * @returns {Promise<{ name: string, bytes: Uint8Array<ArrayBuffer> }[]>}
 */
export async function readFiles(files, most) {
  const needed = files.reduce((sum, [, file]) => sum + file.size, 0);
  if (needed > most) throw new Error(`the files take ${needed} bytes; allowed: ${most}`);
  return Promise.all(files.map(async ([name, file]) => ({ name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
