// @ts-check
/**
 * Files on their way from the page that made them to the page that scores them. Both are of one origin,
 * so the browser's own database takes them there; nothing leaves this machine. What is collected is
 * there no more.
 */

const DATABASE = 'sfc-bench';
const STORE = 'handed-over';
const KEY = 'files';

/** What a request comes to. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) =>
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

/** Leaves files for the page that is opened next; those of before are gone. @param {readonly File[]} files */
export async function leave(files) {
  await within((store) => store.put([...files], KEY));
}

/** What was left, once; nothing where there is none, or this browser keeps nothing. @returns {Promise<File[]>} */
export async function collect() {
  try {
    const found = await within((store) => store.get(KEY));
    if (!Array.isArray(found)) return [];
    await within((store) => store.delete(KEY));
    return found.filter((file) => file instanceof File);
  } catch {
    return [];
  }
}
