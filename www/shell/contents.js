// @ts-check
/**
 * What is on the page: its sections, where one is among them, and how each stands to the paper. At the
 * side where there is room, else in a bar at the top that unfolds.
 */

import { el, createScreenReaderText, createVisualText, openEnclosingFolds } from './dom.js';
import { createRovingFocus } from './roving-tabindex.js';
import { createFoldToggle } from './bottom-sheet.js';

/**
 * @typedef {object} Tally how the printed cells of a table came out
 * @property {string} table
 * @property {number} agree
 * @property {number} total
 */

/** The heading's own words. @param {HTMLElement} heading */
const headingLabel = (heading) => heading.dataset.short ?? heading.textContent?.trim() ?? '';

/** A heading's entry. @param {HTMLElement} heading */
function createEntry(heading) {
  const mark = el('span', { class: 'contents-mark' });
  const link = el('a', { href: `#${heading.id}` }, el('span', {}, headingLabel(heading)), mark);
  const item = el('li', {}, link);
  const section = heading.closest('section') ?? heading;
  return { heading, section, link, item, mark };
}

/** ✓ or ✗, with the count for those who listen. @param {HTMLElement} mark @param {Tally[]} tallies */
function showTally(mark, tallies) {
  mark.replaceChildren();
  if (tallies.length === 0) return;
  const agree = tallies.reduce((sum, one) => sum + one.agree, 0);
  const total = tallies.reduce((sum, one) => sum + one.total, 0);
  const all = agree === total;
  mark.className = `contents-mark ${all ? 'agrees' : 'differs'}`;
  mark.append(createVisualText(all ? '✓' : `✗ ${agree}/${total}`, 'mark'), createScreenReaderText(`, ${agree} of ${total} printed cells agree`));
}

/** @param {HTMLElement} nav empty @param {HTMLElement} view the page */
export function createContents(nav, view) {
  /** @type {HTMLElement[]} */
  const headings = [...view.querySelectorAll(/** @type {'h2'} */ ('h2[id]'))].filter(
    (heading) => !heading.closest('.panel, dialog, .as-printed'),
  );
  const entries = headings.map(createEntry);
  const here = el('span', { class: 'contents-here visually-hidden' });
  const bar = el(
    'button',
    { type: 'button', class: 'contents-bar' },
    el('span', { class: 'visually-hidden' }, 'On this page'),
    here,
  );
  const list = el('ul', {}, ...entries.map(({ item }) => item));
  nav.replaceChildren(bar, list);

  const setOpen = createFoldToggle(bar, nav);
  list.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a');
    if (!link) return;
    setOpen(false);
    openEnclosingFolds(document.getElementById(link.hash.slice(1)));
  });

  /** Sections that stand where one reads. @type {Set<Element>} */
  const near = new Set();
  function tellHere() {
    const current = entries.find(({ section }) => near.has(section));
    for (const one of entries) {
      if (one === current) one.link.setAttribute('aria-current', 'true');
      else one.link.removeAttribute('aria-current');
    }
    here.textContent = current ? headingLabel(current.heading) : '';
  }
  const reading = new IntersectionObserver(
    (seenNow) => {
      for (const { target, isIntersecting } of seenNow) {
        if (isIntersecting) near.add(target);
        else near.delete(target);
      }
      tellHere();
    },
    // A line a fifth down the window.
    { rootMargin: '-20% 0px -79% 0px' },
  );
  for (const { section } of entries) reading.observe(section);

  /** What is not there yet is not listed. */
  function refresh() {
    for (const { heading, item } of entries) item.hidden = !heading.offsetParent;
    // Sections that a page is still to show keep the column.
    const coming = view.querySelector('.page-state') !== null && !view.dataset.state;
    const alone = entries.filter(({ item }) => coming || !item.hidden).length < 2;
    nav.hidden = alone;
    view.toggleAttribute('data-alone', alone);
    roving.refresh();
  }
  const roving = createRovingFocus(list, 'a');
  new ResizeObserver(refresh).observe(view);
  refresh();

  return {
    refresh,
    /** How the tables of each section came out; of no tables, no marks. @param {Tally[]} tallies */
    mark(tallies) {
      for (const { heading, mark } of entries) {
        const names = heading.dataset.tables?.split(', ') ?? [];
        showTally(mark, tallies.filter(({ table }) => names.includes(table)));
      }
    },
  };
}
