// Takes out of a built page what no browser reads, comments and indents above all, and gives short
// names to what is local, for `cargo xtask build`. Every module stays a file of its own, and what it
// exports keeps its name.
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
  // Not of what stands at a module's top, as long as no format is named.
  minifyIdentifiers: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

/** A page without indents and empty lines; in `<pre>` both are text. @param {string} html */
const unindented = (html) =>
  html
    .split(/(<pre[^]*?<\/pre>)/)
    .map((part, index) => (index % 2 ? part : part.replace(/\n\s+/g, '\n')))
    .join('');

for (const name of await readdir(page, { recursive: true })) {
  const kind = extname(name);
  const path = join(page, name);
  if (kind === '.html') await writeFile(path, unindented(await readFile(path, 'utf8')));
  const loader = { '.js': 'js', '.css': 'css' }[kind];
  if (!loader) continue;
  const { code } = await transform(await readFile(path, 'utf8'), { ...OPTIONS, loader });
  await writeFile(path, code);
}
