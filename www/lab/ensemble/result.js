// @ts-check
/** What an ensemble says: its sentence, its figures, the same elsewhere. */

import { createButton, el } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';

/** @type {[string, boolean][]} figures, and whether they take the whole width */
const FIGURES = [
  ['ens-score', false],
  ['ens-metrics', false],
  ['ens-hypervolume', false],
  ['ens-peak', false],
  ['ens-wins', true],
  ['ens-printed', true],
  ['ens-percentiles', false],
  ['ens-analogues', false],
];

/**
 * @param {object} parts
 * @param {(text: string) => void} parts.announce
 * @param {() => EnsembleView | null} parts.view
 * @param {() => void} parts.onSave
 */
export function createEnsembleResult({ announce, view: viewNow, onSave }) {
  const headline = el('p', { id: 'ensemble-headline' });
  const command = el('code', { id: 'ensemble-command' });
  const save = createButton('Save them as JSON', { class: 'quiet', id: 'ensemble-save' }, onSave);
  const places = FIGURES.map(([id, wide]) => ({
    id,
    figure: el('figure', { 'data-figure': id, class: wide && 'wide' }),
    // Stands in the place of a figure that has nothing to show.
    why: el('p', { class: 'help', 'data-instead': id, hidden: true }),
  }));
  const element = el(
    'div',
    { class: 'lab', id: 'ensemble-result', hidden: true },
    headline,
    el('div', { class: 'grid' }, ...places.flatMap(({ figure, why }) => [figure, why])),
    el('p', { class: 'help' }, 'The command line gives the same numbers, to the last bit: ', command, ' ', save),
  );
  const figures = new Figures(
    places.map(({ figure }) => figure),
    announce,
    viewNow,
  );

  return {
    element,
    redraw: () => figures.redraw(),
    clear() {
      element.hidden = true;
      figures.clear();
    },
    /** @param {EnsembleView} view summed up @param {string} line the command that gives the same */
    show(view, line) {
      headline.textContent = view.headline();
      command.textContent = line;
      for (const { id, figure, why } of places) {
        const text = view.empty(id);
        figure.hidden = text !== undefined;
        why.hidden = text === undefined;
        why.textContent = text ?? '';
      }
      if (element.hidden) {
        element.hidden = false;
        figures.show(view);
      } else {
        figures.redraw();
      }
    },
  };
}
