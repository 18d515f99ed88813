// Joins the page's modules, its worker and its core into one script, for `cargo xtask build`.
//
//   node xtask/single/bundle.mjs PAGE [ENTRY]   PAGE: the built page's folder; prints the script
//
// ENTRY is main.js, the page as one file, or widget.js, the element as a module for notebooks.
//
// The script is a classic one, so that it needs no address of its own. The worker within it is a text,
// likewise classic: from a file, Chromium starts no module worker that comes from a Blob. There is one
// build of the core, the lab's, which has everything.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** What the page promises to run on: see www/shell/features.js and the README. */
const BROWSERS = ['chrome91', 'firefox114', 'safari16.4'];

const page = resolve(process.argv[2] ?? 'dist');
const www = join(page, 'www');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  format: 'iife',
  target: BROWSERS,
  minify: true,
  // A string of other letters than ASCII depends on how the file is read.
  charset: 'ascii',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
  // The finished page is a package, which says that most of its modules do nothing by themselves: workers do.
  ignoreAnnotations: true,
  // Only the addresses of files are made with it, and there are none.
  define: { 'import.meta.url': '"about:blank"' },
};

/** @type {import('esbuild').Plugin} */
const oneBuild = {
  name: 'one build of the core',
  setup({ onResolve }) {
    onResolve({ filter: /\/pkg\/sfc_bench\.js$/ }, () => ({
      path: join(www, 'pkg', 'sfc_bench_lab.js'),
    }));
  },
};

/** @param {import('esbuild').BuildOptions} options */
async function bundled(options) {
  const { outputFiles } = await build({ ...common, ...options });
  if (outputFiles?.length !== 1) throw new Error('esbuild made more than one file of it');
  return outputFiles[0].text;
}

/** The weights that go with the file: the other checkpoints are for whoever has a network. */
const WEIGHTS = ['ck-12000.safetensors', 'sae.safetensors', 'sae_controls.safetensors'];

/** A file, compressed, in letters. @param {...string} path from the page's `www` */
async function letters(...path) {
  return gzipSync(await readFile(join(www, ...path)), { level: 9 }).toString('base64');
}

/** Everything that the `assets` modules of the ordinary page fetch. */
const PACKED = {
  wasm: () => letters('pkg', 'sfc_bench_lab_bg.wasm'),
  async weights() {
    const files = WEIGHTS.map(async (name) => [name, await letters('little', name)]);
    return JSON.stringify(Object.fromEntries(await Promise.all(files)));
  },
  /** The worker: with one build there is one kind. */
  worker: () =>
    bundled({
      stdin: {
        contents: `import './worker.js';`,
        resolveDir: join(www, 'workers'),
      },
      plugins: [oneBuild],
    }),
};

/** @type {import('esbuild').Plugin} */
const packed = {
  name: 'assets in the file itself',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/assets(-site|-weights)?\.js$/ }, () => ({ path: join(FOLDER, 'assets.js') }));
    onResolve({ filter: /^packed:/ }, ({ path }) => ({
      path: path.slice('packed:'.length),
      namespace: 'packed',
    }));
    onLoad({ filter: /.*/, namespace: 'packed' }, async ({ path }) => ({
      contents: await PACKED[/** @type {keyof typeof PACKED} */ (path)](),
      loader: 'text',
    }));
    // The replacement imports the page's glue as its own neighbour would.
    onResolve({ filter: /^page:/ }, ({ path }) => ({
      path: join(www, path.slice('page:'.length)),
    }));
  },
};

const entry = process.argv[3] ?? 'main.js';
/** Whoever shows a widget imports it. @type {import('esbuild').Format} */
const format = entry === 'widget.js' ? 'esm' : 'iife';
/** A figure's link leads to a page, which a notebook has none of beside it: no address is ever this. */
const define = format === 'esm' ? { 'import.meta.url': '"https://sfc-bench.invalid/www/element/"' } : common.define;
process.stdout.write(
  await bundled({ entryPoints: [join(FOLDER, entry)], format, define, plugins: [packed, oneBuild] }),
);
