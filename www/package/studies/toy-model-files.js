// @ts-check
/** The toy model's files for the package: each asked of the host once. */

import { describeValue } from '../arguments.js';
import { createRefusal } from '../refusal.js';

/**
 * @param {(file: string) => Promise<ArrayBuffer>} little a file of the toy model, by its name in its folder
 * @returns {(core: Lab, names: readonly string[]) => Promise<Record<string, ArrayBuffer>>} files by name, for a worker's task
 */
export function createToyModelFiles(little) {
  /** @type {Map<string, Promise<ArrayBuffer>>} */
  const kept = new Map();
  return async (core, names) => {
    const rows = core.little_files();
    const files = names.map(async (name) => {
      const row = rows.find((one) => one.name === name);
      if (!row) {
        const allowed = `one of ${core.little_checkpoints().join(', ')}`;
        throw createRefusal('little.unknown', 'checkpoint', describeValue(name), allowed);
      }
      const there = kept.get(name) ?? little(row.file);
      kept.set(name, there);
      there.catch(() => kept.delete(name));
      return /** @type {const} */ ([name, await there]);
    });
    return Object.fromEntries(await Promise.all(files));
  };
}
