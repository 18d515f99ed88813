// @ts-check
/** A model at an address that a reader typed, read by ranges. Nothing is sent but what is asked for. */

/** Bytes that are read at a time: headers are asked for in small parts. */
const PIECE = 4 << 20;
/** What is in a model's folder; the first must be. */
const NAMES = ['config.json', 'tokenizer.json', 'model.safetensors.index.json'];
const WEIGHTS = 'model.safetensors';

/** @typedef {{ name: string, size: number, read: (offset: number, length: number) => Uint8Array }} Remote */

/** @param {string} address @param {number} from @param {number} until */
function range(address, from, until) {
  const request = new XMLHttpRequest();
  // The core asks for parts of a file where it needs them, and waits: workers alone may.
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.setRequestHeader('Range', `bytes=${from}-${until - 1}`);
  request.send();
  if (request.status !== 206) throw new Error(`${address} answers ${request.status} where a range was asked for`);
  return new Uint8Array(request.response);
}

/** Parts of what is at an address; small ones from a larger piece. @param {string} address @param {number} size */
function byRanges(address, size) {
  let from = 0;
  let held = new Uint8Array();
  return (/** @type {number} */ offset, /** @type {number} */ length) => {
    if (length >= PIECE) return range(address, offset, offset + length);
    if (offset < from || offset + length > from + held.length) {
      from = offset;
      held = range(address, offset, Math.min(size, offset + PIECE));
    }
    return held.slice(offset - from, offset - from + length);
  };
}

/** A file at an address; nothing where there is none. @param {string} address @param {string} name @returns {Promise<Remote | null>} */
async function remoteFile(address, name) {
  const options = /** @type {const} */ ({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  const controller = new AbortController();
  const found = await fetch(address, { ...options, headers: { Range: 'bytes=0-0' }, signal: controller.signal });
  if (found.status === 404) return null;
  if (!found.ok) throw new Error(`${address} answers ${found.status}`);
  if (found.status === 206) {
    const [, whole] = /\/(\d+)$/.exec(found.headers.get('Content-Range') ?? '') ?? [];
    await found.arrayBuffer();
    // Hosts that do not show the one header show the other.
    const size = whole ?? (await fetch(address, { ...options, method: 'HEAD' })).headers.get('Content-Length');
    if (size) return { name, size: Number(size), read: byRanges(address, Number(size)) };
    controller.abort();
  }
  // A host that sends all or nothing, or does not say how much there is.
  const whole = found.status === 200 ? found : await fetch(address, options);
  const file = await whole.blob();
  const reader = new FileReaderSync();
  const read = (/** @type {number} */ offset, /** @type {number} */ length) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
  return { name, size: file.size, read };
}

/** Where the files of a page of Hugging Face's are. @param {URL} address */
function folderOf(address) {
  const [owner, name, ...rest] = address.pathname.split('/').filter((part) => part !== '');
  const isModel = address.hostname === 'huggingface.co' && owner && name && rest.length === 0;
  const path = isModel ? `/${owner}/${name}/resolve/main` : address.pathname;
  return new URL(`${path.replace(/\/?$/, '/')}`, address);
}

/** The files of a model: of a .gguf file's address, or of that of a folder. @param {string} typed @returns {Promise<Remote[]>} */
export async function openAddress(typed) {
  const address = new URL(typed);
  if (/\.gguf$/i.test(address.pathname)) {
    const name = address.pathname.split('/').pop() ?? 'model.gguf';
    const file = await remoteFile(address.href, name);
    if (!file) throw new Error(`there is nothing at ${typed}`);
    return [file];
  }
  const folder = folderOf(address);
  /** @param {string} name */
  const open = (name) => remoteFile(new URL(name, folder).href, name);
  const [config, tokenizer, index] = await Promise.all(NAMES.map(open));
  if (!config) throw new Error(`there is no config.json in ${folder.href}`);
  /** @type {string[]} */
  let weights = [WEIGHTS];
  if (index) {
    const { weight_map: map } = JSON.parse(new TextDecoder().decode(index.read(0, index.size)));
    weights = [...new Set(/** @type {string[]} */ (Object.values(map ?? {})))];
  }
  const found = [];
  for (const name of weights) found.push(await open(name));
  return [config, tokenizer, index, ...found].filter((file) => file !== null && file !== undefined);
}
