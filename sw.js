// @ts-check
/**
 * Keeps the page for when there is no network. The build writes two constants above this: VERSION,
 * and FILES, the SHA-256 of each file of the page by its path from here.
 *
 * One version is one cache: it is filled whole, each file held against its hash, or not at all; and a
 * page gets all its files from the cache that its HTML came from. Other pages of the origin may write
 * there too: what is kept is held against its hash whenever it is served, and got anew where it is
 * another. A newer version waits until no page of the older one is open, or until the only one that is
 * asks for it.
 *
 * Hosts send whoever asks for one address to another: `/` to `/index.html` or back, `page.html` to
 * `page`, `folder/` to `folder`. No file is kept as the answer to another address, since browsers take
 * none such for a page; and a page that is here is found under any of its addresses.
 */

const scope = /** @type {OfflineScope} */ (/** @type {unknown} */ (self));

/** Other pages of this origin, in other folders, have caches too. */
const PREFIX = `sfc-bench ${scope.registration.scope} `;
const CACHE = PREFIX + VERSION;

/** What a file is, by the end of its path. */
const TYPES = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  py: 'text/plain; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  wasm: 'application/wasm',
});

/** What the host has in the place of a file is another file: this version can be had no more. */
class OtherFile extends Error {}

/** @param {string} path */
const addressOf = (path) => new URL(path, scope.registration.scope).href;

/** @param {string} path */
const isListed = (path) => Object.hasOwn(FILES, path);

/** The path of the file that an address stands for, whatever is asked of it. @param {string} address */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  const whole = origin + pathname;
  if (!whole.startsWith(scope.registration.scope)) return null;
  const path = whole.slice(scope.registration.scope.length);
  const names = [path, path.replace(/(^|\/)index(\.html)?$/, '$1'), `${path}/`, `${path}.html`];
  return names.find(isListed) ?? null;
}

/** Whether a path is one of the site's pages. @param {string | null} path */
const isPage = (path) => path !== null && /(^|\/|\.html)$/.test(path);

/** @param {BufferSource} bytes */
async function hashOf(bytes) {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Headers of our own: those that a file came with, or that others have kept beside it, are checked by nothing,
 * and could make another type of it, lead elsewhere or forbid its scripts.
 *
 * @param {string} path
 */
function headersOf(path) {
  const ending = isPage(path) ? 'html' : path.slice(path.lastIndexOf('.') + 1);
  const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
  return { 'Content-Type': type ?? 'application/octet-stream', 'X-Content-Type-Options': 'nosniff' };
}

/**
 * A response with the listed file in it, which no address clings to; null where another file is in it.
 *
 * @param {string} path @param {Response} response
 */
async function listed(path, response) {
  if (response.status !== 200) return null;
  const bytes = await response.arrayBuffer();
  if ((await hashOf(bytes)) !== FILES[path]) return null;
  return new Response(bytes, { headers: headersOf(path) });
}

/** A file of this version, as one of our caches has it. @param {Cache} cache @param {string} path */
async function kept(cache, path) {
  const response = await cache.match(addressOf(path), { ignoreVary: true });
  return response ? listed(path, response) : null;
}

/** A file of this version, from the host. @param {string} path */
async function fetched(path) {
  const address = addressOf(path);
  const response = await fetch(address, { cache: 'no-cache' });
  if (response.status >= 500) throw new Error(`${address} is not to be had`);
  // A host between two versions, or one that rewrites files: better no cache than a mixed one.
  const file = await listed(path, response);
  if (!file) throw new OtherFile(`${address} is not the file that this version has`);
  return file;
}

/** The names of this page's caches. */
const ours = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

/** Weights: no page needs all of them, and each is kept once a page has asked for it. @param {string} path */
const isLate = (path) => path.endsWith('.safetensors');

/**
 * A file of this version: from an older cache where it has not changed, else from the host; null where
 * nobody has asked for it so far.
 *
 * @param {string} path
 */
async function obtain(path) {
  for (const name of await ours()) {
    const file = await kept(await caches.open(name), path);
    if (file) return file;
  }
  return isLate(path) ? null : fetched(path);
}

async function fill() {
  const begun = await caches.has(CACHE);
  try {
    const paths = Object.keys(FILES);
    const files = await Promise.all(paths.map(async (path) => ({ path, file: await obtain(path) })));
    const cache = await caches.open(CACHE);
    await Promise.all(files.map(({ path, file }) => file && cache.put(addressOf(path), file)));
  } catch (error) {
    // Half a version is none; but one that was there before is somebody's.
    if (!begun) await caches.delete(CACHE);
    throw error;
  }
}

/** Drops what is of older versions, and takes over the page that had this one kept: it need not be loaded again first. */
async function takeOver() {
  const others = (await ours()).filter((name) => name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** How this file begins, as the build writes it. */
const BEGINNING = "const VERSION = '";

/**
 * Whether the host has this page no more: this file is not there, has moved or is another's; or it is the same,
 * and the page that it lists is not. What may be back in a moment is not gone: a host that fails, forbids or
 * cannot be reached.
 *
 * @param {string} path of a page
 */
async function isGone(path) {
  const ask = (/** @type {string} */ address) => fetch(address, { cache: 'no-cache', redirect: 'manual' });
  const isAbsent = (/** @type {Response} */ { status }) => status === 404 || status === 410;
  const script = await ask(self.location.href);
  if (script.type === 'opaqueredirect' || isAbsent(script)) return true;
  if (script.status !== 200) return false;
  const text = await script.text();
  if (!text.startsWith(BEGINNING)) return true;
  // A newer one takes this one's place by itself.
  if (!text.startsWith(`${BEGINNING}${VERSION}'`)) return false;
  const page = await ask(addressOf(path));
  if (isAbsent(page)) return true;
  return page.status === 200 && !(await listed(path, page));
}

/**
 * This version's cache once its host has the page no more: it is deleted, and lasts as long as this worker holds it,
 * for pages that are still open.
 *
 * @type {Cache | null}
 */
let last = null;

/** This version's cache; no file but a page makes it anew where it is gone. @param {Request} request */
async function held({ mode }) {
  if (last) return last;
  return mode === 'navigate' || (await caches.has(CACHE)) ? caches.open(CACHE) : null;
}

/**
 * Makes way for what the host has now, from the next visit on, with all that was kept: browsers keep caches, and a
 * worker whose script is gone, which would serve its page for ever.
 *
 * @param {string} path of a page
 */
async function makeWay(path) {
  const gone = await isGone(path).catch(() => false);
  if (!gone) return;
  await scope.registration.unregister();
  if (await caches.has(CACHE)) last ??= await caches.open(CACHE);
  // A page that is still open registers this script anew, where it is there: without its page it is not kept.
  for (const name of await ours()) await caches.delete(name);
}

/** Whether this version was given up. */
let lost = false;

/**
 * Gives this version up: a file of it is neither here nor to be had. The page that is asked for would be
 * of two versions if the host's came through this worker; so it is asked for once more, without it.
 *
 * @param {Request} request
 */
async function giveUp(request) {
  const again = lost;
  lost = true;
  await scope.registration.unregister();
  // A newer version would drop what this one kept; where there is none, nobody does after this.
  await makeWay('');
  if (request.mode !== 'navigate') return Response.error();
  if (again) return fetch(request);
  const headers = { 'Content-Type': 'text/html', 'Cache-Control': 'no-store', Refresh: '0' };
  return new Response('<!doctype html><title>sfc-bench</title><link rel="icon" href="data:,">', { headers });
}

/** @param {string} path @param {Request} request */
async function answer(path, request) {
  const cache = await held(request);
  const there = cache && (await kept(cache, path));
  if (there) return there;
  try {
    const file = await fetched(path);
    // Where there is no room for it, it is served all the same.
    await cache?.put(addressOf(path), file.clone()).catch(() => {});
    return file;
  } catch (error) {
    if (error instanceof OtherFile) return giveUp(request);
    // The browser says best why there is no page.
    return request.mode === 'navigate' ? fetch(request) : Response.error();
  }
}

/** @param {Request} request @returns {Promise<Response> | null} */
function respond(request) {
  const path = request.method === 'GET' ? pathOf(request.url) : null;
  if (path === null) return null;
  const { search, pathname } = new URL(request.url);
  // A page's own links begin at its folder, whose name ends in a slash.
  if (/(^|\/)$/.test(path) && !/(\/|\/index|\.html)$/.test(pathname)) {
    if (request.mode !== 'navigate') return null;
    return Promise.resolve(Response.redirect(addressOf(path) + search));
  }
  return answer(path, request);
}

scope.addEventListener('install', (event) => event.waitUntil(fill()));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('fetch', (event) => {
  const response = respond(event.request);
  if (response) event.respondWith(response);
  const path = pathOf(event.request.url);
  if (event.request.mode === 'navigate' && path !== null) event.waitUntil(makeWay(path));
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
