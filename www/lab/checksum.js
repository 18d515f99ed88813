// @ts-check
/**
 * A checksum of plain data: what a browser keeps for this page can be written by whatever else is of the
 * page's origin, and by older versions of it. It tells change, not intent.
 */

/** Two halves of the checksum, 32 bits each, over numbers of 32 bits (the mixing of MurmurHash3). */
class Hasher {
  #a = 0x9e3779b9;
  #b = 0x85ebca6b;

  /** @param {number} word */
  add(word) {
    const mixed = Math.imul(word, 0xcc9e2d51);
    const turned = Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    const a = this.#a ^ turned;
    this.#a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
    const b = this.#b ^ Math.imul(word ^ this.#a, 0xc2b2ae35);
    this.#b = (Math.imul((b << 17) | (b >>> 15), 3) + 0x52dce729) | 0;
  }

  get hex() {
    return [this.#a, this.#b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

const floatBuffer = new Float64Array(1);
const floatWords = new Uint32Array(floatBuffer.buffer);

/** @param {Hasher} sum @param {string} text */
function addText(sum, text) {
  sum.add(text.length);
  for (let at = 0; at < text.length; at += 1) sum.add(text.charCodeAt(at));
}

/** @param {Hasher} sum @param {Uint8Array} bytes */
function addBytes(sum, bytes) {
  sum.add(bytes.length);
  const whole = bytes.length - (bytes.length % 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 4) sum.add(view.getInt32(at, true));
  for (const byte of bytes.subarray(whole)) sum.add(byte);
}

/** Kinds of values come first: none is taken for another. @param {Hasher} sum @param {unknown} value */
function addValue(sum, value) {
  if (typeof value === 'number') {
    floatBuffer[0] = value;
    sum.add(1);
    sum.add(floatWords[0] ?? 0);
    sum.add(floatWords[1] ?? 0);
  } else if (typeof value === 'string') {
    sum.add(2);
    addText(sum, value);
  } else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    addText(sum, Object.prototype.toString.call(value));
    addBytes(sum, bytes);
  } else if (Array.isArray(value)) {
    sum.add(3);
    sum.add(value.length);
    for (const one of value) addValue(sum, one);
  } else if (typeof value === 'object' && value !== null) {
    // What is undefined is left out by some of what keeps it.
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    sum.add(4);
    sum.add(entries.length);
    for (const [key, one] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      addText(sum, key);
      addValue(sum, one);
    }
  } else {
    addText(sum, String(value));
  }
}

/** The checksum of some plain data, whatever the order of its keys: 16 hexadecimal digits. @param {unknown} value */
export function checksum(value) {
  const sum = new Hasher();
  addValue(sum, value);
  return sum.hex;
}
