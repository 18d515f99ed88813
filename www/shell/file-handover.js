// @ts-check
/**
 * Files on their way from the page that made them to the page that scores them. Both are of one origin,
 * so the browser's own database takes them there; nothing leaves this machine. What is collected is
 * there no more.
 */

import { awaitRequest, Database } from './database.js';
import { isSingleFile } from './views.js';

const HANDOVER_STORE = 'handed-over';
/** Where a former release left files, for no page in particular. */
const LEGACY_KEY = 'files';

const database = new Database('sfc-bench', { [HANDOVER_STORE]: {} });

/** @template T @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>} */
const runRequest = (work) => database.runTransaction('readwrite', (store) => awaitRequest(work(store)));

/** @typedef {'own' | 'train'} Page a page that takes files */

/**
 * Leaves files for a page, in the place of those that it has not collected, and opens it.
 *
 * @param {Page} page
 * @param {readonly [name: string, file: File][]} files
 */
export async function handOverFiles(page, files) {
  await runRequest((store) => store.delete(LEGACY_KEY));
  await runRequest((store) => store.put([...files], page));
  if (isSingleFile()) location.hash = `#${page}/`;
  else location.assign(`../${page}/`);
}

/** What was left for a page, once; nothing where there is none, or this browser keeps nothing. @param {Page} page @returns {Promise<[name: string, file: File][]>} */
export async function takeHandedOverFiles(page) {
  try {
    const found = await runRequest((store) => store.get(page));
    if (!Array.isArray(found)) return [];
    await runRequest((store) => store.delete(page));
    return found.filter(([name, file]) => typeof name === 'string' && file instanceof File);
  } catch {
    return [];
  }
}
