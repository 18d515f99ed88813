// @ts-check
/**
 * What of the page there is: all of it, or what a link leaves. A link may hide parts, lead to one
 * figure, or make the page a guest in another (`embed=1`), where one figure is all it shows.
 *
 * What is hidden is marked `data-away` and has no box, so that no reader of any kind meets it.
 */

import { createButton, el, requireElement, openEnclosingFolds } from './dom.js';

/**
 * @typedef {Pick<LinkState, 'figure' | 'embed' | 'hide' | 'theme' | 'id'>} Visibility
 */

/** The whole page. @type {Visibility} */
export const WHOLE_PAGE_VISIBILITY = { figure: null, embed: false, hide: [], theme: null, id: null };

/** @param {string} id of its heading */
const sectionSelector = (id) => `section[aria-labelledby="${id}"]`;

/** Where each part is. Those of every figure (tools, captions, titles) are the style sheet's. */
const PART_SELECTORS = /** @type {Record<string, string>} */ ({
  header: '.top',
  title: 'h1, .deck',
  verdict: '#verdict',
  share: '.keep, #shared',
  'trade-off': `${sectionSelector('trade-off')}, ${sectionSelector('axes-title')}`,
  weights: sectionSelector('weights-title'),
  profiles: '#profiles',
  settings: '#settings',
  'group-network': '#network-choice, #group-network',
  'group-seeds': '#group-seeds, #group-main > [data-field$="_seed"]',
  'group-data': '#group-data, #group-main > :is([data-field="k"], [data-field="levels"])',
  'group-metrics': '#group-metrics',
  stress: '#stress-section',
  cells: sectionSelector('cells'),
  'weights-decide': sectionSelector('weights-decide'),
  map: '#map',
  networks: sectionSelector('networks'),
  fronts: '#fronts',
  ties: '#ties',
  ensemble: '#ensemble',
  'ensemble-form': '#ensemble-form',
  information: sectionSelector('information'),
  sizes: sectionSelector('sizes'),
  disagree: sectionSelector('disagree'),
  how: sectionSelector('how'),
  footer: '.foot',
});

/** What stays beside the one figure of an embedded page, unless it is hidden by name. */
const KEPT_SELECTOR =
  '.panel, .opening, #ties, .ensemble-controls, .ensemble-status, .progress, dialog, .embed-line, [role="status"]';

let currentVisibility = WHOLE_PAGE_VISIBILITY;
/** The figure a link leads to, until the page has been taken there. @type {string | null} */
let pendingFigure = null;
/** @type {(() => void) | null} */
let visibilityListener = null;

/** What is shown. */
export const getVisibility = () => currentVisibility;

/** Whether the page is a guest in another. */
export const isEmbedded = () => currentVisibility.embed;

/** Calls back when the reader asks for another visibility. @param {() => void} listener */
export function onVisibilityChange(listener) {
  visibilityListener = listener;
}

/** @param {string} id */
const findFigure = (id) => document.querySelector(`[data-figure="${CSS.escape(id)}"]`);

/** @param {Element | null | undefined} element */
const hideElement = (element) => element?.setAttribute('data-away', '');

/** A group of settings stands in a fold of its own. @param {Element} element */
const findHideTarget = (element) =>
  /^group-/.test(element.id) ? element.closest('details') : element;

/** @param {Core} core @param {readonly string[]} names */
function hideParts(core, names) {
  const fields = new Map(core.fields().map((field) => [field.key, field]));
  for (const name of names) {
    const field = fields.get(name);
    const place =
      field?.kind === 'weights' ? PART_SELECTORS.weights : (PART_SELECTORS[name] ?? `[data-field="${field?.name}"]`);
    for (const element of document.querySelectorAll(place ?? '')) hideElement(findHideTarget(element));
  }
  const gone = (/** @type {Iterable<Element>} */ elements) =>
    [...elements].every((element) => element.hasAttribute('data-away'));
  // Nothing is left in a fold, or in the panel: then the frame round it goes, too.
  for (const group of document.querySelectorAll('.settings .fields')) {
    if (gone(group.children)) hideElement(group.closest('details') ?? group);
  }
  const all = requireElement('.settings > details.all');
  if (gone([...all.children].filter((one) => !one.matches('summary')))) hideElement(all);
  const panel = requireElement('.panel');
  if (gone(requireElement('.panel-inner', panel).children)) {
    hideElement(panel);
    document.documentElement.dataset.hide += ' panel';
  }
}

/** Leaves one figure and what belongs to it. @param {Element} figure */
function isolateFigure(figure) {
  openEnclosingFolds(figure);
  const main = requireElement('#main');
  for (let at = figure; at !== main && at.parentElement; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other !== at && !other.matches(KEPT_SELECTOR)) hideElement(other);
    }
  }
}

/** Says that something is hidden, and offers it. @param {Core} core */
function showHiddenNotice(core) {
  document.querySelector('#parts-hidden')?.remove();
  if (currentVisibility.embed || currentVisibility.hide.length === 0) return;
  const button = createButton('Show everything', { class: 'quiet' }, () => {
    setVisibility(core, { ...currentVisibility, hide: [] });
    requireElement('#main').focus();
    visibilityListener?.();
  });
  requireElement('#main').prepend(
    el('p', { id: 'parts-hidden', class: 'help' }, 'This link hides parts of the page. ', button),
  );
}

/** Shows what a link asks for. @param {Core} core @param {Visibility} wish */
export function setVisibility(core, { figure, embed, hide: names, theme, id }) {
  if (figure !== currentVisibility.figure) pendingFigure = figure;
  currentVisibility = { figure, embed, hide: names, theme, id };
  const root = document.documentElement;
  for (const element of document.querySelectorAll('[data-away]'))
    element.removeAttribute('data-away');
  root.toggleAttribute('data-embed', embed);
  root.dataset.hide = names.join(' ');
  hideParts(core, names);
  const chosen = figure && findFigure(figure);
  if (embed && chosen) {
    root.dataset.embed = 'figure';
    isolateFigure(chosen);
  }
  // Elsewhere colours are the reader's own.
  if (embed) root.dataset.theme = theme ?? 'system';
  showHiddenNotice(core);
}

/** Takes the reader to the figure that the link leads to, once all of the page is there. */
export function scrollToLinkedFigure() {
  const figure = pendingFigure && findFigure(pendingFigure);
  pendingFigure = null;
  // Whoever has scrolled, or comes back to where they were, stays there.
  if (!(figure instanceof HTMLElement) || currentVisibility.embed || scrollY > 0 || location.hash) return;
  openEnclosingFolds(figure);
  const place = figure.offsetParent ? figure : figure.closest('section');
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}
