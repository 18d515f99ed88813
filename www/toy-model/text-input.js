// @ts-check
/** Where a text comes from: typed, drawn from the language, or a task's prompt. */

import { createButton, el, createErrorLine, showError } from '../shell/dom.js';
import { createLabelled, createSelect } from '../shell/fields.js';
import { createCompletion } from './completion.js';

/** @typedef {import('./state.js').Source} Source */

/**
 * @typedef {object} Given a text that the model can read
 * @property {Source} source
 * @property {number[]} tokens
 * @property {number | null} answer the right word after a task's prompt
 */

/** A text's words as they are typed: its start is always there. @param {Language} language @param {readonly number[]} tokens */
const formatTokens = ({ words, start }, tokens) =>
  tokens
    .slice(tokens[0] === start ? 1 : 0)
    .map((token) => words[token])
    .join(' ');

/**
 * The text of a source.
 *
 * @param {Lab} core @param {Source} source @returns {Given}
 */
export function readSource(core, source) {
  const { start, context } = core.language();
  if (source.kind === 'drawn')
    return { source, tokens: [...core.language_text(source.seed, source.index)], answer: null };
  if (source.kind === 'prompt') {
    const { tokens, answer } = core.language_prompt(source.task, source.index);
    return { source, tokens: [...tokens], answer };
  }
  const tokens = [...core.language_tokens(source.text)];
  if (tokens[0] !== start) tokens.unshift(start);
  if (tokens.length > context)
    throw new Error(`That is ${tokens.length - 1} words; the model reads at most ${context - 1} after the start`);
  return { source, tokens, answer: null };
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => readonly string[]} parts.likely what may come next, in words
 * @param {(given: Given) => void} parts.onText
 * @param {(text: string) => void} parts.announce
 */
export function createTextInput({ core, likely, onText, announce }) {
  const language = core.language();
  const words = language.words.filter((_, token) => token !== language.start);
  const error = createErrorLine('model-entry-error');
  const help = el(
    'p',
    { class: 'help', id: 'model-entry-help' },
    `Up to ${language.context - 1} of the language’s ${words.length} words and marks, with spaces between them. Known words are suggested as you type; ↓ suggests what the model expects.`,
  );
  /** The text that is shown. @type {Given | undefined} */
  let shown;

  /** @param {string} [message] */
  const complain = (message = '') => showError(error, message, [completion.field]);

  /** Reads what is typed. @param {boolean} complete whether the word at the caret is no beginning any more */
  function read(complete) {
    const text = completion.field.value.trim().replace(/\s+/g, ' ').toLowerCase();
    if (shown && text === formatTokens(language, shown.tokens)) {
      complain();
      return;
    }
    try {
      const found = readSource(core, { kind: 'own', text });
      complain();
      shown = found;
      task.value = '';
      onText(found);
    } catch (problem) {
      const { message, code } = /** @type {Problem} */ (problem);
      if (!complete && code === 'language.word' && completion.begun()) return;
      const same = error.textContent === `${message}.`;
      complain(`${message}.`);
      if (!same) announce(`${message}.`);
    }
  }

  const completion = createCompletion({
    id: 'model-entry',
    described: 'model-entry-error model-entry-help',
    words,
    likely,
    changed: () => read(false),
    done: () => read(true),
  });

  const seed = el('input', { type: 'number', min: '0', max: '4294967295', step: '1', value: '2' });
  const task = createSelect({}, [
    ['', 'Choose a task'],
    ...language.tasks.map(({ name, asks }) => /** @type {[string, string]} */ ([name, `${name}: ${asks}`])),
  ]);

  /** @param {Source} source */
  function take(source) {
    const found = readSource(core, source);
    show(found);
    onText(found);
  }
  /** Of the same seed the next text. */
  const draw = createButton('Draw a text', {}, () => {
    const from = Math.min(4_294_967_295, Math.max(0, Math.floor(Number(seed.value) || 0)));
    seed.value = String(from);
    const { source } = shown ?? {};
    const index = source?.kind === 'drawn' && source.seed === from ? (source.index + 1) % 10_000 : 0;
    take({ kind: 'drawn', seed: from, index });
  });
  const ask = createButton('Another prompt', {}, () => {
    const { source } = shown ?? {};
    task.value ||= language.tasks[0]?.name ?? '';
    const again = source?.kind === 'prompt' && source.task === task.value;
    take({ kind: 'prompt', task: task.value, index: again ? (source.index + 1) % 128 : 0 });
  });
  task.addEventListener('change', () => {
    if (task.value) take({ kind: 'prompt', task: task.value, index: 0 });
  });

  /** @param {Given} found */
  function show(found) {
    shown = found;
    complain();
    completion.field.value = formatTokens(language, found.tokens);
    task.value = found.source.kind === 'prompt' ? found.source.task : '';
    if (found.source.kind === 'drawn') seed.value = String(found.source.seed);
  }

  const element = el(
    'div',
    { class: 'toy-entry' },
    el('div', { class: 'field' }, el('label', { for: 'model-entry' }, 'Text'), completion.element, error, help),
    el(
      'div',
      { class: 'toy-sources' },
      el('div', {}, createLabelled('A prompt of the task', task, 'field task'), ask),
      el('div', {}, createLabelled('Seed', seed, 'field seed'), draw),
    ),
  );
  return { element, show };
}
