// <sfc-bench> in other people's pages: what it shows, what it costs, and that it lets everything go.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';

import { runAxe, screenshot, start, TIMEOUT } from './lib/harness.mjs';
import { visitHost, pause, waitForResult } from './lib/host.mjs';
import { SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { CLI } from './lib/programs.mjs';

/** @typedef {import('playwright-core').Page} Page */

const MIB = 2 ** 20;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {string} body @param {Parameters<typeof visitHost>[2]} use @param {import('./lib/harness.mjs').Visitor} [visitor] */
const host = (body, use, visitor) => visitHost(harness, body, use, visitor);

/** Waits until a page has no workers. @param {Page} page */
async function noWorkers(page) {
  for (const end = Date.now() + TIMEOUT; page.workers().length > 0 && Date.now() < end; )
    await pause();
  assert.equal(page.workers().length, 0, 'the workers went with the last element');
}

const set = (/** @type {Page} */ page, /** @type {string} */ name, /** @type {string | null} */ value) =>
  page.evaluate(
    ([key, text]) => {
      const element = document.querySelector('sfc-bench');
      if (text === null) element?.removeAttribute(key);
      else element?.setAttribute(key, text);
    },
    /** @type {[string, string | null]} */ ([name, value]),
  );

describe('what it shows', () => {
  test('its tables are those of the page, cell by cell', async () => {
    const figures = ['fig1a', 'fig2', 'fig3b', 'table3', 'table6'];
    /** @type {(string | null)[]} */
    let wanted = [];
    await harness.visit({}, async ({ page }) => {
      await page.waitForSelector('#live:not([hidden])');
      wanted = await Promise.all(
        figures.map(async (id) => {
          await page.waitForSelector(`[data-figure=${id}] table`, { state: 'attached' });
          return page.textContent(`[data-figure=${id}] table`);
        }),
      );
    });
    const body = figures.map((id) => `<sfc-bench figure="${id}"></sfc-bench>`).join('');
    await host(body, async ({ page }) => {
      for (const [index, text] of wanted.entries()) {
        const element = page.locator('sfc-bench').nth(index);
        await element.scrollIntoViewIfNeeded();
        await element.locator('.as-text table').waitFor({ state: 'attached' });
        assert.ok((text?.length ?? 0) > 100);
        assert.equal(await element.locator('.as-text table').textContent(), text);
      }
    });
  });

  test('its scores are those of the command line', () =>
    host('<sfc-bench k="20" seed="5" profile="sparsity-heavy"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, (result) => result.settings.k === 20);
      const found = await page.evaluate(() => {
        const { scores, settings } = /** @type {any} */ (document.querySelector('sfc-bench')).result;
        return { scores, weights: settings.weights };
      });
      const args = ['curve', '--k', '20', '--model-seed', '5', '--weights', '5,1,1', '--json'];
      const printed = JSON.parse(
        execFileSync(CLI, args, { encoding: 'utf8' }),
      );
      assert.deepEqual(found.weights, [5, 1, 1]);
      assert.deepEqual(found.scores, (printed.main ?? printed.curve ?? printed).points);
    }));

  test('it knows every key of a link, and every name of a figure is drawn', () =>
    host('<sfc-bench hide="caption,verdict"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, () => true);
      const { keys, known, framed, names } = await page.evaluate(async () => {
        const element = await import(new URL('www/element/element-attributes.js', location.href).href);
        const { openCore } = await import(new URL('www/workers/shared-core.js', location.href).href);
        const core = await openCore();
        return {
          keys: core.state_keys().map((/** @type {any} */ row) => row.key),
          known: element.LINK_KEYS,
          framed: element.FRAME_ONLY_KEYS,
          names: core.figure_names('sfc').map((/** @type {any} */ row) => row.name),
        };
      });
      assert.deepEqual(
        known,
        keys.filter((/** @type {string} */ key) => !framed.includes(key)),
      );
      assert.ok(framed.every((/** @type {string} */ key) => keys.includes(key)));
      assert.ok(names.length > 30);
      for (const name of names) {
        await set(page, 'figure', name);
        await page.waitForFunction(
          (wanted) => {
            const element = /** @type {any} */ (document.querySelector('sfc-bench'));
            const canvas = element.shadowRoot.querySelector('canvas');
            return element.figure === wanted && element.changes.length === 0 && canvas?.width > 300;
          },
          name,
        );
      }
    }));

  test('attributes are followed live, and properties mirror them', () =>
    host('<sfc-bench></sfc-bench>', async ({ page }) => {
      await waitForResult(page, ({ settings }) => settings.k === 48);
      await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        element.results = 0;
        element.addEventListener('sfc-bench:result', () => (element.results += 1));
        element.k = 20;
        element.net = 'large';
      });
      await waitForResult(page, ({ settings }) => settings.k === 20 && settings.config === 'large');
      const before = await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        return { k: element.getAttribute('k'), results: element.results, ms: element.result.ms };
      });
      assert.equal(before.k, '20');
      // Both at once were one run.
      await waitForResult(page, (_, element) => element.results === 1);

      await page.evaluate(() => {
        /** @type {any} */ (document.querySelector('sfc-bench')).w = [5, 1, 1];
      });
      await waitForResult(page, ({ settings }) => settings.weights[0] === 5);
      const after = await page.evaluate(
        () => /** @type {any} */ (document.querySelector('sfc-bench')).result.ms,
      );
      assert.equal(after, before.ms, 'other weights need no run');

      await set(page, 'figure', 'table3');
      await page.waitForFunction(() =>
        document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.figure-title')?.textContent?.startsWith('Table 3'),
      );
      await set(page, 'theme', 'dark');
      await page.waitForFunction(() =>
        document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.frame.dark'),
      );
      await set(page, 'k', null);
      await set(page, 'net', null);
      await waitForResult(page, ({ settings }) => settings.k === 48 && settings.config === 'standard');
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).k), null);
    }));

  test('what cannot be followed is said, and the nearest is shown', () =>
    host(
      '<sfc-bench figure="fig99" k="700" profile="odd" theme="blue" hide="nothing" controls="k, knobs" w.="1"></sfc-bench>',
      async ({ page }) => {
        await waitForResult(page, ({ settings }) => settings.k === 64);
        const notes = (await page.textContent('sfc-bench .notes')) ?? '';
        for (const word of ['figure is "fig99"', 'k is "700"', 'profile is "odd"', 'theme is "blue"', 'hide is "nothing"', 'controls is "knobs"'])
          assert.ok(notes.includes(word), `${word}: ${notes}`);
        assert.match((await page.textContent('sfc-bench .figure-title')) ?? '', /Figure 1\(b\)/);
        assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).changes.length), 6);
        for (const name of ['figure', 'k', 'profile', 'theme', 'hide', 'controls']) await set(page, name, null);
        await waitForResult(page, ({ settings }, element) => settings.k === 48 && element.changes.length === 0);
        assert.equal(await page.textContent('sfc-bench .notes'), '');
      },
    ));

  test('a run that is refused keeps the figure and says why', () =>
    host('<sfc-bench></sfc-bench>', async ({ page }) => {
      await waitForResult(page, () => true);
      await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        document.addEventListener('sfc-bench:error', (event) => {
          element.failure = /** @type {CustomEvent} */ (event).detail;
        });
        element.n = 40;
      });
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('sfc-bench')).failure);
      const { code, message, isError } = await page.evaluate(() => {
        const { failure } = /** @type {any} */ (document.querySelector('sfc-bench'));
        return { code: failure.code, message: failure.message, isError: failure instanceof Error };
      });
      assert.ok(isError);
      assert.match(code, /^[a-z]+\.[a-z-]+$/);
      assert.ok(message.length > 20);
      assert.match((await page.textContent('sfc-bench .notes')) ?? '', /last finished run/);
      await set(page, 'n', '300');
      await waitForResult(page, ({ settings }) => settings.samples === 300);
      assert.equal(await page.textContent('sfc-bench .notes'), '');
    }));

  test('a first run that is refused can be mended by the element’s own controls', () =>
    host('<sfc-bench n="40" controls="k"></sfc-bench>', async ({ page }) => {
      const element = page.locator('sfc-bench');
      await element.locator('.failed').waitFor();
      assert.match((await element.locator('.failed').textContent()) ?? '', /rank 40/);
      await element.getByLabel('Dictionary size').fill('40');
      await element.getByLabel('Dictionary size').press('Enter');
      await waitForResult(page, ({ settings }) => settings.samples === 40 && settings.k === 40);
      assert.equal(await element.locator('.failed').count(), 0);
    }));

  test('controls write attributes; what is hidden is not there', () =>
    host('<sfc-bench controls hide="seed, export, title"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, () => true);
      const element = page.locator('sfc-bench');
      assert.equal(await element.locator('.controls label').count(), 4 + 2, 'weights, network and K');
      assert.equal(await element.getByRole('button', { name: /^Export/ }).count(), 0);
      assert.ok(await element.locator('.figure-title').isHidden());
      await element.getByLabel('Dictionary size').fill('20');
      await element.getByLabel('Dictionary size').press('Enter');
      await waitForResult(page, ({ settings }) => settings.k === 20);
      assert.equal(await element.getAttribute('k'), '20');
      await element.getByLabel('Profile').selectOption('fidelity-heavy');
      await waitForResult(page, ({ settings }) => settings.weights[1] === 5);
      assert.equal(await element.getAttribute('profile'), 'fidelity-heavy');
      await element.getByLabel('Sparsity weight').focus();
      await page.keyboard.press('ArrowRight');
      await waitForResult(page, ({ settings }) => Math.abs(settings.weights[0] - 1.1) < 1e-9);
      assert.equal(await element.getAttribute('w'), '1.1,5,1');
      assert.equal(await element.getAttribute('profile'), null);
      await element.getByLabel('Dictionary size').fill('900');
      await element.getByLabel('Dictionary size').press('Enter');
      await waitForResult(page, ({ settings }) => settings.k === 64);
      assert.match((await element.locator('.notes').textContent()) ?? '', /k is "900"/);
    }));

  test('its link opens the page with the same state, which proves itself there', async () => {
    let address = '';
    await host('<sfc-bench figure="fig2" k="20" w="2,1,1" seeds="12"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, ({ settings }) => settings.k === 20);
      address = (await page.locator('sfc-bench a').getAttribute('href')) ?? '';
      assert.ok(address.startsWith(`${harness.url}index.html?v=1&k=20&w=2,1,1&seeds=12&fig=fig2&digest=`), address);
    });
    await harness.visit({ address: address.slice(harness.url.length) }, async ({ page }) => {
      await page.waitForSelector('#verdict-link.agrees');
      assert.equal(await page.inputValue('[name=k]'), '20');
    });
  });

  test('a digest that it is given is held against what it finds', () =>
    host('<sfc-bench digest="kpe33-x6exm-vhqe0"></sfc-bench>', async ({ page }) => {
      await page.waitForSelector('sfc-bench .notes .agrees');
      await set(page, 'w', '5,1,1');
      await page.waitForSelector('sfc-bench .notes .differs');
    }));

  test('figures are read by keys, as text, and saved as files', () =>
    host('<sfc-bench figure="fig1a"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, () => true);
      const element = page.locator('sfc-bench');
      assert.match((await element.locator('canvas').getAttribute('aria-label')) ?? '', /Figure 1\(a\).+\./);
      await element.locator('canvas').focus();
      await page.keyboard.press('ArrowRight');
      await element.locator('.tip').waitFor();
      await element.locator('canvas').click({ position: { x: 200, y: 150 } });
      assert.ok(await element.locator('.tip').isVisible(), 'a click on the canvas is no click beside it');
      await page.locator('h1').click();
      await element.locator('.tip').waitFor({ state: 'hidden' });
      await element.getByRole('button', { name: /^Table:/ }).click();
      assert.ok(await element.locator('.as-text table').isVisible());
      await element.getByRole('button', { name: /^Table:/ }).click();
      await element.getByRole('button', { name: /^Export/ }).click();
      const saved = page.waitForEvent('download');
      await element.getByRole('menuitem', { name: 'CSV file' }).click();
      assert.equal((await saved).suggestedFilename(), 'sfc-bench-fig1a-standard-k48-seed42.csv');
    }));
});

describe('families, and reports of one’s own', () => {
  const BY = '<sfc-bench figure="families" world="nonlinear" completeness="row-space"></sfc-bench>';

  test('a study is drawn as its methods finish, and is the one of the command line', () =>
    host(`${BY}<sfc-bench id="map" figure="fam-map" world="nonlinear" w="1,1,2"></sfc-bench>`, async ({ page }) => {
      // Before all members are there, something is shown of those that are.
      await page.waitForFunction(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        return element.shadowRoot.querySelector('canvas')?.width > 300 && !element.result;
      });
      assert.match((await page.textContent('sfc-bench .foot')) ?? '', /Comparing: \d+ of \d+ members/);
      await page.locator('#map').scrollIntoViewIfNeeded();
      await waitForResult(page, ({ kind }) => kind === 'families');
      await waitForResult(page, ({ weights }) => weights[2] === 2, '#map');
      const [first, second] = await page.evaluate(() =>
        [...document.querySelectorAll('sfc-bench')].map((e) => /** @type {any} */ (e).result),
      );
      const args = ['families', '--preset', 'small', '--world', 'nonlinear', '--completeness', 'row-space', '--json'];
      const printed = execFileSync(CLI, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
      assert.deepEqual(first.report, JSON.parse(printed));
      assert.equal(first.ms, second.ms, 'both readings are of one study');
      assert.deepEqual(second.report.results, first.report.results);
      assert.equal(second.report.config.completeness, 'reconstruction');

      const element = page.locator('sfc-bench').first();
      assert.match((await element.locator('.figure-title').textContent()) ?? '', /Hypervolume/);
      await element.locator('.as-text table').waitFor({ state: 'attached' });
      assert.match((await element.locator('a').getAttribute('href')) ?? '', /index\.html\?v=1&fam=small,world:nonlinear,c:row-space#families$/);
      assert.match((await page.locator('#map a').getAttribute('href')) ?? '', /index\.html\?v=1&w=1,1,2&fam=small,world:nonlinear#families$/);
      const text = await element.locator('.as-text table').textContent();

      assert.match((await element.locator('.warnings summary').textContent()) ?? '', /warnings? about the metric$/);
      assert.ok((await element.locator('.warnings li').count()) >= first.report.warnings.length);

      // Other weights and figures need no worker.
      await page.evaluate(() => {
        const one = /** @type {any} */ (document.querySelector('sfc-bench'));
        one.figure = 'families-score';
        one.w = [9, 1, 1];
      });
      await waitForResult(page, ({ weights }) => weights[0] === 9);
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).result.ms), first.ms);
      await page.waitForFunction(
        (before) => {
          const now = document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.as-text table');
          return now && now.textContent !== before;
        },
        text,
      );
      await element.getByRole('button', { name: /^Export/ }).click();
      assert.equal(await element.getByRole('menuitem', { name: /^All figures/ }).count(), 0);
      const saved = page.waitForEvent('download');
      await element.getByRole('menuitem', { name: 'CSV file' }).click();
      assert.match((await saved).suggestedFilename(), /fam-score.*\.csv$/);

      // And back to a figure of the paper.
      await page.evaluate(() => {
        /** @type {any} */ (document.querySelector('sfc-bench')).figure = 'curves';
      });
      await waitForResult(page, ({ kind, settings }) => kind === 'run' && settings.weights[0] === 9);
      await page.evaluate(() => document.querySelectorAll('sfc-bench').forEach((e) => e.remove()));
      await noWorkers(page);
    }));

  test('a study is as short as its line of a link says, and what else is said goes before it', () =>
    host('<sfc-bench figure="families" fam="small,methods:svd_random,ks:2_99,seeds:0" completeness="row-space"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, ({ kind }) => kind === 'families');
      const { config, methods } = await page.evaluate(
        () => /** @type {any} */ (document.querySelector('sfc-bench')).result.report,
      );
      assert.deepEqual(methods.map((/** @type {any} */ { method }) => method), ['svd', 'random']);
      assert.deepEqual([config.ks, config.seeds, config.completeness], [[2], [0], 'row-space']);
      assert.match((await page.textContent('sfc-bench .notes')) ?? '', /ks is "2_99"/);
    }));

  test('what of a study cannot be followed is said; one that goes is given up', () =>
    host('<sfc-bench figure="families" world="real" preset="huge" completeness="all" controls="k"></sfc-bench>', async ({ page }) => {
      await page.waitForSelector('sfc-bench .notes .changed');
      const notes = (await page.textContent('sfc-bench .notes')) ?? '';
      for (const word of ['world is "real"', 'preset is "huge"', 'completeness is "all"', 'controls is "k"'])
        assert.ok(notes.includes(word), `${word}: ${notes}`);
      assert.match(notes, /allowed: (one of )?paper, superposition, nonlinear/);
      assert.equal(await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).result), null);
      await page.evaluate(() => document.querySelector('sfc-bench')?.remove());
      await noWorkers(page);
    }));

  test('FADE and CE-Bench are those of the toy model, as `of` says', { skip: SKIP_UNLESS_LONG }, () =>
    host(
      '<sfc-bench figure="fade-dose" of="n=60&made=5&cont=4&factors=0,10&open=15"></sfc-bench>' +
        '<sfc-bench id="ce" figure="ce-scores" of="n=6&sae=random256&view=paper&made=3"></sfc-bench>',
      async ({ page }) => {
        await waitForResult(page, ({ kind }) => kind === 'fade');
        const fade = await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).result);
        const of = ['--texts', '60', '--made', '5', '--continuations', '4', '--factors', '0,10'];
        const printed = JSON.parse(execFileSync(CLI, ['fade', ...of, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));
        assert.equal(fade.report.features[15].concept, 'refusal');
        assert.equal(fade.report.features[15].steered.faithfulness, printed.features[15].faithfulness);
        assert.equal(fade.report.features[0].steered, null, 'what is not shown is not steered');
        assert.match((await page.getAttribute('sfc-bench .foot a', 'href')) ?? '', /\/fade\/\?.*open=15/);
        await page.locator('#ce').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ kind }) => kind === 'ce-bench', '#ce');
        assert.match((await page.textContent('#ce .figure-caption')) ?? '', /the abstract’s words/);
        // A key that FADE’s link has, and CE-Bench’s has not.
        const changes = await page.evaluate(() => /** @type {any} */ (document.querySelector('#ce')).changes);
        assert.deepEqual(changes.map((/** @type {{ key: string }} */ { key }) => key), ['of']);
      },
    ));

  /** What an element of the page found. @param {Page} page @param {string} selector */
  const resultOf = (page, selector) =>
    page.evaluate((selector) => /** @type {any} */ (document.querySelector(selector)).result, selector);
  /** @param {string[]} args */
  const printedBy = (...args) =>
    JSON.parse(execFileSync(CLI, [...args, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));

  test('MUI is derived from print without any weights, and is exported', { skip: SKIP_UNLESS_LONG }, () =>
    host('<sfc-bench figure="mui-law" of="set=HumanEval&sae=relu256"></sfc-bench><sfc-bench id="claims" figure="mui-claims"></sfc-bench>', async ({ page }) => {
      const before = harness.server.requests.length;
      await waitForResult(page, ({ kind }) => kind === 'mui');
      const { report, digest } = await resultOf(page, 'sfc-bench');
      assert.deepEqual([report.settings.data_set, report.checkpoints, digest], ['HumanEval', [], null]);
      const element = page.locator('sfc-bench').first();
      assert.match((await element.locator('.figure-title').textContent()) ?? '', /The law on HumanEval/);
      assert.match((await element.locator('.foot a').getAttribute('href')) ?? '', /\/mui\/\?set=HumanEval#mui-law$/);
      assert.match((await element.locator('.notes').textContent()) ?? '', /of: .*sae/);
      await element.getByRole('button', { name: /^Export/ }).click();
      await element.getByRole('menu').waitFor();
      const items = await element.getByRole('menuitem').allTextContents();
      assert.deepEqual(items, ['PNG picture', 'SVG file', 'CSV file', 'JSON file', 'Copy as SVG', 'Copy as CSV']);
      const saving = page.waitForEvent('download');
      await element.getByRole('menuitem', { name: 'CSV file' }).click();
      const saved = await saving;
      assert.match(saved.suggestedFilename(), /^sfc-bench-mui-law.*\.csv$/);
      const text = await readFile(await saved.path(), 'utf8');
      for (const model of ['Vicuna-7B', 'Llama-3.1-8B']) assert.ok(text.includes(model), text);
      // A table is taken away as a table, too.
      const table = page.locator('#claims');
      await table.scrollIntoViewIfNeeded();
      await waitForResult(page, ({ kind }) => kind === 'mui', '#claims');
      await table.getByRole('button', { name: /^Export/ }).click();
      await table.getByRole('menu').waitFor();
      assert.ok((await table.getByRole('menuitem').allTextContents()).includes('LaTeX file'));
      await page.keyboard.press('Escape');
      const asked = harness.server.requests.slice(before).map(({ path }) => path);
      assert.deepEqual(asked.filter((path) => path.endsWith('.safetensors')), []);
      assert.deepEqual(await runAxe(page), []);
    }));

  test('measurement theory is as much of it as a figure shows', { skip: SKIP_UNLESS_LONG }, () =>
    host(
      '<sfc-bench figure="measure-quantities" of="n=8&metric=ex1"></sfc-bench><sfc-bench id="all" figure="measure-planted" of="n=8&seeds=1"></sfc-bench>' +
        '<sfc-bench id="reach" figure="measure-reach" of="metric=m13"></sfc-bench>',
      async ({ page }) => {
        await waitForResult(page, ({ kind }) => kind === 'measurement');
        const { report } = await resultOf(page, 'sfc-bench');
        assert.deepEqual([report.parts.length, report.picture.metric], [0, 'ex1']);
        await page.locator('#all').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ report }) => report.parts.length === 15, '#all');
        const all = await resultOf(page, '#all');
        assert.match(all.digest, /^\w{5}-\w{5}$/);
        assert.match((await page.getAttribute('#all .foot a', 'href')) ?? '', /\/measurement\/\?n=8&seeds=1#measure-all$/);
        await page.locator('#reach').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ kind }) => kind === 'measurement', '#reach');
      },
    ));

  test('the audit is measured for any of its figures, and a report of it is shown without', { skip: SKIP_UNLESS_LONG }, () =>
    host('<sfc-bench figure="audit-table" of="seeds=1&world=superposition"></sfc-bench><sfc-bench id="given" figure="audit-truth"></sfc-bench>', async ({ page }) => {
      await waitForResult(page, ({ kind }) => kind === 'audit');
      const { report, digest } = await resultOf(page, 'sfc-bench');
      assert.deepEqual(report.jobs.map(({ job }) => job), ['superposition-0']);
      assert.match(digest, /^\w{5}-/);
      assert.match((await page.getAttribute('sfc-bench .foot a', 'href')) ?? '', /\/audit\/\?seeds=1&world=superposition#audit-all$/);
      await page.$eval('#given', (element, given) => Object.assign(element, { report: given }), report);
      await page.locator('#given').scrollIntoViewIfNeeded();
      await waitForResult(page, ({ kind }) => kind === 'audit', '#given');
      assert.equal((await resultOf(page, '#given')).digest, digest);
    }));

  test('MUI of the toy model is as much of it as a figure shows, and comes in as it is measured', { skip: SKIP_UNLESS_LONG }, () =>
    host(
      '<sfc-bench figure="mui-tasks" of="n=16&ck=ck-03000"></sfc-bench><sfc-bench id="masking" figure="mui-masking" of="n=16&task=sum"></sfc-bench>' +
        '<sfc-bench id="path" figure="mui-path" of="n=16"></sfc-bench><sfc-bench id="growth" figure="mui-growth" of="n=16"></sfc-bench>',
      async ({ page }) => {
        await page.evaluate(() => {
          const told = /** @type {any} */ (globalThis).told = [];
          const foot = () => document.querySelector('#path')?.shadowRoot?.querySelector('.foot')?.textContent ?? '';
          const look = () => {
            const [words] = /\d+ of \d+ measured so far/.exec(foot()) ?? [];
            if (words && told.at(-1) !== words) told.push(words);
            requestAnimationFrame(look);
          };
          look();
        });
        await waitForResult(page, ({ kind }) => kind === 'mui');
        const { report } = await resultOf(page, 'sfc-bench');
        assert.deepEqual(report.checkpoints.map((/** @type {any} */ { checkpoint }) => checkpoint), ['ck-03000']);
        const { tasks } = printedBy('mui', '--prompts', '16', '--checkpoint', 'ck-03000');
        for (const { task, ...found } of report.checkpoints[0].tasks) assert.deepEqual(found, tasks[task]);

        await page.locator('#masking').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ kind }) => kind === 'mui', '#masking');
        const masked = await resultOf(page, '#masking');
        const printed = printedBy('mui', 'experiment', 'masking', '--prompts', '16', '--task', 'sum');
        assert.deepEqual(masked.report.experiments, printed.experiments);
        const [{ words, found }] = printed.judgements;
        assert.ok(((await page.textContent('#masking .foot')) ?? '').includes(`${words}: ${found}.`));
        assert.match((await page.getAttribute('#masking .foot a', 'href')) ?? '', /\/mui\/\?task=sum&n=16#mui-asked$/);

        await page.locator('#path').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ kind }) => kind === 'mui', '#path');
        const path = await resultOf(page, '#path');
        assert.equal(path.report.checkpoints.length, 13);
        assert.match(path.digest, /^\w{5}-\w{5}$/);
        const told = await page.evaluate(() => /** @type {any} */ (globalThis).told);
        assert.ok(told.length > 0 && told.every((/** @type {string} */ words) => / of 13 measured/.test(words)), String(told));
        await page.locator('#growth').scrollIntoViewIfNeeded();
        await waitForResult(page, ({ report }) => report.growth?.task.length === 16, '#growth');
        await page.evaluate(() => document.querySelectorAll('sfc-bench').forEach((e) => e.remove()));
        await noWorkers(page);
      },
    ));

  test('a training of MUI is not begun in an element; one that is given is shown, and so are a reader’s answers', () =>
    host('<sfc-bench figure="mui-trained-tasks" of="on=task&taught=sum"></sfc-bench>', async ({ page }) => {
      await page.waitForSelector('sfc-bench .notes .elsewhere');
      assert.match((await page.textContent('sfc-bench .notes')) ?? '', /A training .+ is done on the page of the Model Utilization Index\./);
      assert.match((await page.getAttribute('sfc-bench .notes a', 'href')) ?? '', /\/mui\/\?on=task&taught=sum#mui-train$/);
      assert.equal(await resultOf(page, 'sfc-bench'), null);
      const words = ['--prompts', '8', '--begin', 'new', '--lessons', 'task', '--taught', 'request', '--steps', '24', '--layers', '1', '--width', '16'];
      const { settings, trained } = printedBy('mui', 'train', ...words);
      /** @param {any} report @param {string} figure */
      const give = (report, figure) =>
        page.evaluate(
          ([report, figure]) => Object.assign(/** @type {any} */ (document.querySelector('sfc-bench')), { report, figure }),
          [report, figure],
        );
      await give({ settings, trained }, 'mui-trained-tasks');
      await waitForResult(page, ({ kind, report }) => kind === 'mui' && report.trained.length > 0);
      assert.deepEqual((await resultOf(page, 'sfc-bench')).report.trained, trained);
      assert.equal(await page.locator('sfc-bench .notes .elsewhere').count(), 0);
      await page.waitForFunction(() =>
        /request/.test(document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.as-text')?.textContent ?? ''),
      );
      const own = await page.evaluate(async () => {
        const bench = await import(new URL('www/package/package.js', location.href).href);
        const lines = new Blob(['{"neurons": [[0, 3], [1, 7]]}\n{"neurons": [[0, 3], [1, 6]]}\n']);
        const found = await bench.muiOwn({ 'a.jsonl': lines }, { layers: 2, neurons: 8 });
        bench.close();
        return found;
      });
      await give({ own }, 'mui-own-growth');
      await waitForResult(page, ({ report }) => report.own?.files.length === 1);
      await page.waitForFunction(() =>
        /18\.7/.test(document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.as-text')?.textContent ?? ''),
      );
      await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        element.addEventListener('sfc-bench:error', (/** @type {any} */ { detail }) => (element.failure = detail));
        element.report = { sfc: 1 };
      });
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('sfc-bench')).failure);
      const failure = await page.evaluate(() => {
        const { code, field } = /** @type {any} */ (document.querySelector('sfc-bench')).failure;
        return [code, field];
      });
      assert.deepEqual(failure, ['report.malformed', 'sfc']);
    }));

  test('an evaluation is shown under its own weights, or others', () =>
    host('<sfc-bench figure="own-score"></sfc-bench>', async ({ page }) => {
      await page.waitForFunction(() =>
        /once its element has a report/.test(document.querySelector('sfc-bench')?.shadowRoot?.textContent ?? ''),
      );
      await page.evaluate(async () => {
        const bench = await import(new URL('www/package/package.js', location.href).href);
        const activations = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(2 * i), Math.sin(3 * i)]);
        const dictionary = [
          [1, 0, 0],
          [0, 1, 0.5],
        ];
        const { report } = await bench.evaluateMatrices({ activations, dictionary }, { weights: [1, 3, 1] });
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        element.original = report;
        element.heavy = await bench.rescoreEvaluation(report, { weights: [5, 1, 1] });
        element.report = report;
        bench.close();
      });
      await waitForResult(page, ({ kind }, element) => kind === 'own' && element.result.report.sfc === element.original.sfc);
      await page.locator('sfc-bench .as-text table').waitFor({ state: 'attached' });
      assert.match((await page.textContent('sfc-bench .foot')) ?? '', /SFC \d\.\d{3} under 1:3:1/);
      await set(page, 'w', '5,1,1');
      await waitForResult(page, (result, element) => JSON.stringify(result.report) === JSON.stringify(element.heavy));
      await set(page, 'figure', 'own-measures');
      await page.waitForFunction(() =>
        /fraction of variance explained/i.test(document.querySelector('sfc-bench')?.shadowRoot?.querySelector('.as-text table')?.textContent ?? ''),
      );
      await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('sfc-bench'));
        element.addEventListener('sfc-bench:error', (/** @type {any} */ { detail }) => (element.failure = detail));
        element.report = { sfc: 1 };
      });
      await page.waitForFunction(() => /** @type {any} */ (document.querySelector('sfc-bench')).failure);
      assert.equal(
        await page.evaluate(() => /** @type {any} */ (document.querySelector('sfc-bench')).failure.code),
        'report.malformed',
      );
    }));

  test('a page that shows no families loads nothing of them', () =>
    host('<sfc-bench></sfc-bench>', async ({ page }) => {
      const before = harness.server.requests.length;
      await page.reload();
      await waitForResult(page, () => true);
      const asked = harness.server.requests.slice(before).map(({ path }) => path);
      assert.ok(asked.some((path) => path.endsWith('element-view.js')));
      assert.deepEqual(asked.filter((path) => /families|evaluat|train|package|little|mui/.test(path)), []);
    }));
});

describe('what it costs', () => {
  const TEN = Array.from(
    { length: 10 },
    (_, index) => `<sfc-bench k="${index + 10}"></sfc-bench><p style="height: 3000px">…</p>`,
  )
    .join('')
    // The policy allows no inline styles: distance is made of lines.
    .replaceAll(/<p style="[^"]*">…<\/p>/g, `<p>${'…<br>'.repeat(120)}</p>`);

  const finished = (/** @type {Page} */ page) =>
    page.evaluate(
      () => [...document.querySelectorAll('sfc-bench')].filter((e) => /** @type {any} */ (e).result).length,
    );

  test('ten of them share one pool and one core, and work only where somebody looks', () =>
    host(TEN, async ({ page }) => {
      await waitForResult(page, () => true);
      const cores = await page.evaluate(() => navigator.hardwareConcurrency);
      assert.equal(await finished(page), 1, 'the others are far away');
      for (let index = 1; index < 10; index += 1) {
        await page.evaluate((i) => document.querySelectorAll('sfc-bench')[i]?.scrollIntoView(), index);
        await page.waitForFunction(
          (i) => /** @type {any} */ (document.querySelectorAll('sfc-bench')[i]).result,
          index,
        );
        assert.ok(page.workers().length <= Math.max(1, cores - 1), `${page.workers().length} workers`);
      }
      assert.equal(await finished(page), 10);
      const asked = harness.server.requests.filter(({ path }) => path.endsWith('.wasm'));
      const here = asked.slice(-1)[0]?.path ?? '';
      assert.match(here, /sfc_bench_lab_bg\.wasm$/, 'one build of the core');

      await page.evaluate(() => document.querySelectorAll('sfc-bench').forEach((e) => e.remove()));
      await page.waitForFunction(() => document.querySelectorAll('sfc-bench').length === 0);
      await noWorkers(page);
    }));

  test('elements of equal settings are one run', () =>
    host('<sfc-bench></sfc-bench><sfc-bench figure="score" w="5,1,1"></sfc-bench>', async ({ page }) => {
      await page.locator('sfc-bench').nth(1).scrollIntoViewIfNeeded();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('sfc-bench')].every((e) => /** @type {any} */ (e).result),
      );
      const times = await page.evaluate(() =>
        [...document.querySelectorAll('sfc-bench')].map((e) => /** @type {any} */ (e).result.ms),
      );
      assert.equal(times[0], times[1]);
    }));

  test('what is removed is let go: memory comes back, nothing is kept, reinserting works', () =>
    host('<div id="place"></div>', async ({ page, context }) => {
      /** Puts elements in and takes them out again. @param {number} times */
      const cycle = (times) =>
        page.evaluate(async (rounds) => {
          const place = document.querySelector('#place');
          const lab = await import(new URL('www/pkg/sfc_bench_lab.js', location.href).href);
          for (let round = 0; round < rounds; round += 1) {
            const element = document.createElement('sfc-bench');
            element.setAttribute('figure', round % 2 ? 'simplex' : 'curves');
            element.setAttribute('controls', '');
            const shown = new Promise((resolve) =>
              element.addEventListener('sfc-bench:ready', resolve, { once: true }),
            );
            place?.append(element);
            await shown;
            const all = /** @type {any} */ (globalThis);
            (all.removed ??= []).push(new WeakRef(element));
            element.remove();
            await new Promise((resolve) => setTimeout(resolve, 0));
          }
          return (await lab.default()).memory.buffer.byteLength;
        }, times);
      const first = await cycle(3);
      const last = await cycle(40);
      assert.ok(last - first < MIB, `40 elements grew the core from ${first} to ${last} bytes`);
      await noWorkers(page);

      const session = await context.newCDPSession(page);
      const kept = () =>
        page.evaluate(
          () => /** @type {any} */ (globalThis).removed.filter((/** @type {any} */ ref) => ref.deref()).length,
        );
      let left = Infinity;
      for (let tries = 0; tries < 20 && left > 1; tries += 1) {
        await session.send('HeapProfiler.collectGarbage');
        left = await kept();
      }
      assert.ok(left <= 1, `${left} of 43 removed elements are still held`);

      await page.evaluate(() => {
        const element = Object.assign(document.createElement('sfc-bench'), { k: 20 });
        element.id = 'again';
        document.querySelector('#place')?.append(element);
      });
      await waitForResult(page, ({ settings }) => settings.k === 20, '#again');
      await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('#again'));
        element.before = element.shadowRoot.querySelector('canvas');
        // Moved: nothing is begun anew.
        document.querySelector('main')?.append(element);
      });
      await waitForResult(page, (_, element) => element.before === element.shadowRoot.querySelector('canvas'), '#again');
      await page.evaluate(async () => {
        const element = document.querySelector('#again');
        element?.remove();
        await Promise.resolve();
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (/** @type {any} */ (element).result !== null) throw new Error('the result was kept');
        document.querySelector('#place')?.append(/** @type {Element} */ (element));
      });
      await waitForResult(page, ({ settings }) => settings.k === 20, '#again');
    }));

  test('the page itself loads nothing of it', () =>
    harness.visit({}, async ({ page }) => {
      const before = harness.server.requests.length;
      await page.reload();
      await page.waitForSelector('body[data-lab=ready]');
      const asked = harness.server.requests.slice(before).map(({ path }) => path);
      assert.deepEqual(
        asked.filter((path) => /element|shared|package|sfc-bench\.js|api\.js/.test(path)),
        [],
      );
    }));
});

describe('in a page of another origin', () => {
  /** @type {import('node:http').Server[]} */
  const servers = [];
  after(() => servers.forEach((server) => (server.closeAllConnections(), server.close())));

  /** @param {import('node:http').RequestListener} answer @returns {Promise<string>} its origin */
  async function listen(answer) {
    const server = createServer(answer);
    servers.push(server);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
  }

  test('under the policy of a project page it starts its workers and draws', async () => {
    // The package, on a host that lets other origins read it.
    const cdn = await listen(async (request, response) => {
      const found = await fetch(harness.server.origin + request.url);
      response.writeHead(found.status, {
        'Content-Type': found.headers.get('Content-Type') ?? '',
        'Access-Control-Allow-Origin': '*',
      });
      response.end(Buffer.from(await found.arrayBuffer()));
    });
    const base = harness.url.slice(harness.server.origin.length);
    const project = await listen((_, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `default-src 'self'; script-src 'self' ${cdn} 'wasm-unsafe-eval'; connect-src ${cdn}; worker-src blob:; style-src 'self'; img-src data:; object-src 'none'`,
      });
      response.end(`<!doctype html><html lang="en"><title>A project</title><link rel="icon" href="data:,">
        <script type="module" src="${cdn}${base}sfc-bench.js"></script>
        <sfc-bench profile="equal"></sfc-bench></html>`);
    });
    // The page's own checks know one origin only: these are requests that the test makes on purpose.
    const visit = await harness.open({ address: 'www/shell/icons/favicon.svg', expectedErrors: [/favicon\.ico/] });
    const { page } = visit;
    await page.goto(`${project}/`);
    await waitForResult(page, ({ digest }) => digest === 'kpe33-x6exm-vhqe0');
    assert.ok((await page.locator('sfc-bench canvas').boundingBox())?.width);
    assert.ok(page.workers().every((worker) => worker.url().startsWith(`blob:${project}`)));
    assert.ok(page.workers().length >= 1);
    assert.ok((await page.locator('sfc-bench a').getAttribute('href'))?.startsWith(`${cdn}${base}index.html?v=1`));
    const strange = visit.strayRequests.filter((url) => !url.startsWith(cdn) && !url.startsWith(project));
    assert.deepEqual([visit.errors, strange], [[], []]);
    await visit.context.close();
  });
});

describe('the example page', () => {
  for (const visitor of selectMembers([
    { name: 'wide', width: 1440 },
    { name: 'narrow-dark', width: 390, dark: true },
    { name: 'dark', width: 1440, dark: true },
    { name: 'narrow', width: 390 },
  ], 2))
    test(`has no flaws that axe finds, and nothing overflows: ${visitor.name}`, () =>
      harness.visit({ ...visitor, address: 'www/example.html' }, async ({ page }) => {
        const count = await page.locator('sfc-bench').count();
        assert.ok(count >= 4);
        for (let index = 0; index < count; index += 1) {
          await page.locator('sfc-bench').nth(index).scrollIntoViewIfNeeded();
          await page.waitForFunction(
            (i) => /** @type {any} */ (document.querySelectorAll('sfc-bench')[i]).result,
            index,
          );
        }
        await page.waitForFunction(() => /digest [0-9a-z-]{17}/.test(document.querySelector('#heard')?.textContent ?? ''));
        await page.waitForFunction(() => document.querySelector('#own')?.textContent === 'S = 0.75, hypervolume 0.594.');
        assert.deepEqual(await runAxe(page), []);
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(over <= 0, `${over} px too wide`);
        await screenshot(page, `example-${visitor.name}`);
      }));
});
