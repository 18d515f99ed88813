// @ts-check
/**
 * What of the page there is: all of it, or what a link leaves. A link may hide parts, lead to one
 * figure, or make the page a guest in another (`embed=1`), where one figure is all it shows.
 *
 * What is hidden is marked `data-away` and has no box, so that no reader of any kind meets it.
 */

import { createButton, el, need, unfold } from './dom.js';

/**
 * @typedef {Pick<LinkState, 'figure' | 'embed' | 'hide' | 'theme' | 'id'>} Visibility
 */

/** The whole page. @type {Visibility} */
export const WHOLE = { figure: null, embed: false, hide: [], theme: null, id: null };

/** @param {string} id of its heading */
const section = (id) => `section[aria-labelledby="${id}"]`;

/** Where each part is. Those of every figure (tools, captions, titles) are the style sheet's. */
const PLACES = /** @type {Record<string, string>} */ ({
  header: '.top',
  title: 'h1, .deck',
  verdict: '#verdict',
  share: '.keep, #shared',
  'trade-off': `${section('trade-off')}, ${section('axes-title')}`,
  weights: section('weights-title'),
  profiles: '#profiles',
  settings: '#settings',
  'group-network': '#network-choice, #group-network',
  'group-seeds': '#group-seeds, #group-main > [data-field$="_seed"]',
  'group-data': '#group-data, #group-main > :is([data-field="k"], [data-field="levels"])',
  'group-metrics': '#group-metrics',
  stress: '#stress-section',
  cells: section('cells'),
  'weights-decide': section('weights-decide'),
  map: '#map',
  networks: section('networks'),
  fronts: '#fronts',
  ties: '#ties',
  ensemble: '#ensemble',
  'ensemble-form': '#ensemble-form',
  information: section('information'),
  sizes: section('sizes'),
  disagree: section('disagree'),
  how: section('how'),
  footer: '.foot',
});

/** What stays beside the one figure of an embedded page, unless it is hidden by name. */
const STAYS =
  '.panel, .opening, #ties, .ensemble-controls, .ensemble-status, .progress, dialog, .embed-line, [role="status"]';

let now = WHOLE;
/** The figure a link leads to, until the page has been taken there. @type {string | null} */
let ahead = null;
/** @type {(() => void) | null} */
let tellOthers = null;

/** What is shown. */
export const visibility = () => now;

/** Whether the page is a guest in another. */
export const embedded = () => now.embed;

/** Calls back when the reader asks for another visibility. @param {() => void} listener */
export function onVisibilityChange(listener) {
  tellOthers = listener;
}

/** @param {string} id */
const figureOf = (id) => document.querySelector(`[data-figure="${CSS.escape(id)}"]`);

/** @param {Element | null | undefined} element */
const putAway = (element) => element?.setAttribute('data-away', '');

/** A group of settings stands in a fold of its own. @param {Element} element */
const whole = (element) =>
  /^group-/.test(element.id) ? element.closest('details') : element;

/** @param {Core} core @param {readonly string[]} names */
function hide(core, names) {
  const fields = new Map(core.fields().map((field) => [field.key, field]));
  for (const name of names) {
    const field = fields.get(name);
    const place =
      field?.kind === 'weights' ? PLACES.weights : (PLACES[name] ?? `[data-field="${field?.name}"]`);
    for (const element of document.querySelectorAll(place ?? '')) putAway(whole(element));
  }
  const gone = (/** @type {Iterable<Element>} */ elements) =>
    [...elements].every((element) => element.hasAttribute('data-away'));
  // Nothing is left in a fold, or in the panel: then the frame round it goes, too.
  for (const group of document.querySelectorAll('.settings .fields')) {
    if (gone(group.children)) putAway(group.closest('details') ?? group);
  }
  const all = need('.settings > details.all');
  if (gone([...all.children].filter((one) => !one.matches('summary')))) putAway(all);
  const panel = need('.panel');
  if (gone(need('.panel-inner', panel).children)) {
    putAway(panel);
    document.documentElement.dataset.hide += ' panel';
  }
}

/** Leaves one figure and what belongs to it. @param {Element} figure */
function only(figure) {
  unfold(figure);
  const main = need('#main');
  for (let at = figure; at !== main && at.parentElement; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other !== at && !other.matches(STAYS)) putAway(other);
    }
  }
}

/** Says that something is hidden, and offers it. @param {Core} core */
function notice(core) {
  document.querySelector('#parts-hidden')?.remove();
  if (now.embed || now.hide.length === 0) return;
  const button = createButton('Show everything', { class: 'quiet' }, () => {
    setVisibility(core, { ...now, hide: [] });
    need('#main').focus();
    tellOthers?.();
  });
  need('#main').prepend(
    el('p', { id: 'parts-hidden', class: 'help' }, 'This link hides parts of the page. ', button),
  );
}

/** Shows what a link asks for. @param {Core} core @param {Visibility} wish */
export function setVisibility(core, { figure, embed, hide: names, theme, id }) {
  if (figure !== now.figure) ahead = figure;
  now = { figure, embed, hide: names, theme, id };
  const root = document.documentElement;
  for (const element of document.querySelectorAll('[data-away]'))
    element.removeAttribute('data-away');
  root.toggleAttribute('data-embed', embed);
  root.dataset.hide = names.join(' ');
  hide(core, names);
  const chosen = figure && figureOf(figure);
  if (embed && chosen) {
    root.dataset.embed = 'figure';
    only(chosen);
  }
  // Elsewhere colours are the reader's own.
  if (embed) root.dataset.theme = theme ?? 'system';
  notice(core);
}

/** Takes the reader to the figure that the link leads to, once all of the page is there. */
export function scrollToLinked() {
  const figure = ahead && figureOf(ahead);
  ahead = null;
  // Whoever has scrolled, or comes back to where they were, stays there.
  if (!(figure instanceof HTMLElement) || now.embed || scrollY > 0 || location.hash) return;
  unfold(figure);
  const place = figure.offsetParent ? figure : figure.closest('section');
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  place.scrollIntoView();
}
