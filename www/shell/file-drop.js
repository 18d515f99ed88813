// @ts-check
/** Files that are dropped, anywhere on the page, and those that are chosen. */

import { createButton, el } from './dom.js';

/** Most files of a folder that are looked at. */
const FOLDER_FILES_MAX = 64;

/**
 * The files of what was dropped, folders opened.
 *
 * @param {DataTransfer} dropped @param {number} most files of a folder that are looked at
 * @returns {Promise<[string, File][]>}
 */
export async function collectDroppedFiles(dropped, most) {
  // Both lists are there only while the event is.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...dropped.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain.map((file) => [file.name, file]);
  /** @type {[string, File][]} */
  const found = [];
  /** @param {FileSystemEntry} entry @returns {Promise<void>} */
  async function visit(entry) {
    if (found.length >= most) return;
    if (entry.isFile) {
      const of = /** @type {FileSystemFileEntry} */ (entry);
      const file = await new Promise((resolve, reject) => of.file(resolve, reject));
      found.push([entry.fullPath.replace(/^\//, ''), /** @type {File} */ (file)]);
      return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await visit(one);
    }
  }
  for (const entry of entries) if (entry) await visit(entry);
  return found;
}

/**
 * A button that has files chosen, and the input that it opens.
 *
 * @param {string} words @param {Record<string, string | boolean>} attributes `webkitdirectory`: a folder is chosen
 * @param {(files: [string, File][]) => void} take files by their names, with their folders
 */
export function createFilePicker(words, attributes, take) {
  const input = el('input', { type: 'file', hidden: true, 'aria-label': words, ...attributes });
  const button = createButton(words, {}, () => input.click());
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])];
    // The same ones may be chosen again.
    input.value = '';
    if (files.length > 0) take(files.map((file) => [file.webkitRelativePath || file.name, file]));
  });
  return /** @type {const} */ ([button, input]);
}

/** @param {DragEvent} event */
const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files') === true;

/**
 * Takes what is dropped anywhere on the page; while it is held over the page, all of it says so.
 *
 * @param {(files: Promise<[string, File][]>) => void} take
 * @param {() => boolean} busy whether nothing can be taken now
 * @param {number} [most] files of a folder that are looked at
 */
export function acceptDroppedFiles(take, busy, most = FOLDER_FILES_MAX) {
  const overlay = el(
    'div',
    { class: 'own-overlay', hidden: true, 'aria-hidden': 'true' },
    el('p', {}, 'Drop your files anywhere: they stay in this page.'),
  );
  document.body.append(overlay);
  /** Entering an element leaves another: a drag is over when as many were left. */
  let depth = 0;
  const end = () => {
    depth = 0;
    overlay.hidden = true;
  };
  document.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    overlay.hidden = busy();
  });
  document.addEventListener('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth -= 1;
    if (depth <= 0) end();
  });
  document.addEventListener('dragover', (event) => {
    // Without this the browser would leave the page for the file.
    if (hasFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    end();
    if (event.dataTransfer && !busy()) take(collectDroppedFiles(event.dataTransfer, most));
  });
}
