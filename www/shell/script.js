// @ts-check
/** "Check this in NumPy": the present settings as a program that owes this page nothing. */

import { need } from './dom.js';
import { save } from './save.js';

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => Settings} parts.settings
 * @param {(text: string) => void} parts.announce
 */
export function createScript({ core, settings, announce }) {
  const dialog = /** @type {HTMLDialogElement} */ (need('#numpy-dialog'));
  const text = need('#numpy-text');
  const said = need('#numpy-said');
  const words = need('#numpy-words');
  const usual = words.textContent ?? '';
  let name = '';
  /** Shows a program. @param {string} program @param {string} file @param {string} explanation */
  function show(program, file, explanation) {
    text.textContent = program;
    words.textContent = explanation;
    said.textContent = '';
    name = file;
    dialog.showModal();
  }
  need('#numpy').addEventListener('click', () =>
    show(core.numpy_script(settings()), 'sfc_check.py', usual),
  );
  need('#numpy-close').addEventListener('click', () => dialog.close());
  need('#numpy-copy').addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      said.textContent = 'Copied.';
    } catch {
      getSelection()?.selectAllChildren(text);
      said.textContent = 'This browser gives no access to the clipboard; the text is selected.';
    }
    announce(said.textContent);
  });
  need('#numpy-save').addEventListener('click', () => {
    save(name, new Blob([text.textContent ?? ''], { type: 'text/x-python' }));
  });
  return { show };
}
