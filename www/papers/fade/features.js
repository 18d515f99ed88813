// @ts-check
/** Every feature as a button: its scores at a glance, and what is wrong with its description. */

import { createButton, el, createScreenReaderText, createVisualText } from '../../shell/dom.js';
import { createRovingFocus } from '../../shell/roving-tabindex.js';
import { CASE_LABELS } from './words.js';
import { formatFixed } from '../../shell/basic-format.js';

/** @typedef {import('./words.js').FadeFeature} FadeFeature */

/** The four scores, as figures have them. @param {FadeFeature} feature @returns {[letter: string, name: string, value: number | null | undefined][]} */
const listScores = ({ clarity, responsiveness, purity, steered }) => [
  ['C', 'clarity', clarity.code],
  ['R', 'responsiveness', responsiveness.code],
  ['P', 'purity', purity.code],
  ['F', 'faithfulness', steered?.faithfulness],
];

/** @param {(index: number) => void} onOpen */
export function createFeatureList(onOpen) {
  const group = el('div', { class: 'fade-features', role: 'group', 'aria-label': 'Features' });
  const roving = createRovingFocus(group, ':scope > button');
  /** @type {HTMLButtonElement[]} */
  let buttons = [];

  /** @param {FadeFeature} feature @param {readonly string[]} failures */
  function createContent(feature, failures) {
    const scores = listScores(feature).flatMap(([letter, name, value]) => [
      createVisualText(`${letter} ${formatFixed(value, 2)}`, 'fade-score'),
      createScreenReaderText(`, ${name} ${value == null ? 'not there yet' : formatFixed(value, 2)}`),
    ]);
    const about = feature.case === 'best' ? `latent ${feature.latent}` : `latent ${feature.latent}, ${CASE_LABELS[feature.case]}`;
    return [
      el('span', { class: 'fade-concept' }, feature.concept),
      el('span', { class: 'fade-about' }, createScreenReaderText(', '), about),
      el('span', { class: 'fade-scores' }, ...scores),
      el('span', { class: 'fade-fails' }, ...(failures.length === 0 ? [] : [createScreenReaderText(', '), failures.join(', ')])),
    ];
  }

  return {
    element: group,
    /** Shows other features. @param {readonly FadeFeature[]} features @param {readonly string[][]} failures */
    show(features, failures) {
      buttons = features.map((feature, index) => {
        const words = createContent(feature, failures[index] ?? []);
        return createButton(words, { 'aria-pressed': 'false' }, () => onOpen(index));
      });
      group.replaceChildren(...buttons);
      roving.refresh();
    },
    /** One feature has other scores. @param {number} index @param {FadeFeature} feature @param {readonly string[]} failures */
    update(index, feature, failures) {
      buttons[index]?.replaceChildren(...createContent(feature, failures));
    },
    /** @param {number} index */
    mark(index) {
      for (const [at, button] of buttons.entries()) button.setAttribute('aria-pressed', String(at === index));
      // On a phone they scroll within their place; the page stays where it is.
      const [place, marked] = [group.getBoundingClientRect(), buttons[index]?.getBoundingClientRect()];
      if (!marked || (marked.top >= place.top && marked.bottom <= place.bottom)) return;
      group.scrollTop += marked.top - place.top - (place.height - marked.height) / 2;
    },
  };
}
