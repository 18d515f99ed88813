// @ts-check
/** Models that this browser keeps: listed with their sizes and digests, opened without a network, and removed. */

import { createButton, el, describeError } from '../shell/dom.js';
import { formatMebibytes } from '../shell/number-format.js';
import { MODELS_FOLDER, STORAGE_LOCK, listStoredModels } from '../workers/tasks/kept-models.js';

/** Whether this browser can keep any: not for a file from disk, nor in every browser. */
export const canKeep = () => typeof navigator.storage?.getDirectory === 'function' && globalThis.isSecureContext && location.protocol !== 'file:';

/** @returns {Promise<FileSystemDirectoryHandle | null>} null where nothing was ever kept */
async function openFolder() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(MODELS_FOLDER);
  } catch {
    return null;
  }
}

/** Removes what was not written to its end, unless somebody is writing. @param {FileSystemDirectoryHandle} root */
async function removeIncomplete(root) {
  await navigator.locks?.request(STORAGE_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const whole = new Set((await listStoredModels(root)).map(({ id }) => id));
    const ids = [];
    for await (const id of root.keys()) ids.push(id);
    for (const id of ids) if (!whole.has(id)) await root.removeEntry(id, { recursive: true });
  });
}

/** The files of one. @param {KeptModel & { id: string }} one @returns {Promise<[string, File][]>} */
async function readFiles({ id, files }) {
  const root = await openFolder();
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
export function createStoredModels({ onModel, tell }) {
  const list = el('ul', { class: 'model-own-kept', id: 'model-own-kept' });
  const element = el('div', { hidden: true }, el('h3', {}, 'Kept in this browser'), list);

  /** @param {KeptModel & { id: string }} one */
  function createItem(one) {
    const open = createButton(`Open ${one.name}`, { id: `model-own-kept-open-${one.id}` }, async () => {
      try {
        onModel(await readFiles(one), one.name);
      } catch (error) {
        tell(`That did not work: ${describeError(error)}`);
      }
    });
    const gone = createButton('Remove', { class: 'quiet', 'aria-label': `Remove ${one.name}` }, async () => {
      await (await openFolder())?.removeEntry(one.id, { recursive: true });
      await show();
      tell(`${one.name} is no longer kept.`);
    });
    const files = one.files.map(({ name, size, sha256 }) => el('li', {}, `${name}, ${formatMebibytes(size)}, SHA-256 `, el('code', {}, sha256)));
    return el('li', {}, open, ` ${formatMebibytes(one.bytes)} `, gone, el('ul', {}, ...files));
  }

  async function show() {
    const root = canKeep() ? await openFolder() : null;
    if (root) await removeIncomplete(root);
    const all = root ? await listStoredModels(root) : [];
    list.replaceChildren(...all.sort((a, b) => a.name.localeCompare(b.name)).map(createItem));
    element.hidden = all.length === 0;
  }
  show().catch(() => {});
  return { element, show };
}
