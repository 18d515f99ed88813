/**
 * The start of the page as one file: its pages are views of one document. What stands behind “#” says
 * which is shown: `#compare/` is that page, `#compare/some-heading` a place in it, `#model/?t=…` one state of
 * it, and a heading's name alone is found on whichever page has it.
 */

import 'page:papers/sfc/main.js';
import 'page:pages/metrics.js';
import 'page:pages/fade.js';
import 'page:pages/ce-bench.js';
import 'page:pages/mui.js';
import 'page:pages/measurement.js';
import 'page:pages/audit.js';
import 'page:pages/model.js';
import 'page:pages/compare.js';
import 'page:pages/evaluate.js';
import 'page:pages/train.js';
import 'page:pages/method.js';
import { pageOpeners } from 'page:shell/views.js';
import { scrollToHash, readHash } from 'page:shell/scroll-to-hash.js';

/** What was opened. @type {Map<string, Promise<{ shown?: () => void }>>} */
const opened = new Map();

/** @param {string} id */
const viewOf = (id) => document.getElementById(id)?.closest('.view')?.dataset.view;

/** What the address asks for: a page, and a place in it. */
function asked() {
  const hash = readHash();
  const slash = hash.indexOf('/');
  if (slash >= 0) return { page: hash.slice(0, slash), place: hash.slice(slash + 1).replace(/^\?.*/, '') };
  if (hash) return { page: viewOf(hash) ?? (/^train/.test(hash) ? 'train' : 'paper'), place: hash };
  const search = new URLSearchParams(location.search);
  if (search.has('embed') || search.has('fig')) return { page: 'paper', place: '' };
  return { page: search.has('fam') ? 'compare' : search.has('own') ? 'own' : 'paper', place: '' };
}

async function show() {
  const { page: name, place } = asked();
  const views = [...document.querySelectorAll('.view')];
  const view = views.find(({ dataset }) => dataset.view === name) ?? views[0];
  const page = view.dataset.view;
  const turned = view.hidden;
  for (const one of views) one.hidden = one !== view;
  document.title = view.dataset.title;
  let entry = page;
  for (const group of document.querySelectorAll('.subpages')) {
    group.hidden = !group.querySelector(`a[data-page="${page}"]`);
    if (!group.hidden) entry = group.dataset.group ?? page;
  }
  for (const link of document.querySelectorAll('.pages a, .subpages a')) {
    const { page: of } = link.dataset;
    if (of === page) link.setAttribute('aria-current', 'page');
    else if (of === entry && link.closest('.pages')) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  if (turned) scrollTo(0, 0);
  const open = pageOpeners.get(page);
  if (open && !opened.has(page)) opened.set(page, open());
  else if (turned) (await opened.get(page))?.shown?.();
  await opened.get(page);
  if (place) scrollToHash(place);
}

addEventListener('hashchange', show);
show();
