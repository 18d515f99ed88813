// @ts-check
/** Which number to compare two autoencoders by: a short form that is answered from the table in two sentences. */

import { createButton, el } from '../../shell/dom.js';
import { createSelect } from '../../shell/fields.js';

/** What somebody has. @type {[value: string, words: string][]} */
const INPUT_OPTIONS = [
  ['activations', 'activations'],
  ['model', 'activations and the model'],
  ['judge', 'a model and a judge of texts'],
];
const SEED_LIMITS = { least: 1, usual: 3, most: 100 };

/**
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {(metric: string) => void} parts.onOpen the evidence is asked for
 */
export function createMetricChooser({ place, onOpen }) {
  /** @type {AuditView | null} */
  let view = null;
  /** @type {string | null} */
  let metric = null;

  const has = createSelect({ id: 'audit-choose-has' }, INPUT_OPTIONS);
  const seeds = el('input', {
    id: 'audit-choose-seeds',
    type: 'number',
    min: String(SEED_LIMITS.least),
    max: String(SEED_LIMITS.most),
    step: '1',
    value: String(SEED_LIMITS.usual),
  });
  const answer = el('p', { id: 'audit-choose-answer', role: 'status' });
  const evidence = createButton(
    'Show the evidence',
    { class: 'quiet', id: 'audit-choose-evidence', hidden: true },
    () => metric && onOpen(metric),
  );

  function updateAnswer() {
    const count = seeds.valueAsNumber;
    // What is no number of seeds is answered for the nearest one that is.
    const whole = Math.round(Math.min(SEED_LIMITS.most, Math.max(SEED_LIMITS.least, Number.isFinite(count) ? count : SEED_LIMITS.usual)));
    const found = view?.audit_advice(has.value, whole);
    metric = found?.metric ?? null;
    answer.textContent = found ? found.says.join(' ') : '';
    evidence.hidden = !metric;
  }

  has.addEventListener('change', updateAnswer);
  seeds.addEventListener('change', updateAnswer);
  place.replaceChildren(
    el(
      'p',
      { class: 'families-controls' },
      el('label', { for: 'audit-choose-has' }, 'I have '),
      has,
      el('label', { for: 'audit-choose-seeds' }, ' and want to compare two autoencoders. Seeds of each: '),
      seeds,
    ),
    answer,
    evidence,
  );
  return {
    /** @param {AuditView} shown */
    follow(shown) {
      view = shown;
      updateAnswer();
    },
  };
}
