// Takes the README's picture anew, from the built page: `node tests/page/readme-picture.mjs`.

import { fileURLToPath } from 'node:url';

import { start } from './lib/harness.mjs';

const PICTURE = fileURLToPath(new URL('../../docs/screenshot.png', import.meta.url));

const harness = await start();
try {
  await harness.visit({ width: 1440, height: 1000, reducedMotion: true }, async ({ page }) => {
    await page.waitForSelector('body[data-lab=ready]');
    await page.waitForSelector('#verdict[data-outcome=agrees]');
    // Drawn, and nothing under way any more.
    for (const id of ['fig1a', 'fig1b']) {
      await page.waitForFunction(
        (figure) =>
          /\./.test(document.querySelector(`[data-figure=${figure}] canvas`).getAttribute('aria-label')),
        id,
      );
    }
    await page.waitForSelector('#progress', { state: 'hidden' });
    await page.screenshot({ path: PICTURE });
  });
} finally {
  await harness.close();
}
