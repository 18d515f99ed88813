// @ts-check
/**
 * The browser's own database of what was not finished: for each work (an ensemble, a study, a training)
 * a line about it and the parts that are done. Everything here may fail at any time: the reader's browser
 * may refuse, be full, or empty it, and other pages of the origin may write into it: whatever is not as it
 * was written here counts for nothing, and is done again.
 */

import { awaitRequest, Database, StorageFullError } from '../../shell/database.js';
import { checksum } from '../checksum.js';

const database = new Database('sfc-bench-unfinished', { works: { keyPath: 'id' }, parts: {} });
/** How works and parts are written: those that are written otherwise count for nothing. */
const FORMAT_VERSION = 2;

/** All works together may take this much, in bytes: beyond it the oldest go. */
const BYTES_MAX = 64 * 2 ** 20;
/** What nobody has come back to for so long goes, in milliseconds. */
const AGE_MS_MAX = 30 * 24 * 60 * 60 * 1000;

/**
 * @typedef {object} Work
 * @property {string} id
 * @property {string} kind
 * @property {string} build of the core that does it
 * @property {number} all how many parts it has
 * @property {any} about what it takes to ask for it again
 * @property {number} bytes that its parts take, about
 * @property {number} at when something was last added, in milliseconds since 1970
 */

/** @typedef {{ sum: string, value: unknown }} Part as it is kept */

/** A work as it is kept: with a checksum of all of it. @param {Work} work */
const withChecksum = (work) => ({ ...work, format: FORMAT_VERSION, sum: checksum([FORMAT_VERSION, work]) });

/** A work that was kept; null where it is not what was kept. @param {any} found @returns {Work | null} */
function verifyWork(found) {
  if (typeof found !== 'object' || found === null || found.format !== FORMAT_VERSION) return null;
  const { id, kind, build, all, about, bytes, at, sum } = found;
  const work = { id, kind, build, all, about, bytes, at };
  return sum === checksum([FORMAT_VERSION, work]) ? work : null;
}

/** What a part's checksum is of: no part can stand in for another. @param {string} id @param {string} name @param {unknown} value */
const partChecksum = (id, name, value) => checksum([FORMAT_VERSION, id, name, value]);

/** The parts of a work, whatever their names. @param {string} id */
const partKeyRange = (id) => IDBKeyRange.bound([id], [id, []]);

/** About how much a value takes, in bytes. @param {unknown} value @returns {number} */
function estimateBytes(value) {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (value instanceof Blob) return value.size;
  return Object.entries(value).reduce((sum, [key, one]) => sum + 2 * key.length + estimateBytes(one), 0);
}

/** @param {IDBObjectStore} works @param {IDBObjectStore} parts @param {string} id */
function removeWork(works, parts, id) {
  works.delete(id);
  parts.delete(partKeyRange(id));
}

/**
 * Keeps parts of a work beside those that are kept; one of the same name is replaced. Other works go,
 * the oldest first, where all would be too much.
 *
 * @param {Omit<Work, 'bytes' | 'at'>} work
 * @param {ReadonlyMap<string, unknown>} more by name
 * @param {boolean} instead whether nothing else of the work is to stay
 * @returns {Promise<number>} how many bytes of the work there are
 */
export async function putParts(work, more, instead) {
  const added = [...more.values()].reduce((/** @type {number} */ sum, one) => sum + estimateBytes(one), 0);
  return database.runTransaction('readwrite', async (works, parts) => {
    const kept = /** @type {any[]} */ (await awaitRequest(works.getAll()));
    const all = kept.map(verifyWork).filter((one) => one !== null);
    for (const { id } of kept) if (!all.some((one) => one.id === id)) removeWork(works, parts, id);
    const former = all.find(({ id }) => id === work.id);
    const bytes = added + (instead ? 0 : (former?.bytes ?? 0));
    if (bytes > BYTES_MAX) throw new StorageFullError('it is too large');
    const now = Date.now();
    let sum = bytes;
    for (const other of all.filter(({ id }) => id !== work.id).sort((a, b) => b.at - a.at)) {
      sum += other.bytes;
      if (sum > BYTES_MAX || now - other.at > AGE_MS_MAX) removeWork(works, parts, other.id);
    }
    if (instead) parts.delete(partKeyRange(work.id));
    for (const [name, value] of more) parts.put({ sum: partChecksum(work.id, name, value), value }, [work.id, name]);
    works.put(withChecksum({ ...work, bytes, at: now }));
    return bytes;
  });
}

/**
 * The work of an identifier; without one, the last of its kind that this build was at.
 *
 * @param {string} kind @param {string} build @param {string} [id]
 * @returns {Promise<(Work & { done: number }) | null>}
 */
export async function findWork(kind, build, id) {
  return database.runTransaction('readonly', async (works, parts) => {
    const all = /** @type {any[]} */ (await awaitRequest(works.getAll()));
    const [found] = all
      .map(verifyWork)
      .filter((work) => work !== null)
      .filter((work) => work.kind === kind && work.build === build && (!id || work.id === id))
      .sort((a, b) => b.at - a.at);
    if (!found) return null;
    return { ...found, done: await awaitRequest(parts.count(partKeyRange(found.id))) };
  });
}

/** The parts of a work that are as they were written. @param {string} id @returns {Promise<any[]>} */
export const loadParts = (id) =>
  database.runTransaction('readonly', async (_, parts) => {
    const keys = /** @type {[string, string][]} */ (await awaitRequest(parts.getAllKeys(partKeyRange(id))));
    const found = /** @type {(Part | null)[]} */ (await awaitRequest(parts.getAll(partKeyRange(id))));
    return found.flatMap((part, at) => {
      const name = keys[at]?.[1] ?? '';
      return part?.sum === partChecksum(id, name, part?.value) ? [part.value] : [];
    });
  });

/** @param {string} id */
export const forgetWork = (id) => database.runTransaction('readwrite', async (works, parts) => removeWork(works, parts, id));
