// Takes out of a built page what no browser reads, comments and indents above all, and gives short
// names to what is local, for `cargo xtask build`. Every module stays a file of its own, and what it
// exports keeps its name.
//
//   node xtask/slim.mjs PAGE   PAGE: the built page's folder; its files are changed in place

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';

import { build, transform } from 'esbuild';

const page = resolve(process.argv[2] ?? 'dist');

/** What the page promises to run on: see www/shell/features.js and the README. */
const BROWSERS = ['chrome91', 'firefox114', 'safari16.4'];

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

/**
 * The worker of the lab's build, with all that it imports: whoever bundles the package, or starts the worker
 * from a page of another origin, has one file to take along. It is a classic script, and a module as well.
 */
async function joinWorker() {
  const path = join(page, 'www', 'workers', 'worker-lab.js');
  await build({
    entryPoints: [path],
    outfile: path,
    allowOverwrite: true,
    bundle: true,
    // The names of files would be among the rest of it.
    minify: true,
    format: 'iife',
    target: BROWSERS,
    charset: 'utf8',
    logLevel: 'warning',
    // The finished page is a package, which says that most of its modules do nothing by themselves.
    ignoreAnnotations: true,
    // The glue would name its WebAssembly by it, which a worker is given compiled.
    define: { 'import.meta.url': '"about:blank"' },
  });
}

await joinWorker();
for (const name of await readdir(page, { recursive: true })) {
  const kind = extname(name);
  const path = join(page, name);
  if (kind === '.html') await writeFile(path, unindented(await readFile(path, 'utf8')));
  const loader = { '.js': 'js', '.css': 'css' }[kind];
  if (!loader) continue;
  const { code } = await transform(await readFile(path, 'utf8'), { ...OPTIONS, loader });
  await writeFile(path, code);
}
