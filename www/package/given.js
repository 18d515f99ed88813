// @ts-check
/** What callers give, as the core takes it: lists of numbers of any kind, matrices, plain data. */

import { refusal } from './refusal.js';

const NUMBERS = 'numbers: a typed array, or a list of them';

/** In a word or two. @param {unknown} value */
export const said = (value) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value);

/**
 * A list of numbers of any kind as the core takes it. The caller's own memory is only read.
 *
 * @param {string} field
 * @param {unknown} value
 * @returns {Float64Array}
 */
export function numbers(field, value) {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    if (value instanceof BigInt64Array || value instanceof BigUint64Array)
      throw refusal('metric.type', field, 'big integers', NUMBERS);
    try {
      // Memory that was transferred away has no views any more.
      new Uint8Array(value.buffer);
    } catch {
      throw refusal('metric.detached', field, 'memory that was transferred away', NUMBERS);
    }
    try {
      // One of another realm, or over shared memory, is copied too.
      return value instanceof Float64Array && value.buffer instanceof ArrayBuffer
        ? value
        : new Float64Array(/** @type {ArrayLike<number>} */ (/** @type {unknown} */ (value)));
    } catch {
      throw refusal('metric.memory', field, 'too large to copy', NUMBERS);
    }
  }
  if (!Array.isArray(value)) throw refusal('metric.type', field, said(value), NUMBERS);
  const out = new Float64Array(value.length);
  for (let index = 0; index < value.length; index += 1) {
    const entry = value[index];
    if (typeof entry !== 'number')
      throw refusal('metric.type', `${field}[${index}]`, said(entry), 'a number');
    out[index] = entry;
  }
  return out;
}

/** @param {unknown} value @returns {value is ArrayLike<unknown>} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * Rows of equal length, end to end.
 *
 * @param {string} field
 * @param {readonly unknown[]} rows
 * @returns {{ data: Float64Array, rows: number, cols: number }}
 */
function joined(field, rows) {
  const parts = rows.map((row, index) => numbers(`${field}[${index}]`, row));
  const cols = parts[0]?.length ?? 0;
  const odd = parts.findIndex(({ length }) => length !== cols);
  if (odd >= 0)
    throw refusal('metric.shape', `${field}[${odd}]`, `${parts[odd]?.length} values`, `${cols} values, as in the first row`);
  const data = new Float64Array(parts.length * cols);
  parts.forEach((part, index) => data.set(part, index * cols));
  return { data, rows: parts.length, cols };
}

/** @param {string} field @param {unknown} value */
export function matrix(field, value) {
  if (Array.isArray(value)) return joined(field, value);
  if (typeof value !== 'object' || value === null)
    throw refusal('metric.type', field, said(value), '{ data, rows, cols }, or a list of rows');
  const { data, rows, cols } = /** @type {Record<string, unknown>} */ (value);
  return {
    data: numbers(field, data),
    rows: /** @type {number} */ (rows),
    cols: /** @type {number} */ (cols),
  };
}

/** Triples, end to end. @param {unknown} value */
export function triples(value) {
  if (!Array.isArray(value) || !value.some(isList)) return numbers('points', value);
  const { data, rows, cols } = joined('points', value);
  if (rows > 0 && cols !== 3) throw refusal('metric.shape', 'points', `${cols} values a point`, '3');
  return data;
}

/**
 * Plain data of the caller's, without accessors that could run in the middle of the core.
 *
 * @template T
 * @param {string} field
 * @param {T} value
 * @returns {T}
 */
export function plain(field, value) {
  try {
    return structuredClone(value);
  } catch {
    throw refusal(`${field}.type`, field, 'not plain data', 'an object of numbers, texts and lists');
  }
}

/** The three weights. @param {unknown} weights @returns {Weights} */
export function three(weights) {
  const [a = NaN, b = NaN, c = NaN, ...more] = numbers('weights', weights);
  if (more.length > 0) throw refusal('metric.shape', 'weights', `${3 + more.length} values`, '3');
  return [a, b, c];
}
