// The widget in JupyterLab, in a real browser that reaches nothing but this machine: what is shown, and how the
// notebook and the reader move the same weights.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { chromium } from '../page/lib/harness.mjs';
import { selectMembers } from '../page/lib/long.mjs';

const PYTHON = process.env.JUPYTER_PYTHON;
const SCREENSHOTS = fileURLToPath(new URL('../../target/screenshots/', import.meta.url));
/** How long anything may take: a slow machine is not a failure. */
const TIMEOUT = 120_000;
const TOKEN = 'widget-test';

/** @type {import('node:child_process').ChildProcess} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;
let folder = '';
let origin = '';

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

/** @param {string[]} cells */
const notebook = (cells) => ({
  cells: cells.map((source, at) => ({
    id: `cell-${at}`,
    cell_type: 'code',
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  })),
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  nbformat: 4,
  nbformat_minor: 5,
});

before(async () => {
  assert.ok(PYTHON, 'JUPYTER_PYTHON has to name a Python with the package and JupyterLab: `cargo xtask test python` does');
  folder = await mkdtemp(join(tmpdir(), 'sfc-bench-notebook-'));
  await mkdir(SCREENSHOTS, { recursive: true });
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = spawn(
    PYTHON,
    [
      '-m', 'jupyterlab', '--no-browser', '--allow-root', '--ServerApp.ip=127.0.0.1', `--ServerApp.port=${port}`,
      '--ServerApp.port_retries=0', `--IdentityProvider.token=${TOKEN}`, `--ServerApp.root_dir=${folder}`,
      '--LabApp.news_url=None', '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
    ],
    {
      stdio: 'ignore',
      // Nothing of the settings of whoever runs this.
      env: { ...process.env, JUPYTER_CONFIG_DIR: folder, JUPYTER_RUNTIME_DIR: join(folder, 'runtime'), IPYTHONDIR: folder, JUPYTERLAB_SETTINGS_DIR: folder, JUPYTERLAB_WORKSPACES_DIR: folder },
    },
  );
  for (;;) {
    assert.equal(server.exitCode, null, 'JupyterLab ended');
    const answer = await fetch(`${origin}/api/status?token=${TOKEN}`).catch(() => null);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
});

after(async () => {
  await browser?.close();
  server?.kill();
  if (server && server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve));
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Opens a notebook, of cells or as a text, and runs all of it. @param {string} name @param {string[] | string} cells @param {{ dark?: boolean }} [look] */
async function opened(name, cells, { dark = false } = {}) {
  const settings = join(folder, '@jupyterlab', 'apputils-extension');
  await mkdir(settings, { recursive: true });
  const theme = dark ? 'JupyterLab Dark' : 'JupyterLab Light';
  await writeFile(join(settings, 'themes.jupyterlab-settings'), JSON.stringify({ theme }));
  await writeFile(join(settings, 'notification.jupyterlab-settings'), JSON.stringify({ fetchNews: 'false' }));
  await writeFile(join(folder, `${name}.ipynb`), typeof cells === 'string' ? cells : JSON.stringify(notebook(cells)));
  const context = await browser.newContext({ viewport: { width: 1200, height: 1400 } });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  /** @type {string[]} */
  const strangers = [];
  page.on('request', (request) => {
    const address = request.url();
    if (!/^(blob:|data:)/.test(address) && !address.startsWith(origin) && !address.startsWith(origin.replace('http', 'ws')))
      strangers.push(address);
  });
  await page.goto(`${origin}/lab/tree/${name}.ipynb?token=${TOKEN}&reset`);
  await page.locator('.jp-Notebook .jp-CodeCell').first().waitFor();
  // What is run before there is a kernel is not run at all.
  await page.getByText('| Idle').waitFor();
  await page.locator('.jp-Notebook .jp-CodeCell').first().click();
  await page.getByRole('menuitem', { name: 'Run', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Run All Cells', exact: true }).click();
  return { page, context, strangers };
}

/** What the element found, once something holds of it. @param {import('playwright-core').Page} page @param {(result: any) => boolean} holds */
const shows = (page, holds) =>
  page.waitForFunction(
    (text) => {
      const element = /** @type {any} */ (document.querySelector('sfc-bench'));
      return element?.result && new Function('r', `return (${text})(r)`)(element.result);
    },
    holds.toString(),
    { timeout: TIMEOUT },
  );

/** Runs one more cell, the last, and gives what it prints. @param {import('playwright-core').Page} page @param {number} at */
async function printed(page, at) {
  const cell = page.locator('.jp-Notebook .jp-CodeCell').nth(at);
  await cell.locator('.cm-content').click();
  await page.keyboard.press('Control+Enter');
  return cell.locator('.jp-OutputArea-output').last();
}

for (const dark of selectMembers([false, true])) {
  const word = dark ? 'dark' : 'light';
  test(`the paper is computed in the notebook, and both sides move its weights (${word})`, async () => {
    const { page, context, strangers } = await opened(
      `paper-${word}`,
      [
        'import sfc_bench\nreport = sfc_bench.run(k=20)\nw = sfc_bench.widget(report, "curves")\nw',
        'print("weights", w.weights, w.error)',
        'w.weights = [2, 1, 1]',
        'print("digest", sfc_bench.run(k=20, weights=w.weights).digest() == w.result.get("digest"))',
      ],
      { dark },
    );
    try {
      // Ctrl-Enter would run the next cells too, had they not been run already.
      await shows(page, (r) => r.settings.k === 20 && r.settings.weights.join() === '2,1,1');
      const element = page.locator('sfc-bench');
      await element.scrollIntoViewIfNeeded();
      const began = performance.now();
      const slider = element.locator('.controls input[type=range]').first();
      await slider.focus();
      await page.keyboard.press('ArrowLeft');
      await shows(page, (r) => r.settings.weights[0] < 2);
      const [moved] = await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).result.settings.weights);
      // What was moved may still be on its way to Python.
      for (let text = ''; !text.includes(`[${moved}, 1.0, 1.0]`); ) {
        const output = await printed(page, 1);
        await output.filter({ hasText: 'weights' }).waitFor();
        text = await output.innerText();
        assert.ok(performance.now() - began < TIMEOUT, text);
      }
      await page.screenshot({ path: join(SCREENSHOTS, `notebook-${word}.png`) });
      const output = await printed(page, 3);
      await output.filter({ hasText: 'digest True' }).waitFor();
      assert.deepEqual(strangers, [], 'nothing else was asked for anything');
    } finally {
      await context.close();
    }
  });
}

test('what the reader moves besides weights stays when weights move', async () => {
  const { page, context } = await opened('controls', [
    'import sfc_bench\nw = sfc_bench.widget(sfc_bench.run(k=20), "curves", controls=("weights", "k"))\nw',
    'w.weights = [2, 1, 1]',
    'print("found", (w.result.get("settings") or {}).get("k"), w.weights)',
    // The same figure again: one model, two views. At first nothing is shown.
    'w if (w.result.get("settings") or {}).get("k") == 32 and w.weights == [2, 1, 1] else None',
  ]);
  try {
    await shows(page, (r) => r.settings.k === 20 && r.settings.weights.join() === '2,1,1');
    const element = page.locator('sfc-bench').first();
    await element.scrollIntoViewIfNeeded();
    const k = element.locator('.controls input[type=number]').first();
    await k.fill('32');
    await k.press('Tab');
    await shows(page, (r) => r.settings.k === 32);
    // A profile, then a slider there and back, then Python.
    await element.locator('.controls select').first().selectOption('equal');
    await shows(page, (r) => r.settings.k === 32 && r.settings.weights.join() === '1,1,1');
    await element.locator('.controls input[type=range]').first().focus();
    await page.keyboard.press('ArrowRight');
    await shows(page, (r) => r.settings.k === 32 && r.settings.weights[0] > 1);
    await page.keyboard.press('ArrowLeft');
    await shows(page, (r) => r.settings.k === 32 && r.settings.weights.join() === '1,1,1');
    await page.locator('.jp-Notebook .jp-CodeCell').nth(1).locator('.cm-content').click();
    await page.keyboard.press('Control+Enter');
    await shows(page, (r) => r.settings.k === 32 && r.settings.weights.join() === '2,1,1');
    const output = await printed(page, 2);
    await output.filter({ hasText: 'found 32 [2.0, 1.0, 1.0]' }).waitFor();
    // The second view of it is under the same weights. A notebook draws what is near.
    await printed(page, 3);
    await page.locator('sfc-bench').nth(1).scrollIntoViewIfNeeded();
    await page.waitForFunction(() => {
      const element = /** @type {any} */ (document.querySelectorAll('sfc-bench')[1]);
      return element?.result?.settings.weights.join() === '2,1,1';
    });
  } finally {
    await context.close();
  }
});

test('families and evaluations are shown of their reports', async () => {
  const { page, context } = await opened('others', [
    [
      'import numpy as np, sfc_bench',
      'rng = np.random.default_rng(0)',
      'rows, words = rng.standard_normal((200, 12)), rng.standard_normal((20, 12))',
      'sfc_bench.widget(sfc_bench.evaluate(rows, words, codes_by="top-3"))',
    ].join('\n'),
    'report = sfc_bench.families("small,steps:30,seeds:0")\nf = sfc_bench.widget(report, "map")\nf',
  ]);
  try {
    const elements = page.locator('sfc-bench');
    await elements.nth(1).waitFor();
    await elements.nth(1).scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('sfc-bench')]
          .map((element) => /** @type {any} */ (element).result?.kind)
          .join() === 'own,families',
      undefined,
      { timeout: TIMEOUT },
    );
    await page.screenshot({ path: join(SCREENSHOTS, 'notebook-others.png') });
  } finally {
    await context.close();
  }
});

test('the example for users of SAELens, as it is read', async () => {
  const text = await readFile(new URL('../../examples/saelens.ipynb', import.meta.url), 'utf8');
  const { page, context } = await opened('saelens', text);
  try {
    // Its widget is far down, and a notebook draws only what is near: with a view of all of it everything is.
    await page.setViewportSize({ width: 1200, height: 5_000 });
    await shows(page, (r) => r.settings.weights.join() === '1,2,2');
    await page.getByText('In 50 of 50 networks').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.sfc-bench-figure .sfc-bench-light svg').length >= 2);
    assert.equal(await page.locator('.jp-RenderedText[data-mime-type*=error]').count(), 0);
    await page.locator('.jp-Notebook .jp-Cell').first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(SCREENSHOTS, 'notebook-saelens.png') });
  } finally {
    await context.close();
  }
});
