// @ts-check
/** Which number to compare two autoencoders by: a short form that is answered from the table in two sentences. */

import { createButton, el } from '../../shell/dom.js';
import { selectOf } from '../../shell/fields.js';

/** What somebody has. @type {[value: string, words: string][]} */
const HAS = [
  ['activations', 'activations'],
  ['model', 'activations and the model'],
  ['judge', 'a model and a judge of texts'],
];
const SEEDS = { least: 1, usual: 3, most: 100 };

/**
 * @param {object} parts
 * @param {HTMLElement} parts.place
 * @param {(metric: string) => void} parts.onOpen the evidence is asked for
 */
export function createChooser({ place, onOpen }) {
  /** @type {AuditView | null} */
  let view = null;
  /** @type {string | null} */
  let metric = null;

  const has = selectOf({ id: 'audit-choose-has' }, HAS);
  const seeds = el('input', {
    id: 'audit-choose-seeds',
    type: 'number',
    min: String(SEEDS.least),
    max: String(SEEDS.most),
    step: '1',
    value: String(SEEDS.usual),
  });
  const answer = el('p', { id: 'audit-choose-answer', role: 'status' });
  const evidence = createButton(
    'Show the evidence',
    { class: 'quiet', id: 'audit-choose-evidence', hidden: true },
    () => metric && onOpen(metric),
  );

  function tell() {
    const count = seeds.valueAsNumber;
    // What is no number of seeds is answered for the nearest one that is.
    const whole = Math.round(Math.min(SEEDS.most, Math.max(SEEDS.least, Number.isFinite(count) ? count : SEEDS.usual)));
    const found = view?.audit_advice(has.value, whole);
    metric = found?.metric ?? null;
    answer.textContent = found ? found.says.join(' ') : '';
    evidence.hidden = !metric;
  }

  has.addEventListener('change', tell);
  seeds.addEventListener('change', tell);
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
      tell();
    },
  };
}
