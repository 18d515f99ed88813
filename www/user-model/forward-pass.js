// @ts-check
/** A text in a reader's own model: next tokens, losses, attention, the logit lens, and what ablations do. */

import { createButton, el, requireElement } from '../shell/dom.js';
import { createLabelled, createSelect } from '../shell/fields.js';
import { formatDecimal, formatRounded, formatPercent } from '../shell/number-format.js';
import { createElementTable } from '../shell/scroll-region.js';
import { formatToken, formatTokenInText } from './token-format.js';
import { drawPattern } from '../toy-model/attention-pattern.js';
import { createWordRow, createLegend, setShade } from '../toy-model/shaded-words.js';

/** @typedef {import('./model-client.js').ModelClient} ModelClient */
/** @typedef {ModelTasks['model-open']['answer']} Opened */
/** @typedef {ModelTasks['model-score']['answer']} Scored */

/** Likeliest tokens that are shown. */
const TOP_TOKENS = 10;
/** Tokens for which the lens and the pattern are drawn. */
const TOKENS_DRAWN_MAX = 128;
/** Most of the pattern's side, in CSS pixels. */
const PATTERN_SIDE_MAX = 560;

/** Numbers to choose from. @param {HTMLSelectElement} select @param {number} count */
function fillOptions(select, count) {
  select.replaceChildren(...Array.from({ length: count }, (_, at) => el('option', { value: String(at) }, String(at))));
}

/** Layer, head and neuron to choose; where it says what is ablated. @param {(component: string) => void} add */
function createControls(add) {
  const layer = el('select', { id: 'model-own-layer' });
  const head = el('select', { id: 'model-own-head' });
  const neuron = el('input', { type: 'number', id: 'model-own-neuron', min: '0', value: '0' });
  const to = createSelect({ id: 'model-own-to' }, [['zero', 'zero'], ['mean', 'mean over the text']]);
  const addHead = createButton('Ablate the head', { id: 'model-own-ablate-head' }, () =>
    add(`head:${layer.value}.${head.value}`),
  );
  const addNeuron = createButton('Ablate the neuron', { id: 'model-own-ablate-neuron' }, () =>
    add(`neuron:${layer.value}.${neuron.value}`),
  );
  const ablated = el('p', { id: 'model-own-ablated' });
  const element = el(
    'div',
    { class: 'model-own-controls' },
    createLabelled('Layer', layer),
    createLabelled('Head', head),
    addHead,
    createLabelled('Neuron', neuron),
    addNeuron,
    createLabelled('Ablate to', to),
  );
  return { element, layer, head, neuron, to, ablated };
}

/** What an ablation does, beside its control. @param {Scored} scored */
function createAblationTable({ cross_entropy: entropy, ablation }) {
  if (!ablation) return '';
  /** @param {string} name @param {Effect} effect */
  const row = (name, effect) => [name, formatRounded(effect.cross_entropy), formatRounded(effect.kl), formatPercent(effect.top1_agreement)];
  const rows = [['The model as it is', formatRounded(entropy), '0', '100%'], row(`Without ${ablation.components.join(', ')}`, ablation)];
  if (ablation.control) rows.push(row(`Control: without ${ablation.control.components.join(', ')}`, ablation.control));
  return createElementTable('What the ablation does to the predictions of this text', ['Model', 'Cross-entropy (nats)', 'KL', 'Top-1 agreement'], rows);
}

/** The logit lens: a row a layer, a column a position. @param {ModelTasks['model-lens']['answer']} layers @param {readonly string[]} words */
function createLensTable(layers, words) {
  const rows = layers.map((row, layer) => [
    String(layer),
    ...row.map((one) => {
      const cell = el('span', { class: 'model-own-lens' }, formatTokenInText(one), ' ', el('span', { class: 'toy-value' }, formatPercent(one.probability)));
      setShade(cell, one.probability);
      return cell;
    }),
  ]);
  return createElementTable('Logit lens: the likeliest next token by layer and position', ['Layer', ...words.slice(0, TOKENS_DRAWN_MAX)], rows.reverse());
}

/** The pattern of a head, and what is at a place of it. */
function createPatternView() {
  const canvas = el('canvas', { class: 'toy-matrix', role: 'img', id: 'model-own-pattern' });
  const readout = el('p', { class: 'help toy-readout', id: 'model-own-readout' });
  /** @type {{ pattern: number[][], words: string[] } | null} */
  let now = null;
  /** @type {ReturnType<typeof drawPattern>} */
  let cellAt = () => null;
  function draw() {
    const room = canvas.parentElement?.clientWidth ?? 0;
    if (!now || room === 0) return;
    cellAt = drawPattern(canvas, now.pattern, now.words, Math.min(PATTERN_SIDE_MAX, room), -1);
  }
  canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
    const cell = cellAt(offsetX, offsetY);
    if (!cell || !now) return;
    const share = now.pattern[cell.from]?.[cell.to] ?? 0;
    readout.textContent = `From ${now.words[cell.from]} (${cell.from}) to ${now.words[cell.to]} (${cell.to}): ${formatPercent(share)}`;
  });
  const frame = el('div', { class: 'toy-frame' }, canvas);
  new ResizeObserver(draw).observe(frame);
  return {
    parts: [frame, readout],
    /** @param {string} head @param {Float32Array} values @param {string[]} words */
    show(head, values, words) {
      const some = Math.round(Math.sqrt(values.length));
      const row = (/** @type {number} */ at) => Array.from(values.subarray(at * some, (at + 1) * some));
      now = { pattern: Array.from({ length: some }, (_, at) => row(at)), words: words.slice(0, some) };
      canvas.setAttribute('aria-label', `Attention pattern of head ${head}: ${some} tokens down look at the same tokens across.`);
      const sink = now.pattern.slice(1).reduce((sum, of) => sum + (of[0] ?? 0), 0) / Math.max(1, some - 1);
      readout.textContent = `Head ${head}: ${formatPercent(sink)} of the attention from later positions goes to the first one. A row looks, a column is looked at.`;
      draw();
    },
  };
}

/** @param {readonly NextToken[]} top */
function createNextTokenTable(top) {
  const rows = top.map((one) => [formatToken(one), String(one.token), formatPercent(one.probability), formatRounded(one.logit)]);
  return createElementTable('The likeliest tokens after the text', ['Token', 'Number', 'Probability', 'Logit'], rows);
}

/** What is ablated, as a button that takes it back. @param {string} name @param {() => unknown} onBack */
function createChip(name, onBack) {
  return createButton(`${name} ×`, { 'aria-label': `Take ${name} back` }, onBack);
}

/** How well the tokens of a text were predicted, in a sentence. @param {Scored} scored */
function scoreSentence({ tokens, cross_entropy: entropy, ablation }) {
  const said = [`${tokens.length} token${tokens.length === 1 ? '' : 's'}`];
  if (entropy !== null) said.push(`, cross-entropy ${formatRounded(entropy)} nats a token (perplexity ${formatRounded(Math.exp(entropy), 1)})`);
  if (ablation) said.push(`; shown is the ablated model’s, ${formatRounded(ablation.cross_entropy)} nats`);
  return `${said.join('')}.`;
}

/**
 * @param {object} parts
 * @param {ModelClient} parts.client
 * @param {<T>(words: string, work: () => Promise<T>, then: (found: T) => string) => Promise<void>} parts.doing
 * @param {() => void} parts.onText another text is shown
 */
export function createUserModelView({ client, doing, onText }) {
  const controls = createControls((name) => setAblation([...new Set([...state.components, name])]));
  const pattern = createPatternView();
  const words = createWordRow({ label: 'The text, shaded by the cross-entropy of each token' });
  const summary = el('p', { id: 'model-own-summary' });
  const next = el('div');
  const effects = el('div', { id: 'model-own-effects' });
  const lens = el('div', { id: 'model-own-lens' });
  const element = el(
    'div',
    { hidden: true },
    el('h3', {}, 'Tokens and their cross-entropy'),
    summary,
    words.element,
    createLegend('0', 'the largest of this text'),
    next,
    el('h3', {}, 'Attention and ablation'),
    controls.element,
    controls.ablated,
    effects,
    ...pattern.parts,
    el('h3', {}, 'Logit lens'),
    el('p', {}, 'The last normalisation and the unembedding applied to the residual stream after each layer.'),
    createButton('Compute the logit lens', { id: 'model-own-lens-run' }, () => {
      lensShown = true;
      doing('Computing…', drawLens, () => 'The logit lens is below.');
    }),
    lens,
  );
  /** @type {{ tokens: ModelToken[], components: string[] }} */
  const state = { tokens: [], components: [] };
  let lensShown = false;

  const ablate = () => ({ components: state.components, to: /** @type {'zero' | 'mean'} */ (controls.to.value), seed: 0 });
  const ids = () => state.tokens.map(({ token }) => token);
  const texts = () => state.tokens.map(formatTokenInText);

  /** @param {Scored} scored */
  function showScored(scored) {
    if (String(scored.tokens.map(({ token }) => token)) !== String(ids())) onText();
    state.tokens = scored.tokens;
    element.hidden = false;
    const { losses: shown, top } = scored.ablation ?? scored;
    words.write(texts());
    words.shade([null, ...shown], { most: Math.max(...shown, 0), say: formatDecimal });
    summary.textContent = scoreSentence(scored);
    next.replaceChildren(createNextTokenTable(top));
    effects.replaceChildren(createAblationTable(scored));
    return top[0] ? `${formatToken(top[0])} is the likeliest token.` : '';
  }

  async function showAttention() {
    const head = `${controls.layer.value}.${controls.head.value}`;
    // Of the text as it was when it was asked for.
    const names = texts();
    const values = await client.ask('model-attention', { tokens: ids(), shown: TOKENS_DRAWN_MAX, head, ablate: ablate() });
    pattern.show(head, values, names);
  }

  async function drawLens() {
    const names = texts();
    const layers = await client.ask('model-lens', { tokens: ids(), shown: TOKENS_DRAWN_MAX, ablate: ablate() });
    lens.replaceChildren(createLensTable(layers, names));
  }

  /** @param {{ text?: string, tokens?: number[] }} asked */
  const score = (asked) =>
    doing(
      'Computing…',
      async () => {
        const scored = await client.ask('model-score', { count: TOP_TOKENS, ablate: ablate(), ...asked });
        const said = showScored(scored);
        await showAttention();
        if (lensShown) await drawLens();
        return said;
      },
      (said) => said,
    );

  function showAblated() {
    const chips = state.components.map((name) => createChip(name, () => setAblation(state.components.filter((other) => other !== name))));
    controls.ablated.replaceChildren(...(chips.length > 0 ? ['Ablated: ', ...chips] : []));
  }

  /** @param {string[]} components */
  function setAblation(components) {
    state.components = components;
    showAblated();
    return score({ tokens: ids() });
  }
  controls.to.addEventListener('change', () => {
    if (state.components.length > 0) score({ tokens: ids() });
  });
  for (const select of [controls.layer, controls.head])
    select.addEventListener('change', () => doing('Computing…', showAttention, () => ''));

  return {
    element,
    ids,
    score,
    /** Another model. @param {Opened} opened */
    reset({ config }) {
      element.hidden = true;
      lensShown = false;
      Object.assign(state, { tokens: [], components: [] });
      showAblated();
      lens.replaceChildren();
      fillOptions(controls.layer, config.layers);
      fillOptions(controls.head, config.heads);
      controls.neuron.max = String(config.d_mlp - 1);
      requireElement('.toy-words', element).replaceChildren();
    },
  };
}
