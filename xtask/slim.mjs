// Takes out of a built page's scripts and styles what no browser reads, comments and indents above
// all, for `cargo xtask build`. Every module stays a file of its own, and every name what it is.
//
//   node xtask/slim.mjs PAGE   PAGE: the built page's folder; its files are changed in place

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';

import { transform } from 'esbuild';

const page = resolve(process.argv[2] ?? 'dist');

/** @type {import('esbuild').TransformOptions} */
const OPTIONS = {
  minifyWhitespace: true,
  minifySyntax: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

for (const name of await readdir(page, { recursive: true })) {
  const loader = { '.js': 'js', '.css': 'css' }[extname(name)];
  if (!loader) continue;
  const path = join(page, name);
  const { code } = await transform(await readFile(path, 'utf8'), { ...OPTIONS, loader });
  await writeFile(path, code);
}
