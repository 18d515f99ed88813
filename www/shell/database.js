// @ts-check
/** The browser's own databases. Any use of one may fail at any time: a browser may refuse, be full, or empty it. */

/** There is no more room. */
export class StorageFullError extends Error {}

/** What a request comes to. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const awaitRequest = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')));
  });

/** Ends with a transaction. @param {IDBTransaction} transaction @returns {Promise<unknown>} */
const awaitTransaction = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', resolve);
    transaction.addEventListener('abort', () => {
      const { error } = transaction;
      reject(error?.name === 'QuotaExceededError' ? new StorageFullError('there is no room') : error ?? new Error('it broke off'));
    });
  });

export class Database {
  #name;
  #stores;
  /** One connection for the page. @type {Promise<IDBDatabase> | undefined} */
  #opening;

  /** @param {string} name @param {Record<string, IDBObjectStoreParameters>} stores by name */
  constructor(name, stores) {
    this.#name = name;
    this.#stores = stores;
  }

  async #open() {
    const request = indexedDB.open(this.#name, 1);
    request.addEventListener('upgradeneeded', () => {
      for (const [store, options] of Object.entries(this.#stores)) request.result.createObjectStore(store, options);
    });
    const database = await awaitRequest(request);
    const forget = () => (this.#opening = undefined);
    // Another tab empties it, or a newer page changes it: neither is to wait for this one.
    database.addEventListener('versionchange', () => {
      database.close();
      forget();
    });
    database.addEventListener('close', forget);
    return database;
  }

  /** @param {IDBTransactionMode} mode */
  async #beginTransaction(mode) {
    this.#opening ??= this.#open();
    try {
      return (await this.#opening).transaction(Object.keys(this.#stores), mode);
    } catch (error) {
      // It could not be opened, or the connection was closed meanwhile: the next one is a new one.
      this.#opening = undefined;
      throw error;
    }
  }

  /**
   * Does something in one transaction: all of it, or nothing.
   *
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(...stores: IDBObjectStore[]) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async runTransaction(mode, work) {
    const transaction = await this.#beginTransaction(mode).catch(() => this.#beginTransaction(mode));
    const done = awaitTransaction(transaction);
    // Told by `work`, unless only the end fails.
    done.catch(() => {});
    try {
      const result = await work(...Object.keys(this.#stores).map((name) => transaction.objectStore(name)));
      await done;
      return result;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It is over already; its own end says best why.
        await done;
      }
      throw error;
    }
  }
}
