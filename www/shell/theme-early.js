// Runs before first paint, so that neither another theme nor the rest of an embedded page flashes.
// theme.js and arrange.js do the rest.
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
