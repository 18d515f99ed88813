// @ts-check
/** A model's files, written into the browser's own file system with their digests, so that they can be opened without a network. */

/** The folder of that file system; a folder in it is a model. */
export const MODELS_FOLDER = 'sfc-bench models';
/** What is written last, and says that all of a model is there. */
export const MANIFEST_FILE = 'manifest.json';
/** Held while a model is written. */
export const STORAGE_LOCK = 'sfc-bench keeps a model';

/** @typedef {{ write(bytes: Uint8Array, at?: { at: number }): number, truncate(size: number): void, close(): void }} SyncFile */

const formatMebibytes = (/** @type {number} */ bytes) => `${(Math.max(0, bytes) / 2 ** 20).toFixed(1)} MiB`;

/** @param {number} bytes @param {number | undefined} room */
function storageFullError(bytes, room) {
  const free = room === undefined ? 'no more room' : `room for ${formatMebibytes(room)}`;
  return { code: 'storage.full', message: `the browser has ${free}, and the model takes ${formatMebibytes(bytes)}; remove one that is kept, or free space`, field: 'storage' };
}

/** @param {unknown} error */
const isQuotaError = (error) => error instanceof Error && error.name === 'QuotaExceededError';

/** In workers alone. @param {FileSystemFileHandle} file @returns {Promise<SyncFile>} */
const openSyncHandle = (file) => /** @type {any} */ (file).createSyncAccessHandle();

/** Writes a file; its digest. @param {Pick<Lab, 'file_digest'>} core @param {FileSource} source @param {FileSystemFileHandle} file @param {(until: number) => void} onPart throws where it is no longer wanted */
async function writeWithDigest(core, { name, size, read }, file, onPart) {
  const handle = await openSyncHandle(file);
  /** @type {unknown} */
  let failure;
  try {
    handle.truncate(0);
    return core.file_digest(name, size, (offset, length) => {
      try {
        const part = read(offset, length);
        if (handle.write(part, { at: offset }) !== part.length) throw new DOMException('', 'QuotaExceededError');
        onPart(offset + length);
        return part;
      } catch (error) {
        // The core tells of it in words of its own.
        failure = error;
        throw error;
      }
    });
  } catch (error) {
    throw failure ?? error;
  } finally {
    handle.close();
  }
}

/** Whether two models are of the same files. @param {KeptModel['files']} a @param {KeptModel['files']} b */
const hasSameFiles = (a, b) => String(a.map(({ sha256 }) => sha256)) === String(b.map(({ sha256 }) => sha256));

/** @param {FileSystemDirectoryHandle} root @returns {Promise<(KeptModel & { id: string })[]>} the models that are there whole */
export async function listStoredModels(root) {
  const found = [];
  for await (const [id, entry] of root.entries()) {
    if (entry.kind !== 'directory') continue;
    try {
      const text = await (await (await entry.getFileHandle(MANIFEST_FILE)).getFile()).text();
      found.push({ ...JSON.parse(text), id });
    } catch {
      // One that was not written to its end.
    }
  }
  return found;
}

/**
 * Keeps a model; whether it was new.
 *
 * @param {Pick<Lab, 'file_digest'>} core
 * @param {object} what
 * @param {string} what.name
 * @param {FileSource[]} what.files
 * @param {(fraction: number) => void} what.onPart throws where it is no longer wanted
 */
export async function storeModel(core, { name, files, onPart }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const { quota, usage = 0 } = await navigator.storage.estimate();
  if (quota !== undefined && bytes > quota - usage) throw storageFullError(bytes, quota - usage);
  const id = crypto.randomUUID();
  /** @type {FileSystemDirectoryHandle | undefined} */
  let root;
  try {
    root = await (await navigator.storage.getDirectory()).getDirectoryHandle(MODELS_FOLDER, { create: true });
    const folder = await root.getDirectoryHandle(id, { create: true });
    /** @type {KeptModel['files']} */
    const written = [];
    let before = 0;
    for (const [index, file] of files.entries()) {
      const handle = await folder.getFileHandle(String(index), { create: true });
      const sha256 = await writeWithDigest(core, file, handle, (until) => onPart((before + until) / bytes));
      before += file.size;
      written.push({ name: file.name, size: file.size, sha256 });
    }
    const known = (await listStoredModels(root)).some((one) => hasSameFiles(one.files, written));
    if (known) {
      await root.removeEntry(id, { recursive: true });
      return false;
    }
    const text = new TextEncoder().encode(JSON.stringify({ name, bytes, files: written }));
    const handle = await openSyncHandle(await folder.getFileHandle(MANIFEST_FILE, { create: true }));
    try {
      // Without all of it the model would be taken for one that was not written to its end.
      if (handle.write(text) !== text.length) throw new DOMException('', 'QuotaExceededError');
    } finally {
      handle.close();
    }
    return true;
  } catch (error) {
    await root?.removeEntry(id, { recursive: true }).catch(() => {});
    throw isQuotaError(error) ? storageFullError(bytes, undefined) : error;
  }
}
