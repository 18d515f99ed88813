// @ts-check
/** A place on the page where files are dropped or chosen, and what a worker made of them is shown. */

import { createButton, el, describeError } from '../shell/dom.js';
import { createFilePicker, collectDroppedFiles } from '../shell/file-drop.js';
import { STUDY_BYTES_MAX, readFiles } from '../shell/whole-files.js';

/** Most files of a folder that are looked at: the published results are some hundreds. */
const FILES_MAX = 5_000;

/** Which files were not read, and why. @param {readonly import('../types/core.d.ts').GivenRow[]} files */
export const listRefusals = (files) => files.flatMap(({ file, refused }) => (refused ? [`${file}: ${refused.message}`] : []));

/**
 * A place to drop files on, with buttons that choose them.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {string} parts.accept
 * @param {(files: [string, File][]) => void} parts.take
 */
function createDropZone({ id, words, accept, take }) {
  const place = el(
    'div',
    { class: 'own-drop', id },
    el('p', {}, words),
    el(
      'p',
      { class: 'families-go' },
      ...createFilePicker('Choose files', { id: `${id}-files`, multiple: true, accept }, take),
      ...createFilePicker('Choose a folder', { id: `${id}-folder`, webkitdirectory: true }, take),
    ),
  );
  for (const type of /** @type {const} */ (['dragenter', 'dragover', 'dragleave', 'drop']))
    place.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Another page of the same document takes what is dropped anywhere else.
      event.stopPropagation();
      event.preventDefault();
      place.classList.toggle('over', type === 'dragenter' || type === 'dragover');
      if (type === 'drop') collectDroppedFiles(event.dataTransfer, FILES_MAX).then(take);
    });
  return place;
}

/** A task with all of the files' bytes. @param {GivenCall} call */
export const createBytesTask = (call) => async (/** @type {[string, File][]} */ chosen) => {
  const files = await readFiles(chosen, STUDY_BYTES_MAX);
  return { kind: /** @type {const} */ ('study-call'), call, args: /** @type {[GivenBytes[]]} */ ([files]) };
};

/**
 * Files in, a report out: one place on the page.
 *
 * @template Report
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {RegExp} parts.wanted names of files that are looked at
 * @param {string} parts.accept
 * @param {(files: [string, File][]) => Task | Promise<Task>} [parts.ask] what a worker is asked to make of them
 * @param {(files: [string, File][], under: { signal: AbortSignal, onProgress: (file: string, part: number) => void }) => Promise<Report>} [parts.find]
 *   or what is made of them, where that takes more than one task
 * @param {[doing: string, done: string]} [parts.verbs] what is done with files, and was
 * @param {(report: Report) => HTMLElement[]} parts.show
 * @returns {{ again: () => void }} reads the files that are there once more, if there are any
 */
export function createUserFilesPlace({ pool, announce }, parts) {
  const { place, id, words, wanted, accept, ask, find, verbs = ['Reading', 'read'], show } = parts;
  const said = el('span', {}, 'Nothing was given yet.');
  const meter = el('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'How far the files are read' });
  const cancel = createButton('Cancel', { class: 'quiet', hidden: true }, () => running?.abort());
  const status = el('p', { class: 'ensemble-status', id: `${id}-status` }, said, ' ', meter, ' ', cancel);
  const result = el('div', { id: `${id}-result` });
  const made = find ?? (async (files, under) => pool.submit(await /** @type {NonNullable<typeof ask>} */ (ask)(files), { ...under, priority: 1 }));
  /** @type {AbortController | null} */
  let running = null;
  /** @type {[string, File][]} */
  let there = [];

  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    announce(text);
  }
  /** @param {boolean} reading */
  function setReading(reading) {
    cancel.hidden = !reading;
    meter.hidden = true;
    meter.value = 0;
  }
  /** @param {string} _file @param {number} part from 0 to 1 */
  function onProgress(_file, part) {
    meter.hidden = false;
    meter.value = part;
  }

  /** @param {[string, File][]} all */
  async function processFiles(all) {
    running?.abort();
    const { signal } = (running = new AbortController());
    const chosen = all.filter(([name]) => wanted.test(name));
    there = all;
    setReading(true);
    say(`${verbs[0]} ${chosen.length} file${chosen.length === 1 ? '' : 's'} …`);
    try {
      if (chosen.length === 0) throw new Error(`none of ${all.length} files is one of ${accept}`);
      const report = await made(chosen, { signal, onProgress });
      setReading(false);
      result.replaceChildren(...show(report));
      say(`${chosen.length} file${chosen.length === 1 ? '' : 's'} ${verbs[1]}.`);
    } catch (error) {
      if (running?.signal !== signal) return;
      setReading(false);
      say(signal.aborted ? 'Cancelled.' : `Not possible: ${describeError(error)}`);
    }
  }
  place.append(createDropZone({ id, words, accept, take: processFiles }), status, result);
  return { again: () => void (there.length > 0 && processFiles(there)) };
}
