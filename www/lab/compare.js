// @ts-check
/**
 * A pinned result: the next ones are drawn over it, with what differs between the two. It keeps its
 * own settings and weights until another one is pinned.
 */

import { createButton, el, requireElement, describeError } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { describeDifferences } from '../shell/state.js';

/** @type {[string, boolean][]} figures, and whether they take the whole width */
const FIGURES = [
  ['compare-summary', false],
  ['compare-differences', false],
  ['compare-score', true],
  ['compare-metrics', true],
];

/** Figures of the lab that show the pinned result too. */
const OVERLAID_FIGURES = ['pareto-sf', 'pareto-sc', 'pareto-fc'];

/** @param {Weights} weights */
const formatRatio = (weights) => weights.join(':');

/** @param {Weights} a @param {Weights} b whether both score alike: a common factor does not matter */
const isSameRatio = ([a, b, c], [d, e, f]) => a * e === b * d && b * f === c * e && a * f === c * d;

/** What was pinned, in words. @param {Core} core @param {Settings} paper @param {Settings} settings */
function describePinned(core, paper, settings) {
  const unlike = describeDifferences(core.fields(), paper, settings);
  const name = unlike.length > 0 ? unlike.join('; ') : 'the paper’s settings';
  return `${name}; weights ${formatRatio(settings.weights)}`;
}

/** What is other than in the pinned result, in words. @param {Core} core @param {Settings} pinned @param {Settings} now */
function listChanges(core, pinned, now) {
  const changes = describeDifferences(core.fields(), pinned, now);
  if (!isSameRatio(pinned.weights, now.weights)) {
    changes.push(`weights ${formatRatio(pinned.weights)} → ${formatRatio(now.weights)}`);
  }
  return changes;
}

/**
 * What became of the pinned settings, and what has changed since, in words.
 *
 * @param {Core} core
 * @param {Pinned} pinned
 * @param {Settings} now
 * @param {string} trouble why it could not be computed; empty: it could
 */
function describeChanges(core, pinned, now, trouble) {
  if (trouble) return `It could not be computed: ${trouble}`;
  if (!pinned.report) return 'Computing it…';
  const changes = listChanges(core, pinned.settings, now);
  return changes.length > 0
    ? `From it to what is shown: ${changes.join('; ')}.`
    : 'It is what is shown now: change a setting or the weights, and the two are compared.';
}

/** Under which weights either is scored, in words. @param {Weights} pinned @param {Weights} now */
const weightsSentence = (pinned, now) =>
  isSameRatio(pinned, now)
    ? `Both are scored under the weights ${formatRatio(now)}. Move the weights, and the pinned scores stay as they were pinned.`
    : `Each keeps its own weights: the pinned scores are those of ${formatRatio(pinned)}, the present ones of ${formatRatio(now)}. The tables also score the pinned result under the present weights, so that what comes of the weights is told from what comes of the settings.`;

/**
 * What is said beside the settings, and what can be done there.
 *
 * @param {HTMLElement} bar @param {() => void} onSwap @param {() => void} onUnpin
 */
function buildPinnedBar(bar, onSwap, onUnpin) {
  const words = el('p');
  const swap = createButton('Swap', { title: 'Show the pinned settings, and pin these' }, onSwap);
  const unpin = createButton('Unpin', {}, onUnpin);
  const see = el('a', { href: '#compare' }, 'See the comparison');
  bar.replaceChildren(words, el('p', { class: 'row' }, swap, unpin, see));
  see.addEventListener('click', (event) => {
    // A fragment would be an entry of the history, and the keyboard is to go there too.
    event.preventDefault();
    requireElement('#compare-title').focus();
  });
  return { words, swap, see };
}

/** The section that compares. @param {HTMLElement} section */
function buildSection(section) {
  const what = el('p');
  const rule = el('p', { class: 'help' });
  const figures = FIGURES.map(([id, wide]) => el('figure', { 'data-figure': id, class: wide && 'wide' }));
  section.replaceChildren(
    el('h2', { id: 'compare-title', tabindex: '-1' }, 'Compared with the pinned result'),
    what,
    rule,
    el('div', { class: 'grid' }, ...figures),
  );
  return { what, rule };
}

/** @typedef {{ settings: Settings, report: Report | null }} Pinned without a report it is still being computed */

/**
 * @typedef {object} Parts what it needs of the page
 * @property {() => View | null} view the result that is shown
 * @property {() => Report | null} report the same
 * @property {() => Weights} weights of the moment
 * @property {(draft: Draft) => void} apply
 * @property {(view: View | null) => void} overlay has the page's figures drawn from this view; null: from its own
 * @property {(ids: readonly string[]) => void} redraw figures of the lab
 * @property {() => void} onChange
 */

export class PinnedComparison {
  #parts;
  #paper;
  /** @type {Pinned | null} */
  #pinned = null;
  /** Why the pinned settings could not be computed. */
  #trouble = '';
  /** Whether the page's figures are drawn from the lab's view. */
  #overlaid = false;
  /** @type {AbortController | null} */
  #running = null;
  #button = requireElement('#pin');
  #bar = requireElement('#pinned');
  #section = requireElement('#compare');
  #inBar = buildPinnedBar(this.#bar, () => this.#swap(), () => this.#unpin());
  #inSection = buildSection(this.#section);
  #figures;

  /** @param {import('../shell/page-setup.js').PageTools & Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#paper = parts.core.defaults();
    const places = this.#section.querySelectorAll('figure');
    this.#figures = new Figures(places, parts.announce, parts.view);
    this.#button.addEventListener('click', () => {
      this.#pinCurrent();
      parts.announce('Pinned. Change a setting or the weights: figures show both results, and a section compares them.');
    });
  }

  #unpin() {
    this.#clearPinned();
    // The button is gone now; the focus must not be.
    this.#button.focus();
    this.#parts.announce('Unpinned.');
  }

  #swap() {
    if (!this.#pinned?.report) return;
    const back = this.#pinned.settings;
    this.#pinCurrent();
    this.#parts.apply(back);
    this.#parts.announce('Swapped: the pinned settings are computed, and what was shown is pinned.');
  }

  /** The pinned settings, for a link. */
  pinnedSettings() {
    return this.#pinned?.settings ?? null;
  }

  /** Pins what a link says. @param {Settings | null} settings */
  pinFromLink(settings) {
    if (JSON.stringify(settings) === JSON.stringify(this.pinnedSettings())) return;
    if (settings) this.#computePinned(settings);
    else this.#clearPinned();
  }

  /** The page shows another run, of which nothing is drawn yet. @param {View} shown */
  showRun(shown) {
    this.#setPinnedOnView(shown);
    this.#updateText();
    this.#overlaid = Boolean(this.#pinned?.report);
    if (!this.#overlaid) return;
    this.#parts.overlay(shown);
    this.#figures.show(shown);
  }

  /** Other weights: the present result is scored anew, the pinned one is not. */
  updateWeights() {
    this.#updateText();
    if (this.#pinned?.report) this.redraw();
  }

  redraw() {
    this.#figures.redraw();
  }

  /** Settings of what is shown, under the weights of the moment. @returns {Settings | null} */
  #currentSettings() {
    const shown = this.#parts.report();
    return shown && { ...shown.settings, weights: this.#parts.weights() };
  }

  /** Says what is pinned, and what has changed since. */
  #updateText() {
    const pinned = this.#pinned;
    const now = this.#currentSettings();
    const { words, see, swap } = this.#inBar;
    this.#bar.hidden = !pinned;
    this.#section.hidden = see.hidden = swap.hidden = !pinned?.report;
    if (!pinned || !now) return;
    const { core } = this.#parts;
    const name = describePinned(core, this.#paper, pinned.settings);
    const state = describeChanges(core, pinned, now, this.#trouble);
    words.replaceChildren(
      el('b', {}, 'Pinned:'),
      ` ${name}. `,
      el('span', { id: 'pinned-changes' }, state),
    );
    this.#inSection.what.textContent = `Pinned: ${name}. ${state}`;
    this.#inSection.rule.textContent = weightsSentence(pinned.settings.weights, now.weights);
  }

  /** Tells the view of the pinned result. @param {View} shown */
  #setPinnedOnView(shown) {
    if (this.#pinned?.report) shown.set_pinned(this.#pinned.report);
    else shown.clear_pinned();
  }

  /** Another result is pinned, or none. */
  #updatePinned() {
    const { view, overlay, redraw, onChange } = this.#parts;
    const shown = view();
    const compared = Boolean(this.#pinned?.report);
    this.#updateText();
    if (shown) {
      this.#setPinnedOnView(shown);
      if (compared || this.#overlaid) overlay(compared ? shown : null);
      this.#overlaid = compared;
      redraw(OVERLAID_FIGURES);
      if (compared) this.#figures.show(shown);
      else this.#figures.clear();
    }
    onChange();
  }

  /** Pins what is shown. */
  #pinCurrent() {
    const shown = this.#parts.report();
    const settings = this.#currentSettings();
    if (!shown || !settings) return;
    this.#running?.abort();
    this.#trouble = '';
    // What a report says of its settings is what it is scored under.
    this.#pinned = { settings, report: { ...shown, settings } };
    this.#updatePinned();
  }

  #clearPinned() {
    this.#running?.abort();
    this.#pinned = null;
    this.#trouble = '';
    this.#updatePinned();
  }

  /** Computes settings that came by a link, and pins their result. @param {Settings} settings */
  async #computePinned(settings) {
    this.#running?.abort();
    const { signal } = (this.#running = new AbortController());
    this.#trouble = '';
    /** @type {Pinned} */
    const mine = (this.#pinned = { settings, report: null });
    this.#updatePinned();
    try {
      const found = await this.#parts.pool.submit({ kind: 'run', settings }, { signal });
      if (signal.aborted) return;
      mine.report = { ...found.report, settings };
      this.#updatePinned();
    } catch (error) {
      if (signal.aborted) return;
      this.#trouble = describeError(error);
      this.#updateText();
      this.#parts.announce(`The pinned result could not be computed: ${this.#trouble}`);
    }
  }
}
