// @ts-check
/** Models that this browser keeps: listed with their sizes and digests, opened without a network, and removed. */

import { createButton, el, reason } from '../shell/dom.js';
import { megabytes } from './number-format.js';
import { FOLDER, LOCK, keptIn } from '../workers/tasks/keep.js';

/** Whether this browser can keep any: not for a file from disk, nor in every browser. */
export const canKeep = () => typeof navigator.storage?.getDirectory === 'function' && globalThis.isSecureContext && location.protocol !== 'file:';

/** @returns {Promise<FileSystemDirectoryHandle | null>} null where nothing was ever kept */
async function folder() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
  } catch {
    return null;
  }
}

/** Removes what was not written to its end, unless somebody is writing. @param {FileSystemDirectoryHandle} root */
async function clear(root) {
  await navigator.locks?.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const whole = new Set((await keptIn(root)).map(({ id }) => id));
    const ids = [];
    for await (const id of root.keys()) ids.push(id);
    for (const id of ids) if (!whole.has(id)) await root.removeEntry(id, { recursive: true });
  });
}

/** The files of one. @param {KeptModel & { id: string }} one @returns {Promise<[string, File][]>} */
async function filesOf({ id, files }) {
  const root = await folder();
  const place = await root?.getDirectoryHandle(id);
  if (!place) throw new Error('it is no longer kept');
  return Promise.all(
    files.map(async ({ name, size }, index) => {
      const file = await (await place.getFileHandle(String(index))).getFile();
      if (file.size !== size) throw new Error(`${name} has ${file.size} bytes where ${size} were kept`);
      return /** @type {[string, File]} */ ([name, file]);
    }),
  );
}

/**
 * @param {object} parts
 * @param {(files: [string, File][], name: string) => void} parts.onModel
 * @param {(text: string) => void} parts.tell
 */
export function createKeptModels({ onModel, tell }) {
  const list = el('ul', { class: 'model-own-kept', id: 'model-own-kept' });
  const element = el('div', { hidden: true }, el('h3', {}, 'Kept in this browser'), list);

  /** @param {KeptModel & { id: string }} one */
  function item(one) {
    const open = createButton(`Open ${one.name}`, { id: `model-own-kept-open-${one.id}` }, async () => {
      try {
        onModel(await filesOf(one), one.name);
      } catch (error) {
        tell(`That did not work: ${reason(error)}`);
      }
    });
    const gone = createButton('Remove', { class: 'quiet', 'aria-label': `Remove ${one.name}` }, async () => {
      await (await folder())?.removeEntry(one.id, { recursive: true });
      await show();
      tell(`${one.name} is no longer kept.`);
    });
    const files = one.files.map(({ name, size, sha256 }) => el('li', {}, `${name}, ${megabytes(size)}, SHA-256 `, el('code', {}, sha256)));
    return el('li', {}, open, ` ${megabytes(one.bytes)} `, gone, el('ul', {}, ...files));
  }

  async function show() {
    const root = canKeep() ? await folder() : null;
    if (root) await clear(root);
    const all = root ? await keptIn(root) : [];
    list.replaceChildren(...all.sort((a, b) => a.name.localeCompare(b.name)).map(item));
    element.hidden = all.length === 0;
  }
  show().catch(() => {});
  return { element, show };
}
