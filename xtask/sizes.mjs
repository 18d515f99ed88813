// Prints what each file of a built page weighs, as it is and as a host compresses it, for `cargo xtask build`.
// Type declarations are left out, since no browser asks for them, and weights, which a page asks for one by one.
//
//   node xtask/sizes.mjs PAGE   PAGE: the built page's folder

import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const [packGzip, packBrotli] = [promisify(gzip), promisify(brotliCompress)];
const page = process.argv[2] ?? 'dist';

/** @param {string} name @param {(string | number)[]} columns */
const print = (name, columns) => console.log(name.padEnd(34), ...columns.map((column) => String(column).padStart(10)));

print('bytes', ['raw', 'gzip', 'brotli']);
const entries = await readdir(page, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile());
const paths = files.map((entry) => relative(page, join(entry.parentPath ?? entry.path, entry.name)));
const told = paths.filter((path) => !/\.(d\.ts|safetensors)$/.test(path)).sort();
const rows = await Promise.all(
  told.map(async (path) => {
    const bytes = await readFile(join(page, path));
    const packed = await Promise.all([packGzip(bytes, { level: 9 }), packBrotli(bytes)]);
    return [bytes.length, ...packed.map(({ length }) => length)];
  }),
);
told.forEach((path, index) => print(path.replaceAll(sep, '/'), rows[index] ?? []));
print('total', [0, 1, 2].map((column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)));
