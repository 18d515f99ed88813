// Pages whose files do not all arrive, or whose address lacks the slash of its folder.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';

import { start } from './lib/harness.mjs';
import { selectMembers } from './lib/long.mjs';
import { serveStatic } from './lib/server.mjs';

/** @typedef {import('playwright-core').Page} Page */

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
/** Pages, and the script that each begins with. */
const PAGES = {
  '': 'papers/sfc/main.js',
  'fade/': 'pages/fade.js',
  'ce-bench/': 'pages/ce-bench.js',
  'mui/': 'pages/mui.js',
  'measurement/': 'pages/measurement.js',
  'audit/': 'pages/audit.js',
  'model/': 'pages/model.js',
  'compare/': 'pages/compare.js',
  'synth/': 'pages/synth.js',
  'own/': 'pages/evaluate.js',
  'train/': 'pages/train.js',
  'method/': 'pages/method.js',
};

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Page} page */
const ready = (page) => page.waitForSelector('body[data-lab=ready]');

const FAILED = /A part of this page’s code did not come/;

/** @param {Page} page */
async function saysSo(page) {
  await page.waitForSelector('.page-state button:visible');
  assert.match(await page.textContent('.page-state'), FAILED);
}

describe('a script that does not arrive', () => {
  const expectedErrors = [/Failed to load resource/, /MIME type/];
  for (const [address, script] of selectMembers(Object.entries(PAGES))) {
    test(`is told of on ${address || 'the first page'}, with a way on`, () =>
      harness.visit({ address: 'www/shell/icons/favicon.svg', expectedErrors }, async ({ page, context }) => {
        const pattern = `**/www/${script}`;
        await context.route(pattern, (route) => route.fulfill({ status: 404 }));
        await page.goto(harness.url + address);
        await saysSo(page);
        await context.unroute(pattern);
        await page.click('.page-state button');
        await ready(page);
        assert.equal(await page.locator('.page-state:visible').count(), 0);
      }));
  }

  for (const [what, address, pattern, answer] of /** @type {[string, string, string, object][]} */ ([
    ['one that others need is missing', 'fade/', '**/shell/dom.js', { status: 404 }],
    ['it is another file', 'audit/', '**/pages/start.js', { contentType: 'text/html', body: '<!doctype html>Not here' }],
    ['it is no program', 'own/', '**/pages/evaluate.js', { contentType: 'text/javascript', body: 'import {' }],
  ])) {
    test(`is told of where ${what}`, () =>
      harness.visit(
        { address: 'www/shell/icons/favicon.svg', expectedErrors: [...expectedErrors, /SyntaxError|Unexpected|^$/] },
        async ({ page, context }) => {
          await context.route(pattern, (route) => route.fulfill(answer));
          await page.goto(harness.url + address);
          await saysSo(page);
        },
      ));
  }

  test('and is only slow: every page says after a while that it waits still', () =>
    harness.visit({ address: 'www/shell/icons/favicon.svg' }, async ({ page, context }) => {
      for (const [address, script] of selectMembers(Object.entries(PAGES).slice(1))) {
        /** @type {(() => void)[]} */
        const held = [];
        const pattern = `**/www/${script}`;
        await context.route(pattern, async (route) => {
          await new Promise((go) => held.push(() => go(undefined)));
          await route.continue();
        });
        await page.goto(harness.url + address, { waitUntil: 'commit' });
        await page.waitForSelector('.page-state', { state: 'attached' });
        // As late as it may be, once the style sheet has come.
        await page.waitForFunction(() => {
          document.getAnimations().forEach((one) => one.finish());
          const { content, visibility } = getComputedStyle(document.querySelector('.page-state'), '::after');
          return visibility === 'visible' && /Still waiting: the page’s code may not have arrived/.test(content);
        });
        held.forEach((go) => go());
        await ready(page);
        await context.unroute(pattern);
      }
    }));

  test('because the host called it something else for a while: the next visit has it', async () => {
    /** @type {Record<string, string>} */
    const types = { '.js': 'text/plain' };
    const server = await serveStatic(DIST, { types, headers: { 'Cache-Control': 'max-age=86400' } });
    try {
      await harness.visit({ base: server.url, address: 'fade/', expectedErrors }, async ({ page }) => {
        const had = page.waitForResponse((one) => one.url().endsWith('/pages/fade.js') && one.headers()['content-type'].includes('javascript'));
        await saysSo(page);
        delete types['.js'];
        // Whatever was asked for anew meanwhile was wrong still.
        await page.reload();
        await had;
        // A page that is left takes what it has asked for with it.
        await page.waitForLoadState('networkidle');
        await page.goto(`${server.url}fade/`);
        await ready(page);
      });
    } finally {
      await server.close();
    }
  });
});

describe('an address without the slash of its folder', () => {
  const expectedErrors = [/status of 404/, /MIME type/];

  test('has the site all the same', async () => {
    const server = await serveStatic(DIST, { bare: true });
    try {
      await harness.visit({ base: server.origin, address: '/some/sub/path?v=1&k=32#tables', expectedErrors }, async ({ page }) => {
        await ready(page);
        assert.equal(page.url(), `${server.url}?v=1&k=32#tables`);
        assert.ok(await page.isVisible('#live'));
      });
    } finally {
      await server.close();
    }
  });

  test('has a page all the same, where the host strips it', async () => {
    const server = await serveStatic(DIST, { host: 'strips the slash of a folder' });
    try {
      await harness.visit({ base: server.origin, address: '/some/sub/path/method', expectedErrors }, async ({ page }) => {
        await ready(page);
        assert.equal(page.url(), `${server.url}method/`);
      });
    } finally {
      await server.close();
    }
  });
});
