// @ts-check
/** The toy model's files on their way into a worker's core, which keeps what it was given. */

/** @param {Lab} core @param {LittleGiven} task */
export function giveToyModelFiles(core, { files = {}, own }) {
  for (const [name, bytes] of Object.entries(files))
    if (!core.little_has(name)) core.little_give(name, new Uint8Array(bytes));
  if (own) core.little_keep('own', own);
}
