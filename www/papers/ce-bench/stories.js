// @ts-check
/** The pairs of stories, one at a time, side by side: words shaded by the winning latent, planted words framed. */

import { el, showError, handleSubmit } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { buildTable } from '../../shell/tables.js';

/** @typedef {import('../../types/core.d.ts').CeBenchPair} Pair */
/** @typedef {import('../../types/core.d.ts').CeBenchStory} Story */

/** How strong a word is shaded, at least, where the latent is active at all. */
const SHADE_MIN = 0.12;

/** @param {number} value */
const formatActivation = (value) => (value === 0 ? '0' : value.toPrecision(3));

/** @param {Pair} pair @param {number} index */
const storyTitle = ({ told }, index) => `Story ${index + 1}: ${told[index]}`;

/** @param {Story} story @param {number} place of the reading */
function storyActivations(story, place) {
  // The token that begins the text is left out.
  return [NaN, ...(story.activations[place] ?? [])];
}

/**
 * A word with what the latent is on it.
 *
 * @param {string} word @param {boolean} marked @param {number} value NaN for the first @param {number} most
 */
function createWord(word, marked, value, most) {
  const known = Number.isFinite(value);
  const strength = known && most > 0 ? Math.abs(value) / most : 0;
  const element = el(marked ? 'mark' : 'span', { class: 'ce-word' }, word);
  if (strength > 0) {
    element.style.setProperty('--strength', String(SHADE_MIN + (1 - SHADE_MIN) * strength));
    element.classList.add('on');
    if (value < 0) element.classList.add('negative');
  }
  element.title = known ? `${word}: ${formatActivation(value)}` : `${word}: left out`;
  return element;
}

/**
 * A story as it reads.
 *
 * @param {Story} story @param {readonly string[]} words @param {readonly number[]} values @param {string} title
 * @param {number} most the strongest of both stories
 */
function createStoryText(story, words, values, title, most) {
  const text = el('p', { class: 'ce-story' });
  story.tokens.forEach((token, at) => {
    if (at > 0) text.append(' ');
    text.append(createWord(words[token] ?? '?', story.marks[at] === true, values[at] ?? NaN, most));
  });
  return el('div', {}, el('h3', {}, title), text);
}

/**
 * A story's words and what the latent is on them, for whoever cannot see shades.
 *
 * @param {Story} story @param {readonly string[]} words @param {readonly number[]} values @param {string} title
 */
function createStoryTable(story, words, values, title) {
  const rows = story.tokens.map((token, at) => {
    const value = values[at] ?? NaN;
    const texts = [words[token] ?? '?', story.marks[at] ? 'yes' : '', Number.isFinite(value) ? formatActivation(value) : '–'];
    return texts.map((text) => ({ text }));
  });
  /** @type {DataTable['columns']} */
  const columns = [
    { title: 'word', align: 'left' },
    { title: 'marked', align: 'left' },
    { title: 'activation', align: 'right' },
  ];
  return buildTable({ columns, rows }, title);
}

/** What there is to press, and to choose by. */
function createPairControls() {
  const topics = createField({
    ...{ kind: 'select', id: 'ce-bench-contrast', label: 'Pairs that differ in' },
    options: [['', 'topic or mood'], ['topic', 'topic'], ['mood', 'mood']],
  });
  const order = createField({
    ...{ kind: 'select', id: 'ce-bench-order', label: 'In order of' },
    options: [['', 'number'], ['down', 'score, highest first'], ['up', 'score, lowest first']],
  });
  const pair = createField({ kind: 'number', id: 'ce-bench-pair', label: 'Pair', attributes: { min: 1, step: 1 } });
  const back = el('button', { type: 'button', id: 'ce-bench-back' }, 'Previous');
  const next = el('button', { type: 'button', id: 'ce-bench-next' }, 'Next');
  const element = el(
    'form',
    { class: 'families-controls', novalidate: true, 'aria-label': 'Which pair is shown' },
    pair.element,
    topics.element,
    order.element,
    el('span', { class: 'families-go' }, back, next),
  );
  return { element, topics: topics.input, order: order.input, pair, back, next };
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {{ readonly place: number }} parts.readings
 * @param {(at: number) => void} parts.onPair
 */
export function createStories({ core, announce }, { place, readings, onPair }) {
  const { words } = core.language();
  const bar = createPairControls();
  const told = el('p', { id: 'ce-bench-told' });
  const both = el('div', { class: 'ce-stories' });
  const scale = el('p', { class: 'help', id: 'ce-bench-scale' });
  const tables = el('div', { class: 'ce-stories' });
  const asTable = el('details', {}, el('summary', {}, 'Words and activations as tables'), tables);
  place.append(bar.element, told, both, scale, asTable);
  /** @type {readonly Pair[]} */
  let pairs = [];
  let opened = 0;

  /** The places of the pairs that are asked for, in the order that is. */
  function listPairs() {
    const wanted = bar.topics.value;
    const all = [...pairs.keys()].filter((at) => !wanted || pairs[at]?.contrast === wanted);
    const score = (/** @type {number} */ at) => pairs[at]?.scores[readings.place]?.interpretability ?? 0;
    if (bar.order.value === 'down') all.sort((a, b) => score(b) - score(a));
    if (bar.order.value === 'up') all.sort((a, b) => score(a) - score(b));
    return all;
  }

  function showTables() {
    const pair = pairs[opened];
    if (!asTable.open || !pair) return;
    tables.replaceChildren(
      ...pair.stories.map((story, index) =>
        createStoryTable(story, words, storyActivations(story, readings.place), storyTitle(pair, index)),
      ),
    );
  }
  asTable.addEventListener('toggle', showTables);

  function show() {
    const pair = pairs[opened];
    place.hidden = !pair;
    if (!pair) return;
    const all = listPairs();
    const at = all.indexOf(opened);
    bar.pair.show(opened + 1);
    bar.pair.input.setAttribute('max', String(pairs.length));
    showError(bar.pair.error, '', bar.pair.inputs);
    bar.back.disabled = all.length < 2;
    bar.next.disabled = all.length < 2;
    const winner = pair.winners[readings.place] ?? 0;
    const values = pair.stories.flatMap((story) => storyActivations(story, readings.place)).filter(Number.isFinite);
    const most = values.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
    told.textContent = `Pair ${opened + 1} of ${pairs.length}${at >= 0 && all.length < pairs.length ? ` (${at + 1} of the ${all.length} that differ in ${bar.topics.value})` : ''}: the same plan, told of ${pair.told[0]} and of ${pair.told[1]}. Latent ${winner} is farthest apart.`;
    both.replaceChildren(
      ...pair.stories.map((story, index) =>
        createStoryText(story, words, storyActivations(story, readings.place), storyTitle(pair, index), most),
      ),
    );
    const below = values.some((value) => value < 0) ? ' What is below zero is underlined.' : '';
    scale.textContent = `Shaded by latent ${winner}: no shade is 0, the strongest ${formatActivation(most)}.${below} Framed: the words that tell the difference.`;
    showTables();
  }

  /** @param {number} at */
  function open(at) {
    if (!pairs[at]) return;
    opened = at;
    show();
    onPair(at);
  }
  /** @param {number} by */
  function step(by) {
    const all = listPairs();
    const at = all.indexOf(opened);
    const to = all[at < 0 ? 0 : (at + by + all.length) % all.length];
    if (to === undefined) return;
    open(to);
    announce(told.textContent ?? '');
  }
  bar.back.addEventListener('click', () => step(-1));
  bar.next.addEventListener('click', () => step(1));
  /** Another order or choice begins with its first. */
  const begin = () => {
    const [first] = listPairs();
    if (first === undefined) show();
    else open(first);
  };
  bar.topics.addEventListener('change', begin);
  bar.order.addEventListener('change', begin);
  function openByNumber() {
    const wanted = bar.pair.value();
    if (pairs[wanted - 1]) {
      open(wanted - 1);
      return;
    }
    showError(bar.pair.error, `Allowed: 1 to ${pairs.length}, whole.`, bar.pair.inputs);
  }
  bar.pair.input.addEventListener('change', openByNumber);
  handleSubmit(bar.element, openByNumber);

  return {
    /** Shows other pairs; the same number stays open where there is one. @param {readonly Pair[]} found @param {number} at */
    show(found, at) {
      pairs = found;
      opened = pairs[at] ? at : 0;
      show();
      return opened;
    },
    /** Another reading: another winner. */
    redraw: show,
  };
}
