/**
 * The element in a notebook: what anywidget calls. Everything is in the module itself, and nothing is fetched.
 * The attributes and the report come from Python; what the reader moves, and what is found, goes back.
 */

import 'page:element/element.js';

/** Whether two lists of weights are the same to Python. @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((value, at) => value === b[at]);

/** What the element found, without what Python has already. @param {any} found */
function told(found) {
  const { kind, digest, verdict, scores, settings } = found;
  return {
    kind,
    digest: digest ?? null,
    verdict: verdict?.sentence ?? null,
    scores: scores ?? null,
    settings: kind === 'run' ? settings : null,
  };
}

/** The weights that a result is under. @param {any} found @returns {number[] | null} */
const weightsOf = ({ kind, settings, weights, report }) =>
  kind === 'run' ? (settings?.weights ?? null) : (weights ?? report?.weights ?? null);

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
    /** What the element is asked for of weights: its controls write it, too. */
    const asked = () => `${element.getAttribute('w')} ${element.getAttribute('profile')}`;
    /** The same as it was when Python spoke last, and whether the reader has moved it since. */
    let ours = '';
    let moved = false;
    const spoken = () => {
      ours = asked();
      moved = false;
    };
    /** What Python said last: what the reader has moved since stays as it is. @type {Record<string, string>} */
    let said = {};
    const attributes = () => {
      /** @type {Record<string, string>} */
      const wanted = { ...model.get('attributes') };
      if (wanted.theme === 'auto') wanted.theme = themeOf(el);
      for (const name of Object.keys(said)) if (!Object.hasOwn(wanted, name)) element.removeAttribute(name);
      for (const [name, value] of Object.entries(wanted)) if (said[name] !== value) element.setAttribute(name, value);
      const weighs = ['w', 'profile'].some((name) => said[name] !== wanted[name]);
      said = wanted;
      if (weighs) spoken();
    };
    const weights = () => {
      const wanted = model.get('weights');
      // What the reader has moved comes back from Python.
      if (moved && same(wanted, weightsOf(element.result ?? {}) ?? [])) return;
      const w = wanted.length === 3 ? wanted.join() : said.w;
      if (wanted.length === 3 || said.profile === undefined) element.removeAttribute('profile');
      else element.setAttribute('profile', said.profile);
      if (w === undefined) element.removeAttribute('w');
      else element.setAttribute('w', w);
      spoken();
    };
    const report = () => {
      const text = model.get('report');
      element.report = text ? JSON.parse(text) : null;
    };
    element.addEventListener('sfc-bench:result', (/** @type {CustomEvent} */ { detail }) => {
      // Only what the reader moved is news to Python, which may have said something else since.
      moved ||= asked() !== ours;
      const found = moved ? weightsOf(detail) : null;
      if (found && !same(found, model.get('weights'))) model.set('weights', [...found]);
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
    if (model.get('weights').length) weights();
    spoken();
    model.on('change:attributes', attributes);
    model.on('change:weights', weights);
    model.on('change:report', report);
    return () => {
      model.off('change:attributes', attributes);
      model.off('change:weights', weights);
      model.off('change:report', report);
      element.remove();
    };
  },
};
