// Firefox, for the few tests that must hold in a second browser. Playwright drives only a Firefox of
// its own, so this one is driven by Puppeteer, over WebDriver BiDi.

import assert from 'node:assert/strict';

import puppeteer from 'puppeteer-core';

import { TIMEOUT } from './harness.mjs';

/** @returns {Promise<import('puppeteer-core').Browser>} */
export function startFirefox() {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    timeout: TIMEOUT,
    protocolTimeout: TIMEOUT,
    extraPrefsFirefox: {
      // Puppeteer lets files read each other; readers' browsers do not.
      'security.fileuri.strict_origin_policy': true,
      // Nothing is fetched but what the page asks for.
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      // A name is looked up nowhere, whatever the page tries; this machine has none.
      'network.dns.disabled': true,
    },
  });
}

/**
 * Opens an address, hands the page to a test, and closes it; fails where the page reported an error,
 * or asked for something that is not below `base`.
 *
 * @template T
 * @param {import('puppeteer-core').Browser} browser
 * @param {string} base
 * @param {string} address what follows
 * @param {(page: import('puppeteer-core').Page) => Promise<T>} use
 * @param {(page: import('puppeteer-core').Page) => Promise<unknown>} [before] done before the page is asked for
 * @returns {Promise<T>}
 */
export async function visit(browser, base, address, use, before) {
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT);
  await page.setViewport({ width: 1280, height: 900 });
  /** @type {string[]} */
  const errors = [];
  /** @type {string[]} */
  const stray = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob|about):/.test(url)) stray.push(url);
  });
  try {
    await before?.(page);
    await page.goto(base + address);
    const result = await use(page);
    assert.deepEqual(errors, [], 'the page reported errors');
    assert.deepEqual(stray, [], 'the page asked for something outside its own folder');
    return result;
  } catch (error) {
    if (errors.length > 0) console.error('The page reported:', errors);
    throw error;
  } finally {
    await page.close();
  }
}
