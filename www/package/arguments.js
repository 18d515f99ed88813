// @ts-check
/** What callers give, as the core takes it: lists of numbers of any kind, matrices, plain data. */

import { createRefusal } from './refusal.js';

const NUMBERS_DESCRIPTION = 'numbers: a typed array, or a list of them';

/** In a word or two. @param {unknown} value */
export const describeValue = (value) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : typeof value);

/**
 * A list of numbers of any kind as the core takes it. The caller's own memory is only read.
 *
 * @param {string} field
 * @param {unknown} value
 * @returns {Float64Array}
 */
export function parseNumbers(field, value) {
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    if (value instanceof BigInt64Array || value instanceof BigUint64Array)
      throw createRefusal('metric.type', field, 'big integers', NUMBERS_DESCRIPTION);
    try {
      // Memory that was transferred away has no views any more.
      new Uint8Array(value.buffer);
    } catch {
      throw createRefusal('metric.detached', field, 'memory that was transferred away', NUMBERS_DESCRIPTION);
    }
    try {
      // One of another realm, or over shared memory, is copied too.
      return value instanceof Float64Array && value.buffer instanceof ArrayBuffer
        ? value
        : new Float64Array(/** @type {ArrayLike<number>} */ (/** @type {unknown} */ (value)));
    } catch {
      throw createRefusal('metric.memory', field, 'too large to copy', NUMBERS_DESCRIPTION);
    }
  }
  if (!Array.isArray(value)) throw createRefusal('metric.type', field, describeValue(value), NUMBERS_DESCRIPTION);
  const out = new Float64Array(value.length);
  for (let index = 0; index < value.length; index += 1) {
    const entry = value[index];
    if (typeof entry !== 'number')
      throw createRefusal('metric.type', `${field}[${index}]`, describeValue(entry), 'a number');
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
function joinRows(field, rows) {
  const parts = rows.map((row, index) => parseNumbers(`${field}[${index}]`, row));
  const cols = parts[0]?.length ?? 0;
  const odd = parts.findIndex(({ length }) => length !== cols);
  if (odd >= 0)
    throw createRefusal('metric.shape', `${field}[${odd}]`, `${parts[odd]?.length} values`, `${cols} values, as in the first row`);
  const data = new Float64Array(parts.length * cols);
  parts.forEach((part, index) => data.set(part, index * cols));
  return { data, rows: parts.length, cols };
}

/** @param {string} field @param {unknown} value */
export function parseMatrix(field, value) {
  if (Array.isArray(value)) return joinRows(field, value);
  if (typeof value !== 'object' || value === null)
    throw createRefusal('metric.type', field, describeValue(value), '{ data, rows, cols }, or a list of rows');
  const { data, rows, cols } = /** @type {Record<string, unknown>} */ (value);
  return {
    data: parseNumbers(field, data),
    rows: /** @type {number} */ (rows),
    cols: /** @type {number} */ (cols),
  };
}

/** Triples, end to end. @param {unknown} value */
export function parseTriples(value) {
  if (!Array.isArray(value) || !value.some(isList)) return parseNumbers('points', value);
  const { data, rows, cols } = joinRows('points', value);
  if (rows > 0 && cols !== 3) throw createRefusal('metric.shape', 'points', `${cols} values a point`, '3');
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
export function clonePlain(field, value) {
  try {
    return structuredClone(value);
  } catch {
    throw createRefusal(`${field}.type`, field, 'not plain data', 'an object of numbers, texts and lists');
  }
}

/** The three weights. @param {unknown} weights @returns {Weights} */
export function parseWeights(weights) {
  const [a = NaN, b = NaN, c = NaN, ...more] = parseNumbers('weights', weights);
  if (more.length > 0) throw createRefusal('metric.shape', 'weights', `${3 + more.length} values`, '3');
  return [a, b, c];
}
