// @ts-check
/**
 * Files on their way from the page that made them to the page that scores them. Both are of one origin,
 * so the browser's own database takes them there; nothing leaves this machine. What is collected is
 * there no more.
 */

import { inOneFile } from './views.js';

const DATABASE = 'sfc-bench';
const STORE = 'handed-over';
/** Where a former release left files, for no page in particular. */
const FORMER = 'files';

/** What a request comes to. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const answered = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')));
  });

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return answered(request);
}

/** @template T @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>} */
async function within(work) {
  const database = await opened();
  try {
    const transaction = database.transaction(STORE, 'readwrite');
    const done = new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve);
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('there is no room')));
    });
    const result = await answered(work(transaction.objectStore(STORE)));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** @typedef {'own' | 'train'} Page a page that takes files */

/**
 * Leaves files for a page, in the place of those that it has not collected, and opens it.
 *
 * @param {Page} page
 * @param {readonly [name: string, file: File][]} files
 */
export async function handOver(page, files) {
  await within((store) => store.delete(FORMER));
  await within((store) => store.put([...files], page));
  if (inOneFile()) location.hash = `#${page}/`;
  else location.assign(`../${page}/`);
}

/** What was left for a page, once; nothing where there is none, or this browser keeps nothing. @param {Page} page @returns {Promise<[name: string, file: File][]>} */
export async function collect(page) {
  try {
    const found = await within((store) => store.get(page));
    if (!Array.isArray(found)) return [];
    await within((store) => store.delete(page));
    return found.filter(([name, file]) => typeof name === 'string' && file instanceof File);
  } catch {
    return [];
  }
}
