// @ts-check
/**
 * Keeps the page for when there is no network. The build writes two constants above this: VERSION,
 * and FILES, the SHA-256 of each file of the page by its path from here.
 *
 * One version is one cache: it is filled whole, each file held against its hash, or not at all; and a
 * page gets all its files from the cache that its HTML came from. A newer version waits until no
 * page of the older one is open, or until the only one that is asks for it.
 */

const scope = /** @type {OfflineScope} */ (/** @type {unknown} */ (self));

/** Other pages of this origin, in other folders, have caches too. */
const PREFIX = `sfc-bench ${scope.registration.scope} `;
const CACHE = PREFIX + VERSION;

/** @param {string} path */
const addressOf = (path) => new URL(path, scope.registration.scope).href;

/** A file's path, whatever is asked of it; index.html is that of its folder. @param {string} address */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  const whole = origin + pathname;
  if (!whole.startsWith(scope.registration.scope)) return null;
  return whole.slice(scope.registration.scope.length).replace(/(^|\/)index\.html$/, '$1');
}

/** Whether a path is one of the site's pages. @param {string | null} path */
const isPage = (path) => path !== null && /(^|\/)$/.test(path) && Object.hasOwn(FILES, path);

/** @param {Response} response */
async function hashOf(response) {
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * A file of this very version: from an older cache where it has not changed, else from the host.
 *
 * @param {string} path @param {string} hash
 * @returns {Promise<Response>}
 */
async function obtain(path, hash) {
  const address = addressOf(path);
  const kept = await caches.match(address);
  if (kept && (await hashOf(kept)) === hash) return kept;
  const response = await fetch(address, { cache: 'no-cache' });
  // A host between two versions, or one that rewrites files: better no cache than a mixed one.
  if (!response.ok || (await hashOf(response)) !== hash)
    throw new Error(`${address} is not the file that this version has`);
  // A navigation takes nothing that was got by way of another address.
  if (!response.redirected) return response;
  return new Response(await response.blob(), { headers: response.headers });
}

async function fill() {
  const files = await Promise.all(
    Object.entries(FILES).map(async ([path, hash]) => ({ path, file: await obtain(path, hash) })),
  );
  const cache = await caches.open(CACHE);
  await Promise.all(files.map(({ path, file }) => cache.put(addressOf(path), file)));
}

async function dropOthers() {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name.startsWith(PREFIX) && name !== CACHE)
      .map((name) => caches.delete(name)),
  );
}

/** @param {string} path @param {Request} request */
async function answer(path, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(addressOf(path), { ignoreVary: true })) ?? fetch(request);
}

scope.addEventListener('install', (event) => event.waitUntil(fill()));
scope.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.method === 'GET' && path !== null && Object.hasOwn(FILES, path))
    event.respondWith(answer(path, request));
});
/** A page asks for the newer version: it gets it where no other page is open. */
scope.addEventListener('message', (event) => {
  event.waitUntil(
    (async () => {
      const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const alone = pages.filter(({ url }) => isPage(pathOf(url))).length <= 1;
      event.source?.postMessage({ alone });
      if (alone) await scope.skipWaiting();
    })(),
  );
});
