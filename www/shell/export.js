// @ts-check
/** Figures as files: a menu for each, and all of them in one archive. Loaded when first asked for. */

import { createButton, el, describeError } from './dom.js';
import { saveBlob } from './download.js';
import { exportables } from './exportables.js';
import { isDark as pageIsDark } from './theme.js';

/** @typedef {'svg' | 'csv' | 'json' | 'tex' | 'md'} TextFormat */

/** Pixels of a PNG to a CSS pixel. */
const PNG_DENSITY = 2;
/** Pictures narrower than this, as on a phone, are of no use in a document. */
const WIDTH_MIN = 640;
/** The pictures of an archive, in CSS pixels. */
const ARCHIVE_WIDTH = 720;
const encoder = new TextEncoder();
/** How long the button says what was done, in ms. */
const STATUS_MS = 2_000;

/** @type {Record<TextFormat, { type: string, name: string }>} */
const TEXT_FORMATS = {
  svg: { type: 'image/svg+xml', name: 'SVG' },
  csv: { type: 'text/csv;charset=utf-8', name: 'CSV' },
  json: { type: 'application/json', name: 'JSON' },
  tex: { type: 'application/x-tex;charset=utf-8', name: 'LaTeX' },
  md: { type: 'text/markdown;charset=utf-8', name: 'Markdown' },
};

/**
 * What can be taken together.
 *
 * @typedef {{ view: Exportable | null, ensemble: EnsembleView | null, own: OwnView | null, families?: FamiliesView | null }} OnShow
 */

/** A figure with its title, in pixels. @param {Exportable} view @param {string} id @param {number} width @param {boolean} dark @returns {Promise<Blob>} */
function renderPng(view, id, width, dark) {
  const canvas = el('canvas');
  view.export_picture(id, canvas, width, PNG_DENSITY, dark);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the browser could not make a PNG of it'));
    }, 'image/png');
  });
}

/** What there is, and names that are others where any of it is. @param {OnShow} onShow */
function collectExports({ view, ensemble, own, families = null }) {
  if (!view) throw new Error('nothing is computed yet');
  const entries = [view, ensemble, own, families].flatMap((source) =>
    source ? source.figures().map(({ id }) => ({ source, id })) : [],
  );
  const names = entries.map(({ source, id }) => source.file_name(id, 'png'));
  return { view, ensemble, own, families, entries, names };
}

/** Further figures as files; those of the page are made with the archive. @param {OwnView | FamiliesView} further */
function exportTextFiles(further) {
  const formats = /** @type {TextFormat[]} */ (Object.keys(TEXT_FORMATS));
  return further.figures().flatMap(({ id }) =>
    formats.map(
      (format) =>
        /** @type {[string, Uint8Array]} */ ([
          further.file_name(id, format),
          encoder.encode(further.export_text(id, format, ARCHIVE_WIDTH, false)),
        ]),
    ),
  );
}

/**
 * Saves every figure in every format, with the settings and the citations, as one .zip: those of a
 * comparison, of an ensemble and of families too, where there are any.
 *
 * @param {() => OnShow} onShow
 * @param {() => boolean} isDark
 */
async function saveArchive(onShow, isDark) {
  // A run or a slider may change the figures while the pictures are made: then they are made again.
  for (;;) {
    const { view, ensemble, own, families, entries, names } = collectExports(onShow());
    const blobs = await Promise.all(
      entries.map(({ source, id }) => renderPng(source, id, ARCHIVE_WIDTH, isDark())),
    );
    const buffers = await Promise.all(blobs.map((blob) => blob.arrayBuffer()));
    const now = collectExports(onShow());
    const same =
      now.view === view && now.ensemble === ensemble && now.own === own && now.families === families;
    if (!same || String(now.names) !== String(names)) continue;
    const extra = buffers.map(
      (buffer, index) =>
        /** @type {[string, Uint8Array]} */ ([names[index] ?? '', new Uint8Array(buffer)]),
    );
    if (own) extra.push(...exportTextFiles(own));
    if (families)
      extra.push(...exportTextFiles(families), ['families.json', encoder.encode(families.json())]);
    const archive = ensemble ? view.archive_with(ensemble, extra) : view.archive(extra);
    saveBlob(view.file_name('', 'zip'), new Blob([archive], { type: 'application/zip' }));
    return;
  }
}

/** What an export's button says: its own words, and for a while what was done. */
class ButtonStatus {
  #button;
  #announce;
  #words;
  #name;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #said;

  /** @param {HTMLButtonElement} button @param {(text: string) => void} announce */
  constructor(button, announce) {
    this.#button = button;
    this.#announce = announce;
    this.#words = button.textContent ?? '';
    this.#name = button.getAttribute('aria-label');
  }

  /** What the button is called, done or not. */
  get name() {
    return this.#name ?? this.#words;
  }

  /** To the eye and to the ear. @param {string} brief @param {string} sentence */
  showStatus(brief, sentence) {
    this.#announce(sentence);
    this.#setLabel(brief);
    clearTimeout(this.#said);
    this.#said = setTimeout(() => this.#setLabel(this.#words), STATUS_MS);
  }

  /** What is seen on the button is in its name, too. @param {string} text */
  #setLabel(text) {
    this.#button.textContent = text;
    if (!this.#name) return;
    const name = text === this.#words ? this.#name : `${text}: ${this.#name}`;
    this.#button.setAttribute('aria-label', name);
  }
}

/** @typedef {{ words: string, act(view: Exportable): Promise<void> }} Way one way to take a figure */

/**
 * The ways to take one figure.
 *
 * @param {object} figure
 * @param {string} figure.id
 * @param {() => number} figure.width
 * @param {() => boolean} figure.isDark
 * @param {ButtonStatus} figure.voice
 */
function createExportActions({ id, width, isDark, voice }) {
  const size = () => Math.max(WIDTH_MIN, Math.round(width()));
  /** @param {TextFormat} format @param {Exportable} view */
  const text = (format, view) => view.export_text(id, format, size(), isDark());

  /** @param {string} name @param {Blob} file */
  function keep(name, file) {
    saveBlob(name, file);
    voice.showStatus('Saved', `Saved as ${name}.`);
  }

  return {
    /** @type {Way} */
    png: {
      words: 'PNG picture',
      act: async (view) => keep(view.file_name(id, 'png'), await renderPng(view, id, size(), isDark())),
    },
    /** @param {TextFormat} format @returns {Way} */
    download: (format) => ({
      words: `${TEXT_FORMATS[format].name} file`,
      act: async (view) =>
        keep(view.file_name(id, format), new Blob([text(format, view)], { type: TEXT_FORMATS[format].type })),
    }),
    /** @param {TextFormat} format @returns {Way} */
    copy: (format) => ({
      words: `Copy as ${TEXT_FORMATS[format].name}`,
      async act(view) {
        if (!navigator.clipboard) throw new Error('this browser gives no access to the clipboard');
        await navigator.clipboard.writeText(text(format, view));
        voice.showStatus('Copied', `Copied as ${TEXT_FORMATS[format].name}.`);
      },
    }),
  };
}

/** A number for each menu, so that its button can name it. */
let menuCount = 0;

/** A button's menu: unfolded and folded by hand and by keyboard. */
class ExportMenu {
  #button;
  #items;
  #element;
  /** A press elsewhere folds it. @param {PointerEvent} event */
  #onOutside = (event) => {
    const { parentElement } = this.#button;
    // The path, since the menu may be in a shadow tree.
    if (!parentElement || !event.composedPath().includes(parentElement)) this.close(false);
  };

  /**
   * @param {HTMLButtonElement} button its parent holds the menu
   * @param {string} name
   * @param {{ words: string, onChosen: () => void }[]} choices
   */
  constructor(button, name, choices) {
    this.#button = button;
    this.#items = choices.map(({ words, onChosen }) =>
      createButton(words, { role: 'menuitem', tabindex: '-1' }, () => {
        this.close(true);
        onChosen();
      }),
    );
    const id = `export-menu-${++menuCount}`;
    this.#element = el(
      'div',
      { role: 'menu', id, class: 'export-menu', hidden: true, 'aria-label': name },
      ...this.#items,
    );
    button.setAttribute('aria-controls', id);
    button.parentElement?.append(this.#element);
    button.addEventListener('click', () => (this.#element.hidden ? this.open() : this.close(true)));
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.open(event.key === 'ArrowDown' ? 0 : -1);
    });
    this.#element.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** @param {number} [index] the item to begin with */
  open(index = 0) {
    this.#element.hidden = false;
    this.#button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', this.#onOutside);
    this.#focusItem(index);
  }

  /** @param {boolean} back whether the focus returns to the button */
  close(back) {
    if (this.#element.hidden) return;
    this.#element.hidden = true;
    this.#button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', this.#onOutside);
    if (back) this.#button.focus();
  }

  /** @param {number} index */
  #focusItem(index) {
    this.#items.at(index % this.#items.length)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const at = this.#items.findIndex((item) => item.matches(':focus'));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.#focusItem(at + 1),
      ArrowUp: () => this.#focusItem(at - 1),
      Home: () => this.#focusItem(0),
      End: () => this.#focusItem(-1),
      Escape: () => this.close(true),
    };
    const act = keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === 'Tab') {
      this.close(false);
    }
  }
}

/**
 * Gives a figure's button its menu.
 *
 * @param {object} figure
 * @param {string} figure.id
 * @param {HTMLButtonElement} figure.button its parent holds the menu
 * @param {() => Exportable | null} figure.view
 * @param {() => number} figure.width of the figure on the page, in CSS pixels
 * @param {(text: string) => void} figure.announce
 * @param {() => OnShow} [figure.onShow] all that can be taken together; the page's, with the figure's own where it has no other
 * @param {() => boolean} [figure.isDark] where it is not the page that says so
 * @param {boolean} [figure.alone] whether there is nothing to be taken together
 * @returns {{ open: () => void }}
 */
export function createExportMenu({
  id,
  button,
  view: getView,
  width,
  announce,
  onShow = () => ({ ...exportables, view: exportables.view ?? getView() }),
  isDark = pageIsDark,
  alone = false,
}) {
  const voice = new ButtonStatus(button, announce);
  const { png, download, copy } = createExportActions({ id, width, isDark, voice });
  /** @type {Way} */
  const everything = {
    words: 'All figures and tables (.zip)',
    async act() {
      voice.showStatus('Packing…', 'Packing all figures and tables.');
      await saveArchive(onShow, isDark);
      voice.showStatus('Saved', 'Saved all figures and tables in one archive.');
    },
  };
  const table = getView()?.is_table(id) ?? false;
  const ways = [
    png,
    ...(table
      ? [download('svg'), download('csv'), download('json'), download('tex'), download('md')]
      : [download('svg'), download('csv'), download('json')]),
    ...(table ? [copy('tex'), copy('md'), copy('csv')] : [copy('svg'), copy('csv')]),
    ...(alone ? [] : [everything]),
  ];

  /** @param {Way} way */
  async function take(way) {
    try {
      const view = getView();
      if (!view) throw new Error('the page is still loading');
      await way.act(view);
    } catch (error) {
      voice.showStatus('Failed', `The export failed: ${describeError(error)}.`);
    }
  }
  const choices = ways.map((way) => ({ words: way.words, onChosen: () => take(way) }));
  return new ExportMenu(button, voice.name, choices);
}
