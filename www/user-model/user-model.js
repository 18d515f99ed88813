// @ts-check
/** A reader's own language model: its files are dropped, what it is and takes is said, and it is read when asked. */

import { el, describeError, handleSubmit } from '../shell/dom.js';
import { handOverFiles } from '../shell/file-handover.js';
import { saveBlob } from '../shell/download.js';
import { CancelledError } from '../workers/rpc-client.js';
import { ModelClient } from './model-client.js';
import { formatMebibytes } from '../shell/number-format.js';
import { createUserAutoencoder } from './autoencoder.js';
import { createUserModelView } from './forward-pass.js';
import { createUserModelMetrics } from './metrics.js';
import { canKeep, createStoredModels } from './kept-models.js';
import { createModelPicker } from './model-source.js';
import { runStudySteps } from './study-steps.js';
import { createWorkerField } from './worker-count.js';

/** @typedef {ModelTasks['model-open']['answer']} Opened */
/** Files or an address; and what it was called when it was kept. @typedef {{ files?: [string, File][], address?: string, name?: string }} Choice */

/** Tokens by their numbers; none where something else stands there. @param {string} text */
function parseTokens(text) {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : null;
}

/** What a model is called: the folder, the file, or the end of the address. @param {Choice} what */
function modelName({ files, address, name }) {
  if (name) return name;
  // Of an address of Hugging Face's its place in the repository's branch is no part of the name.
  const path = (files?.[0]?.[0] ?? address ?? 'model').replace(/[?#].*$/, '').replace(/\/(tree|blob|resolve)\/[^/]+/, '').replace(/\/+$/, '');
  return files ? path.split('/')[0] || path : path.split('/').slice(-2).join('/');
}

/** What the files say of themselves. @param {Opened} opened @param {string} path */
function describeModel({ sentence, bytes, run, cap }, path) {
  const needs = bytes > cap
    ? `That is more than the ${formatMebibytes(cap)} that a tab has for weights (4 GiB less ${formatMebibytes(run)} for a run over a text): sfc-bench model own ${path} --text "…" reads it.`
    : `A tab has ${formatMebibytes(cap)} for weights, and a text takes up to ${formatMebibytes(run)} besides.`;
  return `${sentence}. ${needs}`;
}

/** All that can be pressed and filled in. */
function createElements() {
  const read = el('button', { type: 'button', id: 'model-own-read', hidden: true }, 'Read the model');
  const keep = el('button', { type: 'button', id: 'model-own-keep-model', hidden: true }, 'Keep in this browser');
  const entry = el('textarea', { id: 'model-own-text', rows: '3', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'model-own-text-keys' });
  const keys = el('p', { class: 'help', id: 'model-own-text-keys' }, 'Enter begins a new line, which is part of the text; Ctrl+Enter runs.');
  const label = el('label', { for: 'model-own-text' }, 'Text');
  const ask = el('button', { type: 'submit' }, 'Run');
  const form = el('form', { class: 'model-own-form model-own-line', hidden: true, novalidate: true }, label, entry, ask, keys);
  entry.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  const hook = el('select', { id: 'model-own-hook' });
  const take = el('button', { type: 'button', id: 'model-own-save' }, 'Save as .npy');
  const score = el('button', { type: 'button', id: 'model-own-score' }, 'Score the autoencoder on these activations');
  const train = el('button', { type: 'button', id: 'model-own-train' }, 'Train an autoencoder on these activations');
  const many = el(
    'div',
    {},
    el('p', { class: 'help' }, 'Collect a hook’s activations over a corpus (the texts below, or the built-in ones), without the first position of each context: to score the autoencoder that is open, at its own hook, or to train one at the hook above.'),
    el('p', { class: 'row' }, score, ' ', train),
  );
  const hooks = el(
    'div',
    { hidden: true },
    el('h3', {}, 'Activations'),
    el('p', { class: 'row' }, el('label', { for: 'model-own-hook' }, 'Hook, by its TransformerLens name'), ' ', hook, ' ', take),
    many,
  );
  const cancel = el('button', { type: 'button', id: 'model-own-cancel', hidden: true }, 'Cancel');
  const told = el('p', { class: 'ensemble-status', id: 'model-own-status', role: 'status' });
  const about = el('p', { id: 'model-own-facts' });
  return { read, keep, entry, label, form, hook, hooks, many, take, score, train, told, about, cancel };
}

/**
 * Asks the model's worker, says what is being done, and what went wrong.
 *
 * @param {ReturnType<typeof createElements>} parts @param {(text: string) => void} tell @param {() => HTMLElement} element
 */
function createTaskRunner({ told, cancel }, tell, element) {
  /** Counts what was asked, so that what is said is said of what was asked last. */
  let turn = 0;
  /** @template T @param {string} words @param {() => Promise<T>} work @param {(found: T) => string} then what is said of it */
  return async (words, work, then) => {
    turn += 1;
    const mine = turn;
    told.textContent = words;
    element().setAttribute('aria-busy', 'true');
    cancel.hidden = false;
    try {
      const words = then(await work());
      if (mine === turn) tell(words);
    } catch (error) {
      if (mine === turn) tell(error instanceof CancelledError ? 'Cancelled.' : `That did not work: ${describeError(error)}`);
    } finally {
      if (mine === turn) {
        element().removeAttribute('aria-busy');
        cancel.hidden = true;
      }
    }
  };
}

/**
 * Takes what is at the chosen hook over texts to the pages that score and train autoencoders.
 *
 * @param {object} given
 * @param {ReturnType<typeof createElements>} given.parts
 * @param {ModelClient} given.client
 * @param {ReturnType<typeof createTaskRunner>} given.doing
 * @param {ReturnType<typeof createUserAutoencoder>} given.autoencoder
 */
function bindActivationButtons({ parts, client, doing, autoencoder }) {
  /** What is at a hook over the texts. @param {string} hook @returns {Promise<[string, File]>} */
  async function gatherActivations(hook) {
    const steps = await client.beginStudy('model-gather', { text: autoencoder.given().texts, hook });
    const done = await runStudySteps({ client, kind: 'model-gather-step', steps, unit: 'contexts', tell: (words) => { parts.told.textContent = `Computing activations: ${words}`; } });
    // Part of the contexts would be taken for all of them.
    if (done < steps) throw new CancelledError('it was cancelled');
    const { name, bytes } = await client.collectActivations();
    return [name, new File([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)], name)];
  }
  /** @param {'own' | 'train'} page @param {() => { hook: string, more: [string, File][] }} wanted the hook, and what belongs to its activations */
  async function goOn(page, wanted) {
    for (const press of [parts.score, parts.train]) press.disabled = true;
    const work = async () => {
      const { hook, more } = wanted();
      await handOverFiles(page, [await gatherActivations(hook), ...more]);
    };
    await doing('Computing activations…', work, () => 'On to the next page.');
    for (const press of [parts.score, parts.train]) press.disabled = false;
  }
  parts.score.addEventListener('click', () =>
    goOn('own', () => {
      const more = autoencoder.files();
      return { hook: more.length > 0 ? autoencoder.hook() : parts.hook.value, more };
    }),
  );
  parts.train.addEventListener('click', () => goOn('train', () => ({ hook: parts.hook.value, more: [] })));
}

/**
 * Keeps the model in this browser when asked.
 *
 * @param {object} given
 * @param {ReturnType<typeof createElements>} given.parts
 * @param {ModelClient} given.client
 * @param {ReturnType<typeof createTaskRunner>} given.doing
 * @param {ReturnType<typeof createStoredModels>} given.kept
 * @param {() => string} given.name of the model
 */
function bindKeepButton({ parts, client, doing, kept, name }) {
  parts.keep.addEventListener('click', () => {
    const called = name();
    const work = async () => {
      const isNew = await client.ask('model-keep', { name: called }, (fraction) => {
        parts.told.textContent = `Keeping ${called}: ${Math.floor(100 * fraction)} %`;
      });
      await kept.show();
      return isNew;
    };
    // Nobody waits for what a browser may ask of its reader: it is kept either way, if for less long.
    navigator.storage.persist?.().catch(() => {});
    doing(`Keeping ${called}…`, work, (isNew) => (isNew ? `${called} is kept in this browser.` : `${called} was kept already.`));
  });
}

/** @param {{ announce: (text: string) => void, rules: () => string }} parts */
export function createUserModel({ announce, rules }) {
  const parts = createElements();
  const client = new ModelClient(() => {
    // What was cancelled went with the model.
    if (chosen) open(chosen);
  });
  /** Where the model is from. @type {Choice | null} */
  let chosen = null;
  /** @type {Opened | null} */
  let opened = null;
  let isRead = false;

  /** @param {string} text */
  function tell(text) {
    parts.told.textContent = text;
    if (text) announce(text);
  }

  /** @param {{ width: number, latents: number } | null} of */
  function setAutoencoder(of) {
    metrics.setAutoencoder(of !== null);
    workers.setAutoencoder(of);
  }

  const doing = createTaskRunner(parts, tell, () => element);
  const inside = createUserModelView({ client, doing, onText: () => autoencoder.clear() });
  const autoencoder = createUserAutoencoder({ client, doing, rules, tokens: inside.ids, onAutoencoder: setAutoencoder });
  const metrics = createUserModelMetrics({ client, doing, hook: autoencoder.hook, given: autoencoder.given, name: () => modelName(chosen ?? {}) });

  /** @param {Choice} what */
  function open(what) {
    // Another model needs the memory that the former one has.
    client.close('another model was chosen');
    chosen = what;
    [opened, isRead] = [null, false];
    for (const part of [parts.read, parts.keep, workers.element, parts.form, parts.hooks, inside.element, autoencoder.element, metrics.element]) part.hidden = true;
    metrics.clear();
    setAutoencoder(null);
    parts.about.textContent = '';
    const first = what.files?.[0]?.[0] ?? '';
    const path = what.files ? first.split('/')[0] ?? first : 'PATH';
    return doing('Opening the model…', () => client.ask('model-open', { ...(what.files && { files: what.files }), ...(what.address && { address: what.address }) }), (found) => {
      opened = found;
      parts.about.textContent = describeModel(found, path);
      parts.read.hidden = found.bytes > found.cap;
      parts.keep.hidden = !canKeep();
      parts.hook.replaceChildren(...found.hooks.map((name) => el('option', { value: name }, name)));
      inside.reset(found);
      autoencoder.reset(found.hooks);
      metrics.setModel(found.config);
      return parts.read.hidden ? 'It is too large for a tab.' : 'Nothing of the weights has been read yet.';
    });
  }

  const workers = createWorkerField({ client, tell });
  const kept = createStoredModels({ onModel: (files, name) => open({ files, name }), tell });
  const source = createModelPicker({ onModel: open, onAutoencoder: (files) => autoencoder.open(files), hasModel: () => isRead });
  const element = el('div', {}, source.element, kept.element, parts.about, el('p', { class: 'row' }, parts.read, ' ', parts.keep), workers.element, el('div', { class: 'row' }, parts.told, parts.cancel), parts.form, inside.element, parts.hooks, autoencoder.element, metrics.element);

  parts.read.addEventListener('click', () => {
    const known = opened?.tokens ?? null;
    doing('Reading the weights…', () => client.ask('model-read', {}), () => {
      isRead = true;
      parts.read.hidden = true;
      parts.form.hidden = false;
      if (opened) workers.setModel(opened, !!chosen?.address);
      autoencoder.element.hidden = false;
      metrics.element.hidden = known === null;
      // Without a tokenizer there are no texts.
      for (const part of [parts.hooks, parts.many]) part.hidden = known === null;
      parts.take.disabled = true;
      parts.label.textContent = known === null ? 'Tokens, by their numbers' : 'Text';
      parts.entry.focus();
      return 'The model is here.';
    });
  });

  bindKeepButton({ parts, client, doing, kept, name: () => modelName(chosen ?? {}) });

  parts.cancel.addEventListener('click', () => {
    if (isRead) {
      client.cancel();
      return;
    }
    client.close(new CancelledError('it was cancelled'));
    // Nothing is lost but what has been read of the weights.
    if (opened && chosen) open(chosen);
  });

  handleSubmit(parts.form, async () => {
    // Its lines end with \n, however they were pasted.
    const typed = parts.entry.value;
    const numbers = opened?.tokens === null ? parseTokens(typed) : undefined;
    if (numbers === null || typed.trim() === '') {
      tell(numbers === null ? 'Tokens are whole numbers, with commas between them.' : 'Type something first.');
      return;
    }
    await inside.score(numbers ? { tokens: numbers } : { text: typed });
    parts.take.disabled = !!inside.element.hidden;
    if (!inside.element.hidden) parts.hooks.hidden = false;
  });

  parts.take.addEventListener('click', () => {
    const hook = parts.hook.value;
    doing('Computing…', () => client.ask('model-hook', { tokens: inside.ids(), hook }), ({ name, bytes }) => {
      saveBlob(name, new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]));
      return `${name} is saved: float32, in the shape that TransformerLens has.`;
    });
  });
  bindActivationButtons({ parts, client, doing, autoencoder });
  return { element };
}
