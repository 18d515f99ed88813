// What every page test stands on: the built page on a static host, and a browser that notes
// whatever goes wrong in it.
//
//   const harness = await start();
//   after(() => harness.close());
//   test('…', () => harness.visit({ width: 390, dark: true }, async ({ page }) => { … }));

import assert from 'node:assert/strict';
import { access, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { IS_LONG_RUN } from './long.mjs';
import { serveStatic } from './server.mjs';

// By `require`: an import would read all of its source for names first, a third of what loading it takes.
/** @type {typeof import('playwright-core')} */
export const { chromium } = createRequire(import.meta.url)('playwright-core');

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const SCREENSHOTS_FOLDER = join(ROOT, 'target', 'screenshots');

/** How long anything on the page may take; a slow machine is not a failure. */
export const TIMEOUT = 60_000;

const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but this machine can be reached, whatever the page tries.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * @typedef {object} Visitor how a page is visited
 * @property {number} [width] in CSS pixels
 * @property {number} [height] in CSS pixels
 * @property {number} [scale] device pixels per CSS pixel
 * @property {boolean} [dark] the system's colour scheme
 * @property {boolean} [touch] a phone's touch screen
 * @property {boolean} [reducedMotion]
 * @property {boolean} [forcedColors] the system's own few colours, as with Windows' high contrast
 * @property {boolean} [javaScript] false: switched off
 * @property {boolean} [webAssembly] false: the page's own thread has none
 * @property {string} [locale]
 * @property {string} [address] what follows the page's address: a query, a hash, a file
 * @property {string} [base] another address of the page than the harness's host: a file's
 * @property {boolean} [folded] as a visitor finds the page; otherwise what a page folds away (`details.apart`) is open
 *   from the start, so that a test need not open it by hand
 * @property {boolean} [unasked] the page computes what nobody asked for; otherwise the visitor saves data, and it does not
 * @property {boolean} [keptOffline] the page may register its service worker
 * @property {string[]} [permissions] such as `clipboard-read`
 * @property {(context: import('playwright-core').BrowserContext) => Promise<unknown>} [before] done before
 *   the page is asked for: scripts that run ahead of its own, say
 * @property {RegExp[]} [expectedErrors] console or page errors that the test provokes
 *
 * @typedef {object} Visit one page, opened
 * @property {import('playwright-core').Page} page
 * @property {import('playwright-core').BrowserContext} context
 * @property {string[]} errors console errors and uncaught exceptions so far
 * @property {string[]} strayRequests requests so far that left the page's own folder
 * @property {() => Promise<void>} close fails where there were any of either
 */

/** The built page on a static host, and a browser. */
export class Harness {
  #browser;

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {import('./server.mjs').Server} server
   */
  constructor(browser, server) {
    this.#browser = browser;
    this.server = server;
  }

  /** The page's address. */
  get url() {
    return this.server.url;
  }

  /**
   * Opens the page in a browser profile of its own.
   *
   * @param {Visitor} [visitor]
   * @returns {Promise<Visit>}
   */
  async open(visitor = {}) {
    const base = visitor.base ?? this.url;
    const context = await this.#browser.newContext({
      viewport: { width: visitor.width ?? 1440, height: visitor.height ?? 900 },
      deviceScaleFactor: visitor.scale ?? 1,
      colorScheme: visitor.dark ? 'dark' : 'light',
      reducedMotion: visitor.reducedMotion ? 'reduce' : 'no-preference',
      forcedColors: visitor.forcedColors ? 'active' : 'none',
      hasTouch: visitor.touch ?? false,
      isMobile: visitor.touch ?? false,
      javaScriptEnabled: visitor.javaScript ?? true,
      locale: visitor.locale ?? 'en-GB',
      permissions: visitor.permissions,
      // What a service worker answers is seen by no route and no watcher of requests.
      serviceWorkers: visitor.keptOffline ? 'allow' : 'block',
    });
    context.setDefaultTimeout(TIMEOUT);

    /** @type {string[]} */
    const errors = [];
    /** @type {string[]} */
    const strayRequests = [];
    const report = (/** @type {string} */ error) => {
      if (!visitor.expectedErrors?.some((expected) => expected.test(error))) errors.push(error);
    };
    const follow = (/** @type {string} */ url) => {
      if (!this.#isOwn(url, base)) strayRequests.push(url);
    };
    context.on('console', (message) => {
      if (message.type() === 'error') report(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => report(String(error.error().stack ?? error.error())));
    context.on('request', (request) => follow(request.url()));
    context.on('page', (page) => {
      page.on('crash', () => report('the page crashed'));
      page.on('websocket', (socket) => follow(socket.url()));
    });
    if (visitor.webAssembly === false) {
      await context.addInitScript('delete globalThis.WebAssembly');
    }
    // Nothing is kept for readers who save data.
    if (!visitor.unasked && !visitor.keptOffline) {
      await context.addInitScript(() =>
        Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
      );
    }
    if (!visitor.folded) {
      await context.addInitScript(() =>
        document.addEventListener('DOMContentLoaded', () => {
          for (const fold of document.querySelectorAll('details:is(.apart, .all)')) fold.setAttribute('open', '');
        }),
      );
    }
    await visitor.before?.(context);

    const page = await context.newPage();
    const close = async () => {
      await context.close();
      assert.deepEqual(errors, [], 'the page reported errors');
      assert.deepEqual(strayRequests, [], 'the page asked for something outside its own folder');
    };
    await page.goto(base + (visitor.address ?? ''));
    return { page, context, errors, strayRequests, close };
  }

  /**
   * Opens the page, hands it to a test, and closes it with the checks of `close`.
   *
   * @template T
   * @param {Visitor} visitor
   * @param {(visit: Visit) => Promise<T>} use
   * @returns {Promise<T>}
   */
  async visit(visitor, use) {
    const visit = await this.open(visitor);
    let result;
    try {
      result = await use(visit);
    } catch (error) {
      await visit.context.close();
      if (visit.errors.length > 0) console.error('The page reported:', visit.errors);
      throw error;
    }
    await visit.close();
    return result;
  }

  /** Whether a request stays in the folder the page is served from, or never leaves the browser. */
  #isOwn(/** @type {string} */ url, /** @type {string} */ base) {
    return url.startsWith(base) || /^(data|blob|about):/.test(url);
  }

  async close() {
    await this.#browser.close();
    await this.server.close();
  }
}

/**
 * Starts the static host and the browser.
 *
 * @param {object} [options]
 * @param {string[]} [options.browserArgs] such as `--js-flags=--no-enable-sse4-1`: no wasm SIMD
 * @param {Record<string, string>} [options.types] MIME types by extension, where a test wants a
 *   host that knows less
 * @param {Record<string, string>} [options.headers] that the host sends with every file
 */
export async function start({ browserArgs = [], types, headers } = {}) {
  await access(join(DIST, 'index.html')).catch(() => {
    throw new Error('nothing is built: run `cargo xtask build`, or `cargo xtask test page`');
  });
  const server = await serveStatic(DIST, { types, headers });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...BROWSER_ARGS, ...browserArgs],
    timeout: TIMEOUT,
  });
  return new Harness(browser, server);
}

/** Axe as a page runs it: text here, since most files never ask for it and loading it takes them as long as a small page. */
const readAxeSource = () => readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules axe goes by: WCAG 2.2 to level AA, and what is good practice beyond. */
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds on the page, of any impact. It is evaluated by the debugger, which the page's
 * content security policy does not bind.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} [within] a part of it: a dialog, say
 * @returns {Promise<{ rule: string, impact: string, help: string, where: string[] }[]>}
 */
export async function runAxe(page, within) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readAxeSource());
  const { violations } = await page.evaluate(
    ([rules, within]) =>
      // @ts-expect-error: the line above has put it there
      globalThis.axe.run(within ?? document, { runOnly: rules, resultTypes: ['violations'] }),
    /** @type {const} */ ([AXE_RULES, within]),
  );
  return violations.map(({ id, impact, help, nodes }) => ({
    rule: id,
    impact,
    help,
    where: nodes.map((node) => node.target.join(' ')),
  }));
}

/**
 * Keeps a picture of the page in `target/screenshots`, for people to look at: after the long run, unless `CI` is set,
 * where nobody does.
 *
 * @param {import('playwright-core').Page | import('playwright-core').Locator} page or a part of it
 * @param {string} name of the file, without `.png`
 * @param {import('playwright-core').PageScreenshotOptions} [options]
 */
export async function screenshot(page, name, options = {}) {
  if (!IS_LONG_RUN || process.env.CI) return;
  await mkdir(SCREENSHOTS_FOLDER, { recursive: true });
  await page.screenshot({
    path: join(SCREENSHOTS_FOLDER, `${name}.png`),
    fullPage: true,
    timeout: TIMEOUT,
    ...options,
  });
}

/**
 * Ends workers without a word to the page. One that is gone may never answer the call that ended it.
 *
 * @param {import('playwright-core').Worker[]} workers
 */
export async function killWorkers(workers) {
  for (const worker of workers) {
    const gone = new Promise((resolve) => worker.once('close', resolve));
    await Promise.race([gone, worker.evaluate(() => self.close()).catch(() => {})]);
  }
}

/**
 * The file chooser that something opens. The browser is asked to hand it over instead of showing it, and a
 * pressed key overtakes that on a page that is busy; so the page answers once in between.
 *
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} open
 */
export async function waitForFileChooser(page, open) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.evaluate(() => {}).then(open),
  ]);
  return chooser;
}

/**
 * Waits until the page has done what it does by itself: until nothing of it changed between idle moments.
 *
 * @param {import('playwright-core').Page} page
 */
export const waitUntilSettled = (page) =>
  page.evaluate(async () => {
    let changed = true;
    const watch = new MutationObserver(() => (changed = true));
    watch.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
    for (let quiet = 0; quiet < 5; quiet = changed ? 0 : quiet + 1) {
      changed = false;
      await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)));
    }
    watch.disconnect();
  });

/**
 * The rows of a figure's table as text, by their first cell. Tables are written once nothing else is to be done: of new
 * values later than sentences are.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} id of the figure
 * @returns {Promise<Record<string, string[]>>}
 */
export async function readFigureRows(page, id) {
  await page.waitForSelector(`[data-figure="${id}"] .data tbody tr`, { state: 'attached' });
  await waitUntilSettled(page);
  return page.$$eval(`[data-figure="${id}"] .data tbody tr`, (found) =>
    Object.fromEntries(
      found.map((row) => {
        const cells = [...row.children].map((cell) => cell.textContent.trim());
        return [cells[0], cells.slice(1)];
      }),
    ),
  );
}

/** In the page: whether every figure of the paper has its table in words, which comes last. */
export function areFiguresWritten() {
  const figures = [...document.querySelectorAll('.live figure:not(.lab figure)')];
  return figures.length > 0 && figures.every((figure) => figure.querySelector('.data'));
}
