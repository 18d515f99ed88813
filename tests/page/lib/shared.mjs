// A page that the tests of a group share: each leaves it so that the next finds what it needs.

import { after, before } from 'node:test';

/** @typedef {import('./harness.mjs').Visit} Visit */

/**
 * Opens a page ahead of a group's tests, and closes it after them with the checks of `close`.
 *
 * @param {() => Promise<Visit>} open
 * @param {(page: import('playwright-core').Page) => Promise<unknown>} [ready]
 * @returns {(use: (visit: Visit) => Promise<unknown>) => () => Promise<unknown>} what a test does with the page
 */
export function sharePage(open, ready) {
  /** @type {Visit} */
  let visit;
  before(async () => {
    visit = await open();
    await ready?.(visit.page);
  });
  after(() => visit?.close());
  return (use) => () => use(visit);
}
