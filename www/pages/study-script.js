// @ts-check
/** A study's scores as a NumPy program, on a button, with the model's files that it reads. */

import { createButton, el, describeError } from '../shell/dom.js';
import { saveBlob } from '../shell/download.js';
import { createScriptDialog } from '../shell/program-panel.js';
import { fetchToyModelFile } from '../workers/assets-weights.js';

/**
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {() => FadeView | CeBenchView | MuiView | ScriptedView | null} parts.view what is shown; null before
 * @param {string} parts.words what the program does besides
 */
export function createStudyScript({ core, announce }, { place, view, words }) {
  const showScript = createScriptDialog(announce);
  const said = el('span', { role: 'status' });
  place.append(createButton('Check this in NumPy', { class: 'study-script' }, show), ' ', said);

  /** @param {string} file */
  async function saveFile(file) {
    try {
      saveBlob(file, new Blob([await fetchToyModelFile(file)]));
    } catch (error) {
      announce(`${file} could not be loaded: ${describeError(error)}.`);
    }
  }

  function show() {
    const shown = view();
    if (!shown) {
      said.textContent = 'Nothing is computed yet.';
      return;
    }
    said.textContent = '';
    try {
      const { text, file } = shown.numpy_script();
      const files = core.little_files().filter((one) => text.includes(`"${one.file}"`));
      const buttons = files.map(({ file: one }) =>
        createButton(`Save ${one}`, { class: 'quiet' }, () => saveFile(one)),
      );
      showScript(text, file, [
        `What is shown, as a program that needs nothing but NumPy and the model’s files beside it. It computes everything anew in double precision and holds its numbers against these. ${words} `,
        ...buttons,
      ]);
    } catch (error) {
      said.textContent = `There is no program of it: ${describeError(error)}.`;
    }
  }
}
