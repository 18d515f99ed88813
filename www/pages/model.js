// @ts-check
/** The toy model: a text, what it makes of it, and what becomes of its tasks without some of its heads. */

import { createAblation } from '../toy-model/ablation.js';
import { createAddress } from '../study/page-address.js';
import { createAttention } from '../toy-model/attention.js';
import { createCheckpointsView } from '../toy-model/checkpoints.js';
import { createTextInput, readSource } from '../toy-model/text-input.js';
import { createNextTokenView } from '../toy-model/next-token.js';
import { loadToyModelFiles } from '../toy-model/model-files.js';
import { createUnitView } from '../toy-model/neurons.js';
import { createUserModel } from '../user-model/user-model.js';
import { defaultState, toHeadPairs, parseState, formatState } from '../toy-model/state.js';
import { joinWithAnd } from '../shell/number-format.js';
import { stripFullStop, el, requireElement, describeError } from '../shell/dom.js';
import { createLabelled, createSelect } from '../shell/fields.js';
import { openCoreAndPool, startPage } from './start.js';

/** @typedef {import('../toy-model/state.js').ModelState} ModelState */

/** The tasks and the concepts of the language, folded. @param {HTMLElement} place @param {Language} language */
function showLanguage(place, { tasks, concepts, words }) {
  place.hidden = false;
  place.append(
    el('dl', { class: 'toy-tasks' }, ...tasks.map(({ name, asks }) => el('div', {}, el('dt', {}, name), el('dd', {}, asks)))),
    el(
      'dl',
      { class: 'toy-concepts' },
      ...concepts.map(({ name, words: of }) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, of.map((token) => words[token]).join(' '))),
      ),
    ),
  );
}

/** @param {string[]} checkpoints @param {(name: string) => void} onChoose */
function createCheckpointChooser(checkpoints, onChoose) {
  const select = createSelect({ id: 'model-checkpoint' }, checkpoints.map((name) => [name, name]));
  select.addEventListener('change', () => onChoose(select.value));
  const note = el('p', { class: 'help', id: 'model-note', role: 'status' });
  return {
    element: el('div', { class: 'toy-top' }, createLabelled('Checkpoint', select), note),
    /** @param {ModelState} state */
    show({ checkpoint, off }) {
      select.value = checkpoint;
      note.className = 'help';
      note.textContent = off.length > 0 ? `Read without ${joinWithAnd(off)}: see “Which heads does each task need?”.` : '';
    },
    /** @param {string} text */
    fail(text) {
      note.className = 'error';
      note.textContent = text;
    },
  };
}

/**
 * The page's parts, put in their places.
 *
 * @param {HTMLElement} view
 * @param {Record<string, HTMLElement[]>} parts
 */
function placeParts(view, parts) {
  for (const [id, elements] of Object.entries(parts)) {
    const section = requireElement(`#${id}`, view);
    section.append(...elements);
    section.hidden = false;
  }
}

/** Has files come; in words, what did not. @param {Lab} core @param {string[]} names */
async function loadMissing(core, names) {
  if (names.every((name) => core.little_has(name))) return '';
  try {
    await loadToyModelFiles(core, names);
    return '';
  } catch (error) {
    return `${stripFullStop(describeError(error))}.`;
  }
}

startPage('model', async ({ view, announce }) => {
  const tools = { ...(await openCoreAndPool()), announce };
  const { core } = tools;
  const language = core.language();
  const dictionaries = core.little_dictionaries();
  let state = defaultState(core);
  /** The text that is shown. @type {import('../toy-model/text-input.js').Given} */
  let text = readSource(core, state.source);
  /** @type {LittleReading | undefined} */
  let reading;
  /** What the last change asked for: an older one's files may come later. */
  let turn = 0;

  /** The files that a state needs. @param {ModelState} of */
  const needs = ({ checkpoint, sae }) => {
    const file = dictionaries.find(({ name }) => name === sae)?.file;
    return file ? [checkpoint, file] : [checkpoint];
  };

  /** Reads the text and shows what came of it. */
  function read() {
    reading = core.little_read(state.checkpoint, Uint32Array.from(text.tokens), state.sae, Uint32Array.from(toHeadPairs(state.off)));
    const words = text.tokens.map((token) => language.words[token] ?? '');
    expectations.show(text.tokens, reading, text.answer);
    attention.show(words, reading, state.off);
    inside.show(words, reading, state.sae);
  }

  /** Goes to another state, once its files are there. @param {Partial<ModelState>} patch */
  async function change(patch) {
    const mine = (turn += 1);
    let next = { ...state, ...patch };
    view.setAttribute('aria-busy', 'true');
    const failed = await loadMissing(core, needs(next));
    if (mine !== turn) return;
    view.removeAttribute('aria-busy');
    // Whatever needs no file that is missing is followed all the same.
    if (failed) next = { ...next, checkpoint: state.checkpoint, sae: state.sae, unit: state.unit };
    state = next;
    // Workers have the longest way to go.
    ablation.show(state);
    read();
    chooser.show(state);
    checkpoints.show(state.checkpoint);
    address.remember();
    if (!failed) return;
    inside.choose(state.unit, state.sae);
    chooser.fail(failed);
    announce(failed);
  }

  const chooser = createCheckpointChooser(core.little_checkpoints(), (checkpoint) => change({ checkpoint }));
  const entry = createTextInput({
    core,
    announce,
    likely: () => (reading?.next.at(-1) ?? []).map(({ token }) => language.words[token] ?? '').filter((word) => word !== '<s>'),
    onText(found) {
      text = found;
      change({ source: found.source });
    },
  });
  const expectations = createNextTokenView(language);
  const attention = createAttention({
    onHead(head) {
      state = { ...state, head };
      address.remember();
    },
  });
  const inside = createUnitView({
    dictionaries,
    onUnit(unit) {
      state = { ...state, unit: unit || null };
      address.remember();
    },
    onSae: (sae) => change({ sae, unit: null }),
  });
  const ablation = createAblation(tools, { onOff: (off) => change({ off }) });
  const checkpoints = createCheckpointsView(tools, { onCheckpoint: (checkpoint) => change({ checkpoint }) });

  /** Shows what a link asks for. @param {ModelState} asked */
  function follow(asked) {
    text = readSource(core, asked.source);
    entry.show(text);
    attention.choose(asked.head);
    inside.choose(asked.unit, asked.sae);
    return change(asked);
  }

  /** What the address asked for first. @type {Promise<void>} */
  let opened = Promise.resolve();
  const address = createAddress({
    name: 'model',
    view,
    announce,
    print: () => formatState(core, state),
    follow(query) {
      const { state: asked, changes } = parseState(core, query);
      state = { ...state, head: asked.head, unit: asked.unit };
      opened = follow(asked);
      return changes;
    },
  });

  // Without these there is nothing to show.
  await loadToyModelFiles(core, needs(state));
  showLanguage(requireElement('.model-language', view), language);
  placeParts(view, {
    'model-text': [chooser.element, entry.element, expectations.element],
    'model-heads': [attention.element],
    'model-inside': [inside.element],
    'model-off': [ablation.element],
    'model-learnt': [checkpoints.element],
    'model-own': [createUserModel({ announce, rules: () => core.concept_rules() }).element],
  });
  address.open();
  await opened;
  return { redraw: attention.redraw, shown: address.remember };
});
