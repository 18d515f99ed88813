// @ts-check
/** The reader's own files: one place for them in a document, whichever page asks. */

import { createUserEvaluation } from '../lab/evaluate/evaluation.js';
import { el, requireElement } from '../shell/dom.js';
import { createScriptDialog } from '../shell/program-panel.js';
import { isSingleFile } from '../shell/views.js';

/** @typedef {ReturnType<typeof createUserEvaluation>} Own */

/** @type {Own | undefined} */
let evaluation;
/** Under which they are scored. @type {Weights} */
let weights = [1, 1, 1];
/** @type {() => void} */
let onFilesChange = () => {};

/**
 * @param {Lab} core
 * @param {(text: string) => void} announce
 */
export function openUserFiles(core, announce) {
  evaluation ??= createUserEvaluation({
    container: requireElement('#own'),
    // The page that is about them has said so already.
    title: isSingleFile() || document.documentElement.dataset.page === 'own' ? 'Your files' : undefined,
    core,
    weights: () => weights,
    script: createScriptDialog(announce),
    announce,
    linked: null,
    onChange: () => onFilesChange(),
  });
  const mine = evaluation;
  return {
    ...mine,
    /** @param {Weights} wish */
    weigh(wish) {
      weights = wish;
      mine.weigh();
    },
    /** Tells one listener of other files. @param {() => void} listener */
    onChange(listener) {
      onFilesChange = listener;
    },
  };
}

/**
 * Shows where the files go as soon as a form asks for the reader's own activations.
 *
 * @param {HTMLElement} form in which a world is chosen
 */
export function showUserFilesWhenChosen(form) {
  const place = requireElement('#own');
  const hint = el(
    'p',
    { class: 'help', hidden: true },
    'Your own activations are those that are open in ',
    el('a', { href: '#own/' }, 'Your own'),
    '.',
  );
  if (isSingleFile()) form.append(hint);
  form.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !/-world$/.test(target.id)) return;
    const asked = target.value === 'given';
    if (isSingleFile()) hint.hidden = !asked;
    else if (asked) place.hidden = false;
  });
}
