// A model at an address: which address is meant, how often its bytes are asked for, and what an index may name. A host
// of this file's own stands in for the network.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseAddress, openRemoteModel } from '../../www/workers/tasks/remote-model.js';

const MIB = 1 << 20;

/**
 * Has files answer for a host.
 *
 * @param {Record<string, Uint8Array>} files by their paths
 * @param {{ length?: boolean, head?: number }} [how] whether ranges say how much there is; the status of what HEAD gets
 */
function host(files, { length = true, head = 200 } = {}) {
  /** What was asked for by ranges, in bytes. */
  const asked = { bytes: 0, requests: 0 };
  /** @param {string | URL} address */
  const at = (address) => files[new URL(address).pathname];
  /** @param {string} address @param {{ method?: string, headers?: Record<string, string> }} [options] */
  async function answer(address, { method, headers } = {}) {
    const bytes = at(address);
    if (!bytes) return new Response(null, { status: 404 });
    if (method === 'HEAD') return new Response(null, { status: head, headers: { 'Content-Length': '7' } });
    if (!headers) return new Response(bytes.slice());
    return new Response(bytes.slice(0, 1), { status: 206, headers: length ? { 'Content-Range': `bytes 0-0/${bytes.length}` } : {} });
  }
  class Request {
    status = 0;
    response = new ArrayBuffer(0);
    #address = '';
    #range = '';
    /** @param {string} _method @param {string} address */
    open(_method, address) {
      this.#address = address;
    }
    /** @param {string} _name @param {string} value */
    setRequestHeader(_name, value) {
      this.#range = value;
    }
    send() {
      const [, from, until] = /bytes=(\d+)-(\d+)/.exec(this.#range) ?? [];
      this.response = (at(this.#address) ?? new Uint8Array()).slice(Number(from), Number(until) + 1).buffer;
      this.status = 206;
      asked.requests += 1;
      asked.bytes += this.response.byteLength;
    }
  }
  class Reader {
    /** @param {Blob & { bytes?: Uint8Array }} _part */
    readAsArrayBuffer(_part) {
      return new ArrayBuffer(0);
    }
  }
  Object.assign(globalThis, { fetch: answer, XMLHttpRequest: Request, FileReaderSync: Reader });
  return asked;
}

test('an address means what its page shows, and needs no scheme', () => {
  const base = 'https://huggingface.co/a/b/resolve';
  for (const [typed, meant] of [
    ['huggingface.co/a/b', `${base}/main`],
    ['https://huggingface.co/a/b/', `${base}/main`],
    ['https://huggingface.co/a/b/tree/main', `${base}/main`],
    ['https://huggingface.co/a/b/tree/v1/small', `${base}/v1/small`],
    ['https://huggingface.co/a/b/blob/main/c.Q4_0.gguf?download=true', `${base}/main/c.Q4_0.gguf`],
    ['hf.co/a/b/resolve/main/c.gguf', `${base}/main/c.gguf`],
    ['https://huggingface.co/docs', 'https://huggingface.co/docs'],
    ['http://127.0.0.1:8000/m/c.gguf', 'http://127.0.0.1:8000/m/c.gguf'],
    ['example.org/blob/main', 'https://example.org/blob/main'],
  ]) {
    assert.equal(parseAddress(typed ?? '').href, meant, typed);
  }
  assert.throws(() => parseAddress('ftp://example.org/m.gguf'), /allowed: http and https/);
  assert.throws(() => parseAddress('a b.gguf'), /allowed: that of a \.gguf file or of a folder/);
});

test('small parts are asked for once, in whatever order they are read', async () => {
  const bytes = new Uint8Array(24 * MIB).map((_, at) => (at * 31) >> 3);
  const asked = host({ '/m.gguf': bytes });
  const [file] = await openRemoteModel('example.org/m.gguf');
  assert.ok(file && file.size === bytes.length);
  // Eight tensors side by side in the file, a part of each in turn, from the last to the first.
  const part = 192 << 10;
  for (let round = 0; round < 16; round += 1) {
    for (let tensor = 7; tensor >= 0; tensor -= 1) {
      const from = tensor * 3 * MIB + round * part;
      assert.deepEqual(file.read(from, part), bytes.slice(from, from + part));
    }
  }
  assert.equal(asked.bytes, bytes.length);
  assert.equal(asked.requests, 6);
  // What is large is asked for as it is; nothing beyond the end is.
  assert.deepEqual(file.read(3, 5 * MIB), bytes.slice(3, 3 + 5 * MIB));
  assert.equal(asked.requests, 7);
  assert.throws(() => file.read(bytes.length - 1, 2), /has 25165824 bytes, and 25165825 are asked for/);
});

test('an index names files of its folder, and not too many', async () => {
  /** @param {unknown} index */
  const folder = (index) => {
    const json = (/** @type {unknown} */ value) => new TextEncoder().encode(JSON.stringify(value));
    host({ '/m/config.json': json({}), '/m/model.safetensors.index.json': json(index), '/m/a-1.safetensors': json(1), '/m/a-2.safetensors': json(2) });
    return openRemoteModel('https://example.org/m');
  };
  const found = await folder({ weight_map: { x: 'a-2.safetensors', y: 'a-1.safetensors', z: 'a-2.safetensors' } });
  assert.deepEqual(found.map(({ name }) => name), ['config.json', 'model.safetensors.index.json', 'a-2.safetensors', 'a-1.safetensors']);
  for (const name of ['../other/a.safetensors', 'https://elsewhere.org/a.safetensors', '/a.safetensors', 'a.bin', 7, null]) {
    await assert.rejects(folder({ weight_map: { x: name } }), /weight_map names .*; allowed: \.safetensors files of the folder/);
  }
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`t${at}`, `s${at}.safetensors`]));
  await assert.rejects(folder({ weight_map: many }), /names 1001 files; allowed: 1 to 1000/);
  await assert.rejects(folder({}), /names 0 files/);
  await assert.rejects(folder({ weight_map: {}, metadata: 'x'.repeat(8 * MIB) }), /bytes; allowed: 8388608/);
});

test('a length is taken from an answer that is one', async () => {
  const bytes = new Uint8Array(7);
  host({ '/m.gguf': bytes }, { length: false });
  const [file] = await openRemoteModel('example.org/m.gguf');
  assert.equal(file?.size, 7);
  const refused = host({ '/m.gguf': new Uint8Array(9) }, { length: false, head: 403 });
  const [whole] = await openRemoteModel('example.org/m.gguf');
  assert.equal(whole?.size, 9, 'all of it is fetched');
  assert.equal(refused.requests, 0);
});
