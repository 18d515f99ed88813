import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { start } from './lib/harness.mjs';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

test('the page loads from any folder of a static host, without an error or a stray request', () =>
  harness.visit({}, async ({ page }) => {
    await page.waitForLoadState('networkidle');
    assert.match(await page.title(), /SFC/);
    const wasm = harness.server.requests.filter(({ path }) => path.endsWith('.wasm'));
    assert.ok(wasm.length > 0, 'the wasm was asked for');
    assert.deepEqual(
      harness.server.requests.filter(({ status }) => status !== 200),
      [],
      'every file asked for is there',
    );
  }));
