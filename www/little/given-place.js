// @ts-check
/** A place on the page where files are dropped or chosen, and what a worker made of them is shown. */

import { el, reason, setScrolling } from '../shell/dom.js';
import { filesOf } from '../shell/dropped.js';
import { buildTable } from '../shell/tables.js';

/** Most files of a folder that are looked at: the published results are some hundreds. */
const MOST = 5_000;

/**
 * A table that scrolls within itself.
 *
 * @param {string} name @param {[title: string, align: 'left' | 'right'][]} columns @param {string[][]} rows
 */
export function scrollingTable(name, columns, rows) {
  const data = {
    columns: columns.map(([title, align]) => ({ title, align })),
    rows: rows.map((row) => row.map((text) => ({ text }))),
  };
  const element = el('div', { class: 'ce-table' }, buildTable(/** @type {DataTable} */ (data), name));
  setScrolling(element, name);
  return element;
}

/** A file's name with its folders. @param {File} file @returns {[string, File]} */
const named = (file) => [file.webkitRelativePath || file.name, file];

/**
 * A place to drop files on, with buttons that choose them.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {string} parts.accept
 * @param {(files: [string, File][]) => void} parts.take
 */
function createDrop({ id, words, accept, take }) {
  const files = el('input', { type: 'file', id: `${id}-files`, multiple: true, accept, class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true' });
  const folder = el('input', { type: 'file', id: `${id}-folder`, webkitdirectory: true, class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true' });
  const choose = el('button', { type: 'button' }, 'Choose files');
  const browse = el('button', { type: 'button' }, 'Choose a folder');
  const place = el(
    'div',
    { class: 'own-drop', id },
    el('p', {}, words),
    el('p', { class: 'families-go' }, choose, browse),
    files,
    folder,
  );
  for (const [button, input] of /** @type {const} */ ([[choose, files], [browse, folder]])) {
    button.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const found = [...(input.files ?? [])].map(named);
      input.value = '';
      if (found.length > 0) take(found);
    });
  }
  for (const type of /** @type {const} */ (['dragenter', 'dragover', 'dragleave', 'drop']))
    place.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Another page of the same document takes what is dropped anywhere else.
      event.stopPropagation();
      event.preventDefault();
      place.classList.toggle('over', type === 'dragenter' || type === 'dragover');
      if (type === 'drop') filesOf(event.dataTransfer, MOST).then(take);
    });
  return place;
}

/**
 * Files in, a report out: one place on the page.
 *
 * @template Report
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {RegExp} parts.wanted names of files that are looked at
 * @param {string} parts.accept
 * @param {StudyTasks['study-given']['task']['call']} parts.call
 * @param {(report: Report) => HTMLElement[]} parts.show
 * @param {import('../workers/pool.js').Pool} parts.pool
 * @param {(text: string) => void} parts.announce
 */
export function createGiven({ place, id, words, wanted, accept, call, show, pool, announce }) {
  const status = el('p', { class: 'ensemble-status', id: `${id}-status` }, 'Nothing was given yet.');
  const cancel = el('button', { type: 'button', class: 'quiet', hidden: true }, 'Cancel');
  const result = el('div', { id: `${id}-result` });
  /** @type {AbortController | null} */
  let running = null;

  /** @param {string} text */
  function say(text) {
    status.replaceChildren(text, ' ', cancel);
    announce(text);
  }
  cancel.addEventListener('click', () => running?.abort());

  /** @param {[string, File][]} all */
  async function take(all) {
    running?.abort();
    const { signal } = (running = new AbortController());
    const chosen = all.filter(([name]) => wanted.test(name));
    cancel.hidden = false;
    say(`Reading ${chosen.length} file${chosen.length === 1 ? '' : 's'} …`);
    try {
      if (chosen.length === 0) throw new Error(`none of ${all.length} files is one of ${accept}`);
      const files = await Promise.all(
        chosen.map(async ([name, file]) => ({ name, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
      const report = await pool.submit({ kind: 'study-given', call, files }, { signal, priority: 1 });
      cancel.hidden = true;
      result.replaceChildren(...show(report));
      say(`${chosen.length} file${chosen.length === 1 ? '' : 's'} read.`);
    } catch (error) {
      if (running?.signal !== signal) return;
      cancel.hidden = true;
      say(signal.aborted ? 'Cancelled.' : `Not possible: ${reason(error)}`);
    }
  }
  place.append(createDrop({ id, words, accept, take }), status, result);
}
