// A static host for `dist/`, under a sub-path: the page may not assume that it is at the top.

import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

/** Types by extension. Browsers insist on those of scripts and styles only. */
const MIME_TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/**
 * What hosts do to the paths that they are asked for: where they send whoever asks, or which file they
 * take it for; as it is where neither is said.
 *
 * @type {Record<string, (path: string) => { to: string } | { file: string } | null>}
 */
export const HOST_BEHAVIOURS = {
  'sends folders to their index.html': (path) => (/(^|\/)$/.test(path) ? { to: `${path}index.html` } : null),
  'sends index.html to its folder': (path) =>
    /(^|\/)index\.html$/.test(path) ? { to: path.slice(0, -'index.html'.length) } : null,
  'strips .html': (path) => {
    if (/(^|\/)index\.html$/.test(path)) return { to: path.slice(0, -'.html'.length) };
    if (/(^|\/)index$/.test(path)) return { file: `${path}.html` };
    if (path.endsWith('.html')) return { to: path.slice(0, -'.html'.length) };
    return path === 'www/example' ? { file: `${path}.html` } : null;
  },
  'adds .html': (path) => {
    if (/(^|\/)$/.test(path)) return { to: `${path}index` };
    return /(^|\/)[a-z-]+$/.test(path) ? { to: `${path}.html` } : null;
  },
  'strips the slash of a folder': (path) => {
    if (/.\/$/.test(path)) return { to: path.slice(0, -1) };
    return /^[a-z-]+$/.test(path) ? { file: `${path}/index.html` } : null;
  },
};

/** Whether a path is the site's own folder without its slash. @param {string} path @param {string} base */
const isUnslashedBase = (path, base) => `${path}/` === base;

/**
 * @typedef {object} Server
 * @property {string} origin
 * @property {string} url the page's address, ending in a slash
 * @property {{ path: string, status: number, at: number }[]} requests every request so far, and when it came
 * @property {() => Promise<void>} close
 */

/**
 * Serves a folder on a free port of this machine.
 *
 * @param {string} folder
 * @param {object} [options]
 * @param {string} [options.base] the sub-path, with a slash at both ends
 * @param {Record<string, string>} [options.types] other types than the usual, by extension; they may change meanwhile
 * @param {Record<string, string>} [options.headers] sent with every file
 * @param {keyof typeof HOST_BEHAVIOURS} [options.host] what it does to paths; nothing where left out
 * @param {boolean} [options.bare] it has the page at the sub-path without its slash, too
 * @returns {Promise<Server>}
 */
export async function serveStatic(folder, { base = '/some/sub/path/', types = {}, headers = {}, host, bare } = {}) {
  /** @type {Server['requests']} */
  const requests = [];
  const typeOf = (/** @type {string} */ ending) => types[ending] ?? MIME_TYPES[ending] ?? 'application/octet-stream';

  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://host');
    const done = host && pathname.startsWith(base) ? HOST_BEHAVIOURS[host](pathname.slice(base.length)) : null;
    if (done && 'to' in done) {
      requests.push({ path: request.url ?? '/', status: 301, at: Date.now() });
      response.writeHead(301, { Location: base + done.to + search, 'Cache-Control': 'no-store' }).end();
      return;
    }
    const asked = bare && isUnslashedBase(pathname, base) ? base : pathname;
    const file = findFile(folder, base, done ? base + done.file : asked);
    requests.push({ path: request.url ?? '/', status: file ? 200 : 404, at: Date.now() });
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      'Content-Type': typeOf(extname(file.path)),
      'Content-Length': file.length,
    });
    response.end(request.method === 'HEAD' ? undefined : readContents(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    url: origin + base,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @typedef {{ path: string, length: number, changed: number }} Found */

/**
 * The file that a path asks for, if it is one of the folder's.
 *
 * @param {string} folder
 * @param {string} base
 * @param {string} pathname
 * @returns {Found | null}
 */
function findFile(folder, base, pathname) {
  if (!pathname.startsWith(base)) return null;
  let path = normalize(join(folder, decodeURIComponent(pathname.slice(base.length))));
  if (pathname.endsWith('/')) path = join(path, 'index.html');
  if (!path.startsWith(folder + sep)) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { path, length: found.size, changed: found.mtimeMs } : null;
}

/** What was read of files: a page asks for some eighty, visit after visit. @type {Map<string, { changed: number, bytes: Buffer }>} */
const fileCache = new Map();

/** What is in a file, read anew once it has changed. @param {Found} file */
function readContents({ path, length, changed }) {
  const former = fileCache.get(path);
  if (former?.changed === changed && former.bytes.length === length) return former.bytes;
  const bytes = readFileSync(path);
  fileCache.set(path, { changed, bytes });
  return bytes;
}
