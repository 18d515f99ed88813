// A page of somebody else's that has elements, and what it waits for.

import { TIMEOUT } from './harness.mjs';

/** @typedef {import('playwright-core').Page} Page */

export const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

/** As a page of somebody's project has it, with everything from its own origin. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; img-src 'self' data:";

/**
 * Opens a page of somebody else's that has these elements.
 *
 * @param {import('./harness.mjs').Harness} harness
 * @param {string} body
 * @param {(visit: import('./harness.mjs').Visit) => Promise<void>} use
 * @param {import('./harness.mjs').Visitor} [visitor]
 */
export const visitHost = (harness, body, use, visitor = {}) =>
  harness.visit({ width: 900, expectedErrors: [/favicon\.ico/], ...visitor, address: 'www/shell/icons/favicon.svg' }, async (visit) => {
    await visit.page.route('**/host.html', (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': CONTENT_POLICY },
        body: `<!doctype html><html lang="en"><title>A project</title><link rel="icon" href="data:,">
          <script type="module" src="sfc-bench.js"></script><main><h1>A project</h1>${body}</main></html>`,
      }),
    );
    await visit.page.goto(`${harness.url}host.html`);
    await use(visit);
  });

/** Waits until the first element, or the one that is meant, shows something of which this holds. @param {Page} page @param {(result: any, element: any) => boolean} holds @param {string} [selector] */
export async function waitForResult(page, holds, selector = 'sfc-bench') {
  // Asked from here: the page's policy lets nobody make functions of text.
  const question = `(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    return Boolean(element?.result && (${holds})(element.result, element));
  })()`;
  for (const end = Date.now() + TIMEOUT; Date.now() < end; ) {
    if (await page.evaluate(question)) return;
    await pause();
  }
  throw new Error(`the element never showed that ${holds}`);
}
