// @ts-check
/**
 * <sfc-bench>: a live figure of the paper in somebody else's page.
 *
 * Figures of families (`families`, `families-map`, …) are of a study of their own: `fam` says of which, as in
 * a link, or `preset` (small, full), `world` (superposition, nonlinear, paper) and `completeness` do. Figures of an evaluation
 * (`own-score`, …) are of the property `report`, as the package's `evaluate` gives it. Figures of FADE
 * (`fade-scores`, …) and of CE-Bench (`ce-scores`, …) are of the toy model: `of` says of which run, as the
 * query of their page has it (`sae=relu256&open=5`). Figures of the Model Utilization Index are of its paper's
 * tables (`mui-law`, …, without any weights), or of the toy model as `of` says (`task=sum&n=64`): as much of it is
 * measured as the figure shows. A training is not begun in an element: `mui-trained-path` and the like, and
 * `mui-own-growth`, show what the property `report` holds.
 *
 * The attributes are the keys of a link, with three more words: `figure` by its plain name or its
 * identifier, `profile` for the weights of Table 2, `theme` (auto, light, dark). `controls` shows
 * controls, the usual four or those it names (keys of settings, and `weights`); `hide` takes away
 * whatever it names (of those, and `title`, `caption`, `text`, `export`, `open`, `verdict`); `page` is
 * the address that the link below the figure leads to, where it is not the page beside this file.
 *
 * Events: `sfc-bench:ready` once, `sfc-bench:result` with what was found, `sfc-bench:error` with an Error
 * whose `code` says what went wrong; they bubble. The look: element-style.js.
 *
 * A content security policy must let the package's origin be used by script-src (with
 * 'wasm-unsafe-eval') and connect-src, and workers be made: worker-src blob:, or 'self' where the
 * package is of the page's own origin. Where it asks for trusted types, ours are named sfc-bench. The
 * package's host must let other origins read it (CORS).
 *
 * This file loads with the page, with the names and the look; the rest follows when an element first
 * comes near the window.
 */

import { createElementError } from './element-error.js';
import { LINK_KEYS, ELEMENT_ATTRIBUTES, PINNED_KEYS } from './element-attributes.js';
import { getElementSheets } from './element-style.js';

/** Work begins this far, in CSS pixels, before the element is in the window. */
const NEAR_MARGIN = '200px';

/** Server-side code may import this; it has no elements to make. */
const BaseElement = globalThis.HTMLElement ?? class {};

/** What elements show, once one has come near. @type {typeof import('./element-view.js').ElementView | undefined} */
let ElementView;

export class SfcBenchElement extends BaseElement {
  static observedAttributes = [...ELEMENT_ATTRIBUTES, ...LINK_KEYS, ...PINNED_KEYS];

  #root = this.attachShadow({ mode: 'open' });
  /** What is shown, from the first time it comes near until it is removed. @type {import('./element-view.js').ElementView | null} */
  #view = null;
  /** Ends everything that was begun since the element was last put into a page. @type {AbortController | null} */
  #life = null;
  #near = false;
  #asked = false;
  /** @type {import('../types/sfc-bench-element.d.ts').SfcBenchElement['report']} */
  #report = null;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = getElementSheets(this.ownerDocument);
  }

  /** Moved to another document, whose styles it needs. */
  adoptedCallback() {
    this.#root.adoptedStyleSheets = getElementSheets(this.ownerDocument);
  }

  connectedCallback() {
    // Moved within the page: it stays as it is.
    if (this.#life) return;
    for (const name of [...ELEMENT_ATTRIBUTES, ...LINK_KEYS, 'report']) this.#upgradeProperty(name);
    this.#life = new AbortController();
    this.#near = false;
    const frame = document.createElement('div');
    frame.className = 'frame';
    frame.dir = 'ltr';
    frame.setAttribute('part', 'frame');
    const waiting = document.createElement('div');
    waiting.className = 'waiting';
    // What stands between the tags is shown until there is a figure, and where there can be none.
    const slot = document.createElement('slot');
    slot.textContent = 'The figure is computed when it comes into view.';
    waiting.append(slot);
    frame.append(waiting);
    this.#root.replaceChildren(frame);

    const seen = new IntersectionObserver(
      (entries) => {
        this.#near = entries.some(({ isIntersecting }) => isIntersecting);
        this.#view?.setNearViewport(this.#near);
        // What was followed while it was near is shown still.
        if (this.#near) this.#update();
      },
      { rootMargin: NEAR_MARGIN },
    );
    seen.observe(this);
    const { signal } = this.#life;
    signal.addEventListener('abort', () => seen.disconnect(), { once: true });
    // A printer waits for nothing: what can be drawn at once is, and the rest is there the next time.
    addEventListener('beforeprint', () => this.#preparePrint(), { signal });
    addEventListener('afterprint', () => this.#view?.endPrint(), { signal });
  }

  disconnectedCallback() {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#life?.abort();
      this.#life = null;
      this.#view?.close();
      this.#view = null;
      this.#root.replaceChildren();
    });
  }

  attributeChangedCallback() {
    if (this.#life) this.#update();
  }

  /** What the element last found; null before. @returns {import('../types/sfc-bench-element.d.ts').SfcBenchResult | null} */
  get result() {
    return this.#view?.result ?? null;
  }

  /** What of the attributes could not be followed to the letter. @returns {LinkChange[]} */
  get changes() {
    return this.#view?.changes ?? [];
  }

  /** What figures of an evaluation are of, and those of MUI if they are not to measure anything. */
  get report() {
    return this.#report;
  }

  set report(report) {
    this.#report = report ?? null;
    if (this.#life) this.#update();
  }

  /** Several changes at once are followed once, and only where somebody may see it. */
  #update() {
    if (this.#asked || !this.#near) return;
    this.#asked = true;
    queueMicrotask(async () => {
      this.#asked = false;
      const life = this.#life?.signal;
      if (!life) return;
      try {
        ElementView ??= (await import('./element-view.js')).ElementView;
        if (life.aborted) return;
        this.#view ??= new ElementView(this, this.#root);
        this.#view.setNearViewport(this.#near);
        this.#view.update();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Everything is on paper, seen or not. */
  #preparePrint() {
    if (ElementView) {
      this.#view ??= new ElementView(this, this.#root);
      this.#view.preparePrint();
    }
    this.#near = true;
    if (!this.#view?.result) this.#update();
  }

  /** @param {unknown} error */
  #fail(error) {
    const message = `The figure could not be loaded (${error instanceof Error ? error.message : error}).`;
    const detail = createElementError('element.load', message);
    const place = this.#root.querySelector('.waiting slot');
    if (place) place.textContent = message;
    this.dispatchEvent(
      new CustomEvent('sfc-bench:error', { detail, bubbles: true, composed: true }),
    );
  }

  /** A property that was set before the element was defined becomes an attribute. @param {string} name */
  #upgradeProperty(name) {
    if (!Object.hasOwn(this, name)) return;
    const self = /** @type {Record<string, any>} */ (/** @type {unknown} */ (this));
    const value = self[name];
    delete self[name];
    self[name] = value;
  }
}

for (const name of [...ELEMENT_ATTRIBUTES, ...LINK_KEYS]) {
  Object.defineProperty(SfcBenchElement.prototype, name, {
    configurable: true,
    enumerable: true,
    /** @this {SfcBenchElement} */
    get() {
      return this.getAttribute(name);
    },
    /** A list is joined by commas; null and false take the attribute away. @this {SfcBenchElement} @param {unknown} value */
    set(value) {
      if (value === null || value === undefined || value === false) this.removeAttribute(name);
      else this.setAttribute(name, value === true ? '' : String(value));
    },
  });
}

if (globalThis.customElements && !customElements.get('sfc-bench'))
  customElements.define('sfc-bench', SfcBenchElement);
