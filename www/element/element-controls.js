// @ts-check
/** The controls of an <sfc-bench>: each writes an attribute, which the element then follows. */

import { el } from '../shell/dom.js';
import { toOptions, createSelect } from '../shell/fields.js';

const WEIGHT_AXES = /** @type {const} */ ([
  ['s', 'α', 'Sparsity'],
  ['f', 'β', 'Fidelity'],
  ['c', 'γ', 'Completeness'],
]);
/** A slider is for the hand; larger weights can be written as an attribute. */
const SLIDER_ATTRIBUTES = { type: 'range', min: 0, max: 10, step: 0.1 };

/** @typedef {import('./element-state.js').Wish} Wish */

export class ElementControls {
  /** The controls there are, in order. */
  names;
  element = el('div', { class: 'controls', role: 'group', 'aria-label': 'Settings of the figure' });

  #host;
  /** @type {((wish: Wish) => void)[]} */
  #followers = [];

  /** @param {Lab} core @param {HTMLElement} host @param {string[]} names */
  constructor(core, host, names) {
    this.#host = host;
    this.names = names.join();
    const fields = new Map(core.fields().map((field) => [field.key, field]));
    for (const name of names) {
      if (name === 'weights') this.element.append(this.#createWeights(core));
      const field = fields.get(name);
      if (field && field.kind !== 'weights') this.element.append(this.#createSetting(core, field));
    }
  }

  /** @param {Wish} wish */
  show(wish) {
    for (const follow of this.#followers) follow(wish);
  }

  /** What somebody is just changing is left alone. @param {HTMLInputElement | HTMLSelectElement} input @param {string} value */
  #setValue(input, value) {
    const root = /** @type {ShadowRoot} */ (input.getRootNode());
    const typing = root.activeElement === input && input.type !== 'range' && input.type !== 'select-one';
    if (!typing && input.value !== value) input.value = value;
  }

  /** @param {Lab} core */
  #createWeights(core) {
    const host = this.#host;
    const sliders = WEIGHT_AXES.map(([key, , name]) =>
      el('input', { ...SLIDER_ATTRIBUTES, class: `axis-${key}`, 'aria-label': `${name} weight` }),
    );
    const said = WEIGHT_AXES.map(() => el('b'));
    for (const slider of sliders) {
      slider.addEventListener('input', () => {
        host.removeAttribute('profile');
        host.setAttribute('w', sliders.map(({ value }) => value).join());
      });
    }
    const profiles = core.profiles();
    const choice = createSelect({}, profiles.map(({ name, label, weights }) => [name, `${label} ${weights.join(':')}`]));
    choice.append(el('option', { value: '', disabled: true }, 'Your own'));
    choice.addEventListener('change', () => {
      host.removeAttribute('w');
      host.setAttribute('profile', choice.value);
    });
    this.#followers.push(({ settings: { weights } }) => {
      weights.forEach((weight, axis) => {
        const slider = sliders[axis];
        const label = said[axis];
        if (slider) this.#setValue(slider, String(weight));
        if (label) label.textContent = String(Number(weight.toPrecision(3)));
      });
      const same = profiles.find((row) => String(row.weights) === String(weights));
      this.#setValue(choice, same?.name ?? '');
    });
    return el(
      'div',
      { class: 'weights', role: 'group', 'aria-label': 'Weights' },
      el('label', {}, 'Profile', choice),
      ...WEIGHT_AXES.map(([, symbol, name], axis) =>
        el(
          'label',
          {},
          el('span', {}, `${symbol} ${name} `, said[axis] ?? ''),
          sliders[axis] ?? '',
        ),
      ),
    );
  }

  /**
   * @param {Lab} core
   * @param {import('../shell/state.js').Field} field
   */
  #createSetting(core, field) {
    const host = this.#host;
    const { key, limit } = field;
    if (field.kind === 'switch') {
      const box = el('input', { type: 'checkbox' });
      box.addEventListener('change', () => host.setAttribute(key, box.checked ? '1' : '0'));
      this.#followers.push(({ settings }) => (box.checked = Boolean(settings[field.name])));
      return el('label', { class: 'switch', title: field.help }, box, field.label);
    }
    const presets = core.presets().map(({ name, label }) => /** @type {const} */ ([name, label]));
    const options = field.kind === 'preset' ? presets : toOptions(field.options);
    const input = options.length > 0
      ? createSelect({}, options)
      : el('input', {
          type: field.kind === 'list' ? 'text' : 'number',
          autocomplete: 'off',
          step: limit?.whole ? 1 : 'any',
          ...(limit ? { min: limit.min, max: limit.max } : {}),
        });
    // A network of other sizes has no name in the list.
    if (field.kind === 'preset')
      input.append(el('option', { value: 'custom', disabled: true }, 'Other sizes'));
    input.addEventListener('change', () => {
      if (input.value === '') host.removeAttribute(key);
      else host.setAttribute(key, input.value);
    });
    this.#followers.push(({ settings }) => this.#setValue(input, String(settings[field.name])));
    return el('label', { title: field.help }, field.label, input);
  }
}
