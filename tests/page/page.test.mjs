// The page as a reader meets it: what it says first, what each control does, and what it does when
// something is missing or goes wrong.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { TIMEOUT, runAxe, areFiguresWritten, screenshot, start, waitUntilSettled } from './lib/harness.mjs';
import { IS_LONG_RUN, SKIP_UNLESS_LONG, selectMembers } from './lib/long.mjs';
import { serveStatic } from './lib/server.mjs';
import { sharePage } from './lib/shared.mjs';

/** @typedef {import('playwright-core').Page} Page */

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

// ---------------------------------------------------------------- what the tests ask of the page

/** Waits until a result is on the page and all its tables are written. @param {Page} page */
async function ready(page) {
  await page.waitForSelector('#live:not([hidden])');
  await page.waitForFunction(areFiguresWritten);
}

/** Notes every run a page asks its workers for. @param {import('playwright-core').BrowserContext} context */
const countRuns = (context) =>
  context.addInitScript(() => {
    globalThis.runs = 0;
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message?.task?.kind === 'run') globalThis.runs += 1;
      return post.call(this, message, ...rest);
    };
  });

/** @param {Page} page @returns {Promise<number>} */
const runs = (page) => page.evaluate(() => globalThis.runs);

/** What a figure's table says, row by row. @param {Page} page @param {string} id */
const tableOf = (page, id) =>
  page.$$eval(`[data-figure=${id}] tbody tr`, (rows) =>
    rows.map((row) =>
      [...row.children].map((cell) => cell.querySelector('.value')?.textContent ?? ''),
    ),
  );

/** What is drawn on a figure's canvas, as one string. @param {Page} page @param {string} id */
const pictureOf = (page, id) =>
  page.$eval(`[data-figure=${id}] canvas`, (canvas) => canvas.toDataURL());

/** @param {Page} page */
const sentence = async (page) =>
  (await page.textContent('.verdict .sentence.waiting')).replace(/\s+/g, ' ').trim();

/** Opens every group of settings. @param {Page} page */
const unfold = (page) =>
  page.$$eval('#settings details', (groups) => {
    for (const group of groups) group.open = true;
  });

/** Waits until the figures belong to a run with these words among its differences. */
const shows = (/** @type {Page} */ page, /** @type {string | RegExp} */ difference) =>
  page.waitForFunction(
    ([source, flags]) =>
      new RegExp(source, flags).test(document.querySelector('#differences')?.textContent ?? ''),
    difference instanceof RegExp
      ? [difference.source, difference.flags]
      : [difference.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), ''],
  );

/** Waits until a figure's table no longer says what it said. */
const changes = (
  /** @type {Page} */ page,
  /** @type {string} */ id,
  /** @type {string[][]} */ former,
) =>
  page.waitForFunction(
    ([figure, old]) => {
      const rows = [...document.querySelectorAll(`[data-figure=${figure}] tbody tr`)].map((row) =>
        [...row.children].map((cell) => cell.querySelector('.value')?.textContent ?? ''),
      );
      return JSON.stringify(rows) !== old;
    },
    [id, JSON.stringify(former)],
  );

/** A page that the tests of a group share. @param {import('./lib/harness.mjs').Visitor} visitor */
const sharing = (visitor) => sharePage(() => harness.open(visitor), ready);

/** Back to the paper's settings. @param {Page} page */
async function toPaper(page) {
  await page.click('#paper-settings');
  await page.waitForSelector('#verdict-differences', { state: 'hidden' });
}

/** A run that takes long enough to be interrupted. @param {Page} page */
async function startLongRun(page) {
  await unfold(page);
  // The longer part first: on a slow machine a run begins before the second is filled in.
  await page.fill('[name=samples]', '200000');
  await page.fill('[name=hidden]', '128');
  await page.waitForSelector('#progress-running:not([hidden])');
}

// ---------------------------------------------------------------------------------- first sight

describe('first sight', () => {
  const on = sharing({});

  test('with no click, the verdict says that every printed cell agrees, and how long it took',
    on(async ({ page }) => {
      assert.match(
        await sentence(page),
        /^92 of 104 printed values agree: all 84 of Tables 3, 4 and 6, 4 of 12 of Table 5, all 4 of Figure 4 and 0 of 4 of the text, computed here in [\d.]+ m?s\.$/,
      );
      assert.equal(await page.getAttribute('#verdict', 'data-outcome'), 'agrees');
      assert.ok(await page.isHidden('#printed'), 'the printed tables give way to the live ones');
    }));

  test('all twelve figures are drawn, at the density of the screen', () =>
    harness.visit({ scale: 2, width: 900 }, async ({ page }) => {
      await ready(page);
      for (const figure of await page.$$('.live [data-figure]:not(.lab [data-figure])')) {
        await figure.scrollIntoViewIfNeeded();
        const canvas = await figure.$('canvas');
        await page.waitForFunction(
          (canvas) => canvas.width === Math.round(canvas.clientWidth * devicePixelRatio),
          canvas,
        );
        const painted = await canvas.evaluate((canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((value, index) => index % 4 === 3 && value > 0).length;
        });
        assert.ok(painted > 500, `${await figure.getAttribute('data-figure')} has ink`);
        assert.ok((await canvas.getAttribute('aria-label')).length > 40, 'and a description');
      }
    }));

  test('live Tables 3, 4 and 6 say to the last digit what the paper prints',
    on(async ({ page }) => {
      const printed = await page.$$eval('#printed table', (tables) =>
        tables.map((table) => [
          table.caption.textContent.slice(0, 7),
          [...table.tBodies[0].rows].map((row) =>
            [...row.cells].slice(1).map((cell) => cell.textContent),
          ),
        ]),
      );
      for (const [name, rows] of printed) {
        if (name === 'Table 5') continue;
        const live = await tableOf(page, name.toLowerCase().replace(' ', ''));
        assert.equal(live.length, rows.length, name);
        rows.forEach((row, index) => {
          const ours = live[index].slice(1);
          for (const value of row)
            assert.ok(ours.includes(value), `${name}, row ${index + 1}: ${value} in ${ours}`);
        });
      }
    }));

  test('cells that agree and cells that do not are told apart by sign and by word',
    on(async ({ page }) => {
      const marks = (id, status) =>
        page.$$eval(`[data-figure=${id}] td.${status}`, (cells) =>
          cells.map((cell) => cell.textContent),
        );
      const agreeing = await marks('table3', 'agrees');
      assert.equal(agreeing.length, 40);
      for (const text of agreeing) assert.match(text, /✓ .* agrees with the paper/);
      const differing = await marks('table5', 'differs');
      assert.ok(differing.length >= 6, `${differing.length} hypervolumes differ`);
      for (const text of differing) assert.match(text, /✗ .* differs: paper prints 0\.\d{3}/);
    }));

  test('what the page claims is said of the run that is shown', () =>
    harness.visit({ address: '?k=24' }, async ({ page }) => {
      await ready(page);
      const claims = (/** @type {string} */ words) => page.waitForFunction((said) => document.querySelector('#finding').textContent === said, words);
      await claims('With these settings sparsity S is set by λ itself, completeness C does not change with λ, and ground-truth completeness CGT (0.442) is more than two standard deviations above chance (0.375, SD 0.028). So along λ at most one measurement enters the score: fidelity.');
      await page.click('#verdict-return');
      await claims('All 84 values of Tables 3, 4 and 6 reproduce. But sparsity S is set by λ itself, completeness C does not change with λ, and ground-truth completeness CGT (0.790) is within two standard deviations of chance (0.750, SD 0.025). So along λ at most one measurement enters the score: fidelity.');
    }));

  test('the wasm is compiled once, and its worker gets it from the page',
    on(async ({ page }) => {
      const entries = await page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.endsWith('/sfc_bench_bg.wasm')).length,
      );
      assert.equal(entries, 1);
    }));

  test('the headings step down one level at a time, and the skip link leads to the results',
    on(async ({ page }) => {
      const levels = await page.$$eval('h1, h2, h3, h4', (all) =>
        all.filter((heading) => heading.checkVisibility()).map(({ tagName }) => Number(tagName[1])),
      );
      assert.equal(levels[0], 1);
      levels.reduce((former, level) => {
        assert.ok(level <= former + 1);
        return level;
      });
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
    }));
});

// -------------------------------------------------------------------------------------- controls

describe('weights', () => {
  const on = sharing({ before: countRuns });

  test('a slider scores everything anew and runs nothing', on(async ({ page }) => {
    const before = await runs(page);
    const former = await tableOf(page, 'table3');
    const picture = await pictureOf(page, 'fig1b');
    const untouched = await pictureOf(page, 'fig1a');
    await page.focus('#weight-s');
    for (let i = 0; i < 20; i += 1) await page.keyboard.press('ArrowRight');
    assert.equal(await page.inputValue('#weight-s-number'), '3');
    await changes(page, 'table3', former);
    assert.notEqual(await pictureOf(page, 'fig1b'), picture, 'the score is another');
    assert.equal(await pictureOf(page, 'fig1a'), untouched, 'S, F and C are not');
    assert.equal(await runs(page), before, 'nothing was run');
    assert.equal(before, 1);
  }));

  test('each profile sets its weights and shows that it is chosen',
    on(async ({ page }) => {
      const buttons = await page.$$('#profiles button');
      assert.equal(buttons.length, 7);
      const winners = new Set();
      for (const button of buttons) {
        await button.click();
        // A picture is drawn with a later frame than its button is pressed.
        await waitUntilSettled(page);
        assert.equal(await button.getAttribute('aria-pressed'), 'true');
        assert.equal((await page.$$('#profiles [aria-pressed=true]')).length, 1);
        const ratio = (await button.textContent()).match(/[\d.]+/g);
        const held = await page.$$eval('.weight input[type=number]', (inputs) =>
          inputs.map(({ value }) => value),
        );
        assert.deepEqual(held, ratio);
        winners.add(await pictureOf(page, 'fig1b'));
      }
      assert.equal(winners.size, 7, 'seven profiles, seven curves');
    }));

  test('a weight can be typed beyond the slider; what is not a weight is refused beside it',
    on(async ({ page }) => {
      await page.fill('#weight-f-number', '25');
      await page.waitForFunction(() => document.querySelector('#weights-error').hidden);
      await waitUntilSettled(page);
      assert.equal(await page.inputValue('#weight-f'), '10', 'the slider goes as far as it can');
      const good = await pictureOf(page, 'fig1b');
      for (const bad of ['-1', '']) {
        await page.fill('#weight-f-number', bad);
        await page.waitForSelector('#weights-error:not([hidden])');
        assert.match(await page.textContent('#weights-error'), /Allowed: /);
        assert.equal(await page.getAttribute('#weight-f-number', 'aria-invalid'), 'true');
        assert.equal(await pictureOf(page, 'fig1b'), good, 'the figures stay');
      }
      for (const axis of 'sfc') await page.fill(`#weight-${axis}-number`, '0');
      await page.waitForSelector('#weights-error:not([hidden])');
      await page.fill('#weight-c-number', '1');
      await page.waitForSelector('#weights-error', { state: 'hidden' });
    }));
});

describe('settings', () => {
  const on = sharing({ before: countRuns });
  beforeEach(on(async ({ page }) => {
    await toPaper(page);
    await unfold(page);
  }));

  /** Every control of a run, a value for it, what is then said of it, and the column it moves. */
  const CASES = [
    { name: 'config', value: 'large', says: 'Network standard → large', column: 2 },
    { name: 'levels', value: '0, 0.25 0.5; 0.75', says: '→ 0, 0.25, 0.5, 0.75', column: 0 },
    { name: 'centred', value: true, says: 'Centre the activations first off → on', column: 2 },
    { name: 'fidelity', value: 'r2', says: 'Fidelity is Cosine → R²', column: 2 },
    { name: 'inputs', value: '20', says: 'Inputs 16 → 20', column: 2 },
    { name: 'hidden', value: '72', says: 'Hidden units 64 → 72', column: 2 },
    { name: 'outputs', value: '6', says: 'Outputs 4 → 6', column: 3 },
    { name: 'circuit', value: '12', says: 'Circuit units 8 → 12', column: 3 },
    { name: 'weight_scale', value: '0.7', says: 'Weight scale 0.3 → 0.7', column: 2 },
    { name: 'bias_scale', value: '0.4', says: 'Bias scale 0.1 → 0.4', column: 2 },
    { name: 'noise', value: '0.5', says: 'Noise 0 → 0.5', column: 2 },
    { name: 'model_seed', value: '7', says: 'Model seed 42 → 7', column: 2 },
    { name: 'data_seed', value: '4294967295', says: 'Data seed 1 → 4294967295', column: 2 },
    { name: 'completeness_seed', value: '3', says: 'Completeness seed 42 → 3', column: 3 },
    { name: 'samples', value: '300', says: 'Samples 2000 → 300', column: 2 },
    { name: 'k', value: '20', says: 'Dictionary size 48 → 20', column: 2 },
    { name: 'completeness', value: 'total', says: 'The paper’s → Textbook', column: 3 },
    { name: 'fidelity', value: 'rel-mse', says: 'Fidelity is Cosine → Relative error', column: 2 },
  ];

  test('every control changes what it should, and “Paper settings” returns',
    on(async ({ page }) => {
      const paper = await tableOf(page, 'table3');
      for (const { name, value, says, column } of selectMembers(CASES, 3)) {
        const control = page.locator(`[name=${name}]`).first();
        if (name === 'config') await control.selectOption(value);
        else if (value === true) await control.check();
        else if (await page.locator(`[name=${name}][type=radio]`).count())
          await page.check(`[name=${name}][value=${value}]`);
        else await control.fill(value);
        await shows(page, says);
        await changes(page, 'table3', paper);
        const ours = await tableOf(page, 'table3');
        assert.notDeepEqual(
          ours.map((row) => row[column]),
          paper.map((row) => row[column]),
          `${name} moves column ${column}`,
        );
        assert.equal(
          await page.getAttribute('#verdict', 'data-outcome'),
          'changed',
          `${name}: not the paper`,
        );
        assert.doesNotMatch(await sentence(page), /^92 of 104.* agree: /);

        await page.click('#paper-settings');
        await page.waitForSelector('#verdict-differences', { state: 'hidden' });
        await changes(page, 'table3', ours);
        assert.deepEqual(await tableOf(page, 'table3'), paper, `back from ${name}`);
      }
      assert.match(await sentence(page), /^92 of 104/);
    }));

  test('“New” draws another seed and runs it',
    on(async ({ page }) => {
      for (const seed of ['Model seed', 'Data seed', 'Completeness seed']) {
        await page.getByRole('button', { name: `New ${seed.toLowerCase()}` }).click();
        await shows(page, new RegExp(`${seed} \\d+ → \\d+`));
      }
    }));

  test('a preset fills in its sizes; other sizes make it custom; a preset’s sizes make it that preset',
    on(async ({ page }) => {
      await page.selectOption('[name=config]', 'large');
      assert.equal(await page.inputValue('[name=inputs]'), '32');
      assert.equal(await page.inputValue('[name=hidden]'), '128');
      await page.fill('[name=circuit]', '17');
      assert.equal(await page.inputValue('[name=config]'), 'custom');
      await page.fill('[name=circuit]', '16');
      assert.equal(await page.inputValue('[name=config]'), 'large');
      await shows(page, 'Network standard → large');
    }));

  test('the return in the verdict, and “Compute again”', on(async ({ page }) => {
    await page.fill('[name=k]', '20');
    await shows(page, 'Dictionary size 48 → 20');
    await page.click('#verdict-return');
    await page.waitForSelector('#verdict-differences', { state: 'hidden' });
    assert.equal(await page.inputValue('[name=k]'), '48');
    const before = await runs(page);
    await page.click('#again');
    await page.waitForFunction((count) => globalThis.runs > count, before);
    await page.waitForFunction(() =>
      /92 of 104/.test(document.querySelector('#announcer').textContent),
    );
    assert.match(await sentence(page), /^92 of 104/);
  }));

  test('a value changed and changed back runs nothing', on(async ({ page }) => {
    const before = await runs(page);
    // Both at once: on a busy machine two strokes may lie further apart than the page waits for more.
    await page.$eval('[name=k]', (field) => {
      for (const value of ['20', '48']) {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    });
    await page.waitForTimeout(800);
    assert.equal(await runs(page), before);
  }));
});

describe('bad input', () => {
  const BAD = [
    ['samples', '1', /Invalid value: 1\. Allowed: a whole number from 2 to 200/],
    ['circuit', '65', /Allowed: .*64/],
    ['noise', '-0.1', /Allowed: /],
    ['levels', '0, half', /Allowed: /],
    ['levels', '', /Allowed: /],
    ['samples', '', /Allowed: a whole number/],
    ['samples', '10.5', /Allowed: a whole number/],
    ['hidden', '5000', /Allowed: .*1,?024/],
    ['k', '0', /Allowed: .*1 to 64/],
    ['k', '65', /Allowed: .*1 to 64/],
    ['model_seed', '4294967296', /Allowed: .*4,?294,?967,?295/],
    ['model_seed', '-1', /Allowed: /],
    ['levels', '0, 1', /Allowed: /],
  ];

  const on = sharing({ before: countRuns });
  beforeEach(on(async ({ page }) => {
    await toPaper(page);
    await unfold(page);
  }));

  test('is refused beside its field with what is allowed, and the last good figures stay', on(async ({ page }) => {
    const picture = await pictureOf(page, 'fig1a');
    const table = await tableOf(page, 'table3');
    const good = await page.$$eval('#settings input:not([type=radio], [type=checkbox])', (inputs) =>
      Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
    );
    for (const [name, value, says] of selectMembers(BAD, 3)) {
      await page.fill(`[name=${name}]`, value);
      const error = page.locator(`#set-${name}-error`);
      await error.waitFor({ state: 'visible' });
      assert.match(await error.textContent(), says, `${name} = “${value}”`);
      assert.equal(await page.getAttribute(`[name=${name}]`, 'aria-invalid'), 'true');
      assert.match(
        await page.getAttribute(`[name=${name}]`, 'aria-describedby'),
        new RegExp(`set-${name}-error`),
      );
      assert.ok(await page.isVisible('#kept'));
      await page.fill(`[name=${name}]`, good[name]);
      await error.waitFor({ state: 'hidden' });
    }
    assert.equal(await pictureOf(page, 'fig1a'), picture);
    assert.deepEqual(await tableOf(page, 'table3'), table);
    assert.match(await sentence(page), /^92 of 104/);
    assert.equal(await runs(page), 1, 'nothing bad was run');
  }));

  test('a request over the memory cap is refused beside the samples',
    on(async ({ page }) => {
      await page.fill('[name=hidden]', '1024');
      await page.fill('[name=samples]', '200000');
      await page.waitForSelector('#set-samples-error:not([hidden])');
      assert.match(await page.textContent('#set-samples-error'), /MiB/);
      assert.match(await sentence(page), /^92 of 104/);
    }));

  test('an error in a folded group unfolds it',
    on(async ({ page }) => {
      await page.fill('[name=circuit]', '65');
      await page.waitForSelector('#set-circuit-error:not([hidden])');
      await page.$$eval('#settings details', (groups) =>
        groups.forEach((group) => (group.open = false)),
      );
      assert.ok(await page.isHidden('#set-circuit-error'));
      await page.fill('[name=k]', '40');
      await page.waitForFunction(() => document.querySelector('#set-circuit-error').checkVisibility());
    }));
});

// ------------------------------------------------------------------------------------------ runs

describe('runs', () => {
  const on = sharing({});

  test('a long run shows its stage; Cancel stops it and keeps the last good figures', on(async ({ page }) => {
    const picture = await pictureOf(page, 'fig1a');
    const table = await tableOf(page, 'table3');
    await startLongRun(page);
    await page.waitForFunction(
      () => document.querySelector('#progress-stage').textContent.length > 0,
    );
    await page.click('#cancel');
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(await page.textContent('#notice-text'), /^Cancelled\. .*last finished run/);
    assert.ok(await page.isHidden('#progress-running'));
    assert.match(await page.textContent('#announcer'), /^Cancelled/);
    await page.waitForFunction(() => document.activeElement?.id === 'notice-close');
    await page.waitForTimeout(500);
    assert.equal(await pictureOf(page, 'fig1a'), picture);
    assert.deepEqual(await tableOf(page, 'table3'), table);
    assert.match(await sentence(page), /^92 of 104/);

    // The next run has a new worker.
    await page.click('#notice-close');
    await page.fill('[name=hidden]', '64');
    await page.fill('[name=samples]', '500');
    await shows(page, 'Samples 2000 → 500');
    assert.ok(await page.isHidden('#progress'));
  }));

  test('a newer run gives up an older one at once', on(async ({ page }) => {
    await toPaper(page);
    await startLongRun(page);
    const start = Date.now();
    await page.fill('[name=samples]', '400');
    await shows(page, 'Samples 2000 → 400');
    assert.match(await page.textContent('#differences'), /Hidden units 64 → 128/);
    await page.waitForSelector('#progress', { state: 'hidden' });
    assert.ok(Date.now() - start < TIMEOUT / 2);
  }));

  test('a result that comes too late never overwrites a newer one', async () => {
    // Workers that nobody can end: the old run finishes, and its answer arrives.
    const endless = () => {
      globalThis.late = 0;
      Worker.prototype.terminate = function () {
        this.addEventListener('message', ({ data }) => {
          if (data.type === 'done') globalThis.late += 1;
        });
      };
    };
    const visit = await harness.open({ before: (context) => context.addInitScript(endless) });
    const { page } = visit;
    await ready(page);
    await unfold(page);
    // Longer than typing rests, however fast the machine is.
    await startLongRun(page);
    await page.fill('[name=samples]', '400');
    await shows(page, 'Samples 2000 → 400');
    await page.waitForFunction(() => globalThis.late > 0);
    await page.waitForTimeout(200);
    assert.match(await page.textContent('#differences'), /Samples 2000 → 400/);
    await visit.close();
  });

  test('a weight moved during a run holds for its result', () =>
    harness.visit({}, async ({ page }) => {
      await ready(page);
      const equal = await tableOf(page, 'table3');
      await page.click('#profiles button:nth-child(2)');
      await changes(page, 'table3', equal);
      const heavy = await tableOf(page, 'table3');
      await page.click('#profiles button:nth-child(1)');
      await changes(page, 'table3', heavy);
      assert.deepEqual(await tableOf(page, 'table3'), equal);

      await page.click('#again');
      await page.click('#profiles button:nth-child(2)');
      await page.waitForFunction(() =>
        /anew/.test(document.querySelector('#announcer').textContent),
      );
      await changes(page, 'table3', equal);
      assert.deepEqual(await tableOf(page, 'table3'), heavy);
    }));

  test('a worker that breaks is replaced; where the next one breaks too, the page says so', async () => {
    // The page hears of a trap in the middle of its second run, and when that is tried again.
    const trap = () => {
      let count = 0;
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message?.task?.kind === 'run' && [2, 3].includes(++count)) {
          this.dispatchEvent(new ErrorEvent('error', { message: 'unreachable' }));
          return undefined;
        }
        return post.call(this, message, ...rest);
      };
    };
    const visit = await harness.open({ before: (context) => context.addInitScript(trap) });
    const { page } = visit;
    await ready(page);
    const picture = await pictureOf(page, 'fig1a');
    await unfold(page);
    await page.fill('[name=k]', '20');
    await page.waitForSelector('#notice:not([hidden])');
    assert.match(
      await page.textContent('#notice-text'),
      /broke off.*unreachable.*last finished run/,
    );
    assert.equal(await pictureOf(page, 'fig1a'), picture);
    await page.click('#again');
    await shows(page, 'Dictionary size 48 → 20');
    assert.ok(await page.isHidden('#notice'));
    await visit.close();
  });
});

// --------------------------------------------------------------------------------------- reading

describe('reading values', () => {
  const on = sharing({ width: 1100 });

  /** Moves the pointer over a canvas until something is read out: what, and where, in one look. */
  async function hover(/** @type {Page} */ page, /** @type {string} */ id) {
    const canvas = page.locator(`[data-figure=${id}] canvas`);
    await canvas.scrollIntoViewIfNeeded();
    const { width, height } = await canvas.boundingBox();
    for (let x = 0.2; x < 0.95; x += 0.05) {
      for (let y = 0.1; y < 0.9; y += 0.05) {
        // A table's text lies over its picture: what counts is where one points.
        await canvas.hover({ position: { x: width * x, y: height * y }, force: true });
        const found = await page.evaluate((id) => {
          const [tip, stage] = ['.tip', '.stage'].map((part) => document.querySelector(`[data-figure=${id}] ${part}`));
          if (!tip?.checkVisibility() || !stage) return null;
          const across = (/** @type {Element} */ part) => {
            const { left, right } = part.getBoundingClientRect();
            return { left, right };
          };
          return { text: tip.textContent ?? '', tip: across(tip), stage: across(stage) };
        }, id);
        if (found) return found;
      }
    }
    return assert.fail(`nothing is read out on ${id}`);
  }

  test('the pointer reads a value off every figure, inside the figure',
    on(async ({ page }) => {
      for (const id of [
        'fig1a',
        'fig1b',
        'fig2',
        'fig3a',
        'fig3b',
        'fig4a',
        'fig4b',
        'fig5',
        'table3',
        'table6',
      ]) {
        const { text, tip, stage } = await hover(page, id);
        assert.match(text, /\d\.\d{2,}|\d/);
        assert.ok(tip.left >= stage.left - 1 && tip.right <= stage.right + 1, `${id}: within its width`);
      }
      await page.mouse.move(1, 1);
      assert.equal(await page.locator('.tip:visible').count(), 0);
    }));

  test('arrow keys walk the values and a polite voice says them; Escape ends it',
    on(async ({ page }) => {
      await page.locator('[data-figure=fig1a] .export > button').focus();
      await page.keyboard.press('Tab');
      await page.waitForSelector('[data-figure=fig1a] .tip:not([hidden])');
      const heard = new Set([await page.textContent('#announcer')]);
      for (let i = 0; i < 7; i += 1) {
        await page.keyboard.press('ArrowRight');
        heard.add(await page.textContent('#announcer'));
      }
      assert.equal(heard.size, 8, 'eight levels, eight readings');
      for (const text of heard) assert.match(text, /\d/);
      assert.equal(await page.getAttribute('#announcer', 'aria-live'), 'polite');
      await page.keyboard.press('Escape');
      assert.ok(await page.isHidden('[data-figure=fig1a] .tip'));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Tab');
      assert.ok(await page.isHidden('[data-figure=fig1a] .tip'), 'and so does leaving');
    }));

  test('“Table” swaps picture and table',
    on(async ({ page }) => {
      for (const id of ['fig1a', 'table3', 'table5']) {
        const toggle = page.locator(`[data-figure=${id}] button[aria-pressed]`);
        await toggle.click();
        assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
        assert.ok(await page.isHidden(`[data-figure=${id}] canvas`));
        // The table may just be written anew: it is looked for until it is there.
        await page.waitForFunction((id) => {
          const table = document.querySelector(`[data-figure=${id}] table`);
          return table && table.clientWidth > 200 && table.clientHeight > 100;
        }, id);
        assert.equal(await page.locator(`[data-figure=${id}] caption`).count(), 1);
        assert.equal(await page.locator(`[data-figure=${id}] th:not([scope])`).count(), 0);
        const over = await page.evaluate((id) => {
          const place = document.querySelector(`[data-figure=${id}] .as-text`);
          return place.scrollWidth - place.clientWidth;
        }, id);
        assert.ok(over <= 0, `${id}: ${over} pixels of the table are cut off`);
      }
      // As text, too, a table follows the weights.
      const former = await tableOf(page, 'table3');
      await page.click('#profiles button:nth-child(3)');
      await changes(page, 'table3', former);
      await page.locator('[data-figure=table3] button[aria-pressed]').click();
      assert.ok(await page.isVisible('[data-figure=table3] canvas'));
    }));
});

describe('on a phone', () => {
  const on = sharing({ width: 390, height: 844, touch: true });

  test('a touch reads a value, and a touch elsewhere ends it',
    on(async ({ page }) => {
      const canvas = page.locator('[data-figure=fig5] canvas');
      await canvas.scrollIntoViewIfNeeded();
      const { width, height } = await canvas.boundingBox();
      await canvas.tap({ position: { x: width * 0.6, y: height * 0.5 } });
      await page.waitForSelector('[data-figure=fig5] .tip:not([hidden])');
      await page.locator('#weights-decide').tap();
      await page.waitForSelector('[data-figure=fig5] .tip', { state: 'hidden' });
    }));

  test('what can be pressed is at least 24 pixels high and wide',
    on(async ({ page }) => {
      await unfold(page);
      const small = await page.$$eval('button, select, input, summary', (all) =>
        all
          .map((control) => {
            // A radio or checkbox is pressed by its label.
            const target = control.closest('label') ?? control;
            const { width, height } = target.getBoundingClientRect();
            return { what: control.id || control.name || control.textContent, width, height };
          })
          .filter(({ width, height }) => width > 0 && (width < 23.5 || height < 23.5)),
      );
      assert.deepEqual(
        small.filter(({ what }) => what !== 'set-centred'),
        [],
      );
    }));
});

// ---------------------------------------------------------------------------------- appearance

describe('appearance', () => {
  test('the theme follows the system until it is chosen, and the choice is remembered', () =>
    harness.visit({ dark: true }, async ({ page }) => {
      await ready(page);
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await background();
      const darkPicture = await pictureOf(page, 'fig1a');
      await page.check('#theme [value=light]');
      await page.waitForFunction(
        (old) => getComputedStyle(document.body).backgroundColor !== old,
        dark,
      );
      await page.waitForFunction(
        (old) => document.querySelector('[data-figure=fig1a] canvas').toDataURL() !== old,
        darkPicture,
      );
      assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
      await page.reload();
      await ready(page);
      assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
      assert.ok(await page.isChecked('#theme [value=light]'));
      await page.check('#theme [value=system]');
      assert.equal(await background(), dark);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.waitForFunction(
        (old) => getComputedStyle(document.body).backgroundColor !== old,
        dark,
      );
    }));

  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [390, 844],
    [320, 640],
  ]) {
    for (const dark of [false, true]) {
      // Wide and light; the others are for the long run. Of a phone by night, and of the narrowest, a11y has more.
      if (!IS_LONG_RUN && (dark || width !== 1440)) continue;
      test(`at ${width} px, ${dark ? 'dark' : 'light'}: nothing overflows and axe finds nothing serious`, () =>
        harness.visit(
          { width, height, dark, reducedMotion: true, scale: width < 500 ? 2 : 1 },
          async ({ page }) => {
            await ready(page);
            await page.$$eval('details', (all) => all.forEach((details) => (details.open = true)));
            await page.locator('[data-figure=table3] button[aria-pressed]').click();
            const overflow = () =>
              page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok((await overflow()) <= 0, 'no sideways scrolling');
            // The default run looks once, at all that there is, with everything open.
            if (IS_LONG_RUN) {
              assert.deepEqual(await runAxe(page), []);
              await page.locator('[data-figure=table3] button[aria-pressed]').click();
              await page.$$eval('details:not(.apart, .all)', (all) => all.forEach((details) => (details.open = false)));
            }
            // Everything that shows when somebody comes to it.
            await page.waitForSelector('body[data-lab=ready]');
            await page.locator('#ensemble').scrollIntoViewIfNeeded();
            // A page on a slow machine waits to be asked.
            await page.$eval('#ensemble-form', (form) => form.requestSubmit());
            await page.waitForFunction(() => /^\d+ networks/.test(document.querySelector('#ensemble-status').textContent));
            await page.waitForSelector('#ensemble-result', { state: 'visible' });
            for (const figure of await page.$$('figure:visible'))
              await figure.scrollIntoViewIfNeeded();
            assert.ok((await overflow()) <= 0, 'no sideways scrolling with all there is');
            assert.deepEqual(await runAxe(page), []);
            await page.evaluate(() => scrollTo(0, 0));
            if (width !== 768 && width !== 320) {
              await screenshot(page, `page-${width}-${dark ? 'dark' : 'light'}`);
            }
          },
        ));
    }
  }

  test('text enlarged to 200 % does not overflow a desk or a phone', { skip: SKIP_UNLESS_LONG }, async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ]) {
      await harness.visit({ width: width / 2, height: height / 2, scale: 2 }, async ({ page }) => {
        await ready(page);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        assert.ok(overflow <= (width === 390 ? 130 : 0), `${width} px at 200 %`);
      });
    }
  });
});

// ------------------------------------------------------------------------- what may be missing

describe('without', () => {
  /** The paper's tables are there to be read, and the page says what it lacks. */
  async function showsPrinted(/** @type {Page} */ page, /** @type {RegExp} */ reason) {
    await page.waitForFunction(
      ([source]) => new RegExp(source).test(document.querySelector('#verdict').textContent),
      [reason.source],
    );
    await page.waitForSelector('#printed', { state: 'visible' });
    assert.ok(await page.isHidden('#live'));
    const text = await page.locator('#printed').innerText();
    for (const value of ['0.905', '0.951', '0.748', '0.954', 'SAE-sp95'])
      assert.ok(text.includes(value), value);
    assert.equal(await page.locator('#printed table').count(), 4);
    assert.deepEqual(
      await page.locator('button:visible').count(),
      0,
      'no control that would do nothing',
    );
  }

  test('JavaScript: the printed tables, and what the page needs', () =>
    harness.visit({ javaScript: false }, async ({ page }) => {
      await page.waitForTimeout(700);
      assert.match(await page.locator('#verdict').innerText(), /needs JavaScript and WebAssembly/);
      assert.doesNotMatch(await page.locator('#verdict').innerText(), /Computing|waiting/);
      assert.ok(await page.locator('#printed').isVisible());
      assert.match(await page.locator('#printed').innerText(), /0\.905/);
      assert.ok(await page.locator('#live').isHidden());
    }));

  test('WebAssembly', () =>
    harness.visit({ webAssembly: false }, async ({ page }) => {
      await showsPrinted(page, /no WebAssembly/);
      assert.deepEqual(await runAxe(page), []);
    }));

  test('wasm SIMD', async () => {
    const plain = await start({ browserArgs: ['--js-flags=--no-enable-sse4-1'] });
    try {
      await plain.visit({}, ({ page }) => showsPrinted(page, /not its SIMD/));
    } finally {
      await plain.close();
    }
  });

  /** Nothing is computed, and says why; the controls are there, and a way on. @param {Page} page @param {RegExp} why */
  async function showsWayOn(page, why) {
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('#verdict').textContent),
      why.source,
    );
    await page.waitForSelector('#go-on');
  }

  test('patience: a first run that is cancelled can be begun again', async () => {
    // A worker that never answers.
    const deaf = () => {
      const post = Worker.prototype.postMessage;
      globalThis.deaf = true;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (!globalThis.deaf || message.type !== 'task') post.call(this, message, ...rest);
      };
    };
    const visit = await harness.open({ before: (context) => context.addInitScript(deaf) });
    await visit.page.click('#cancel');
    await showsWayOn(visit.page, /Nothing has been computed yet[^]*cancelled/);
    await visit.page.evaluate(() => (globalThis.deaf = false));
    await visit.page.click('#go-on');
    await ready(visit.page);
    await visit.close();
  });

  test('the worker’s code, until it is there again', async () => {
    const visit = await harness.open({
      expectedErrors: [/Failed to load resource/, /net::ERR/, /404/, /dynamically imported module/],
      before: (context) => context.route('**/worker.js', (route) => route.fulfill({ status: 404 })),
    });
    const { page, context } = visit;
    await showsWayOn(page, /Nothing has been computed yet[^]*broke off/);
    await context.unroute('**/worker.js');
    await page.click('#go-on');
    await ready(page);
    await visit.close();
  });

  for (const [what, pattern] of [
    ['the wasm file', '**/*.wasm'],
    ['the wasm’s glue', '**/pkg/sfc_bench.js'],
  ]) {
    test(what, async () => {
      const visit = await harness.open({
        expectedErrors: [/Failed to load resource/, /net::ERR/, /404/],
        before: (context) => context.route(pattern, (route) => route.fulfill({ status: 404 })),
      });
      await showsPrinted(visit.page, /Nothing could be computed here[^]*Reload/);
      await visit.close();
    });
  }

  for (const type of ['application/octet-stream', 'application/wasm; charset=utf-8'])
    test(`the right MIME type for wasm: ${type}`, async () => {
      const host = await serveStatic(DIST, { types: { '.wasm': type } });
      try {
        await harness.visit({ base: host.url }, async ({ page }) => {
          await ready(page);
          assert.match(await sentence(page), /^92 of 104/);
        });
      } finally {
        await host.close();
      }
    });

  test('streaming compilation', () =>
    harness.visit(
      {
        before: (context) =>
          context.addInitScript(() => {
            WebAssembly.compileStreaming = () => Promise.reject(new TypeError('no streaming'));
          }),
      },
      async ({ page }) => {
        await ready(page);
        assert.match(await sentence(page), /^92 of 104/);
      },
    ));

  test('storage', async () => {
    const forbidden = () => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    };
    const visit = await harness.open({ before: (context) => context.addInitScript(forbidden) });
    await ready(visit.page);
    await visit.page.check('#theme [value=dark]');
    assert.equal(await visit.page.getAttribute('html', 'data-theme'), 'dark');
    await visit.close();
  });
});

test('the page’s own policy lets in no inline script and no other origin', () =>
  harness.visit({ expectedErrors: [/Content Security Policy/] }, async ({ page }) => {
    await ready(page);
    const outcome = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.head.append(script);
      const reached = await fetch('data:text/plain,x').then(
        () => true,
        () => false,
      );
      return { intruder: globalThis.intruder === true, reached };
    });
    assert.deepEqual(outcome, { intruder: false, reached: false });
  }));
