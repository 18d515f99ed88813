// Packed files in the page: adding one reads its header, and what a run took is given back after it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

import { start } from './lib/harness.mjs';

const MIB = 2 ** 20;
/** What each file unpacks to, about. */
const UNPACKED = 256 * MIB;
/** A worker that has only looked at headers holds less. */
const HEADERS = 64 * MIB;

/** @type {import('./lib/harness.mjs').Harness} */
let harness;
before(async () => {
  harness = await start();
});
after(() => harness?.close());

/** @param {Buffer} bytes */
function crc32(bytes) {
  const table = Int32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k += 1) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
  });
  let crc = -1;
  for (let i = 0; i < bytes.length; i += 1) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

/** An archive of one deflated array of 64 columns. @param {number} size about that many bytes of it */
function packed(size) {
  const rows = Math.floor(size / 256);
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 64), }`;
  const header = Buffer.alloc(128, ' ');
  header.write('\x93NUMPY\x01\x00', 0, 'latin1');
  header.writeUInt16LE(118, 8);
  header.write(dictionary, 10, 'latin1');
  header.write('\n', 127, 'latin1');
  const array = Buffer.alloc(128 + rows * 256);
  header.copy(array);
  // Not all the same: a constant has no score.
  for (let row = 0; row < rows; row += 1) array.writeFloatLE(1 + (row % 7), 128 + row * 256 + 4 * (row % 64));
  const deflated = deflateRawSync(array, { level: 1 });
  const name = Buffer.from('x.npy');
  const sizes = Buffer.alloc(16);
  sizes.writeUInt32LE(crc32(array), 0);
  sizes.writeUInt32LE(deflated.length, 4);
  sizes.writeUInt32LE(array.length, 8);
  sizes.writeUInt16LE(name.length, 12);
  const fixed = Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, sizes, name, deflated]);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(0, 10);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fixed, sizes, place, name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

test('three packed files that are only added take no memory for what is in them', async () => {
  const bytes = packed(UNPACKED);
  assert.ok(bytes.length < 8 * MIB, `${bytes.length} bytes`);
  const visit = await harness.open({
    address: 'own/',
    before: (context) =>
      context.addInitScript(() => {
        globalThis.workerMemory = [];
        const Plain = Worker;
        globalThis.Worker = class extends Plain {
          constructor(...how) {
            super(...how);
            this.addEventListener('message', ({ data }) => {
              if (data.memory) globalThis.workerMemory.push(data.memory);
            });
          }
        };
      }),
  });
  const { page } = visit;
  await page.waitForSelector('.view[data-state=ready]');
  for (const name of ['a', 'b', 'c']) {
    await page.locator('#own input[type=file]').first().setInputFiles({ name: `${name}.npz`, mimeType: 'application/zip', buffer: bytes });
    await page.waitForFunction((file) => document.querySelector('#own').textContent.includes(file), `${name}.npz`);
  }
  await page.waitForFunction(() => globalThis.workerMemory.length >= 3);
  const memory = await page.evaluate(() => globalThis.workerMemory);
  assert.ok(Math.max(...memory) < HEADERS, `${memory.map((one) => Math.round(one / MIB))} MiB`);
  await visit.close();
});

test('a stored array whose bytes are not those of its checksum has no report', async () => {
  const golden = (/** @type {string} */ name) => readFile(fileURLToPath(new URL(`../golden/evaluate/${name}`, import.meta.url)));
  const archive = await golden('acts_stored.npz');
  const dictionary = await golden('dictionary_few.npy');
  // The lowest bit of some number in the middle: nothing but the checksum can tell.
  archive[(archive.length >> 1) & ~3] ^= 1;
  await harness.visit({ address: 'own/' }, async ({ page }) => {
    await page.waitForSelector('.view[data-state=ready]');
    await page.setInputFiles('#own-files', [
      { name: 'acts.npz', mimeType: 'application/zip', buffer: archive },
      { name: 'dictionary.npy', mimeType: 'application/octet-stream', buffer: dictionary },
    ]);
    await page.waitForSelector('#own-start:not([disabled])');
    await page.click('#own-start');
    await page.waitForFunction(() => /checksum/.test(document.querySelector('#own').textContent));
    assert.equal(await page.locator('#own-save:visible').count(), 0);
    assert.equal(await page.locator('#own figure:visible').count(), 0);
  });
});
