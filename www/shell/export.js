// @ts-check
/** Figures as files: a menu for each, and all of them in one archive. Loaded when first asked for. */

import { el, reason } from './dom.js';
import { save } from './save.js';
import { shelf } from './shelf.js';
import { isDark as pageIsDark } from './theme.js';

/** @typedef {import('./files.js').TextFormat} TextFormat */

/** Pixels of a PNG to a CSS pixel. */
const DENSITY = 2;
/** Pictures narrower than this, as on a phone, are of no use in a document. */
const LEAST_WIDTH = 640;
/** The pictures of an archive, in CSS pixels. */
const ARCHIVE_WIDTH = 720;
const encoder = new TextEncoder();
/** How long the button says what was done, in ms. */
const SAY = 2_000;

/** @type {Record<TextFormat, { type: string, name: string }>} */
const TEXTS = {
  svg: { type: 'image/svg+xml', name: 'SVG' },
  csv: { type: 'text/csv;charset=utf-8', name: 'CSV' },
  json: { type: 'application/json', name: 'JSON' },
  tex: { type: 'application/x-tex;charset=utf-8', name: 'LaTeX' },
  md: { type: 'text/markdown;charset=utf-8', name: 'Markdown' },
};

/** @typedef {Exportable} Source whatever has figures that can be files */

/**
 * What can be taken together.
 *
 * @typedef {{ view: View | null, ensemble: EnsembleView | null, own: EvaluateView | null, families?: FamiliesView | null }} OnShow
 */

/** A figure with its title, in pixels. @param {Source} view @param {string} id @param {number} width @param {boolean} dark @returns {Promise<Blob>} */
function picture(view, id, width, dark) {
  const canvas = el('canvas');
  view.export_picture(id, canvas, width, DENSITY, dark);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the browser could not make a PNG of it'));
    }, 'image/png');
  });
}

/** What there is, and names that are others where any of it is. @param {OnShow} onShow */
function everythingThereIs({ view, ensemble, own, families = null }) {
  if (!view) throw new Error('nothing is computed yet');
  const entries = [view, ensemble, own, families].flatMap((source) =>
    source ? source.figures().map(({ id }) => ({ source: /** @type {Source} */ (source), id })) : [],
  );
  const names = entries.map(({ source, id }) => source.file_name(id, 'png'));
  return { view, ensemble, own, families, entries, names };
}

/** Further figures as files; those of the page are made with the archive. @param {EvaluateView | FamiliesView} further */
function filesOf(further) {
  const formats = /** @type {TextFormat[]} */ (Object.keys(TEXTS));
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
 * @param {() => OnShow} [onShow]
 * @param {() => boolean} [isDark]
 */
export async function exportEverything(onShow = () => shelf, isDark = pageIsDark) {
  // A run or a slider may change the figures while the pictures are made: then they are made again.
  for (;;) {
    const { view, ensemble, own, families, entries, names } = everythingThereIs(onShow());
    const blobs = await Promise.all(
      entries.map(({ source, id }) => picture(source, id, ARCHIVE_WIDTH, isDark())),
    );
    const buffers = await Promise.all(blobs.map((blob) => blob.arrayBuffer()));
    const now = everythingThereIs(onShow());
    const same =
      now.view === view && now.ensemble === ensemble && now.own === own && now.families === families;
    if (!same || String(now.names) !== String(names)) continue;
    const extra = buffers.map(
      (buffer, index) =>
        /** @type {[string, Uint8Array]} */ ([names[index] ?? '', new Uint8Array(buffer)]),
    );
    if (own) extra.push(...filesOf(own));
    if (families)
      extra.push(...filesOf(families), ['families.json', encoder.encode(families.json())]);
    const archive = ensemble ? view.archive_with(ensemble, extra) : view.archive(extra);
    save(view.file_name('', 'zip'), new Blob([archive], { type: 'application/zip' }));
    return;
  }
}

/** A number for each menu, so that its button can name it. */
let menus = 0;

/**
 * Gives a figure's button its menu.
 *
 * @param {object} figure
 * @param {string} figure.id
 * @param {HTMLButtonElement} figure.button its parent holds the menu
 * @param {() => Source | null} figure.view
 * @param {() => number} figure.width of the figure on the page, in CSS pixels
 * @param {(text: string) => void} figure.announce
 * @param {() => OnShow} [figure.onShow] all that can be taken together; the page's
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
  onShow,
  isDark = pageIsDark,
  alone = false,
}) {
  const table = getView()?.is_table(id) ?? false;
  const label = button.textContent ?? '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let said;

  const name = button.getAttribute('aria-label');
  /** What is seen on the button is in its name, too. @param {string} text */
  function show(text) {
    button.textContent = text;
    if (name) button.setAttribute('aria-label', text === label ? name : `${text}: ${name}`);
  }

  /** Says what was done, to the eye and to the ear. @param {string} brief @param {string} sentence */
  function say(brief, sentence) {
    announce(sentence);
    show(brief);
    clearTimeout(said);
    said = setTimeout(() => show(label), SAY);
  }

  /** @param {TextFormat} format @param {Source} view */
  const text = (format, view) => view.export_text(id, format, size(), isDark());
  const size = () => Math.max(LEAST_WIDTH, Math.round(width()));

  /** @param {TextFormat} format */
  const download = (format) => ({
    words: `${TEXTS[format].name} file`,
    /** @param {Source} view */
    async act(view) {
      const name = view.file_name(id, format);
      save(name, new Blob([text(format, view)], { type: TEXTS[format].type }));
      say('Saved', `Saved as ${name}.`);
    },
  });

  /** @param {TextFormat} format */
  const copy = (format) => ({
    words: `Copy as ${TEXTS[format].name}`,
    /** @param {Source} view */
    async act(view) {
      if (!navigator.clipboard) throw new Error('this browser gives no access to the clipboard');
      await navigator.clipboard.writeText(text(format, view));
      say('Copied', `Copied as ${TEXTS[format].name}.`);
    },
  });

  const png = {
    words: 'PNG picture',
    /** @param {Source} view */
    async act(view) {
      const name = view.file_name(id, 'png');
      save(name, await picture(view, id, size(), isDark()));
      say('Saved', `Saved as ${name}.`);
    },
  };

  const everything = {
    words: 'All figures and tables (.zip)',
    async act() {
      say('Packing…', 'Packing all figures and tables.');
      await exportEverything(onShow, isDark);
      say('Saved', 'Saved all figures and tables in one archive.');
    },
  };

  const choices = [
    png,
    ...(table
      ? [download('svg'), download('csv'), download('json'), download('tex'), download('md')]
      : [download('svg'), download('csv'), download('json')]),
    ...(table ? [copy('tex'), copy('md'), copy('csv')] : [copy('svg'), copy('csv')]),
    ...(alone ? [] : [everything]),
  ];

  const items = choices.map(({ words, act }) => {
    const item = el('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, words);
    item.addEventListener('click', async () => {
      close(true);
      try {
        const view = getView();
        if (!view) throw new Error('the page is still loading');
        await act(view);
      } catch (error) {
        say('Failed', `The export failed: ${reason(error)}.`);
      }
    });
    return item;
  });
  const menu = el(
    'div',
    { role: 'menu', id: `export-menu-${++menus}`, class: 'export-menu', hidden: true },
    ...items,
  );
  menu.setAttribute('aria-label', button.getAttribute('aria-label') ?? label);
  button.setAttribute('aria-controls', menu.id);
  button.parentElement?.append(menu);

  /** @param {number} index */
  const focus = (index) => items.at(index % items.length)?.focus();

  /** @param {number} [index] the item to begin with */
  function open(index = 0) {
    menu.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', onOutside);
    focus(index);
  }

  /** @param {boolean} back whether the focus returns to the button */
  function close(back) {
    if (menu.hidden) return;
    menu.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', onOutside);
    if (back) button.focus();
  }

  /** @param {PointerEvent} event */
  function onOutside(event) {
    // The path, since the menu may be in a shadow tree.
    if (!button.parentElement || !event.composedPath().includes(button.parentElement)) close(false);
  }

  button.addEventListener('click', () => (menu.hidden ? open() : close(true)));
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open(event.key === 'ArrowDown' ? 0 : -1);
  });
  menu.addEventListener('keydown', (event) => {
    const at = items.findIndex((item) => item.matches(':focus'));
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(-1),
      Escape: () => close(true),
    };
    const act = keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === 'Tab') {
      close(false);
    }
  });

  return { open };
}
