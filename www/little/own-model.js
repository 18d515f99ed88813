// @ts-check
/** A reader's own GPT-2: a folder is dropped, what it takes is said, and it is read when asked. */

import { el, reason, setScrolling } from '../shell/dom.js';
import { takeDropped } from '../shell/dropped.js';
import { save } from '../shell/save.js';
import { isShown } from '../shell/views.js';
import { ModelClient } from './model-client.js';
import { percent } from './number-format.js';

/** @typedef {ModelTasks['model-open']['answer']} Opened */
/** @typedef {ModelTasks['model-next']['answer']} Found */

/** Likeliest tokens that are shown. */
const SHOWN = 10;

/** @param {string} words @param {string} id */
const button = (words, id) => el('button', { type: 'button', id }, words);

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;

/** A token as people read it: spaces and ends of lines are seen. @param {{ token: number, text: string | null }} one */
const tokenText = ({ token, text }) => (text === null ? String(token) : JSON.stringify(text));

/** Tokens by their numbers; none where something else stands there. @param {string} text */
function numbersOf(text) {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  return parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : null;
}

/** What the folder says of itself. @param {Opened} opened */
function facts({ config, bytes, cap, tokens }) {
  const { layers, heads, d_model, context, vocabulary } = config;
  const kinds = tokens === null ? 'no tokenizer.json, so tokens are given by their numbers' : `a tokenizer of ${tokens} tokens`;
  const needs = bytes > cap
    ? `Reading it would take up to ${megabytes(bytes)}, and a tab has ${megabytes(cap)} for it: the command line reads it (sfc-bench model own FOLDER).`
    : `Reading it takes up to ${megabytes(bytes)} of memory.`;
  return `${layers} layers of ${heads} heads, d_model ${d_model}, ${context} positions, ${vocabulary} tokens; ${kinds}. ${needs}`;
}

/** A table that scrolls within its place. @param {Found} found */
function table({ next }) {
  const rows = next.map((one) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, tokenText(one)),
      el('td', {}, String(one.token)),
      el('td', {}, percent(one.probability)),
      el('td', {}, one.logit.toFixed(3)),
    ),
  );
  const heads = ['Token', 'Number', 'Probability', 'Logit'].map((text) => el('th', { scope: 'col' }, text));
  const name = 'The likeliest tokens after the text';
  const box = el(
    'div',
    { class: 'fade-scroll' },
    el('table', { class: 'data' }, el('caption', {}, name), el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)),
  );
  setScrolling(box, name);
  return box;
}

/** All that can be pressed and filled in. */
function createParts() {
  const choose = button('Choose a folder', 'model-own-choose');
  const input = el('input', { type: 'file', id: 'model-own-folder', webkitdirectory: true, hidden: true });
  choose.addEventListener('click', () => input.click());
  const read = button('Read the model', 'model-own-read');
  const entry = el('input', { type: 'text', id: 'model-own-text', autocomplete: 'off', spellcheck: 'false' });
  const label = el('label', { for: 'model-own-text' }, 'Text');
  const ask = el('button', { type: 'submit' }, 'What comes next?');
  const form = el('form', { class: 'model-own-form', hidden: true, novalidate: true }, label, entry, ask);
  const hook = el('select', { id: 'model-own-hook' });
  const take = button('Save as .npy', 'model-own-save');
  const hooks = el(
    'p',
    { class: 'row', hidden: true },
    el('label', { for: 'model-own-hook' }, 'Activation, by its TransformerLens name'),
    ' ',
    hook,
    ' ',
    take,
  );
  const told = el('p', { class: 'ensemble-status', id: 'model-own-status', role: 'status' });
  const about = el('p', { id: 'model-own-facts' });
  const found = el('div');
  const drop = el(
    'div',
    { class: 'own-drop' },
    el('p', {}, 'Drop a model’s folder anywhere on this page: config.json, model.safetensors and, if there is one, tokenizer.json. Nothing of it leaves the page.'),
    el('div', { class: 'benchmark-bar' }, choose, read),
    input,
  );
  read.hidden = true;
  const element = el('div', {}, drop, about, told, form, found, hooks);
  return { element, input, read, entry, label, form, hook, hooks, take, told, about, found };
}

/** @param {{ announce: (text: string) => void }} parts */
export function createOwnModel({ announce }) {
  const parts = createParts();
  const client = new ModelClient();
  /** @type {Opened | null} */
  let opened = null;
  /** Tokens of the text that was asked last. @type {number[]} */
  let tokens = [];
  /** Counts what was asked, so that a late answer is no answer to something else. */
  let turn = 0;

  /** @param {string} text */
  function tell(text) {
    parts.told.textContent = text;
    announce(text);
  }

  /** Asks the model's worker, says what is being done, and what went wrong. @template T @param {string} words @param {() => Promise<T>} work @param {(found: T) => void} then */
  async function doing(words, work, then) {
    turn += 1;
    const mine = turn;
    parts.told.textContent = words;
    parts.element.setAttribute('aria-busy', 'true');
    try {
      const found = await work();
      if (mine === turn) then(found);
    } catch (error) {
      if (mine === turn) tell(`That did not work: ${reason(error)}`);
    } finally {
      if (mine === turn) parts.element.removeAttribute('aria-busy');
    }
  }

  /** @param {[string, File][]} files */
  function open(files) {
    // Another model needs the memory that the former one has.
    client.end('another model was chosen');
    opened = null;
    for (const part of [parts.read, parts.form, parts.hooks]) part.hidden = true;
    parts.found.replaceChildren();
    parts.about.textContent = '';
    return doing('Looking at the folder…', () => client.ask('model-open', { files }), (found) => {
      opened = found;
      parts.about.textContent = facts(found);
      parts.read.hidden = found.bytes > found.cap;
      parts.hook.replaceChildren(...found.hooks.map((name) => el('option', { value: name }, name)));
      tell(parts.read.hidden ? 'It is too large for a tab.' : 'Nothing of the weights has been read yet.');
    });
  }

  parts.read.addEventListener('click', () => {
    const { tokens: known } = /** @type {Opened} */ (opened);
    doing('Reading the weights…', () => client.ask('model-read', {}), () => {
      parts.read.hidden = true;
      parts.form.hidden = false;
      parts.label.textContent = known === null ? 'Tokens, by their numbers' : 'Text';
      tell('The model is here.');
      parts.entry.focus();
    });
  });

  parts.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = parts.entry.value;
    const numbers = opened?.tokens === null ? numbersOf(typed) : undefined;
    if (numbers === null || typed.trim() === '') {
      tell(numbers === null ? 'Tokens are whole numbers, with commas between them.' : 'Type something first.');
      return;
    }
    const asked = numbers ? { tokens: numbers } : { text: typed };
    doing('Computing…', () => client.ask('model-next', { count: SHOWN, ...asked }), (found) => {
      tokens = found.tokens.map(({ token }) => token);
      parts.found.replaceChildren(
        el('p', {}, `Read as ${found.tokens.length} token${found.tokens.length === 1 ? '' : 's'}: `, el('code', {}, found.tokens.map(tokenText).join(' '))),
        table(found),
      );
      parts.hooks.hidden = false;
      tell(`${tokenText(found.next[0] ?? { token: 0, text: null })} is the likeliest token.`);
    });
  });

  parts.take.addEventListener('click', () => {
    const hook = parts.hook.value;
    doing('Computing…', () => client.ask('model-hook', { tokens, hook }), ({ name, bytes }) => {
      save(name, new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]));
      tell(`${name} is saved: float64, in the shape that TransformerLens has.`);
    });
  });

  parts.input.addEventListener('change', () => {
    const files = [...(parts.input.files ?? [])];
    if (files.length > 0) open(files.map((file) => [file.webkitRelativePath || file.name, file]));
    parts.input.value = '';
  });
  takeDropped(async (dropped) => open(await dropped), () => !isShown('model'));
  return { element: parts.element };
}
