// @ts-check
/** What callers give, checked: numbers, objects, matrices, worlds, studies. */

import { packArrays } from '../../workers/packed-arrays.js';
import { parseMatrix, parseNumbers, clonePlain, describeValue } from '../arguments.js';
import { createRefusal, SfcBenchError } from '../refusal.js';

/** An array of a header as NumPy writes it is aligned to this many bytes. */
const HEADER_ALIGNMENT = 64;

/** Keys of activations that a caller gives. */
const ACTIVATION_KEYS = ['activations', 'readout', 'bias', 'seed'];

/**
 * What api.js has for every part of the package.
 *
 * @typedef {object} Tools
 * @property {<T>(work: (core: Lab) => T) => Promise<T>} withCore
 * @property {() => Promise<Lab>} open
 * @property {() => Promise<import('../../workers/pool.js').Pool>} pool
 * @property {() => boolean} lazy whether workers can read a Blob where it is
 * @property {(core: Lab, names: readonly string[]) => Promise<Record<string, ArrayBuffer>>} littleFiles of the toy model, by name
 * @property {<T>(task: Task, options: import('../../workers/pool.js').TaskOptions) => Promise<T>} submit with the package's errors
 */

/** Two-dimensional values as the bytes of an `.npy` file. @param {Values} matrix */
export function toNpy({ data, rows, cols }) {
  const wide = 8;
  const words = `{'descr': '<f${wide}', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  // Magic, version and the header's length are ten bytes; the header ends with a new line.
  const length = Math.ceil((10 + words.length + 1) / HEADER_ALIGNMENT) * HEADER_ALIGNMENT;
  const bytes = new Uint8Array(length + data.length * wide);
  const header = `\x93NUMPY\x01\x00${String.fromCharCode((length - 10) & 255, (length - 10) >> 8)}${words.padEnd(length - 11)}\n`;
  for (let index = 0; index < length; index += 1) bytes[index] = header.charCodeAt(index);
  const view = new DataView(bytes.buffer, length);
  data.forEach((value, index) => view.setFloat64(wide * index, value, true));
  return bytes;
}

/** A whole number of the caller's. @param {string} field @param {unknown} value @param {number} min @param {number} max */
export function checkInteger(field, value, min, max) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
    return value;
  const found = typeof value === 'number' ? String(value) : describeValue(value);
  throw createRefusal('train.number', field, found, `a whole number from ${min} to ${max}`);
}

/**
 * A plain object that has no other keys: the core would not see them.
 *
 * @template {object} T
 * @param {string} what
 * @param {unknown} value
 * @param {readonly string[]} allowed
 * @returns {T}
 */
export function checkKeys(what, value, allowed) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw createRefusal(`${what}.malformed`, what, describeValue(value), 'an object');
  const odd = Object.keys(value).find((key) => !allowed.includes(key));
  if (odd !== undefined)
    throw createRefusal(`${what}.malformed`, odd.slice(0, 40), 'unknown', `one of ${allowed.join(', ')}`);
  return /** @type {T} */ (value);
}

/**
 * Activations of the caller's as a world.
 *
 * @param {Lab} core
 * @param {unknown} arrays
 * @returns {{ world: Extract<World, { world: 'given' }>, draw: (rows: number) => GivenBlobs }}
 */
export function importActivations(core, arrays) {
  /** @type {import('../../types/sfc-bench.d.ts').GivenArrays} */
  const { activations, readout, bias, seed = core.constants().own_seed } = checkKeys('given', arrays, ACTIVATION_KEYS);
  // Any seed is of one range.
  const { min = 0, max = 0 } = core.limits().model_seed ?? {};
  const files = new core.OwnFiles();
  /** @type {OwnGiven} */
  const request = {
    activations: { file: 'activations.npy' },
    seed: checkInteger('seed', seed, min, max),
  };
  files.add('activations.npy', toNpy(parseSizedMatrix('activations', activations)));
  if (readout !== undefined) {
    files.add('readout.npy', toNpy(parseSizedMatrix('readout', readout)));
    request.readout = { file: 'readout.npy' };
  }
  if (bias !== undefined) {
    const data = parseNumbers('bias', bias);
    files.add('bias.npy', toNpy({ data, rows: 1, cols: data.length }));
    request.readout_bias = { file: 'bias.npy' };
  }
  const rows = files.given(request);
  files.free();
  return { world: rows.world(true), draw: (wanted) => packArrays(rows.draw(wanted)) };
}

/** What the core found of settings: they are complete, or refused. @template S @param {{ settings: S | null, problems: Problem[] }} found */
export function requireSettings({ settings, problems }) {
  if (settings) return settings;
  throw new SfcBenchError(/** @type {Problem} */ (problems[0]), problems);
}

/** Settings of a study of the toy model, complete. @param {Lab} core @param {LittleStudy} study @param {unknown} draft */
export const configureStudy = (core, study, draft) => requireSettings(core.study_check(study, clonePlain('settings', draft)));

/** A matrix whose sizes are possible. @param {string} role @param {unknown} value */
export function parseSizedMatrix(role, value) {
  const { data, rows, cols } = parseMatrix(role, value);
  if (!Number.isInteger(rows) || rows < 1 || !Number.isInteger(cols) || cols < 1)
    throw createRefusal('metric.size', role, `${rows} × ${cols}`, 'whole numbers of rows and columns from 1');
  if (data.length !== rows * cols)
    throw createRefusal('metric.shape', role, `${data.length} values`, `${rows} × ${cols}`);
  return { data, rows, cols };
}

/** @param {Lab} core @param {import('../../types/sfc-bench.d.ts').WorldDraft | string} world @returns {World} */
export function resolveWorld(core, world) {
  if (typeof world === 'string') return core.world_defaults(world);
  const usual = core.world_defaults(String(/** @type {{ world?: unknown }} */ (world ?? {}).world));
  return { ...usual, ...checkKeys('world', world, Object.keys(usual)) };
}

/**
 * Has the core judge a study. What cannot even be read is told by its name.
 *
 * @param {Lab} core
 * @param {FamiliesConfig} config
 * @param {FamiliesConfig} usual
 * @param {'families' | 'train'} what
 */
export function checkFamilies(core, config, usual, what) {
  try {
    return core.families_jobs(config);
  } catch (error) {
    const { code, message } = /** @type {Problem} */ (error);
    if (code !== 'families.malformed') throw error;
    for (const part of /** @type {const} */ (['', 'train', 'world'])) {
      const [mine, whole] = part ? [config[part], usual[part]] : [config, usual];
      for (const [field, value] of Object.entries(mine)) {
        if (!part && ['train', 'world'].includes(field)) continue;
        const alone = { ...whole, [field]: value };
        try {
          core.families_jobs(part ? { ...usual, [part]: alone } : /** @type {any} */ (alone));
        } catch (single) {
          if (/** @type {Problem} */ (single).code !== code) continue;
          const why = message.replace(/^families: (Error: )?/, '');
          throw { code: `${what}.malformed`, message: `${field}: ${why}`, field };
        }
      }
    }
    throw error;
  }
}
