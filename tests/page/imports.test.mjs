// Where an import may lead, in the page, in the core and in the Python package: down, to what all stand on, and
// never in a circle. And how long a function of the page may be.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { test } from 'node:test';

import { parse } from 'acorn';
import { full } from 'acorn-walk';

import { readRustImports } from './lib/rust-imports.mjs';

const WWW = new URL('../../www/', import.meta.url);
const SRC = new URL('../../src/', import.meta.url);
const FOUNDATIONS = new URL('../../crates/foundations/src/', import.meta.url);
const PYTHON = new URL('../../python/sfc_bench/', import.meta.url);

/** What a room may use beside itself and types. */
const BELOW = {
  pages: ['papers', 'lab', 'study', 'user-model', 'toy-model', 'shell', 'workers'],
  papers: ['lab', 'study', 'toy-model', 'shell', 'workers'],
  lab: ['shell', 'workers'],
  study: ['toy-model', 'shell', 'workers'],
  'user-model': ['toy-model', 'shell', 'workers'],
  'toy-model': ['shell', 'workers'],
  // Its example is of the package.
  element: ['package', 'toy-model', 'shell', 'workers'],
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

/** Fails where following imports leads back to where one was. */
function noCircle(/** @type {Map<string, Set<string>>} */ files) {
  const done = new Set();
  const walk = (/** @type {string} */ path, /** @type {string[]} */ way) => {
    assert.ok(!way.includes(path), [...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path)) return;
    for (const to of files.get(path) ?? []) walk(to, [...way, path]);
    done.add(path);
  };
  for (const path of files.keys()) walk(path, []);
}

test('no file is a part of what it imports', async () => noCircle(await imports()));

/** The core's rooms, of both its crates: each may use those before it. `types` is its tests' alone. */
const FLOORS = [
  ...['cancel', 'threads', 'workers', 'order', 'hash', 'rng', 'kernel', 'io', 'pareto', 'linalg', 'statistics', 'settings', 'plot', 'study'],
  ...['synthetic', 'model', 'sae', 'toy_model'],
  ...['papers/fade', 'papers/ce_bench', 'papers/mui', 'papers/measurement', 'papers/sfc', 'lab'],
  ...['papers', 'studies', 'export', 'link', 'lib', 'web', 'types'],
];

const floorOf = (/** @type {string} */ path) => {
  const [first, second] = path.replace(/\.rs$/, '').split('/');
  return FLOORS.indexOf(first === 'papers' && second ? `papers/${second}` : first);
};

/** The core's files, each with those it uses: a file and the folder of its name are one where what is inside uses it. */
async function coreImports() {
  const files = await readRustImports([SRC, FOUNDATIONS], 'lib.rs', (path) => path.startsWith('bin/'));
  for (const [path, used] of files) {
    for (const to of used) if (path.startsWith(`${to.replace(/\.rs$/, '')}/`)) used.delete(to);
  }
  return files;
}

test('the core is built in floors', async () => {
  const files = await coreImports();
  assert.ok(files.size > 500);
  const arrows = [...files].flatMap(([from, used]) => [...used].map((to) => ({ from, to })));
  assert.ok(arrows.length > 1_500, `${arrows.length} uses were seen`);
  const wrong = arrows.filter(({ from, to }) => floorOf(from) < floorOf(to) || floorOf(from) < 0);
  assert.deepEqual(wrong.map(({ from, to }) => `${from} uses ${to}`), []);
});

test('no file of the core is a part of what it uses', async () => noCircle(await coreImports()));

test('nor one of the command line', async () => {
  const files = await readRustImports([new URL('bin/sfc-bench/', SRC)], 'main.rs');
  assert.ok(files.size > 30);
  for (const [path, used] of files) {
    for (const to of used) {
      const isInside = path.startsWith(`${to.replace(/\.rs$/, '')}/`) || to === 'main.rs';
      if (isInside) used.delete(to);
    }
  }
  noCircle(files);
});

test('nor one of the Python package', async () => {
  /** @type {Map<string, Set<string>>} */
  const files = new Map();
  for (const entry of await readdir(PYTHON)) {
    if (!entry.endsWith('.py')) continue;
    const text = await readFile(new URL(entry, PYTHON), 'utf8');
    // At the top: what a function imports when it is called closes no circle while loading.
    const named = [...text.matchAll(/^from \.(\w+) import/gm)].map(([, name]) => `${name}.py`);
    files.set(entry, new Set(named));
  }
  assert.ok(files.size > 10);
  noCircle(files);
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
