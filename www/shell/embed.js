// @ts-check
/**
 * "Embed this": a figure as it is to stand in another page, tried out in a frame of the page itself,
 * and the lines of HTML for it. Loaded when first asked for.
 */

import '../frame.js';
import { copyOrSelect } from './copy.js';
import { WHOLE_PAGE_VISIBILITY } from './visibility.js';
import { createButton, el } from './dom.js';
import { createLabelled, createSelect, createCheckbox } from './fields.js';
import { isSingleFile } from './views.js';

/** The height a frame starts with until it says its own, in CSS pixels. */
const INITIAL_HEIGHT = 480;
/** Widths to try, in CSS pixels; else as wide as its place. */
const PREVIEW_WIDTHS = [320, 480, 640, 800, 1000];
/** What a frame needs: scripts, its link, its files. */
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';

/** Folds of the settings that readers may be given one by one. */
const SETTING_GROUPS = ['group-network', 'group-seeds', 'group-data', 'group-metrics'];

/** What readers may be given, in words; what is not chosen is hidden. @type {[string, string, boolean][]} */
const EMBED_CHOICES = [
  ['weights', 'Weights', false],
  ['group-network', 'Network', false],
  ['group-seeds', 'Seeds', false],
  ['group-data', 'Data and dictionary', false],
  ['group-metrics', 'Measures', false],
  ['own', 'The figure’s own controls', true],
  ['tools', 'Text and files', true],
  ['captions', 'Caption', true],
];

/** The names for a link of everything that is not among those chosen. @param {readonly string[]} chosen */
function listHiddenParts(chosen) {
  const away = EMBED_CHOICES.map(([name]) => name).filter((name) => !chosen.includes(name));
  // Without any of its folds the form is no use.
  const settings = SETTING_GROUPS.every((group) => away.includes(group));
  return away
    .filter((name) => !(settings && SETTING_GROUPS.includes(name)))
    .concat(settings ? ['settings'] : [])
    .flatMap((name) => (name === 'own' ? ['ties', 'ensemble-form'] : [name]));
}

/** @param {string} text */
const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** One element as HTML. @param {string} tag @param {Record<string, string | number | true>} attributes @param {string} [content] */
const formatHtmlTag = (tag, attributes, content = '') => {
  const written = Object.entries(attributes).map(([name, value]) =>
    value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`,
  );
  return `<${tag}${written.join('')}>${content}</${tag}>`;
};

/**
 * @typedef {object} Embedding
 * @property {string} base the page's address, without a query
 * @property {string} query of the embedded page
 * @property {string} title what the frame is called
 * @property {number | null} width in CSS pixels; null: all there is
 * @property {number} height in CSS pixels
 * @property {string} sandbox
 */

/** As a frame, with the script that keeps its height. @param {Embedding} embedding */
const formatIframe = ({ base, query, title, width, height, sandbox }) =>
  [
    formatHtmlTag('iframe', {
      class: 'sfc-bench',
      src: `${base}?${query}`,
      title,
      width: width ?? '100%',
      height,
      loading: 'lazy',
      sandbox,
      allow: 'clipboard-write',
      style: 'border: 0; max-width: 100%',
    }),
    formatHtmlTag('script', { src: new URL('www/frame.js', base).href, async: true }),
  ].join('\n');

/** Keys of a link that are not the element's, or are said to it in other words. */
const LINK_ONLY_KEYS = ['v', 'embed', 'hide'];

/**
 * As the custom element. Its attributes are the keys of a link; it shows what controls it is given,
 * and has words of its own for what stands beside its figure.
 *
 * @param {Embedding} embedding
 * @param {readonly string[]} chosen of the choices
 * @param {readonly import('./state.js').Field[]} fields
 */
function formatElement({ base, query, width }, chosen, fields) {
  /** @type {Record<string, string>} */
  const attributes = {};
  for (const [key, value] of new URLSearchParams(query)) {
    if (!LINK_ONLY_KEYS.includes(key)) attributes[key === 'fig' ? 'figure' : key] = value;
  }
  const controls = fields.filter(({ kind, name, group }) =>
    chosen.includes(kind === 'weights' ? name : `group-${group}`),
  );
  const names = controls.map(({ kind, name, key }) => (kind === 'weights' ? name : key));
  if (names.length > 0) attributes.controls = names.join();
  const hide = [
    ...(chosen.includes('captions') ? [] : ['caption']),
    ...(chosen.includes('tools') ? [] : ['text', 'export']),
  ];
  if (hide.length > 0) attributes.hide = hide.join();
  if (width) attributes.style = `width: ${width}px`;
  const src = new URL('sfc-bench.js', base).href;
  // What is seen where the module cannot be loaded.
  const otherwise = `<a href="${escapeHtml(base)}">A figure of sfc-bench</a>, whose code could not be loaded here.`;
  return [formatHtmlTag('script', { type: 'module', src }), formatHtmlTag('sfc-bench', attributes, otherwise)].join('\n');
}

/**
 * Whether the host gives the page's modules to everybody. A frame without an origin needs that, and so
 * does the element on other sites; the page as one file has no modules to give.
 *
 * @param {string} base
 */
const allowsAllOrigins = (base) =>
  fetch(base, { method: 'HEAD' }).then(
    ({ headers }) => headers.get('Access-Control-Allow-Origin') === '*',
    () => false,
  );

/**
 * Whether a figure is another one under other weights.
 *
 * @param {Lab} core @param {Report} report @param {string} id
 */
function dependsOnWeights(core, report, id) {
  const view = core.Study.open('sfc', report);
  const under = (/** @type {Weights} */ weights) => {
    view.set_weights(...weights);
    return JSON.stringify([view.title(id), view.caption(id), view.table(id)]);
  };
  try {
    return under([1, 1, 1]) !== under([5, 2, 1]);
  } catch {
    // One that this report has no part in.
    return true;
  } finally {
    view.free();
  }
}

/**
 * What is chosen from, and where the lines are.
 *
 * @param {[string, string][]} figures ids and titles
 * @param {string} base
 */
function createEmbedControls(figures, base) {
  const figure = createSelect({}, [...figures, ['', 'All of them, with the verdict']]);
  const theme = createSelect({}, [['', 'As the reader’s system'], ['light', 'Light'], ['dark', 'Dark']]);
  const width = createSelect({}, [
    ['', 'As wide as its place'],
    ...PREVIEW_WIDTHS.map((pixels) => /** @type {const} */ ([`${pixels}`, `${pixels} pixels`])),
  ]);
  const choices = EMBED_CHOICES.map(([value, words, checked]) => createCheckbox(words, { name: 'embed-choice', value, checked }).element);
  const kinds = [
    ['frame', 'Frame'],
    ['tag', 'Element'],
    ['link', 'Link'],
  ].map(([value, words], index) => {
    const radio = el('input', { type: 'radio', name: 'embed-kind', value: value ?? '', checked: index === 0 });
    return el('label', {}, radio, el('span', {}, words ?? ''));
  });
  const warning = el('p', { class: 'help', id: 'embed-warning', hidden: true });
  const code = el('textarea', { readonly: true, rows: 6, spellcheck: 'false', 'aria-label': 'The lines to copy' });
  const copy = el('button', { type: 'button' }, 'Copy');
  const close = createButton('Close', { class: 'quiet' }, () => dialog.close());
  // The page's own voice is silent behind a dialog.
  const said = el('span', { role: 'status' });
  const preview = el('iframe', { class: 'sfc-bench', title: 'Preview' });
  const form = el(
    'form',
    { class: 'embed-form' },
    createLabelled('Figure', figure),
    createLabelled('Colours', theme),
    createLabelled('Width', width),
    el('fieldset', {}, el('legend', {}, 'What readers get with it'), ...choices),
    el('fieldset', {}, el('legend', {}, 'As'), el('div', { class: 'pills' }, ...kinds)),
    code,
    warning,
    el('p', { class: 'row' }, copy, close, said),
  );
  const dialog = el(
    'dialog',
    { class: 'numpy embedding', 'aria-labelledby': 'embed-title' },
    el('h2', { id: 'embed-title' }, 'Embed this'),
    el(
      'p',
      { class: 'help' },
      base.startsWith('http')
        ? 'The figure with its present settings, computed anew in every reader’s browser. Nothing leaves the page it stands in.'
        : 'This page was opened from a file: put it on a host first, and take the lines from there.',
    ),
    el(
      'div',
      { class: 'embed-columns' },
      form,
      el(
        'div',
        { class: 'embed-preview' },
        isSingleFile()
          ? el('p', { class: 'help' }, 'The page as one file may load nothing, not even itself: there is no preview.')
          : preview,
      ),
    ),
  );
  warning.textContent = isSingleFile()
    ? 'The page as one file is no module: the element needs the folder of the site on a host.'
    : 'This host does not send Access-Control-Allow-Origin: on other sites nothing but the words within the element will be seen. Take the frame there, or put the folder on a host that sends it.';
  return { figure, theme, width, warning, code, copy, said, preview, form, dialog };
}

/**
 * Readers are given weights where the figure obeys them, until somebody chooses.
 *
 * @param {HTMLFormElement} form @param {HTMLSelectElement} figure @param {(id: string) => boolean} obeys
 */
function suggestWeights(form, figure, obeys) {
  const box = /** @type {HTMLInputElement} */ (form.querySelector('[value=weights]'));
  let chosen = false;
  const suggest = () => {
    if (!chosen) box.checked = !figure.value || obeys(figure.value);
  };
  box.addEventListener('change', () => (chosen = true));
  figure.addEventListener('change', suggest);
  suggest();
}

/**
 * Opens the dialog.
 *
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {View} parts.view the result that is shown
 * @param {Report} parts.report of it
 * @param {(more: Partial<LinkState>) => string} parts.query the page's state as a link
 */
export function openEmbedDialog({ core, view, report, query }) {
  const base = location.href.split(/[?#]/, 1)[0] ?? '';
  const names = core.link_names();
  const drawn = view.figures().map(({ id }) => id);
  /** @param {string} id */
  const titleOf = (id) =>
    drawn.includes(id) ? view.title(id) : `Other seeds: ${id.replace(/^ens-/, '')}`;

  const { figure, theme, width, warning, code, copy, said, preview, form, dialog } = createEmbedControls(
    names.figures.map((id) => [id, titleOf(id)]),
    base,
  );

  let sandbox = isSingleFile() ? SANDBOX : `${SANDBOX} allow-same-origin`;
  /** Whether other sites may have the element from here. */
  let open = false;
  let height = INITIAL_HEIGHT;
  /** Whether the preview listens. */
  let live = false;
  /** What it shows. */
  let previewed = '';

  const chosen = () => new FormData(form).getAll('embed-choice').map(String);

  /** What the controls say, as the query of the embedded page. */
  const wanted = () =>
    query({
      ...WHOLE_PAGE_VISIBILITY,
      embed: true,
      figure: figure.value || null,
      // One figure alone is of no study, and of no files.
      ...(figure.value ? { families: null, own: null } : {}),
      hide: listHiddenParts(chosen()),
      theme: theme.value === 'light' || theme.value === 'dark' ? theme.value : null,
    });

  function write() {
    const kind = new FormData(form).get('embed-kind');
    const embedding = {
      base,
      query: wanted(),
      title: `${figure.value ? titleOf(figure.value) : 'The SFC-Score paper'} (sfc-bench)`,
      width: Number(width.value) || null,
      height,
      sandbox,
    };
    const link = query({ ...WHOLE_PAGE_VISIBILITY, figure: figure.value || null });
    code.value =
      kind === 'tag'
        ? formatElement(embedding, chosen(), core.fields())
        : kind === 'link'
          ? base + (link && `?${link}`)
          : formatIframe(embedding);
    warning.hidden = kind !== 'tag' || open;
    said.textContent = '';
  }

  /** Shows in the preview what the controls say. */
  function tryOut() {
    const text = wanted();
    preview.style.width = width.value ? `${width.value}px` : '100%';
    if (text !== previewed && !isSingleFile()) {
      const told = { version: 1, theme: theme.value || 'system' };
      if (live) {
        preview.contentWindow?.postMessage({ type: 'sfc-bench:theme', ...told }, '*');
        preview.contentWindow?.postMessage({ type: 'sfc-bench:state', version: 1, query: text }, '*');
      } else {
        preview.src = `${base}?${text}`;
      }
      previewed = text;
    }
    write();
  }

  /** The preview says its height: `frame.js` has changed it, and the lines name it. @param {MessageEvent} event */
  function onMessage({ source, data }) {
    if (source !== preview.contentWindow || data?.type !== 'sfc-bench:height') return;
    live = true;
    height = preview.clientHeight;
    write();
  }

  suggestWeights(form, figure, (id) => dependsOnWeights(core, report, id));
  form.addEventListener('change', tryOut);
  form.addEventListener('submit', (event) => event.preventDefault());
  copy.addEventListener('click', async () => {
    said.textContent = await copyOrSelect(code.value, () => code.select());
  });
  code.addEventListener('focus', () => code.select());
  addEventListener('message', onMessage);
  dialog.addEventListener('close', () => {
    removeEventListener('message', onMessage);
    dialog.remove();
  });
  document.querySelector('#main')?.append(dialog);
  dialog.showModal();
  tryOut();
  if (isSingleFile()) return;
  allowsAllOrigins(base).then((found) => {
    open = found;
    sandbox = open ? SANDBOX : `${SANDBOX} allow-same-origin`;
    write();
  });
}
