// The command that the README gives for serving the page, with a real browser at the other end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { TIMEOUT, start } from './lib/harness.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @type {import('node:child_process').ChildProcess} */
let child;
let address = '';
/** @type {import('./lib/harness.mjs').Harness} */
let harness;

before(async () => {
  harness = await start();
  child = spawn('cargo', ['run', '--quiet', '--package', 'xtask', '--', 'serve', '--no-build', '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that cargo's child ends with it.
    detached: true,
  });
  address = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout?.on('data', (data) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(String(data));
      if (found) resolve(found[0]);
    });
  });
});

after(async () => {
  if (child.pid !== undefined) process.kill(-child.pid);
  await harness.close();
});

test('the served page computes the paper, visit after visit', { timeout: 5 * TIMEOUT }, async () => {
  for (let visit = 0; visit < 5; visit += 1) {
    // Another origin than the harness's own host, so not closed with its checks.
    const { page, context } = await harness.open();
    await page.goto(address);
    await page.getByText('92 of 104 printed values agree').first().waitFor();
    assert.ok(page.url().startsWith(address));
    await context.close();
  }
});
