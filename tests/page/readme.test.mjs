// The examples of the README and of docs/embedding.md, run as they stand, and the sizes that they state.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { start } from './lib/harness.mjs';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = (
  await Promise.all(['README.md', 'docs/embedding.md'].map((name) => readFile(join(ROOT, name), 'utf8')))
).join('\n');

/** What stands between a block's fences. @param {string} language */
const blocks = (language) =>
  [...DOCUMENTS.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text);

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** Somebody else's folder. */
let folder = '';
before(async () => {
  harness = await start();
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-readme-'));
});
after(async () => {
  await harness?.close();
  if (folder) await rm(folder, { recursive: true });
});

/** Activations as NumPy saves them: rows of numbers that repeat nowhere. @param {number} rows @param {number} columns */
function npy(rows, columns) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117);
  const values = new Float32Array(rows * columns).map((_, at) => Math.sin(at * at));
  const magic = Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]);
  return Buffer.concat([magic, Buffer.from(`${header}\n`), Buffer.from(values.buffer)]);
}

test('the package is installed and its examples run in Node, and print what they say', async () => {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  assert.match(DOCUMENTS, /`npm install \.\/dist`/);
  await run('npm', ['install', '--no-audit', '--no-fund', join(ROOT, 'dist')], { cwd: folder });
  const examples = blocks('js');
  assert.ok(examples.length >= 2);
  // The one file that is the reader's: as wide as the world on which the example trains.
  await writeFile(join(folder, 'acts.npy'), npy(200, 16));
  for (const [at, example] of examples.entries()) {
    const file = join(folder, `example-${at}.js`);
    await writeFile(file, example);
    const { stdout } = await run('node', [file], { cwd: folder });
    const printed = stdout.trim() === '' ? [] : stdout.trim().split('\n');
    const said = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    assert.deepEqual(printed, said);
  }
});

test('the element draws where its two lines stand', async () => {
  const [lines, ...others] = new Set(blocks('html'));
  assert.deepEqual(others, []);
  const visit = await harness.open({ address: 'www/shell/icons/favicon.svg', expectedErrors: [/favicon\.ico/] });
  const page = `<!doctype html><html lang="en"><title>Somebody’s page</title>${lines.replace('https://…/', harness.url)}`;
  await visit.context.route('**/somebody/', (route) =>
    route.fulfill({ contentType: 'text/html', body: page }),
  );
  await visit.page.goto(`${harness.url}somebody/`);
  await visit.page.waitForFunction(() => Boolean(document.querySelector('sfc-bench')?.result));
  await visit.close();
});

test('the sizes are those of the files', async () => {
  const stated = [...DOCUMENTS.matchAll(/in one file of about (\d+) MB/g)].map(([, size]) => size);
  const { size } = await stat(join(ROOT, 'dist', 'sfc-bench.html'));
  assert.ok(stated.length > 0);
  assert.deepEqual([...new Set(stated)], [`${Math.round(size / 1e6)}`]);
});
