// Runs before first paint, so that a stored theme does not flash. theme.js does the rest.
try {
  var stored = localStorage.getItem('sfc-bench.theme');
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
} catch (_) {
  // Storage may be forbidden: the system's theme is used.
}
