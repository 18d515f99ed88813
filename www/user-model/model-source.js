// @ts-check
/** Where a reader's own model comes from: a folder, .gguf files, or an address; and what else is dropped is an autoencoder. */

import { el, handleSubmit } from '../shell/dom.js';
import { createFilePicker, acceptDroppedFiles } from '../shell/file-drop.js';
import { isPageShown } from '../shell/views.js';

/** Files of a folder that are looked at: shards of weights can be many. */
const FILES_MAX = 1_024;

/** Whether files are a language model's: a configuration says so, or the ending. @param {[string, File][]} files */
async function isLanguageModel(files) {
  if (files.some(([name]) => /\.gguf$/i.test(name))) return true;
  const config = files.find(([name]) => /(^|\/)config\.json$/.test(name));
  if (!config || config[1].size > 1 << 20) return false;
  return /"(model_type|architectures)"/.test(await config[1].text());
}

/**
 * @param {object} parts
 * @param {(what: { files?: [string, File][], address?: string }) => void} parts.onModel
 * @param {(files: [string, File][]) => void} parts.onAutoencoder
 * @param {() => boolean} parts.hasModel whether an autoencoder has a model to belong to
 */
export function createModelPicker({ onModel, onAutoencoder, hasModel }) {
  /** @param {[string, File][]} files */
  const model = (files) => onModel({ files });
  const address = el('input', { type: 'url', id: 'model-own-address', autocomplete: 'off', spellcheck: 'false', placeholder: 'https://…' });
  const form = el(
    'form',
    { class: 'model-own-line', novalidate: true },
    el('label', { for: 'model-own-address' }, 'Or from an address'),
    address,
    el('button', { type: 'submit' }, 'Open'),
  );
  handleSubmit(form, () => {
    if (address.value.trim() !== '') onModel({ address: address.value.trim() });
  });
  acceptDroppedFiles(
    async (dropped) => {
      const files = await dropped;
      if (hasModel() && !(await isLanguageModel(files))) onAutoencoder(files);
      else model(files);
    },
    () => !isPageShown('model'),
    FILES_MAX,
  );
  const element = el(
    'div',
    { class: 'own-drop' },
    el(
      'p',
      {},
      'Drop a model anywhere on this page: a Hugging Face folder (config.json, *.safetensors, tokenizer.json) or a .gguf file. GPT-2, GPT-NeoX, Llama, Mistral, Qwen2, Qwen3, Gemma 2 and Gemma 3 are read. Nothing of it leaves the page.',
    ),
    el(
      'div',
      { class: 'benchmark-bar' },
      ...createFilePicker('Choose a folder', { id: 'model-own-folder', webkitdirectory: true }, model),
      ...createFilePicker('Choose a .gguf file', { id: 'model-own-gguf', accept: '.gguf', multiple: true }, model),
    ),
    form,
    el('p', { class: 'help' }, 'A folder of files or a .gguf file at a host that lets other pages read it (CORS), as huggingface.co/ORGANISATION/MODEL. Only what is needed is read, by ranges.'),
  );
  return { element };
}
