// @ts-check
/** A reader's own model: its files opened, its weights read, what it makes of a text, and an autoencoder in it. */

import { AUTOENCODER_FILE } from '../autoencoder-files.js';
import { partsOf } from './evaluation.js';
import { LOCK, keep } from './keep.js';
import { openAddress } from './remote.js';
import { stillWanted, whileWanted } from './wanted.js';

/** The model of this worker. @type {InstanceType<Lab['ModelReader']> | undefined} */
let reader;

/** Its files. @type {FileSource[]} */
let sources = [];

function model() {
  if (!reader) throw new Error('no model is open');
  return reader;
}

/** @param {readonly number[]} tokens */
const ids = (tokens) => Uint32Array.from(tokens);

/**
 * Takes a step of a study that several workers may share; or, where it waits for what others compute of it, this one's share.
 *
 * @param {Lab} core @param {Uint8Array[] | undefined} shares of all workers, where the step waits for them @param {() => number} step
 */
function stepped(core, shares, step) {
  if (shares) core.gathered_shares(shares);
  try {
    return step();
  } catch (error) {
    const share = core.computed_share();
    if (share) return share;
    throw error;
  }
}

/** @type {Handlers} */
const opening = {
  async 'model-open'(core, { files, address }) {
    reader?.free();
    reader = new core.ModelReader();
    sources = (files ?? []).map(([name, file]) => ({ name, size: file.size, read: partsOf(file) }));
    if (address) sources.push(...(await openAddress(address)));
    for (const { name, size, read } of sources) reader.add(name, size, read);
    return reader.open();
  },
  /** @param {Lab} core @param {TaskOf<'model-keep'> & { sign?: string }} task @param {Tell} tell */
  'model-keep'(core, { name, sign }, tell) {
    const isWanted = stillWanted(sign);
    const onPart = (/** @type {number} */ fraction) => {
      isWanted();
      tell('keeping', fraction);
    };
    return navigator.locks.request(LOCK, () => keep(core, { name, files: sources, onPart }));
  },
  'model-read'() {
    model().read();
  },
  'model-meter': (core) => core.model_meter(),
  'model-join'(core, { rank, worldSize }) {
    core.join_workers(rank, worldSize);
  },
};

/** What can be ended while it computes. @type {Handlers} */
const computing = {
  /** @returns {ModelTasks['model-score']['answer']} */
  'model-score'(_core, { text, tokens, count, ablate }) {
    const mine = model();
    const all = text === undefined ? ids(tokens ?? []) : mine.encode(text);
    const scored = mine.score(all, count, ablate);
    const pieces = mine.pieces(all);
    return { ...scored, tokens: [...all].map((token, at) => ({ token, text: pieces[at] ?? null })) };
  },
  'model-lens': (_core, { tokens, shown, ablate }) => model().lens(ids(tokens), shown, ablate),
  'model-attention': (_core, { tokens, shown, head, ablate }) => model().attention(ids(tokens), shown, head, ablate),
  'model-hook': (_core, { tokens, hook }) => model().activation(ids(tokens), hook),
  'model-sae'(core, { files }) {
    const open = new core.OwnFiles();
    try {
      for (const [name, file] of files.filter(([name]) => AUTOENCODER_FILE.test(name))) open.addFile(name, file.size, partsOf(file));
      return model().sae(open);
    } finally {
      open.free();
    }
  },
  'model-splice': (_core, { tokens, hook, options }) => model().splice(ids(tokens), hook, options),
  /** How many contexts there are to read. */
  'model-study': (core, { text, hook, seed }) => model().study(text ?? core.latent_texts(), hook, seed),
  'model-study-step': (core, { shares }) => stepped(core, shares, () => model().study_step()),
  /** How many contexts there are to read. */
  'model-gather': (core, { text, hook }) => model().gather(text ?? core.latent_texts(), hook),
  'model-gather-step': (core, { shares }) => stepped(core, shares, () => model().gather_step()),
  'model-gathered': () => model().gathered(),
  'model-latents': (_core, { order, count }) => model().latents(order, count),
  'model-latent': (_core, { latent, count }) => model().latent(latent, count),
  'model-metric': (_core, { request }) => model().metric(request),
  'model-metric-step': (core, { shares }) => stepped(core, shares, () => model().metric_step()),
  'model-metric-report': () => model().metric_report(),
  'model-directions': (core, { models }) => core.mui_directions(models),
  'model-concepts': (_core, { rules }) => model().concepts(rules),
};

const cancellable = /** @type {[string, Handler][]} */ (Object.entries(computing)).map(([kind, handler]) => [
  kind,
  /** @type {Handler<Task & { sign?: string }>} */
  ((core, task, tell) => whileWanted(core, task.sign, () => handler(core, task, tell))),
]);

/** @type {Handlers} */
export const handlers = { ...opening, ...Object.fromEntries(cancellable) };
