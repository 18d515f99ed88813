// The development server, asked in thousands of ways for what it should not give.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @type {import('node:child_process').ChildProcess} */
let child;
let port = 0;

before(async () => {
  child = spawn('cargo', ['run', '--quiet', '--package', 'xtask', '--', 'serve', '--no-build', '--port', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that cargo's child ends with it.
    detached: true,
  });
  port = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout?.on('data', (data) => {
      const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(String(data));
      if (found) resolve(Number(found[1]));
    });
  });
});

after(() => {
  if (child.pid !== undefined) process.kill(-child.pid);
});

/**
 * Sends one request line as it is: no client would.
 *
 * @param {string} target
 * @returns {Promise<string>} the whole answer
 */
function ask(target) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (data) => (answer += data));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`, 'latin1');
  });
}

/** Ways to write one step up, as servers have been fooled by. */
const UP = [
  '..', '.%2e', '%2e.', '%2e%2e', '%2E%2E', '%252e%252e', '..%00', '..;', '....', '%c0%ae%c0%ae', '%u002e%u002e',
  '..%20', '.. .', '%ff..',
];
/** Ways to write what is between steps. */
const BETWEEN = ['/', '//', '\\', '%2f', '%2F', '%5c', '%252f', '/./', '%c0%af', '\\/'];
/** Where a request begins: at the top, in a folder, in a file, with a scheme and host. */
const FROM = ['/', '//', '/www/', '/www//', '/index.html/', '\\', '/%2f', 'http://127.0.0.1/', '/www/%2e/'];
/** What is above the served folder. */
const ABOVE = ['Cargo.toml', 'etc/passwd'];

test('nothing above the served folder is given, however it is asked for', { timeout: 300_000 }, async () => {
  const targets = FROM.flatMap((from) =>
    UP.flatMap((up) =>
      BETWEEN.flatMap((between) => ABOVE.map((file) => from + (up + between).repeat(file === ABOVE[0] ? 1 : 9) + file)),
    ),
  );
  targets.push(...ABOVE.flatMap((file) => [`/${ROOT}${file}`, `file://${ROOT}${file}`, `/file:${ROOT}${file}`, ROOT + file]));
  let refused = 0;
  for (const target of targets) {
    const answer = await ask(target);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
    assert.ok(status >= 300 && status < 500, `${target}: ${answer.slice(0, 200)}`);
    assert.ok(!/\[workspace\]|root:x?:/.test(answer), `${target} leaves the folder`);
    assert.ok(!/^location: *(?!\/(?![/\\]))/im.test(answer), `${target}: ${answer}`);
    refused += 1;
  }
  console.log(`development server: ${refused} ways out of its folder tried, none found`);
  assert.ok(refused > 2_000);
});
