// @ts-check
/** A reader's own model: its folder opened, its weights read, and what it makes of a text. */

import { partsOf } from './evaluation.js';

/** The model of this worker. @type {InstanceType<Lab['ModelReader']> | undefined} */
let reader;

function model() {
  if (!reader) throw new Error('no model is open');
  return reader;
}

/** @type {Handlers} */
export const handlers = {
  /** @param {Lab} core @param {ModelTasks['model-open']['task']} task @returns {ModelTasks['model-open']['answer']} */
  'model-open'(core, { files }) {
    reader?.free();
    reader = new core.ModelReader();
    for (const [name, file] of files) reader.add(name, file.size, partsOf(file));
    return reader.open();
  },
  'model-read'() {
    model().read();
  },
  /** @param {Lab} _core @param {ModelTasks['model-next']['task']} task @returns {ModelTasks['model-next']['answer']} */
  'model-next'(_core, { text, tokens, count }) {
    const mine = model();
    const ids = text === undefined ? Uint32Array.from(tokens ?? []) : mine.encode(text);
    const next = mine.next(ids, count);
    const following = mine.pieces(Uint32Array.from(next, ({ token }) => token));
    const pieces = mine.pieces(ids);
    return {
      tokens: [...ids].map((token, at) => ({ token, text: pieces[at] ?? null })),
      next: next.map((one, at) => ({ ...one, text: following[at] ?? null })),
    };
  },
  /** @param {Lab} _core @param {ModelTasks['model-hook']['task']} task @returns {ModelTasks['model-hook']['answer']} */
  'model-hook'(_core, { tokens, hook }) {
    return model().activation(Uint32Array.from(tokens), hook);
  },
};
