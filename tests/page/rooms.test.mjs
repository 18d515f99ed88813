// Where an import may lead: from a page and what it is made of down to what all stand on. And how long a
// function may be.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { test } from 'node:test';

import { parse } from 'acorn';
import { full } from 'acorn-walk';

const WWW = new URL('../../www/', import.meta.url);

/** What a room may use beside itself and types. */
const BELOW = {
  pages: ['papers', 'lab', 'little', 'shell', 'workers'],
  papers: ['lab', 'little', 'shell', 'workers'],
  lab: ['shell', 'workers'],
  little: ['shell', 'workers'],
  // Its example is of the package.
  element: ['package', 'little', 'shell', 'workers'],
  package: ['workers'],
  // The script for a page that frames this one is at the top: others name its address.
  shell: ['workers', 'frame.js'],
  workers: [],
  types: [],
};

/** Each file, and those it imports, types among them. */
async function imports() {
  const found = new Map();
  for (const entry of await readdir(WWW, { recursive: true })) {
    const path = entry.replaceAll('\\', '/');
    if (!/\.(js|d\.ts)$/.test(path) || path.startsWith('pkg/')) continue;
    const text = await readFile(new URL(path, WWW), 'utf8');
    const named = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)'/g)];
    const paths = named.map(([, to]) => posix.join(posix.dirname(path), to));
    found.set(path, new Set(paths.filter((to) => !to.startsWith('pkg/'))));
  }
  return found;
}

const roomOf = (/** @type {string} */ path) => path.split('/')[0];

test('an import leads down, and to a file that is there', async () => {
  const files = await imports();
  assert.ok(files.size > 70);
  const wrong = [];
  for (const [from, paths] of files) {
    const allowed = BELOW[roomOf(from)] ?? [];
    for (const to of paths) {
      const room = roomOf(to);
      const down = room === roomOf(from) || room === 'types' || allowed.includes(room);
      if (!down || !files.has(to)) wrong.push(`${from} imports ${to}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no file is a part of what it imports', async () => {
  const files = await imports();
  const done = new Set();
  const walk = (/** @type {string} */ path, /** @type {string[]} */ way) => {
    assert.ok(!way.includes(path), [...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path)) return;
    for (const to of files.get(path) ?? []) walk(to, [...way, path]);
    done.add(path);
  };
  for (const path of files.keys()) walk(path, []);
});

test('no file is loose but what others name', async () => {
  const entries = await readdir(WWW, { withFileTypes: true });
  const loose = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  assert.deepEqual(loose.sort(), ['example.html', 'frame.js']);
});

/** Most lines of a function, from its first to its last. */
const MOST_LINES = 120;

test('no function is too long to be read', async () => {
  const paths = [...(await imports()).keys()].filter((path) => path.endsWith('.js'));
  let functions = 0;
  const long = [];
  for (const path of paths) {
    const text = await readFile(new URL(path, WWW), 'utf8');
    const module = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    full(module, ({ type, loc }) => {
      if (!/Function/.test(type)) return;
      functions += 1;
      const lines = loc.end.line - loc.start.line + 1;
      if (lines > MOST_LINES) long.push(`${path}:${loc.start.line} has ${lines} lines`);
    });
  }
  assert.ok(functions > 1_000);
  assert.deepEqual(long, []);
});
