// @ts-check
/**
 * A pinned result: the next ones are drawn over it, with what differs between the two. It keeps its
 * own settings and weights until another one is pinned.
 */

import { el, need, reason } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { differences } from '../shell/state.js';

const FIGURES = [
  { id: 'compare-summary', wide: false },
  { id: 'compare-differences', wide: false },
  { id: 'compare-score', wide: true },
  { id: 'compare-metrics', wide: true },
];

/** Figures of the lab that show the pinned result too. */
const OVERLAID = ['pareto-sf', 'pareto-sc', 'pareto-fc'];

/** @param {Weights} weights */
const ratio = (weights) => weights.join(':');

/** @param {Weights} a @param {Weights} b whether both score alike: a common factor does not matter */
const sameWeights = ([a, b, c], [d, e, f]) => a * e === b * d && b * f === c * e && a * f === c * d;

/** What was pinned, in words. @param {Core} core @param {Settings} paper @param {Settings} settings */
function nameOf(core, paper, settings) {
  const unlike = differences(core.fields(), paper, settings);
  const name = unlike.length > 0 ? unlike.join('; ') : 'the paper’s settings';
  return `${name}; weights ${ratio(settings.weights)}`;
}

/** What is other than in the pinned result, in words. @param {Core} core @param {Settings} pinned @param {Settings} now */
function changesSince(core, pinned, now) {
  const changes = differences(core.fields(), pinned, now);
  if (!sameWeights(pinned.weights, now.weights)) {
    changes.push(`weights ${ratio(pinned.weights)} → ${ratio(now.weights)}`);
  }
  return changes;
}

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {import('../workers/pool.js').Pool} parts.pool
 * @param {() => View | null} parts.view the result that is shown
 * @param {() => Report | null} parts.report the same
 * @param {() => Weights} parts.weights of the moment
 * @param {(draft: Draft) => void} parts.apply
 * @param {(view: View | null) => void} parts.overlay has the page's figures drawn from this view; null: from its own
 * @param {(ids: readonly string[]) => void} parts.redraw figures of the lab
 * @param {() => void} parts.onChange
 * @param {(text: string) => void} parts.announce
 */
export function createComparison(parts) {
  const { core, pool, view, report, weights, apply, overlay, redraw, onChange, announce } = parts;
  const paper = core.defaults();
  /** Without a report it is still being computed. @type {{ settings: Settings, report: Report | null } | null} */
  let pinned = null;
  let trouble = '';
  /** Whether the page's figures are drawn from the lab's view. */
  let overlaid = false;
  /** @type {AbortController | null} */
  let running = null;

  const button = need('#pin');
  const bar = need('#pinned');
  const words = el('p');
  const swap = el('button', { type: 'button' }, 'Swap');
  swap.title = 'Show the pinned settings, and pin these';
  const unpin = el('button', { type: 'button' }, 'Unpin');
  const see = el('a', { href: '#compare' }, 'See the comparison');
  bar.replaceChildren(words, el('p', { class: 'row' }, swap, unpin, see));

  const section = need('#compare');
  const what = el('p');
  const rule = el('p', { class: 'help' });
  section.replaceChildren(
    el('h2', { id: 'compare-title', tabindex: '-1' }, 'Compared with the pinned result'),
    what,
    rule,
    el(
      'div',
      { class: 'grid' },
      ...FIGURES.map(({ id, wide }) =>
        el('figure', { 'data-figure': id, ...(wide ? { class: 'wide' } : {}) }),
      ),
    ),
  );
  const figures = new Figures(section.querySelectorAll('figure'), announce, view);

  /** Settings of what is shown, under the weights of the moment. @returns {Settings | null} */
  const present = () => {
    const shown = report();
    return shown && { ...shown.settings, weights: weights() };
  };

  /** Says what is pinned, and what has changed since. */
  function tell() {
    const now = present();
    bar.hidden = !pinned;
    section.hidden = !pinned?.report;
    see.hidden = section.hidden;
    swap.hidden = !pinned?.report;
    if (!pinned || !now) return;
    const changes = changesSince(core, pinned.settings, now);
    const since = trouble
      ? `It could not be computed: ${trouble}`
      : !pinned.report
        ? 'Computing it…'
        : changes.length > 0
          ? `From it to what is shown: ${changes.join('; ')}.`
          : 'It is what is shown now: change a setting or the weights, and the two are compared.';
    words.replaceChildren(
      el('b', {}, 'Pinned:'),
      ` ${nameOf(core, paper, pinned.settings)}. `,
      el('span', { id: 'pinned-changes' }, since),
    );
    what.textContent = `Pinned: ${nameOf(core, paper, pinned.settings)}. ${since}`;
    rule.textContent = sameWeights(pinned.settings.weights, now.weights)
      ? `Both are scored under the weights ${ratio(now.weights)}. Move the weights, and the pinned scores stay as they were pinned.`
      : `Each keeps its own weights: the pinned scores are those of ${ratio(pinned.settings.weights)}, the present ones of ${ratio(now.weights)}. The tables also score the pinned result under the present weights, so that what comes of the weights is told from what comes of the settings.`;
  }

  /** Tells the view of the pinned result. @param {View} shown */
  function dress(shown) {
    if (pinned?.report) shown.set_pinned(pinned.report);
    else shown.clear_pinned();
  }

  /** Another result is pinned, or none. */
  function changed() {
    const shown = view();
    tell();
    if (shown) {
      dress(shown);
      if (pinned?.report || overlaid) overlay(pinned?.report ? shown : null);
      overlaid = Boolean(pinned?.report);
      redraw(OVERLAID);
      if (pinned?.report) figures.show(shown);
      else figures.clear();
    }
    onChange();
  }

  /** Pins what is shown. */
  function pinPresent() {
    const shown = report();
    const settings = present();
    if (!shown || !settings) return;
    running?.abort();
    trouble = '';
    // What a report says of its settings is what it is scored under.
    pinned = { settings, report: { ...shown, settings } };
    changed();
  }

  function clear() {
    running?.abort();
    pinned = null;
    trouble = '';
    changed();
  }

  /** Computes settings that came by a link, and pins their result. @param {Settings} settings */
  async function compute(settings) {
    running?.abort();
    const { signal } = (running = new AbortController());
    trouble = '';
    const mine = (pinned = { settings, report: /** @type {Report | null} */ (null) });
    changed();
    try {
      const found = await pool.submit({ kind: 'run', settings }, { signal });
      if (signal.aborted) return;
      mine.report = { ...found.report, settings };
      changed();
    } catch (error) {
      if (signal.aborted) return;
      trouble = reason(error);
      tell();
      announce(`The pinned result could not be computed: ${trouble}`);
    }
  }

  button.addEventListener('click', () => {
    pinPresent();
    announce(
      'Pinned. Change a setting or the weights: figures show both results, and a section compares them.',
    );
  });
  unpin.addEventListener('click', () => {
    clear();
    // The button is gone now; the focus must not be.
    button.focus();
    announce('Unpinned.');
  });
  swap.addEventListener('click', () => {
    if (!pinned?.report) return;
    const back = pinned.settings;
    pinPresent();
    apply(back);
    announce('Swapped: the pinned settings are computed, and what was shown is pinned.');
  });
  see.addEventListener('click', (event) => {
    // A fragment would be an entry of the history, and the keyboard is to go there too.
    event.preventDefault();
    need('#compare-title').focus();
  });

  return {
    /** The pinned settings, for a link. */
    settings: () => pinned?.settings ?? null,
    /** Pins what a link says. @param {Settings | null} settings */
    open(settings) {
      if (JSON.stringify(settings) === JSON.stringify(pinned?.settings ?? null)) return;
      if (settings) compute(settings);
      else clear();
    },
    /** The page shows another run, of which nothing is drawn yet. @param {View} shown */
    follow(shown) {
      dress(shown);
      tell();
      overlaid = Boolean(pinned?.report);
      if (!overlaid) return;
      overlay(shown);
      figures.show(shown);
    },
    /** Other weights: the present result is scored anew, the pinned one is not. */
    weigh() {
      tell();
      if (pinned?.report) figures.redraw();
    },
    redraw: () => figures.redraw(),
  };
}
