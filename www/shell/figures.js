// @ts-check
/** The figures: a canvas the core draws on, its words, its readout, and the same as a table. */

import { el, requireElement, typesetProse, setScrollRegion } from './dom.js';
import { createRovingFocus } from './roving-tabindex.js';
import { Schedule, whenDensityChanges } from './schedule.js';
import { isDark } from './theme.js';

/** Figures this near to the window are drawn as if they were in it. */
const NEAR_MARGIN = '160px';

class Figure {
  /** Where the figure is worth drawing at once. */
  near = false;
  /** Whether text has taken the place of the picture. */
  asText = false;

  #title = el('strong', { class: 'figure-title' });
  #caption = el('p', { class: 'figure-caption' });
  /** Others may let the reader take hold of the picture. */
  canvas = el('canvas', { tabindex: '0' });
  /** Hears which mark of the picture is chosen. @type {((mark: Mark) => void) | null} */
  onChoose = null;
  /** A drawn table's text, over the picture. */
  #layer = el('div', { class: 'text-layer', hidden: true });
  stage = el('div', { class: 'stage' }, this.canvas, this.#layer);
  #text = el('div', { class: 'as-text visually-hidden' });
  #toggle = el(
    'button',
    { type: 'button', class: 'quiet', 'aria-pressed': 'false' },
    'Table',
  );
  #export = el(
    'button',
    { type: 'button', class: 'quiet', 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
    'Export',
  );
  #announce;
  width = 0;
  #height = 0;
  /** What the last drawing said of itself. @type {Layout | null} */
  #layout = null;
  /** @type {import('./figure-values.js').FigureReader | null} */
  #reading = null;

  /**
   * @param {HTMLElement} element the page's empty figure
   * @param {(text: string) => void} announce
   * @param {(figure: Figure) => void} onToggle
   * @param {((figure: Figure, button: HTMLButtonElement) => void) | null} onExport none: it cannot be
   */
  constructor(element, announce, onToggle, onExport) {
    this.element = element;
    this.id = element.dataset.figure ?? '';
    this.#announce = announce;
    this.#toggle.addEventListener('click', () => {
      this.#setAsText(!this.asText);
      onToggle(this);
    });
    if (onExport)
      this.#export.addEventListener('click', () => onExport(this, this.#export), { once: true });
    const words = el(
      'figcaption',
      {},
      this.#title,
      this.#toggle,
      ...(onExport ? [el('span', { class: 'export' }, this.#export)] : []),
    );
    // A menu below the button has arrows of its own.
    createRovingFocus(words, ':scope > button, .export > button', ['ArrowLeft', 'ArrowRight']);
    element.append(
      words,
      this.stage,
      this.#text,
      // Whoever has more to say of a figure says it in here: a figure has as many rows as its neighbours.
      el('div', { class: 'figure-words' }, this.#caption),
    );
  }

  /** @param {boolean} asText */
  #setAsText(asText) {
    this.asText = asText;
    this.stage.hidden = asText;
    this.#text.classList.toggle('visually-hidden', !asText);
    this.#reading?.setAsText(asText);
    this.#toggle.setAttribute('aria-pressed', String(asText));
    setScrollRegion(this.#text, asText ? `${this.#title.textContent}, as a table` : null);
  }

  /** @param {Drawable} view */
  setLabels(view) {
    const title = view.title(this.id);
    this.#title.replaceChildren(typesetProse(title));
    // What it shows is said when it is drawn, which is when it comes near.
    if (!this.canvas.hasAttribute('aria-label')) this.canvas.setAttribute('aria-label', title);
    // A picture has a name from the first.
    this.canvas.setAttribute('role', 'img');
    this.#toggle.setAttribute('aria-label', `Table: ${title}`);
    this.#export.setAttribute('aria-label', `Export ${title}`);
    this.#caption.replaceChildren(typesetProse(view.caption(this.id)));
  }

  /** Takes the width the page has for it. @param {number} width @returns {boolean} whether it is another */
  setWidth(width) {
    const changed = width > 0 && Math.floor(width) !== this.width;
    if (changed) {
      this.width = Math.floor(width);
      this.canvas.style.width = `${this.width}px`;
    }
    return changed;
  }

  /** Keeps the place for the picture; a longer legend needs a higher one. @param {Drawable} view */
  setHeight(view) {
    const height = Math.round(view.preferred_height(this.id, this.width));
    if (height === this.#height) return;
    this.#height = height;
    this.canvas.style.height = `${height}px`;
  }

  /** The table and the canvas's description. @param {Drawable} view */
  writeTable(view) {
    const title = view.title(this.id);
    this.canvas.setAttribute('aria-label', `${title}. ${view.summary(this.id)}`);
    this.#reading?.setTable(view.table(this.id), title);
  }

  /** Lets the figure be read. @param {typeof import('./figure-values.js').FigureReader} Reading */
  enableReading(Reading) {
    this.#reading ??= new Reading({
      stage: this.stage,
      canvas: this.canvas,
      layer: this.#layer,
      text: this.#text,
      together: !this.id.startsWith('table'),
      announce: this.#announce,
      onChoose: this.onChoose,
    });
    this.#reading.setAsText(this.asText);
    if (this.#layout) this.#reading.setLayout(this.#layout);
  }

  /** @param {Drawable} view */
  draw(view) {
    this.drawWith(view, devicePixelRatio, isDark());
  }

  /** @param {Drawable} view @param {number} density pixels to a CSS pixel @param {boolean} dark */
  drawWith(view, density, dark) {
    if (this.asText || this.width === 0) return;
    this.setHeight(view);
    this.element.dataset.drawn = '';
    this.#layout = view.draw(this.id, this.canvas, this.width, this.#height, density, dark);
    this.#reading?.setLayout(this.#layout);
  }
}

/** Every set of figures there is, for whoever prints them. @type {Set<Figures>} */
export const figureSets = new Set();

/** Some frames, in ms: what is drawn in this one, and said of it in the next, is on the screen. */
const PAINT_DELAY = 50;

/** Whether a fold above it is closed. @param {Figure} figure */
const isFolded = ({ element }) => element.closest('details:not([open])') !== null;

/** All figures of the page, kept up with one view. */
export class Figures {
  /** @type {Drawable | null} */
  #view = null;
  /** @type {Map<Element, Figure>} */
  #figures = new Map();
  /** Figures in closed folds that are not drawn as they are now. @type {Set<Figure>} */
  #folded = new Set();
  #schedule = new Schedule();
  #announce;
  /** The lab's view of the same, for files. */
  #exportable;
  /** Whether what lets figures be read is there, or on its way. */
  #readable = false;

  /**
   * @param {Iterable<HTMLElement>} elements the page's empty figures
   * @param {(text: string) => void} announce
   * @param {() => Exportable | null} [exportable] the lab's view of the same; without it there are no exports
   */
  constructor(elements, announce, exportable) {
    this.#announce = announce;
    this.#exportable = exportable;
    const seen = new IntersectionObserver((entries) => this.#onScroll(entries), {
      rootMargin: NEAR_MARGIN,
    });
    const sized = new ResizeObserver((entries) => this.#onResize(entries));
    for (const element of elements) {
      const figure = new Figure(
        element,
        announce,
        (toggled) => this.#refresh(toggled),
        exportable ? (exported, button) => this.#openExportMenu(exported, button) : null,
      );
      this.#figures.set(element, figure);
      seen.observe(element);
      sized.observe(element);
    }
    whenDensityChanges(() => this.redraw());
    // It does not bubble.
    document.addEventListener('toggle', () => this.#handleUnfold(), true);
    figureSets.add(this);
  }

  /** Figures that show something: of what, and the lab's view of the same. */
  *shownFigures() {
    const view = this.#view;
    if (!view) return;
    const exportable = this.#exportable?.() ?? null;
    for (const figure of this.#figures.values()) yield { figure, view, exportable };
  }

  /** Shows a new result; the former view is no longer needed then. @param {Drawable} view */
  show(view) {
    this.#view = view;
    this.#reserveSpace([...this.#figures.values()]);
    this.redraw();
    // Whoever measures how long the page takes looks for this.
    this.whenDrawn(() => {
      performance.mark('sfc-bench:drawn');
      // What is asked for in a frame is on its way before that frame is on the screen.
      setTimeout(() => this.#enableReading(), PAINT_DELAY);
    });
  }

  /** Gives figures their words, and the place that their pictures will take. @param {readonly Figure[]} figures */
  #reserveSpace(figures) {
    // All widths are read before anything is written, so that the page is laid out once.
    const widths = figures.map(({ element }) => element.clientWidth);
    figures.forEach((figure, index) => {
      figure.setWidth(widths[index] ?? 0);
      // What is folded away takes no place, and may be much to compute.
      if (!this.#view || isFolded(figure)) return;
      figure.setLabels(this.#view);
      figure.setHeight(this.#view);
    });
  }

  /** Lets the figures be read, and not only seen. */
  async #enableReading() {
    if (this.#readable) return;
    this.#readable = true;
    try {
      const { loadFigureReader: openReading } = await import('./figure-values.js');
      const Reading = await openReading();
      for (const figure of this.#figures.values()) {
        figure.enableReading(Reading);
        if (!this.#folded.has(figure)) this.#scheduleTable(figure);
      }
    } catch {
      // What is shown next tries again.
      this.#readable = false;
    }
  }

  /** Draws from another view from now on; what differs in it is drawn when asked for. @param {Drawable} view */
  setView(view) {
    this.#view = view;
  }

  /** Shows nothing any more: the view may go. */
  clear() {
    this.#view = null;
  }

  /** A figure by its name. @param {string} id */
  findById(id) {
    return [...this.#figures.values()].find((figure) => figure.id === id);
  }

  /** Draws some figures anew. @param {readonly string[]} ids */
  refresh(ids) {
    for (const figure of this.#figures.values()) if (ids.includes(figure.id)) this.#refresh(figure);
  }

  /** Does something once what is in view is drawn. @param {() => void} work */
  whenDrawn(work) {
    this.#schedule.scheduleFrame(work, work);
  }

  /** Draws everything anew: new values, or a new theme. */
  redraw() {
    for (const figure of this.#figures.values()) this.#refresh(figure);
  }

  /** @param {Figure} figure */
  #refresh(figure) {
    // Nobody sees it, and many are folded away: it is drawn when its fold is opened.
    if (isFolded(figure)) {
      this.#folded.add(figure);
      return;
    }
    this.#folded.delete(figure);
    const draw = () => this.#view && figure.draw(this.#view);
    if (figure.near) this.#schedule.scheduleFrame(`draw ${figure.id}`, draw);
    else this.#schedule.scheduleIdle(`draw ${figure.id}`, draw);
    this.#scheduleTable(figure);
  }

  /** A fold was opened, or closed. */
  #handleUnfold() {
    const opened = [...this.#folded].filter((figure) => !isFolded(figure));
    this.#reserveSpace(opened);
    for (const figure of opened) this.#refresh(figure);
  }

  /** @param {Figure} figure */
  #scheduleTable(figure) {
    const write = () => {
      if (!this.#view) return;
      figure.setLabels(this.#view);
      figure.writeTable(this.#view);
    };
    if (figure.near && figure.asText) this.#schedule.scheduleFrame(`write ${figure.id}`, write);
    else this.#schedule.scheduleIdle(`write ${figure.id}`, write);
  }

  /** Export menus are loaded when one is first asked for. @param {Figure} figure @param {HTMLButtonElement} button */
  async #openExportMenu(figure, button) {
    try {
      const { createExportMenu } = await import('./export.js');
      const { id } = figure;
      const view = () => this.#exportable?.() ?? null;
      const width = () => figure.width;
      createExportMenu({ id, button, view, width, announce: this.#announce }).open();
    } catch {
      this.#announce('The export menu could not be loaded.');
      button.addEventListener('click', () => this.#openExportMenu(figure, button), { once: true });
    }
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #onScroll(entries) {
    for (const entry of entries) {
      const figure = this.#figures.get(entry.target);
      if (!figure) continue;
      figure.near = entry.isIntersecting;
      if (figure.near) this.#schedule.moveToFrame(`draw ${figure.id}`);
    }
  }

  /** @param {ResizeObserverEntry[]} entries */
  #onResize(entries) {
    // What is shown next takes the widths itself; a canvas that has no height yet would change its
    // figure's here, and be told so.
    if (!this.#view) return;
    for (const { target, contentRect } of entries) {
      const figure = this.#figures.get(target);
      if (figure?.setWidth(contentRect.width)) this.#refresh(figure);
    }
  }
}

/** The polite voice of the page. @returns {(text: string) => void} */
export function createAnnouncer() {
  const region = requireElement('#announcer');
  return (text) => {
    region.textContent = text;
  };
}
