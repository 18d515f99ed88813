// How a page feels to a reader whose processor is four times slower: how far what stands on it is moved about while it
// comes, and how long the main thread's longest task is once the first figure is drawn.

/** Times slower than this machine. */
const SLOWER = 4;
/** A page on which nothing has changed for so long, in ms, has come. */
const STILL = 2_500;
/** Or after so long, in ms: what is computed unasked may take minutes. */
const PATIENCE = 30_000;
/** A task longer than this, in ms, is felt. */
const LONG = 100;
/** The page's own mark, and one for pages that draw no figure unasked. */
const [DRAWN, READY] = ['sfc-bench:drawn', 'bench:ready'];

/** Notes what is moved, from before the page's own code on. */
function watch() {
  const seen = { shift: 0, /** @type {string[]} */ moved: [] };
  const name = (/** @type {Element | null} */ one) => (one ? `${one.tagName.toLowerCase()}${one.id && `#${one.id}`}` : '');
  new PerformanceObserver((list) => {
    for (const entry of /** @type {any[]} */ (list.getEntries())) {
      if (entry.hadRecentInput) continue;
      seen.shift += entry.value;
      const from = entry.sources.map((/** @type {any} */ { node }) => name(node instanceof Element ? node : node?.parentElement));
      seen.moved.push(`${entry.value.toFixed(4)} after ${Math.round(entry.startTime)} ms: ${from.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(globalThis, { feel: seen });
}

/** Until nothing changes any more. @param {import('playwright-core').Page} page */
async function still(page) {
  const began = Date.now();
  let [last, since] = ['', began];
  while (Date.now() - since < STILL && Date.now() - began < PATIENCE) {
    const now = await page.evaluate(() => `${document.body.innerText} ${document.documentElement.scrollHeight}`);
    if (now !== last) [last, since] = [now, Date.now()];
    await page.waitForTimeout(250);
  }
}

/**
 * Tasks of the page's main thread after its first figure, in ms of its processor's time, which others on a busy machine do
 * not add to.
 *
 * @param {Buffer} trace
 */
function tasksOf(trace) {
  /** @type {{ traceEvents: { name: string, ph: string, pid: number, tid: number, ts: number, tdur?: number }[] }} */
  const { traceEvents } = JSON.parse(trace.toString());
  const mark = traceEvents.find(({ name }) => name === DRAWN) ?? traceEvents.find(({ name }) => name === READY);
  if (!mark) throw new Error('the trace does not say when the page was there');
  return traceEvents
    .filter(({ name, ph, pid, tid, ts }) => ph === 'X' && /RunTask$/.test(name) && pid === mark.pid && tid === mark.tid && ts > mark.ts)
    .map(({ tdur = 0 }) => tdur / 1000);
}

/**
 * Opens a page as a reader finds it, waits until it has come, and scrolls it to its end.
 *
 * @param {import('../../tests/page/lib/harness.mjs').Harness} harness
 * @param {string} address
 * @param {import('../../tests/page/lib/harness.mjs').Visitor} [visitor]
 * @returns {Promise<{ shift: number, longest: number, over: number, moved: string[] }>} layout shift, the longest task in
 *   ms, how many were over 100 ms, and what was moved
 */
export async function feel(harness, address, visitor = {}) {
  const before = async (/** @type {import('playwright-core').BrowserContext} */ context) => {
    await context.addInitScript(watch);
    context.on('page', async (page) => {
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      await context.browser()?.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
    });
  };
  return harness.visit({ unasked: true, folded: true, address, ...visitor, before }, async ({ page, context }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await page.evaluate((mark) => performance.mark(mark), READY);
    await still(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 300) {
      await page.evaluate((to) => scrollTo(0, to), y);
      await page.waitForTimeout(100);
    }
    await still(page);
    const { shift, moved } = await page.evaluate(() => /** @type {any} */ (globalThis).feel);
    const browser = context.browser();
    if (!browser) throw new Error('the browser is gone');
    const tasks = tasksOf(await browser.stopTracing());
    return { shift, moved, longest: Math.max(0, ...tasks), over: tasks.filter((ms) => ms > LONG).length };
  });
}
