/**
 * The element in a notebook: what anywidget calls. Everything is in the module itself, and nothing is fetched.
 * The attributes and the report come from Python; what the reader moves, and what is found, goes back.
 */

import 'page:element/element.js';

/** Whether two lists of weights are the same to Python. @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);

/** What the element found, without what Python has already. @param {any} found */
function told(found) {
  const { kind, digest, verdict, scores } = found;
  return { kind, digest: digest ?? null, verdict: verdict?.sentence ?? null, scores: scores ?? null };
}

/** The weights that a result is under. @param {any} found @returns {number[] | null} */
const weightsOf = ({ kind, settings, weights, report }) =>
  kind === 'run' ? settings.weights : (weights ?? report?.weights ?? null);

/** A notebook is dark where its own background is. @param {Element} el */
function themeOf(el) {
  for (let node = /** @type {Element | null} */ (el); node; node = node.parentElement) {
    const [r, g, b, a = 1] = (getComputedStyle(node).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (a > 0 && r !== undefined) return 0.3 * r + 0.6 * g + 0.1 * b < 128 ? 'dark' : 'light';
  }
  return 'light';
}

export default {
  /** @param {{ model: any, el: HTMLElement }} given */
  render({ model, el }) {
    const element = /** @type {any} */ (document.createElement('sfc-bench'));
    element.style.display = 'block';
    const attributes = () => {
      const wanted = { ...model.get('attributes') };
      if (wanted.theme === 'auto') wanted.theme = themeOf(el);
      const weights = model.get('weights');
      if (weights.length === 3) wanted.w = weights.join();
      for (const name of element.getAttributeNames())
        if (name !== 'style' && !name.startsWith('data-') && !Object.hasOwn(wanted, name)) element.removeAttribute(name);
      for (const [name, value] of Object.entries(wanted))
        if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    };
    const report = () => {
      const text = model.get('report');
      element.report = text ? JSON.parse(text) : null;
    };
    element.addEventListener('sfc-bench:result', (/** @type {CustomEvent} */ { detail }) => {
      const weights = weightsOf(detail);
      if (weights && !same(weights, model.get('weights'))) model.set('weights', [...weights]);
      model.set('error', '');
      model.set('result', told(detail));
      model.save_changes();
    });
    element.addEventListener('sfc-bench:error', (/** @type {CustomEvent} */ { detail }) => {
      model.set('error', detail.message);
      model.save_changes();
    });
    // Arrows, letters and Enter are commands of a notebook's cells: within the figure they are the figure's.
    element.dataset.lmSuppressShortcuts = 'true';
    element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    report();
    el.append(element);
    attributes();
    model.on('change:attributes change:weights', attributes);
    model.on('change:report', report);
    return () => {
      model.off('change:attributes change:weights', attributes);
      model.off('change:report', report);
      element.remove();
    };
  },
};
