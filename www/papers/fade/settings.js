// @ts-check
/** FADE's settings: the autoencoder, and all others in a fold that says what of them is other than usual. */

import { createStudySettings } from '../../little/study-settings.js';
import { el, errorLine } from '../../shell/dom.js';

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {(settings: StudySettings) => void} parts.onSettings is told settings that are allowed and others than before
 */
export function createSettings({ core, onSettings }) {
  const usual = core.study_defaults('fade');
  let current = usual;
  const [first, ...rest] = core.study_fields('fade');
  const reset = el('button', { type: 'button', class: 'quiet', id: 'fade-reset' }, 'As usual');
  const digest = el('span', { class: 'digest' });
  const fields = el('div', { class: 'fields' });
  const more = el(
    'details',
    { class: 'families-settings', id: 'fade-settings' },
    el('summary', {}, 'Settings ', digest),
    fields,
    el('p', { class: 'keep' }, reset),
  );
  const general = errorLine('fade-settings-error');
  const element = el('form', { class: 'families-controls fade-settings', id: 'fade-form', novalidate: true }, more);

  /** @param {StudySettings} settings */
  const textOf = (settings) => core.study_print('fade', settings, 0);
  const form = createStudySettings({
    ...{ study: 'fade', general, core, helps: true },
    formOf: (name) => (name === first?.name ? element : fields),
    idOf: (name) => `fade-set-${name}`,
    onSettings(settings) {
      if (textOf(settings) === textOf(current)) return;
      current = settings;
      tellChanged();
      onSettings(settings);
    },
  });
  // After the first field.
  element.append(more, general);

  /** Says what is other than usual while the fold is closed. */
  function tellChanged() {
    const other = rest.filter(({ name }) => JSON.stringify(usual[name]) !== JSON.stringify(current[name]));
    digest.textContent = other.length === 0 ? 'as usual' : `changed: ${other.map(({ label }) => label.toLowerCase()).join(', ')}`;
    reset.hidden = textOf(current) === textOf(usual);
  }
  /** @param {StudySettings} settings */
  function set(settings) {
    current = settings;
    form.show(settings);
    tellChanged();
  }
  reset.addEventListener('click', () => {
    set(usual);
    element.querySelector('summary')?.focus();
    onSettings(usual);
  });
  set(usual);

  return {
    element,
    set,
    /** Whether the autoencoder that was trained here can be chosen. @param {boolean} there */
    offerOwn: (there) => form.offer('sae', 'own', there),
    /** Chooses an autoencoder as if somebody had. @param {string} sae */
    choose(sae) {
      set({ ...current, sae });
      onSettings(current);
    },
  };
}
