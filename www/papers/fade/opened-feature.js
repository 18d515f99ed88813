// @ts-check
/** One feature, opened: the texts on which it is strongest, and what the model wrote while it was steered. */

import { el, createScreenReaderText, setScrollRegion } from '../../shell/dom.js';
import { CASE_LABELS, PREFIX_LENGTH, formatFactor, formatFeatureName } from './words.js';
import { formatFixed } from '../../shell/basic-format.js';
import { createDataTable } from '../../shell/tables.js';

/** @typedef {import('./words.js').FadeFeature} FadeFeature */
/** @typedef {FadeFeature['top'][number]} TopText */
/** @typedef {import('../../types/core.d.ts').FadeSteered} Steered */

/** What a label says of a text. */
const LABEL_TEXTS = ['0, not expressed', '1, by one word', '2, clearly'];
/** Texts that are shown before more are asked for. */
const TEXTS_SHOWN = 4;

/**
 * Words on their background: the stronger the feature on one, the fuller.
 *
 * @param {Language} language
 */
function createTextRenderer({ words, concepts }) {
  const wordOf = (/** @type {number} */ token) => words[token] ?? '?';

  /** The tokens on the list of what a feature is described as. @param {string} description */
  function listed(description) {
    const concept = concepts.find(({ name }) => name === description);
    if (concept) return new Set(concept.words);
    return new Set([words.indexOf(description.replace(/[“”]/g, ''))]);
  }

  /** @param {number} token @param {number} activation @param {boolean} expressed @param {number} largest */
  function createShadedWord(token, activation, expressed, largest) {
    const word = wordOf(token);
    const text = expressed ? el('u', {}, word) : word;
    if (activation === 0 || largest === 0) return el('span', {}, text);
    const mark = el('ruby', { class: 'fade-active' }, text, el('rt', {}, formatFixed(activation, 1)));
    mark.style.setProperty('--strength', `${Math.round((100 * Math.abs(activation)) / largest)}%`);
    return mark;
  }

  return {
    /** @param {TopText} text @param {number} largest */
    top({ tokens, activations, expressed, label }, largest) {
      // The first word of every text is a mark of its beginning, which no feature is read on.
      const line = tokens.slice(1).flatMap((token, at) => [
        createShadedWord(token, activations[at] ?? 0, expressed[at + 1] ?? false, largest),
        ' ',
      ]);
      return el('li', {}, el('span', { class: 'fade-label' }, `label ${LABEL_TEXTS[label] ?? label}`), ' ', el('span', { class: 'fade-text' }, ...line));
    },
    /** @param {readonly number[]} tokens @param {ReadonlySet<number>} list */
    written(tokens, list) {
      const prefix = tokens.slice(1, PREFIX_LENGTH).map(wordOf).join(' ');
      const more = tokens.slice(PREFIX_LENGTH).flatMap((token) => [list.has(token) ? el('u', {}, wordOf(token)) : wordOf(token), ' ']);
      return el('li', {}, el('span', { class: 'fade-prefix' }, `${prefix} `), createScreenReaderText('goes on '), ...more);
    },
    listed,
  };
}

/** @param {FadeFeature} feature @param {readonly string[]} failures */
function describeFeature(feature, failures) {
  const { active, f1, largest, labels, made } = feature;
  const said = [
    `It is active on ${(100 * active).toFixed(1)} % of ${labels.length} natural texts, at most ${formatFixed(largest, 2)}; ${made.length} texts were made from the description.`,
    `As a detector of the description’s words its F1 is ${formatFixed(f1, 2)}.`,
    feature.gate
      ? 'It passes the implementation’s gate.'
      : 'It does not pass the implementation’s gate: the implementation gives no faithfulness here.',
    failures.length === 0 ? '' : `What fails: ${failures.join(', ')}.`,
  ];
  return said.filter((text) => text !== '').join(' ');
}

/** @param {Lab} core */
export function createFeatureDetail(core) {
  const words = createTextRenderer(core.language());
  const title = el('h3', { id: 'fade-opened-title', tabindex: '-1' }, 'One feature');
  const about = el('p', { id: 'fade-opened-about' });
  const top = el('ol', { class: 'fade-texts' });
  const topBox = el('div', { class: 'fade-scroll' }, top);
  const rest = el('ol', { class: 'fade-texts', start: TEXTS_SHOWN + 1 });
  const moreTexts = el('details', { class: 'apart' }, el('summary', {}, 'More texts'), el('div', { class: 'fade-scroll' }, rest));
  const steeredBox = el('div');
  const written = el('div', { class: 'fade-scroll fade-written' });

  /** @param {Steered} steered @param {readonly number[]} factors @param {FadeFeature} feature */
  function createRows(steered, factors, feature) {
    const list = words.listed(feature.concept);
    return factors.map((factor, at) => {
      const counts = steered.labels[at] ?? [0, 0, 0];
      const all = counts.reduce((sum, count) => sum + count, 0);
      const best = factor === steered.best_factor ? ', the most' : '';
      const texts = (steered.written[at] ?? []).map((tokens) => words.written(tokens, list));
      return el(
        'tr',
        {},
        el('th', { scope: 'row', class: 'number', 'data-label': 'Factor' }, formatFactor(factor)),
        el('td', { class: 'fade-share', 'data-label': 'Clearly' }, `${counts[2]} of ${all}${best}`),
        el('td', {}, el('ul', { class: 'fade-lines' }, ...texts)),
      );
    });
  }

  return {
    title,
    about,
    texts: el(
      'div',
      {},
      el('h4', {}, 'Texts on which it is strongest'),
      el('p', { class: 'help' }, 'Above each word on which it is active stands its activation; the fuller the background, the stronger. Underlined words express the description.'),
      topBox,
      moreTexts,
    ),
    writings: el(
      'div',
      {},
      el('h4', {}, 'What the model writes when it is steered'),
      steeredBox,
      el(
        'details',
        { class: 'apart' },
        el('summary', {}, 'Every factor'),
        el('p', { class: 'help' }, 'Some continuations at each factor: grey words were given, the others written. Underlined words are on the description’s list. The shares are of all continuations.'),
        written,
      ),
    ),
    /** @param {FadeFeature} feature @param {readonly string[]} failures @param {readonly number[]} factors */
    show(feature, failures, factors) {
      const why = feature.case === 'best' ? 'the best-matching latent of this concept' : CASE_LABELS[feature.case];
      title.textContent = `Opened: ${formatFeatureName(feature)} (${why})`;
      about.textContent = describeFeature(feature, failures);
      const lines = feature.top.map((text) => words.top(text, feature.largest));
      top.replaceChildren(...lines.slice(0, TEXTS_SHOWN));
      rest.replaceChildren(...lines.slice(TEXTS_SHOWN));
      moreTexts.hidden = lines.length <= TEXTS_SHOWN;
      setScrollRegion(topBox, 'Texts on which it is strongest');
      const { steered } = feature;
      if (!steered) {
        setScrollRegion(written, null);
        steeredBox.replaceChildren(el('p', {}, 'Not steered yet.'));
        written.replaceChildren(el('p', {}, 'Not steered yet.'));
        return;
      }
      const best = steered.best_factor ?? 0;
      const at = factors.indexOf(best);
      const [clearly = 0, all = 0] = [steered.labels[at]?.[2], steered.labels[at]?.reduce((sum, count) => sum + count, 0)];
      const list = words.listed(feature.concept);
      steeredBox.replaceChildren(
        el('p', {}, `At factor ${formatFactor(best)}, ${clearly} of ${all} continuations clearly express “${feature.concept}”:`),
        el('ul', { class: 'fade-lines' }, ...(steered.written[at] ?? []).map((tokens) => words.written(tokens, list))),
      );
      const heads = ['Factor', 'Clearly express it', 'Some of them'];
      written.replaceChildren(createDataTable(`What the model wrote: ${formatFeatureName(feature)}`, heads, createRows(steered, factors, feature)));
      setScrollRegion(written, 'What the model wrote');
    },
  };
}
