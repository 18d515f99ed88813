// @ts-check
/** What the event `sfc-bench:error` carries. */

/**
 * An error with a code that programs may read, and the setting that it is about where it is about one.
 *
 * @param {string} code
 * @param {string} message
 * @param {string} [field]
 */
export const createElementError = (code, message, field) =>
  Object.assign(new Error(message), { name: 'SfcBenchError', code, field });
