// @ts-check
/** Whether a page may compute, or fetch, what nobody asked for. */

/** Not for readers who save data: what is computed unasked takes their battery, and more files. */
export function canPrecompute() {
  const { connection } = /** @type {Navigator & { connection?: { saveData?: boolean } }} */ (navigator);
  return connection?.saveData !== true;
}
