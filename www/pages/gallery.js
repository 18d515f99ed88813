// @ts-check
/** Every figure as an element, with the lines that put it elsewhere. What is opened is run; the rest is its name. */

import { createCopyButton } from '../shell/copy.js';
import { el, requireElement } from '../shell/dom.js';
import { canPrecompute } from '../shell/data-saver.js';
import { openLab } from '../workers/engine.js';
import { requireSupport, startPage } from './start.js';

/** The studies in the order of the site, and what each is called. @type {[study: string, label: string][]} */
const STUDIES = [
  ['sfc', 'SFC-Score'],
  ['families', 'Comparing SAEs'],
  ['fade', 'FADE'],
  ['ce-bench', 'CE-Bench'],
  ['mui', 'Model Utilization Index'],
  ['measurement', 'Measurement theory'],
  ['audit', 'Audit'],
];

/** Where the element's program is. */
const ELEMENT_MODULE = new URL('../../sfc-bench.js', import.meta.url).href;

/** The element as HTML. @param {string} name */
const formatTag = (name) => `<sfc-bench figure="${name}"></sfc-bench>`;

/** How each place takes it. @param {string} name @returns {[label: string, code: string][]} */
const listSnippets = (name) => [
  ['HTML and Markdown sites', `<script type="module" src="${ELEMENT_MODULE}"></script>\n${formatTag(name)}`],
  ['React', `import 'sfc-bench/element';\n\nexport const Figure = () => ${formatTag(name).replace('></sfc-bench>', ' />')};`],
  ['Jupyter', `import sfc_bench\nsfc_bench.widget(view="${name}")`],
];

/** One figure: its name; opened, the element itself and its code. @param {string} name @param {(text: string) => void} announce */
function createFigureRow(name, announce) {
  const body = el('div', {});
  const fold = el('details', { class: 'apart gallery' }, el('summary', {}, el('code', {}, name)), body);
  fold.addEventListener(
    'toggle',
    () => {
      const element = document.createElement('sfc-bench');
      element.setAttribute('figure', name);
      const [first, ...others] = listSnippets(name).map(([label, code]) => [
        el('p', { class: 'help' }, `${label} `, createCopyButton(`${label}, ${name}`, () => code, announce)),
        el('pre', { tabindex: '0', 'aria-label': `${label}: ${name}` }, el('code', {}, code)),
      ]);
      // Most sites take it as HTML: these lines are seen with the figure, whatever its height.
      body.append(...(first ?? []), element, ...others.flat());
      import(ELEMENT_MODULE);
    },
    { once: true },
  );
  return fold;
}

startPage('gallery', async ({ view, announce }) => {
  requireSupport();
  const core = await openLab();
  const place = requireElement('#gallery', view);
  for (const [study, label] of STUDIES) {
    const id = `gallery-${study}`;
    // A figure may have several names: the first is the plain one.
    const plain = new Map(core.figure_names(study).map(({ name, id }) => /** @type {[string, string]} */ ([id, name])).reverse());
    const rows = [...plain.values()].reverse().map((name) => createFigureRow(name, announce));
    place.append(
      el(
        'section',
        { 'aria-labelledby': id },
        el('h2', { id }, label),
        ...rows,
      ),
    );
  }
  // One runs, so that a reader sees what the lines give.
  const [first] = place.querySelectorAll('details');
  if (first && canPrecompute()) first.open = true;
  return {};
});
