// The package in other people's projects: built by each bundler as docs/embedding.md says, served under a sub-path,
// and opened.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import metaUrlPlugin from '@chialab/esbuild-plugin-meta-url';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

import { TIMEOUT, start } from './lib/harness.mjs';
import { serveStatic } from './lib/server.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BASE = '/some/sub/path/';
const FOUND = { s: 0.5, h: 0.133, digest: 'c5b18-x6exm-s3jn2', tasks: 10, canvases: 1 };

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
/** The application, with the package among its modules. */
let app = '';

before(async () => {
  harness = await start();
  app = await mkdtemp(join(tmpdir(), 'sfc-bench-bundlers-'));
  await cp(join(ROOT, 'tests/bundlers/app'), app, { recursive: true });
  const packed = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', app, join(ROOT, 'dist')],
    { cwd: app, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const place = join(app, 'node_modules/sfc-bench');
  await mkdir(place, { recursive: true });
  execFileSync('tar', ['xzf', join(app, JSON.parse(packed)[0].filename), '-C', place, '--strip-components=1']);
});
after(async () => {
  await harness?.close();
  if (app) await rm(app, { recursive: true });
});

/** A development server's socket, which tells of changes: none is opened. @param {import('playwright-core').BrowserContext} context */
const withoutSockets = (context) => context.routeWebSocket(/./, () => {});

/** What the application finds, at an address. @param {string} base */
const found = (base) =>
  harness.visit({ base, before: withoutSockets }, async ({ page }) => {
    await page.waitForFunction(() => document.querySelector('#found')?.textContent, undefined, { timeout: TIMEOUT });
    assert.deepEqual(JSON.parse((await page.textContent('#found')) ?? ''), FOUND);
    assert.equal(await page.locator('sfc-bench a:visible').count(), 0, 'no link leads to a page that is not there');
  });

/**
 * Serves what a bundler wrote, and opens it.
 *
 * @param {string} name
 * @param {(out: string) => Promise<unknown>} build
 */
const builds = (name, build) =>
  test(name, { timeout: 3 * TIMEOUT }, async () => {
    const out = join(app, `out-${name.replace(/\W+/g, '-')}`);
    await build(out);
    const files = (await readdir(out, { recursive: true })).map((path) => path.split(/[\\/]/).pop() ?? '');
    assert.ok(!files.some((file) => /^sw\b.*js$/.test(file)), 'the site’s service worker is no part of it');
    assert.equal(files.filter((file) => file.endsWith('.wasm')).length, 1, 'the core comes once');
    const server = await serveStatic(out, { base: BASE });
    try {
      await found(server.url);
    } finally {
      await server.close();
    }
  });

/** The application's page, beside scripts that a bundler wrote without it. @param {string} out */
const withPage = (out) => cp(join(app, 'index.html'), join(out, 'index.html'));

describe('in production', () => {
  builds('Vite', (outDir) =>
    vite.build({ root: app, base: BASE, configFile: false, logLevel: 'error', build: { outDir } }),
  );

  builds('webpack', async (path) => {
    await new Promise((resolve, reject) => {
      const compiler = webpack({
        mode: 'production',
        context: app,
        entry: './main.js',
        output: { path, filename: 'main.js' },
        performance: false,
      });
      compiler.run((error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString('errors-only')));
        else compiler.close(resolve);
      });
    });
    await withPage(path);
  });

  builds('Rollup', async (dir) => {
    const bundle = await rollup({
      input: join(app, 'main.js'),
      plugins: [nodeResolve({ browser: true }), importMetaAssets()],
    });
    await bundle.write({ dir, format: 'es' });
    await bundle.close();
    await withPage(dir);
  });

  builds('esbuild', async (outdir) => {
    await esbuild.build({
      entryPoints: [join(app, 'main.js')],
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      logLevel: 'error',
      loader: { '.wasm': 'file', '.safetensors': 'file' },
      plugins: [metaUrlPlugin()],
    });
    await withPage(outdir);
  });
});

test('in Vite’s development server', { timeout: 3 * TIMEOUT }, async () => {
  const server = await vite.createServer({
    root: app,
    base: BASE,
    configFile: false,
    logLevel: 'error',
    cacheDir: join(app, '.vite'),
    server: { host: '127.0.0.1', port: 0, hmr: false },
  });
  try {
    await server.listen();
    await found(server.resolvedUrls?.local[0] ?? '');
  } finally {
    await server.close();
  }
});

test('every file of the weights is named where bundlers look', async () => {
  const folder = join(ROOT, 'assets/little');
  const weights = (await readdir(folder)).filter((file) => file.endsWith('.safetensors'));
  const text = await readFile(join(ROOT, 'www/workers/assets-weights.js'), 'utf8');
  const named = [...text.matchAll(/new URL\('\.\.\/little\/([^']+)', import\.meta\.url\)/g)].map(([, file]) => file);
  assert.deepEqual(named.sort(), weights.sort());
});
