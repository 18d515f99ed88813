// @ts-check
/** A model at an address that a reader typed, read by ranges. Nothing is sent but what is asked for. */

import { createPartReader } from './evaluation.js';

/** Bytes that are read at a time, and how many such pieces are held: tensors are not always asked for in their file's order. */
const PIECE_BYTES = 4 << 20;
const PIECES_MAX = 8;
/** What is in a model's folder; the first must be. */
const CONFIG_FILES = ['config.json', 'tokenizer.json', 'model.safetensors.index.json'];
const WEIGHTS_FILE = 'model.safetensors';
/** What an index may come to, in bytes and in files. */
const INDEX_BYTES_MAX = 8 << 20;
const SHARDS_MAX = 1_000;

/** @param {string} address @param {number} from @param {number} until */
function fetchRange(address, from, until) {
  const request = new XMLHttpRequest();
  // The core asks for parts of a file where it needs them, and waits: workers alone may.
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.setRequestHeader('Range', `bytes=${from}-${until - 1}`);
  request.send();
  if (request.status !== 206) throw new Error(`${address} answers ${request.status} where a range was asked for`);
  const bytes = new Uint8Array(request.response);
  if (bytes.length !== until - from) throw new Error(`${address} answers ${bytes.length} bytes where ${until - from} were asked for`);
  return bytes;
}

/** Parts of what is at an address: small ones of aligned pieces, of which those used last are held. @param {string} address @param {number} size */
function createRangeReader(address, size) {
  /** By their first byte, the one used last behind the others. @type {Map<number, Uint8Array>} */
  const held = new Map();
  /** @param {number} from */
  function pieceAt(from) {
    const bytes = held.get(from) ?? fetchRange(address, from, Math.min(size, from + PIECE_BYTES));
    held.delete(from);
    held.set(from, bytes);
    const [oldest] = held.keys();
    if (held.size > PIECES_MAX && oldest !== undefined) held.delete(oldest);
    return bytes;
  }
  return (/** @type {number} */ offset, /** @type {number} */ length) => {
    if (offset + length > size) throw new Error(`${address} has ${size} bytes, and ${offset + length} are asked for`);
    if (length >= PIECE_BYTES) return fetchRange(address, offset, offset + length);
    const found = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const at = offset + done;
      const from = at - (at % PIECE_BYTES);
      const part = pieceAt(from).subarray(at - from, offset + length - from);
      found.set(part, done);
      done += part.length;
    }
    return found;
  };
}

/** How many bytes there are at an address, where the host says it. @param {string} address @param {RequestInit} options */
async function fetchLength(address, options) {
  const head = await fetch(address, { ...options, method: 'HEAD' });
  return head.ok ? head.headers.get('Content-Length') : null;
}

/** A file at an address; nothing where there is none. @param {string} address @param {string} name @returns {Promise<FileSource | null>} */
async function openRemoteFile(address, name) {
  const options = /** @type {const} */ ({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  const found = await fetch(address, { ...options, headers: { Range: 'bytes=0-0' } });
  if (found.status === 404) return null;
  if (!found.ok) throw new Error(`${address} answers ${found.status}`);
  if (found.status === 206) {
    const [, whole] = /\/(\d+)$/.exec(found.headers.get('Content-Range') ?? '') ?? [];
    await found.arrayBuffer();
    // Hosts that do not show the one header show the other.
    const size = whole ?? (await fetchLength(address, options));
    if (size) return { name, size: Number(size), read: createRangeReader(address, Number(size)) };
  }
  // A host that sends all or nothing, or does not say how much there is.
  const whole = found.status === 200 ? found : await fetch(address, options);
  if (!whole.ok) throw new Error(`${address} answers ${whole.status}`);
  const file = await whole.blob();
  return { name, size: file.size, read: createPartReader(file) };
}

/**
 * An address as people type or copy it: without a scheme it is one of https, and a page of Hugging Face's that shows a
 * model, a folder or a file means what is shown.
 *
 * @param {string} typed
 */
export function parseAddress(typed) {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'https' && scheme !== 'http') throw new Error(`address = ${typed}; allowed: http and https`);
  /** @type {URL} */
  let address;
  try {
    address = new URL(scheme ? typed : `https://${typed}`);
  } catch {
    throw new Error(`address = ${typed}; allowed: that of a .gguf file or of a folder, as huggingface.co/ORGANISATION/MODEL`);
  }
  if (!/^(www\.)?(huggingface\.co|hf\.co)$/.test(address.hostname)) return address;
  const [owner, name, view = 'tree', revision = 'main', ...path] = address.pathname.split('/').filter((part) => part !== '');
  if (!owner || !name || !['tree', 'blob', 'resolve'].includes(view)) return address;
  return new URL(`/${[owner, name, 'resolve', revision, ...path].join('/')}`, 'https://huggingface.co');
}

/** Names of the files that an index says weights are in. @param {FileSource} index */
function listShards(index) {
  if (index.size > INDEX_BYTES_MAX) throw new Error(`${index.name} has ${index.size} bytes; allowed: ${INDEX_BYTES_MAX}`);
  const { weight_map: map } = JSON.parse(new TextDecoder().decode(index.read(0, index.size))) ?? {};
  const names = [...new Set(Object.values(map ?? {}))];
  if (names.length === 0 || names.length > SHARDS_MAX) throw new Error(`${index.name} names ${names.length} files; allowed: 1 to ${SHARDS_MAX}`);
  return names.map((name) => {
    // Files of the folder alone: an index leads nowhere else.
    if (typeof name === 'string' && /^[\w-][\w.-]*\.safetensors$/.test(name)) return name;
    throw new Error(`${index.name}: weight_map names ${JSON.stringify(name)}; allowed: .safetensors files of the folder`);
  });
}

/** The files of a model: of a .gguf file's address, or of that of a folder. @param {string} typed @returns {Promise<FileSource[]>} */
export async function openRemoteModel(typed) {
  const address = parseAddress(typed);
  if (/\.gguf$/i.test(address.pathname)) {
    const name = address.pathname.split('/').pop() ?? 'model.gguf';
    const file = await openRemoteFile(address.href, name);
    if (!file) throw new Error(`there is nothing at ${address.href}`);
    return [file];
  }
  const folder = new URL(address.pathname.replace(/\/?$/, '/'), address);
  /** @param {string} name */
  const open = (name) => openRemoteFile(new URL(name, folder).href, name);
  const [config, tokenizer, index] = await Promise.all(CONFIG_FILES.map(open));
  if (!config) throw new Error(`there is no config.json in ${folder.href}`);
  const found = [];
  for (const name of index ? listShards(index) : [WEIGHTS_FILE]) found.push(await open(name));
  return [config, tokenizer, index, ...found].filter((file) => file !== null && file !== undefined);
}
