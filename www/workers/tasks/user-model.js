// @ts-check
/** A reader's own model: its files opened, its weights read, what it makes of a text, and an autoencoder in it. */

import { AUTOENCODER_FILE_PATTERN } from '../autoencoder-files.js';
import { createPartReader } from './evaluation.js';
import { STORAGE_LOCK, storeModel } from './kept-models.js';
import { openRemoteModel } from './remote-model.js';
import { createCancelGuard, runCancellable } from './cancellation.js';

/** The model of this worker. @type {InstanceType<Lab['ModelReader']> | undefined} */
let reader;

/** Its files. @type {FileSource[]} */
let sources = [];

function requireModel() {
  if (!reader) throw new Error('no model is open');
  return reader;
}

/** @param {readonly number[]} tokens */
const toTokenIds = (tokens) => Uint32Array.from(tokens);

/**
 * Takes a step of a study that several workers may share; or, where it waits for what others compute of it, this one's share.
 *
 * @param {Lab} core @param {Uint8Array[] | undefined} shares of all workers, where the step waits for them @param {() => number} step
 */
function runSharedStep(core, shares, step) {
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
const openHandlers = {
  async 'model-open'(core, { files, address }) {
    reader?.free();
    reader = new core.ModelReader();
    sources = (files ?? []).map(([name, file]) => ({ name, size: file.size, read: createPartReader(file) }));
    if (address) sources.push(...(await openRemoteModel(address)));
    for (const { name, size, read } of sources) reader.add(name, size, read);
    return reader.open();
  },
  /** @param {Lab} core @param {TaskOf<'model-keep'> & { sign?: string }} task @param {Tell} tell */
  'model-keep'(core, { name, sign }, tell) {
    const isWanted = createCancelGuard(sign);
    const onPart = (/** @type {number} */ fraction) => {
      isWanted();
      tell('keeping', fraction);
    };
    return navigator.locks.request(STORAGE_LOCK, () => storeModel(core, { name, files: sources, onPart }));
  },
  'model-read'() {
    requireModel().read();
  },
  'model-meter': (core) => core.model_meter(),
  'model-join'(core, { rank, worldSize }) {
    core.join_workers(rank, worldSize);
  },
};

/** What can be ended while it computes. @type {Handlers} */
const computeHandlers = {
  /** @returns {ModelTasks['model-score']['answer']} */
  'model-score'(_core, { text, tokens, count, ablate }) {
    const mine = requireModel();
    const all = text === undefined ? toTokenIds(tokens ?? []) : mine.encode(text);
    const scored = mine.score(all, count, ablate);
    const pieces = mine.pieces(all);
    return { ...scored, tokens: [...all].map((token, at) => ({ token, text: pieces[at] ?? null })) };
  },
  'model-lens': (_core, { tokens, shown, ablate }) => requireModel().lens(toTokenIds(tokens), shown, ablate),
  'model-attention': (_core, { tokens, shown, head, ablate }) => requireModel().attention(toTokenIds(tokens), shown, head, ablate),
  'model-hook': (_core, { tokens, hook }) => requireModel().activation(toTokenIds(tokens), hook),
  'model-sae'(core, { files }) {
    const open = new core.OwnFiles();
    try {
      for (const [name, file] of files.filter(([name]) => AUTOENCODER_FILE_PATTERN.test(name))) open.addFile(name, file.size, createPartReader(file));
      return requireModel().sae(open);
    } finally {
      open.free();
    }
  },
  'model-splice': (_core, { tokens, hook, options }) => requireModel().splice(toTokenIds(tokens), hook, options),
  /** How many contexts there are to read. */
  'model-study': (core, { text, hook, seed }) => requireModel().study(text ?? core.latent_texts(), hook, seed),
  'model-study-step': (core, { shares }) => runSharedStep(core, shares, () => requireModel().study_step()),
  /** How many contexts there are to read. */
  'model-gather': (core, { text, hook }) => requireModel().gather(text ?? core.latent_texts(), hook),
  'model-gather-step': (core, { shares }) => runSharedStep(core, shares, () => requireModel().gather_step()),
  'model-gathered': () => requireModel().gathered(),
  'model-latents': (_core, { order, count }) => requireModel().latents(order, count),
  'model-latent': (_core, { latent, count }) => requireModel().latent(latent, count),
  'model-metric': (_core, { request }) => requireModel().metric(request),
  'model-metric-step': (core, { shares }) => runSharedStep(core, shares, () => requireModel().metric_step()),
  'model-metric-report': () => requireModel().metric_report(),
  'model-directions': (core, { models }) => core.mui_directions(models),
  'model-concepts': (_core, { rules }) => requireModel().concepts(rules),
};

const cancellableHandlers = /** @type {[string, Handler][]} */ (Object.entries(computeHandlers)).map(([kind, handler]) => [
  kind,
  /** @type {Handler<Task & { sign?: string }>} */
  ((core, task, tell) => runCancellable(core, task.sign, () => handler(core, task, tell))),
]);

/** @type {Handlers} */
export const handlers = { ...openHandlers, ...Object.fromEntries(cancellableHandlers) };
