// @ts-check
/** The elements of the page around files, settings and report. */

import { createButton, el, createErrorLine } from '../../shell/dom.js';
import { createFilePicker } from '../../shell/file-drop.js';
import { swapButtons } from '../../shell/button-pair.js';

/** What files are chosen by. @param {(picked: [string, File][]) => void} onFiles */
export function createFileChooser(onFiles) {
  const [chooseFiles, filesInput] = createFilePicker('Choose files', { id: 'own-files', multiple: true }, onFiles);
  const ofFolder = { id: 'own-folder', webkitdirectory: true };
  const [chooseFolder, folderInput] = createFilePicker('Choose a folder', ofFolder, onFiles);
  const example = el('button', { type: 'button' }, 'Try it with an example');
  const keepExample = el('button', { type: 'button', hidden: true }, 'Save the example’s files');
  const element = el(
    'div',
    { class: 'own-drop', id: 'own-drop' },
    el(
      'p',
      {},
      'Drop files, a folder or a .zip anywhere on this page: .npy, .npz, .safetensors, .pt, .csv, or autoencoders as SAELens and other tools save them. Activations may be in several files, such as acts_0.npy and acts_1.npy: they are read in turn.',
    ),
    el('div', { class: 'benchmark-bar' }, chooseFiles, chooseFolder, example, keepExample),
    filesInput,
    folderInput,
  );
  return {
    element,
    chooseFiles,
    example,
    keepExample,
    /** @param {boolean} on */
    setBusy(on) {
      for (const control of [chooseFiles, chooseFolder, example]) control.disabled = on;
    },
  };
}

/** What a run is begun by, and how far it is. @param {() => void} onStart @param {() => void} onCancel */
export function createRunControls(onStart, onCancel) {
  const readoutNote = el('p', { class: 'help', id: 'own-readout-note' });
  const planned = el('p', { id: 'own-plan' });
  const refused = createErrorLine('own-problem');
  const start = createButton('Score it', { id: 'own-start', disabled: true }, onStart);
  const cancel = createButton('Cancel', { id: 'own-cancel', hidden: true }, onCancel);
  const meter = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the evaluation', hidden: true });
  const status = el('span', { class: 'benchmark-status', id: 'own-status' });
  return {
    readoutNote,
    planned,
    refused,
    start,
    meter,
    status,
    /** @param {HTMLElement} list @param {HTMLElement} options */
    around: (list, options) =>
      el(
        'div',
        { hidden: true },
        list,
        options,
        el(
          'p',
          { class: 'help' },
          'A code counts as active above 10⁻⁶ in magnitude, as in the paper. The score is under the weights of this page’s sliders, whenever they move.',
        ),
        readoutNote,
        planned,
        refused,
        el('div', { class: 'benchmark-bar' }, start, cancel, meter, status),
      ),
    /** @param {boolean} on */
    setRunning(on) {
      meter.hidden = !on;
      swapButtons(start, cancel, on);
    },
  };
}

/** @typedef {ReturnType<typeof createRunControls>} RunControls */
