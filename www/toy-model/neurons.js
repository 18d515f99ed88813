// @ts-check
/** Neurons and features: the strongest on a text, and the words shaded by one of them. */

import { createButton, el, createScreenReaderText } from '../shell/dom.js';
import { createLabelled } from '../shell/fields.js';
import { createRovingFocus } from '../shell/roving-tabindex.js';
import { formatDecimal, formatWord } from '../shell/number-format.js';
import { createWordRow, createLegend } from './shaded-words.js';

/** @typedef {{ id: string, name: string, values: readonly number[] }} Unit */

/** @param {LittleReading['neurons'][number]} neuron @returns {Unit} */
const toNeuronUnit = ({ layer, index, values }) => ({
  id: `n${layer}.${index}`,
  name: `Neuron ${layer}.${index}`,
  values,
});

/** @param {LittleReading['latents'][number]} latent @returns {Unit} */
const toLatentUnit = ({ latent, values }) => ({ id: `f${latent}`, name: `Feature ${latent}`, values });

/** Where a unit is strongest. @param {Unit} unit */
function findPeak({ values }) {
  const most = Math.max(...values);
  return { most, at: values.indexOf(most) };
}

/** @param {readonly LittleDictionary[]} dictionaries */
function createUnitChooser(dictionaries) {
  const group = (/** @type {'trained' | 'control'} */ role, /** @type {string} */ label) =>
    el(
      'optgroup',
      { label },
      ...dictionaries
        .filter((one) => one.role === role)
        .map(({ name, label: words }) => el('option', { value: name }, words)),
    );
  return el(
    'select',
    {},
    el('option', { value: 'neurons' }, 'The model’s neurons'),
    group('trained', 'Features of an autoencoder'),
    group('control', 'Controls'),
  );
}

/**
 * @param {object} parts
 * @param {readonly LittleDictionary[]} parts.dictionaries
 * @param {(unit: string) => void} parts.onUnit another unit is chosen
 * @param {(sae: string) => void} parts.onSae another autoencoder is asked for
 */
export function createUnitView({ dictionaries, onUnit, onSae }) {
  /** @type {{ words: readonly string[], units: Unit[], sae: string } | undefined} */
  let now;
  /** @type {LittleReading | undefined} */
  let reading;
  let neurons = false;
  /** What is chosen; null: the strongest. @type {string | null} */
  let chosen = null;

  const chooser = createUnitChooser(dictionaries);
  const list = el('div', { class: 'toy-units', role: 'group', 'aria-label': 'The strongest on this text' });
  const roving = createRovingFocus(list, 'button');
  const words = createWordRow({ label: 'The text, shaded by the chosen unit’s activation' });
  const title = el('h3', { class: 'toy-chosen' });
  const said = el('p', { class: 'toy-said', role: 'status' });
  const scale = el('div');

  function shade() {
    if (!now) return;
    const unit = now.units.find(({ id }) => id === chosen) ?? (chosen === null ? now.units[0] : undefined);
    for (const button of list.children)
      button.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (button).dataset.unit === unit?.id));
    if (!unit) {
      title.textContent = chosen?.startsWith('n') ? `Neuron ${chosen.slice(1)}` : `Feature ${chosen?.slice(1)}`;
      said.textContent = 'It is not among the strongest on this text. Choose another, or take another text.';
      words.shade([], { most: 1, say: formatDecimal });
      scale.replaceChildren();
      return;
    }
    const { most, at } = findPeak(unit);
    title.textContent = unit.name;
    said.textContent =
      most > 0
        ? `Strongest on “${formatWord(now.words[at])}”, word ${at}, at ${formatDecimal(most)}; active on ${unit.values.filter((value) => value > 0).length} of ${now.words.length} words.`
        : 'Silent on all of this text.';
    words.shade(unit.values, { most, say: (value) => (value > 0 ? formatDecimal(value) : '') });
    scale.replaceChildren(createLegend('0', `${formatDecimal(Math.max(0, most))}, its strongest here`));
  }

  function write() {
    if (!now) return;
    const buttons = now.units.map((unit) => {
      const { most, at } = findPeak(unit);
      const words = [
        createScreenReaderText(`${unit.name.split(' ')[0]} `),
        el('b', {}, unit.id.slice(1)),
        createScreenReaderText(', strongest on'),
        ` ${formatWord(now?.words[at])} `,
        el('span', { class: 'toy-value' }, formatDecimal(most)),
      ];
      return createButton(words, { 'data-unit': unit.id }, () => {
        chosen = unit.id;
        shade();
        onUnit(unit.id);
      });
    });
    list.replaceChildren(...buttons);
    roving.refresh();
    shade();
  }

  function refresh() {
    if (!now || !reading) return;
    now.units = neurons ? reading.neurons.map(toNeuronUnit) : reading.latents.map(toLatentUnit);
    write();
  }

  chooser.addEventListener('change', () => {
    neurons = chooser.value === 'neurons';
    chosen = null;
    if (neurons || chooser.value === now?.sae) refresh();
    if (!neurons) onSae(chooser.value);
    onUnit(neurons ? (now?.units[0]?.id ?? '') : '');
  });

  return {
    element: el(
      'div',
      { class: 'toy-inside' },
      el('div', {}, createLabelled('Look at', chooser), list),
      el('div', {}, title, words.element, scale, said),
    ),
    /**
     * @param {readonly string[]} text
     * @param {LittleReading} found
     * @param {string} sae whose latents it has
     */
    show(text, found, sae) {
      const other = text.join(' ') !== now?.words.join(' ');
      now = { words: text, units: [], sae };
      reading = found;
      if (other) words.write(text);
      refresh();
    },
    /** @param {string | null} unit @param {string} sae */
    choose(unit, sae) {
      chosen = unit;
      neurons = unit?.startsWith('n') ?? false;
      chooser.value = neurons ? 'neurons' : sae;
      refresh();
    },
  };
}
