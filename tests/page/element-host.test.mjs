// <sfc-bench> and the page that it is in: its direction and its text styles, its printer, its widths, its documents.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { start } from './lib/harness.mjs';
import { visitHost, waitForResult } from './lib/host.mjs';
import { serveStatic } from './lib/server.mjs';

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {string} body @param {Parameters<typeof visitHost>[2]} use @param {import('./lib/harness.mjs').Visitor} [visitor] */
const host = (body, use, visitor) => visitHost(harness, body, use, visitor);

/** The pixels of the first element's figure, as a picture. @param {import('playwright-core').Page} page @returns {Promise<string>} */
const pixels = (page) =>
  page.evaluate(() => document.querySelector('sfc-bench')?.shadowRoot?.querySelector('canvas')?.toDataURL() ?? '');

test('the page’s direction and text styles stay outside', async () => {
  const seen = (/** @type {boolean} */ odd) =>
    host('<sfc-bench figure="levels" controls></sfc-bench>', async ({ page }) => {
      if (odd)
        await page.evaluate(() => {
          document.documentElement.dir = 'rtl';
          Object.assign(document.body.style, {
            letterSpacing: '10px',
            wordSpacing: '20px',
            textTransform: 'uppercase',
            whiteSpace: 'nowrap',
            textIndent: '50px',
            textShadow: '0 0 2px red',
            cursor: 'wait',
          });
        });
      // Its table is written last.
      await page.locator('sfc-bench th').first().waitFor({ state: 'attached' });
      found.push([
        await pixels(page),
        await page.evaluate(() => {
          const root = document.querySelector('sfc-bench')?.shadowRoot;
          return ['.figure-title', '.foot', '.controls label', 'th'].map((selector) => {
            const one = root?.querySelector(selector);
            if (!one) throw new Error(`no ${selector}`);
            const { x, width, height } = one.getBoundingClientRect();
            const { direction, letterSpacing, textTransform, whiteSpace, cursor } = getComputedStyle(one);
            return [selector, x, width, height, direction, letterSpacing, textTransform, whiteSpace, cursor];
          });
        }),
      ]);
    });
  /** @type {unknown[]} */
  const found = [];
  await seen(false);
  await seen(true);
  assert.deepEqual(found[1], found[0]);
});

describe('on paper', () => {
  const MUCH = '<br>'.repeat(300);
  const FAR = `<sfc-bench figure="curves" theme="dark"></sfc-bench>${MUCH}<sfc-bench id="far" figure="score" k="20"></sfc-bench>`;

  test('it is light, also what nobody has scrolled to, and dark again afterwards', () =>
    host(
      FAR,
      async ({ page }) => {
        await page.locator('sfc-bench .as-text table').first().waitFor({ state: 'attached' });
        const look = () =>
          page.evaluate(() =>
            [...document.querySelectorAll('sfc-bench')].map(({ shadowRoot }) => {
              const canvas = shadowRoot?.querySelector('canvas');
              const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
              // The ink of a light figure, which no dark one has.
              let ink = 0;
              for (let i = 0; i < data.length; i += 4) if (data[i] === 28 && data[i + 1] === 33 && data[i + 2] === 38) ink += 1;
              const frame = shadowRoot?.firstElementChild;
              return {
                frame: frame && getComputedStyle(frame).backgroundColor,
                letters: ink > 0 ? 'dark' : 'bright',
                density: canvas && canvas.width / canvas.clientWidth > 2.5,
              };
            }),
          );
        const dark = { frame: 'rgb(20, 24, 28)', letters: 'bright', density: false };
        const light = { frame: 'rgb(255, 255, 255)', letters: 'dark', density: true };
        assert.deepEqual((await look())[0], dark);
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        assert.deepEqual(await look(), [light, light]);
        assert.equal(await page.evaluate(() => document.querySelector('#far')?.shadowRoot?.querySelector('.waiting')), null);
        await page.evaluate(() => dispatchEvent(new Event('afterprint')));
        assert.deepEqual(await look(), [dark, dark]);
        await waitForResult(page, ({ settings }) => settings.k === 20, '#far');
      },
      { dark: true },
    ));

  test('what is of another study is there the next time', () =>
    host(`${MUCH}<sfc-bench figure="mui-law"></sfc-bench>`, async ({ page }) => {
      await page.waitForFunction(() => customElements.get('sfc-bench'));
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await waitForResult(page, ({ kind }) => kind === 'mui');
    }));
});

test('where it is too narrow for a chart it says so, once, and draws again when it is wider', () =>
  host('<div id="place"><sfc-bench figure="curves" hide="caption"></sfc-bench></div>', async ({ page }) => {
    await waitForResult(page, () => true);
    await page.evaluate(() => {
      const all = /** @type {any} */ (globalThis);
      all.failures = [];
      document.addEventListener('sfc-bench:error', ({ detail }) => all.failures.push([detail instanceof Error, detail.code]));
    });
    /** @param {number} width @param {boolean} drawn */
    const at = async (width, drawn) => {
      await page.evaluate((px) => ((/** @type {HTMLElement} */ (document.querySelector('#place'))).style.width = `${px}px`), width);
      await page.waitForFunction(
        (wanted) => {
          const root = document.querySelector('sfc-bench')?.shadowRoot;
          return root?.querySelector('canvas')?.checkVisibility() === wanted && root?.querySelector('.narrow')?.checkVisibility() !== wanted;
        },
        drawn,
      );
    };
    for (const width of [140, 100, 60]) await at(width, false);
    assert.match((await page.textContent('sfc-bench .narrow')) ?? '', /at least 120 × 60 pixels/);
    await at(600, true);
    await at(90, false);
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).failures), [
      [true, 'figure.draw'],
      [true, 'figure.draw'],
    ]);
  }));

test('moved to another document it keeps its styles and its figure', () =>
  host('<iframe title="Another" src="other.html"></iframe><sfc-bench figure="curves"></sfc-bench>', async ({ page }) => {
    await waitForResult(page, () => true);
    const looks = await page.evaluate(() => {
      const element = /** @type {any} */ (document.querySelector('sfc-bench'));
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe'));
      const look = () => {
        const style = element.ownerDocument.defaultView.getComputedStyle(element.shadowRoot.querySelector('.frame'));
        return [style.backgroundColor, style.borderTopLeftRadius, style.paddingLeft, element.shadowRoot.querySelectorAll('canvas').length];
      };
      const before = look();
      frame.contentDocument?.body.append(element);
      const there = look();
      document.querySelector('main')?.append(element);
      return [before, there, look()];
    });
    assert.equal(looks[0]?.[1], '10px');
    assert.deepEqual(looks[1], looks[0]);
    assert.deepEqual(looks[2], looks[0]);
  }, {
    // The page's policy lets in no frames but for this.
    before: (context) =>
      context.route('**/other.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Another</title><body>' })),
  }));

describe('a content security policy, of a page of another origin', () => {
  /** The package, on a host that lets other origins read it. @type {import('./lib/server.mjs').Server} */
  let cdn;
  /** The other page, under the policy that its address says. @type {import('node:http').Server} */
  let project;
  before(async () => {
    cdn = await serveStatic(fileURLToPath(new URL('../../dist', import.meta.url)), { headers: { 'Access-Control-Allow-Origin': '*' } });
    project = createServer((request, response) => {
      const policy = new URL(request.url ?? '/', 'http://host').searchParams.get('policy') ?? '';
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
      response.end(`<!doctype html><html lang="en"><title>A project</title><link rel="icon" href="data:,">
        <script type="module" src="${cdn.url}sfc-bench.js"></script><sfc-bench k="20"></sfc-bench></html>`);
    });
    await new Promise((resolve) => project.listen(0, '127.0.0.1', () => resolve(undefined)));
  });
  after(async () => {
    await cdn?.close();
    project?.closeAllConnections();
    project?.close();
  });

  /** What the element says under a policy; empty where it draws. @param {string} policy */
  async function said(policy) {
    // The page's own checks know one origin only: these are requests that the test makes on purpose.
    const { page, context } = await harness.open({ address: 'www/shell/icons/favicon.svg', expectedErrors: [/./] });
    const { port } = /** @type {import('node:net').AddressInfo} */ (project.address());
    await page.goto(`http://127.0.0.1:${port}/?policy=${encodeURIComponent(policy)}`);
    // Asked from here: the policy lets nobody make functions of text.
    const failed = await page.waitForSelector('sfc-bench :is(.failed, canvas)').then((one) => one.textContent());
    await context.close();
    return failed ?? '';
  }

  const needs = () => [`script-src ${cdn.origin} 'wasm-unsafe-eval'`, `connect-src ${cdn.origin}`, 'worker-src blob:'];
  const policy = (/** @type {string[]} */ ...directives) => ["default-src 'none'", 'img-src data:', ...directives].join('; ');

  test('what it says it needs is enough, trusted types included', async () => {
    assert.equal(await said(policy(...needs())), '');
    assert.equal(await said(policy(...needs(), "require-trusted-types-for 'script'", 'trusted-types sfc-bench')), '');
  });

  test('where a directive is missing, it is named', async () => {
    const [scripts = '', connections = '', workers = ''] = needs();
    for (const [directives, named] of /** @type {[string[], string][]} */ ([
      [[scripts.replace(" 'wasm-unsafe-eval'", ''), connections, workers], "script-src must allow 'wasm-unsafe-eval'"],
      [[scripts, workers], `connect-src must allow ${cdn.origin}`],
      [[scripts, connections, "worker-src 'self'"], 'worker-src must allow blob:'],
      [[...needs(), "require-trusted-types-for 'script'", 'trusted-types other'], 'trusted-types must allow sfc-bench'],
    ])) {
      const words = await said(policy(...directives));
      assert.ok(words.includes(named), `${directives.join('; ')}: ${words}`);
    }
  });
});

test('elements that nobody sees hold no pixels, keep their place, and are drawn when they come again', () =>
  host('<sfc-bench figure="curves"></sfc-bench>'.repeat(24), async ({ page }) => {
    const found = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('sfc-bench')].map((one) => {
          const canvas = one.shadowRoot.querySelector('canvas');
          const { top, bottom } = one.getBoundingClientRect();
          return { pixels: canvas ? canvas.width * canvas.height : 0, height: one.offsetHeight, seen: bottom > 0 && top < innerHeight };
        }),
      );
    const until = async (/** @type {(all: Awaited<ReturnType<typeof found>>) => boolean} */ holds) => {
      for (const end = Date.now() + 60_000; Date.now() < end; ) {
        const all = await found();
        if (holds(all)) return all;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`never: ${JSON.stringify(await found())}`);
    };
    const drawn = (/** @type {Awaited<ReturnType<typeof found>>} */ all) => all.every(({ pixels, seen }) => !seen || pixels > 0);
    for (let at = 0; at < 24; at += 1) {
      await page.evaluate((nth) => document.querySelectorAll('sfc-bench')[nth].scrollIntoView(), at);
      await until((all) => all[at].pixels > 0);
    }
    const there = await until((all) => drawn(all) && all.filter(({ pixels }) => pixels > 0).length <= 8);
    assert.equal(new Set(there.map(({ height }) => height)).size, 1);
    await page.evaluate(() => scrollTo(0, 0));
    await until((all) => drawn(all) && all[0].pixels > 0 && all[23].pixels === 0);
  }));
