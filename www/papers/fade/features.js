// @ts-check
/** Every feature as a button: its scores at a glance, and what is wrong with its description. */

import { createButton, el, heard, seen } from '../../shell/dom.js';
import { rove } from '../../shell/roving.js';
import { CASES } from './words.js';
import { rounded } from '../../shell/grouped.js';

/** @typedef {import('./words.js').FadeFeature} FadeFeature */

/** The four scores, as figures have them. @param {FadeFeature} feature @returns {[letter: string, name: string, value: number | null | undefined][]} */
const scoresOf = ({ clarity, responsiveness, purity, steered }) => [
  ['C', 'clarity', clarity.code],
  ['R', 'responsiveness', responsiveness.code],
  ['P', 'purity', purity.code],
  ['F', 'faithfulness', steered?.faithfulness],
];

/** @param {(index: number) => void} onOpen */
export function createFeatures(onOpen) {
  const group = el('div', { class: 'fade-features', role: 'group', 'aria-label': 'Features' });
  const roving = rove(group, ':scope > button');
  /** @type {HTMLButtonElement[]} */
  let buttons = [];

  /** @param {FadeFeature} feature @param {readonly string[]} failures */
  function content(feature, failures) {
    const scores = scoresOf(feature).flatMap(([letter, name, value]) => [
      seen(`${letter} ${rounded(value, 2)}`, 'fade-score'),
      heard(`, ${name} ${value == null ? 'not there yet' : rounded(value, 2)}`),
    ]);
    const about = feature.case === 'best' ? `latent ${feature.latent}` : `latent ${feature.latent}, ${CASES[feature.case]}`;
    return [
      el('span', { class: 'fade-concept' }, feature.concept),
      el('span', { class: 'fade-about' }, heard(', '), about),
      el('span', { class: 'fade-scores' }, ...scores),
      el('span', { class: 'fade-fails' }, ...(failures.length === 0 ? [] : [heard(', '), failures.join(', ')])),
    ];
  }

  return {
    element: group,
    /** Shows other features. @param {readonly FadeFeature[]} features @param {readonly string[][]} failures */
    show(features, failures) {
      buttons = features.map((feature, index) => {
        const words = content(feature, failures[index] ?? []);
        return createButton(words, { 'aria-pressed': 'false' }, () => onOpen(index));
      });
      group.replaceChildren(...buttons);
      roving.refresh();
    },
    /** One feature has other scores. @param {number} index @param {FadeFeature} feature @param {readonly string[]} failures */
    update(index, feature, failures) {
      buttons[index]?.replaceChildren(...content(feature, failures));
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
