// @ts-check
/** What there is of a study: what it says, what to be careful about, its figures, the same elsewhere. */

import { createButton, el, createErrorLine } from '../../shell/dom.js';
import { Figures } from '../../shell/figures.js';

/** @type {[string, boolean][]} figures, and whether they take the whole width */
const FIGURES = [
  ['fam-hv', true],
  ['fam-score', false],
  ['fam-sf', false],
  ['fam-sc', false],
  ['fam-fc', false],
  ['fam-map', false],
  ['fam-truth', true],
  ['fam-differences', true],
];

/** @param {HTMLElement} element @param {string} text */
function setText(element, text) {
  element.hidden = text === '';
  // An assistive program reads again what is set again.
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {object} parts
 * @param {(text: string) => void} parts.announce
 * @param {() => FamiliesView | null} parts.view
 * @param {() => void} parts.onSave
 */
export function createStudyResult({ announce, view: viewNow, onSave }) {
  const headline = el('p', { class: 'claim', id: 'families-headline' });
  const provisional = el('p', { class: 'families-provisional', id: 'families-provisional', hidden: true });
  const others = createErrorLine('families-others');
  const warnings = el('div', {
    class: 'families-warnings',
    id: 'families-warnings',
    role: 'note',
    'aria-label': 'Warnings about the metric',
    hidden: true,
  });
  const repeats = el('span', { id: 'families-repeats' });
  const command = el('code', { id: 'families-command' });
  const save = createButton('Save them as JSON', { class: 'quiet', id: 'families-save' }, onSave);
  const elements = FIGURES.map(([id, wide]) => el('figure', { 'data-figure': id, class: wide && 'wide' }));
  const element = el(
    'div',
    { id: 'families-result', hidden: true },
    headline,
    others,
    el('div', { class: 'grid' }, ...elements.slice(0, 1)),
    provisional,
    warnings,
    el(
      'details',
      { class: 'apart' },
      el('summary', {}, 'Take it apart', el('span', { class: 'gist' }, 'S, F and C of every method, ground truth, differences')),
      el('div', { class: 'grid' }, ...elements.slice(1)),
    ),
    el('p', { class: 'help' }, repeats, command, ' ', save),
  );
  const figures = new Figures(elements, announce, viewNow);
  /** Whether the figures have a view to draw. */
  let shown = false;

  /** @param {FamiliesView} view */
  function warn(view) {
    const texts = view.warnings();
    warnings.hidden = texts.length === 0;
    const far = view.provisional();
    warnings.replaceChildren(
      el(
        'p',
        {},
        el('b', {}, 'Read these numbers with care.'),
        ' Controls should lose, and an axis should separate trained methods from random directions. Here:',
      ),
      el('ul', {}, ...texts.map((text) => el('li', {}, text))),
      ...(far ? [el('p', {}, far)] : []),
    );
  }

  return {
    element,
    /** Nothing of another study stays. */
    clear() {
      figures.clear();
      shown = false;
      element.hidden = true;
    },
    hide() {
      element.hidden = true;
      shown = false;
    },
    shown: () => shown,
    redraw: () => figures.redraw(),
    /**
     * Shows what is finished.
     *
     * @param {FamiliesView} view
     * @param {{ line: string | null, others: { linked: string, sha256: string } | null }} about the command that gives the same; activations that a link was made with
     */
    show(view, { line, others: other }) {
      const far = view.provisional() ?? '';
      element.classList.toggle('provisional', far !== '');
      // While that is so the headline says it, too: here it stands apart, to be seen.
      setText(provisional, far === '' ? '' : 'Provisional: the study is not finished.');
      headline.textContent = view.headline();
      warn(view);
      const begins = (/** @type {string | undefined} */ digest) => digest?.slice(0, 12);
      setText(
        others,
        other
          ? `The link was made with other activations, whose SHA-256 begins with ${begins(other.linked)}; that of these begins with ${begins(other.sha256)}.`
          : '',
      );
      // What has no text cannot be asked for in a line.
      command.textContent = line ?? '(none for this study)';
      repeats.textContent =
        far === ''
          ? 'The command line gives the same numbers, to the last bit: '
          : 'The command line does all of it: ';
      save.hidden = far !== '';
      if (shown) {
        figures.redraw();
        return;
      }
      element.hidden = false;
      shown = true;
      figures.show(view);
    },
  };
}
