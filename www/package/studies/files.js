// @ts-check
/** Files that a caller gives: what a worker can be handed. */

import { describeValue } from '../arguments.js';
import { createRefusal } from '../refusal.js';

const FILES_DESCRIPTION = 'an object or a Map of names and bytes (Uint8Array, ArrayBuffer) or Blobs';
const BYTES_DESCRIPTION = 'a Uint8Array, another view, an ArrayBuffer or a Blob';

/** @param {import('./checks.js').Tools} tools @param {string} [area] what refusals' codes begin with */
export function createFileReader({ lazy }, area = 'evaluate') {
  /** @param {string} name @param {unknown} value @returns {Promise<Uint8Array | Blob>} */
  async function bytesOf(name, value) {
    if (typeof Blob === 'function' && value instanceof Blob)
      return lazy() ? value : new Uint8Array(await value.arrayBuffer());
    const buffer = ArrayBuffer.isView(value) ? value.buffer : value;
    const shared = typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
    if (!(buffer instanceof ArrayBuffer) && !shared)
      throw createRefusal(`${area}.type`, name, describeValue(value), BYTES_DESCRIPTION);
    try {
      const { byteOffset, byteLength } = ArrayBuffer.isView(value)
        ? value
        : { byteOffset: 0, byteLength: buffer.byteLength };
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      // A view of a part would take the whole along to the worker, and shared memory may change.
      return shared || byteLength < buffer.byteLength ? bytes.slice() : bytes;
    } catch {
      throw createRefusal(`${area}.detached`, name, 'memory that was transferred away', BYTES_DESCRIPTION);
    }
  }

  /** @param {unknown} files @returns {Promise<[string, Uint8Array | Blob][]>} */
  function opened(files) {
    if (typeof files !== 'object' || files === null || ArrayBuffer.isView(files))
      throw createRefusal(`${area}.type`, 'files', describeValue(files), FILES_DESCRIPTION);
    const entries = files instanceof Map ? [...files] : Object.entries(files);
    return Promise.all(
      entries.map(async ([name, value]) => [String(name), await bytesOf(String(name), value)]),
    );
  }

  return opened;
}
