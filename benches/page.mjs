// How the page feels: time from a cold navigation to the figures drawn and where it goes, long tasks after it, and a
// scripted drag of a weight; and how every page does on a processor that is four times slower.
//
//   cargo xtask bench page [--rounds N]

import { start } from '../tests/page/lib/harness.mjs';
import { feel } from './lib/feel.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);

const sorted = (values) => [...values].sort((a, b) => a - b);
const at = (values, share) => sorted(values)[Math.round(share * (values.length - 1))];
const show = (values, digits = 1) =>
  `${at(values, 0.5).toFixed(digits)} (${at(values, 0.25).toFixed(digits)}–${at(values, 0.75).toFixed(digits)})`;

const harness = await start();
const load = [];
const draw = [];
const frames = [];
/** Of each load, when what had happened, in ms. */
const steps = [];
let long = 0;
for (let round = 0; round < rounds; round += 1) {
  // A context of its own: nothing is cached, neither bytes nor compiled code.
  const probes = () => {
    const seen = {};
    const see = (/** @type {string} */ what) => (seen[what] ??= performance.now());
    const Plain = window.Worker;
    window.Worker = class extends Plain {
      constructor(...args) {
        super(...args);
        see('the page’s code runs, its worker is started');
        this.addEventListener('message', ({ data }) => {
          if (data.type === 'alive') see('the worker is heard');
          if (data.type === 'progress') see('the run has begun');
          if (data.type === 'done') see('the run is done');
        });
      }
    };
    Object.assign(window, { seen });
  };
  await harness.visit({ width: 1280, before: (context) => context.addInitScript(probes) }, async ({ page }) => {
    await page.waitForFunction(() => performance.getEntriesByName('sfc-bench:drawn').length > 0);
    load.push(
      await page.evaluate(() => performance.getEntriesByName('sfc-bench:drawn')[0].startTime),
    );
    steps.push(
      await page.evaluate(() => {
        const [paint] = performance.getEntriesByName('first-contentful-paint');
        const fetched = performance.getEntriesByType('resource').find((entry) => entry.name.endsWith('.wasm'));
        return {
          'the core’s bytes are there': fetched?.responseEnd ?? Number.NaN,
          'first paint': paint?.startTime ?? Number.NaN,
          .../** @type {any} */ (window).seen,
          'figures are drawn': performance.getEntriesByName('sfc-bench:drawn')[0].startTime,
        };
      }),
    );
    await page.waitForTimeout(500);
    const measured = await page.evaluate(async () => {
      const longs = [];
      new PerformanceObserver((list) => longs.push(...list.getEntries())).observe({
        type: 'longtask',
      });
      const frame = () => new Promise(requestAnimationFrame);
      const slider = document.querySelector('#weight-s');
      const [low, high] = [Number(slider.min), Number(slider.max)];
      const work = [];
      const between = [];
      let last = await frame();
      for (let i = 0; i < 90; i += 1) {
        const began = performance.now();
        slider.value = String(low + ((high - low) * (i % 45)) / 45);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        // The page draws in its own frame callback, asked for before this one: after it, the
        // time since the change is the whole of what the change cost this thread.
        const handled = performance.now() - began;
        const asked = performance.now();
        const now = await new Promise((resolve) =>
          requestAnimationFrame((time) => resolve({ time, end: performance.now() })),
        );
        work.push(handled + Math.max(0, now.end - Math.max(now.time, asked)));
        between.push(now.time - last);
        last = now.time;
      }
      return { work, between: between.slice(1), longs: longs.length };
    });
    draw.push(at(measured.work, 0.5));
    frames.push(at(measured.between, 0.5));
    long += measured.longs;
  });
}
/** Every page, in the order of the navigation. */
const PAGES = ['', 'compare/', 'synth/', 'own/', 'train/', 'model/', 'metrics/', 'fade/', 'ce-bench/', 'mui/', 'measurement/', 'audit/', 'method/', 'gallery/'];
/** @type {string[]} */
const rows = [];
for (const address of PAGES) {
  const found = [];
  for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) found.push(await feel(harness, address, size));
  const cells = found.flatMap(({ shift, longest, over }) => [shift.toFixed(3), `${longest.toFixed(0)} (${over})`]);
  rows.push(`| ${address.replace('/', '') || 'SFC-Score'} | ${cells.join(' | ')} |`);
}
await harness.close();
console.log(`The page, ${rounds} cold loads; median (quartiles), ms.\n`);
console.log('| | ms |');
console.log('|---|---|');
console.log(`| navigation to figures drawn | ${show(load, 0)} |`);
console.log(`| a weight moved: work on the main thread | ${show(draw)} |`);
console.log(`| a weight moved: frame to frame | ${show(frames)} |`);
console.log(`| tasks over 50 ms during ${rounds} drags | ${long} |`);
console.log('\nWhen, after the navigation began:\n');
console.log('| | ms |');
console.log('|---|---|');
for (const step of Object.keys(steps[0])) console.log(`| ${step} | ${show(steps.map((all) => all[step]), 0)} |`);

console.log('\nAt a quarter of the speed: layout shift; the longest task after the first figure, ms (how many over 100 ms):\n');
console.log('| | shift, 1440 px | longest task | shift, 390 px | longest task |');
console.log('|---|---|---|---|---|');
for (const row of rows) console.log(row);
