// The pictures of the page for home screens and docks: each is the favicon, drawn by a browser. With
// UPDATE_ICONS=1 they are drawn anew.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import { start } from './lib/harness.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ICONS = join(ROOT, 'www', 'shell', 'icons');

/** What of a maskable icon every system shows: a circle of this part of its width. */
const SAFE = 0.8;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/**
 * The favicon in pixels; a maskable one fills its square, and keeps its drawing where no mask cuts.
 *
 * @param {number} size @param {boolean} maskable
 */
async function drawn(size, maskable) {
  const svg = await readFile(join(ROOT, 'www', 'shell', 'icons', 'favicon.svg'), 'utf8');
  return harness.visit({ width: size, height: size }, async ({ context }) => {
    const page = await context.newPage();
    const url = await page.evaluate(
      async ({ svg, size, maskable, safe }) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [size, size];
        const brush = canvas.getContext('2d');
        let inner = size;
        if (maskable) {
          const ground = new DOMParser()
            .parseFromString(svg, 'image/svg+xml')
            .querySelector('rect');
          brush.fillStyle = ground.getAttribute('fill');
          brush.fillRect(0, 0, size, size);
          inner = size * safe;
        }
        brush.drawImage(image, (size - inner) / 2, (size - inner) / 2, inner, inner);
        return canvas.toDataURL('image/png');
      },
      { svg, size, maskable, safe: SAFE },
    );
    return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  });
}

test('the manifest’s icons are there, of the sizes it says, and are the favicon', async () => {
  const manifest = JSON.parse(await readFile(join(ROOT, 'manifest.webmanifest'), 'utf8'));
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png');
  assert.deepEqual(
    pictures.map(({ sizes, purpose }) => [sizes, purpose]),
    [
      ['192x192', undefined],
      ['512x512', undefined],
      ['512x512', 'maskable'],
    ],
  );
  for (const { src, sizes, purpose } of pictures) {
    const size = Number(sizes.split('x')[0]);
    const bytes = await drawn(size, purpose === 'maskable');
    if (process.env.UPDATE_ICONS) {
      await mkdir(ICONS, { recursive: true });
      await writeFile(join(ROOT, src), bytes);
    }
    const [ours, kept] = [bytes, await readFile(join(ROOT, src))].map((data) => PNG.sync.read(data));
    assert.deepEqual([kept.width, kept.height], [size, size], src);
    // Edges are smoothed a little differently from one version of the browser to the next.
    const others = pixelmatch(ours.data, kept.data, undefined, size, size, { threshold: 0.1 });
    assert.ok(others < size, `${src} differs from the favicon in ${others} pixels`);
    // The corner of the favicon is round; a maskable one has no corner of its own.
    assert.equal(kept.data[3], purpose === 'maskable' ? 255 : 0, `${src}: its corner`);
  }
});
