// Runs before first paint, so that neither another theme, nor the rest of an embedded page, nor the paper
// for whoever is on the way to another page flashes. theme.js and visibility.js do the rest. And it says
// so where the page's code does not come.
var search = location.search;
var dataset = document.documentElement.dataset;
if (/[?&]embed(=(1|true)?)?(&|$)/.test(search)) {
  dataset.embed = '';
  dataset.theme = (/[?&]theme=(light|dark)(&|$)/.exec(search) || [])[1] || 'system';
} else {
  try {
    var stored = localStorage.getItem('sfc-bench.theme');
    if (stored === 'light' || stored === 'dark') dataset.theme = stored;
  } catch (_) {
    // Storage may be forbidden: the system's theme is used.
  }
}
// A module that does not come fails at the element that asked for it; one that is no program, at the window.
addEventListener(
  'error',
  ({ target, error }) => {
    if ('begun' in dataset || !(error || target instanceof HTMLScriptElement)) return;
    dataset.begun = '';
    // Without its code the page has the printed tables to show, and shows them.
    delete dataset.embed;
    // What a browser kept of a host that was out of order for a while would be taken for good.
    // The modules that arrive only after this one has failed are asked for anew, too.
    new PerformanceObserver((list) =>
      list.getEntries().forEach((entry) => {
        var anew = 'initiatorType' in entry && entry.initiatorType === 'fetch';
        if (/\.js$/.test(entry.name) && !anew) fetch(entry.name, { cache: 'reload' }).catch(() => {});
      }),
    ).observe({ type: 'resource', buffered: true });
    var again = document.createElement('button');
    again.className = 'quiet';
    again.textContent = 'Load it again';
    again.onclick = () => location.reload();
    document.querySelectorAll('#verdict-sentence').forEach((one) => (one.textContent = 'Nothing could be computed here.'));
    document.querySelectorAll('#late, .page-state').forEach((place) => {
      place.className = 'page-state';
      place.replaceChildren('A part of this page’s code did not come, or something else came in its place. ', again);
    });
  },
  true,
);
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
