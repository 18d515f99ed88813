// Runs before first paint, so that neither another theme, nor the rest of an embedded page, nor the paper
// for whoever is on the way to another page flashes. theme.js and visibility.js do the rest.
var search = location.search;
var dataset = document.documentElement.dataset;
if (/[?&]embed(=(1|true)?)?(&|$)/.test(search)) {
  dataset.embed = '';
  // Without its code the page has the printed tables to show, and shows them.
  addEventListener(
    'error',
    ({ target }) => target instanceof HTMLScriptElement && delete dataset.embed,
    true,
  );
  dataset.theme = (/[?&]theme=(light|dark)(&|$)/.exec(search) || [])[1] || 'system';
} else {
  try {
    var stored = localStorage.getItem('sfc-bench.theme');
    if (stored === 'light' || stored === 'dark') dataset.theme = stored;
  } catch (_) {
    // Storage may be forbidden: the system's theme is used.
  }
}
// Links from when all was one page lead on to the page that has what they name.
if (dataset.page === 'paper' && !('embed' in dataset)) {
  /** @type {Record<string, string>} */
  var moved = {
    families: 'compare',
    'families-title': 'compare',
    train: 'train',
    'train-title': 'train',
    own: 'own',
    'own-title': 'own',
    benchmark: 'method',
    'benchmark-title': 'method',
    notes: 'method',
  };
  var hash = location.hash.slice(1);
  var named = Object.prototype.hasOwnProperty.call(moved, hash) ? moved[hash] : '';
  var asked = /[?&]fam=/.test(search) ? 'compare' : /[?&]own=/.test(search) ? 'own' : '';
  // A link to a place or a figure of the paper stays with it, whatever else it carries.
  var page = named || (hash || /[?&]fig=/.test(search) ? '' : asked);
  if (page) location.replace(page + '/' + search + location.hash);
}
