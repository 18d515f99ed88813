// @ts-check
/** A program that owes the page nothing: shown, copied, saved. */

import { copyOrSelect } from './copy.js';
import { createButton, el, requireElement } from './dom.js';
import { saveBlob } from './download.js';

/**
 * The dialog, made when it is first asked for.
 *
 * @param {(text: string) => void} announce
 * @returns {(program: string, file: string, words: string | (string | Node)[]) => void} shows a program
 */
export function createScriptDialog(announce) {
  const text = el('code', { id: 'numpy-text' });
  const words = el('p', { id: 'numpy-words' });
  const said = el('span', { id: 'numpy-said' });
  const copy = createButton('Copy', { id: 'numpy-copy' }, async () => {
    said.textContent = await copyOrSelect(text.textContent ?? '', () => getSelection()?.selectAllChildren(text));
    announce(said.textContent);
  });
  const keep = createButton('Save as a file', { id: 'numpy-save' }, () =>
    saveBlob(name, new Blob([text.textContent ?? ''], { type: 'text/x-python' })),
  );
  const close = createButton('Close', { class: 'quiet', id: 'numpy-close' }, () => dialog.close());
  const dialog = el(
    'dialog',
    { class: 'numpy', id: 'numpy-dialog', 'aria-labelledby': 'numpy-title' },
    el('h2', { id: 'numpy-title' }, 'Check this in NumPy'),
    words,
    el('pre', { tabindex: '0', 'aria-label': 'The program' }, text),
    el('p', { class: 'row' }, copy, keep, close, said),
  );
  let name = '';
  return (program, file, explanation) => {
    if (!dialog.isConnected) requireElement('#main').append(dialog);
    text.textContent = program;
    words.replaceChildren(...[explanation].flat());
    said.textContent = '';
    name = file;
    dialog.showModal();
  };
}
