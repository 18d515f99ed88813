// @ts-check
/** A study's scores as a NumPy program, on a button, with the model's files that it reads. */

import { el, reason } from '../shell/dom.js';
import { save } from '../shell/save.js';
import { createScriptDialog } from '../shell/script.js';
import { fetchLittle } from '../workers/assets-weights.js';

/**
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {Lab} parts.core
 * @param {() => FadeView | CeBenchView | MuiView | ScriptedView | null} parts.view what is shown; null before
 * @param {string} parts.words what the program does besides
 * @param {(text: string) => void} parts.announce
 */
export function createStudyScript({ place, core, view, words, announce }) {
  const showScript = createScriptDialog(announce);
  const button = el('button', { type: 'button', class: 'study-script' }, 'Check this in NumPy');
  const said = el('span', { role: 'status' });
  place.append(button, ' ', said);

  /** @param {string} file */
  async function saveFile(file) {
    try {
      save(file, new Blob([await fetchLittle(file)]));
    } catch (error) {
      announce(`${file} could not be loaded: ${reason(error)}.`);
    }
  }

  button.addEventListener('click', () => {
    const shown = view();
    if (!shown) {
      said.textContent = 'Nothing is computed yet.';
      return;
    }
    said.textContent = '';
    try {
      const { text, file } = shown.numpy_script();
      const files = core.little_files().filter((one) => text.includes(`"${one.file}"`));
      const buttons = files.map((one) => {
        const keep = el('button', { type: 'button', class: 'quiet' }, `Save ${one.file}`);
        keep.addEventListener('click', () => saveFile(one.file));
        return keep;
      });
      showScript(text, file, [
        `What is shown, as a program that needs nothing but NumPy and the model’s files beside it. It computes everything anew in double precision and holds its numbers against these. ${words} `,
        ...buttons,
      ]);
    } catch (error) {
      said.textContent = `There is no program of it: ${reason(error)}.`;
    }
  });
}
