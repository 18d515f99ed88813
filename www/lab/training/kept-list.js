// @ts-check
/** The autoencoders that the reader kept, with what was measured of each. */

import { createButton, el } from '../../shell/dom.js';
import { listKept, removeKept, onKeptChange } from '../kept-autoencoders.js';
import { formatFixed } from '../../shell/basic-format.js';

/** @param {number | null | undefined} value */
export const formatMetric = (value) => formatFixed(value, 3);

/**
 * Completeness as the page of own files scores it where nobody asks for a reading: by the row space, or by the
 * reconstruction where the latents span the whole space, so that the former is 1 whatever they have learnt.
 *
 * @param {FamiliesResult['completeness']} readings
 */
const formatCompleteness = ({ row_space: space, reconstruction }) =>
  space !== null && space > 1 - 1e-9 ? `${formatMetric(reconstruction)} by reconstruction` : formatMetric(space);

/** @param {() => void} onRemoved the button that had the focus is gone */
export function createKeptList(onRemoved) {
  const list = el('ul', { id: 'train-kept' });
  const element = el('div', { hidden: true }, el('h3', {}, 'Kept'), list);

  /** @param {import('../kept-autoencoders.js').Kept} one */
  function createItem({ name, found }) {
    const { sparsity, fidelity, completeness, l0, mcc } = found;
    const matched = mcc === null ? '' : `, MCC ${formatMetric(mcc)}`;
    const gone = createButton('Remove', { class: 'quiet', 'aria-label': `Remove ${name}` }, () => {
      removeKept(name);
      onRemoved();
    });
    return el(
      'li',
      {},
      el('b', {}, name),
      `: S ${formatMetric(sparsity)}, F ${formatMetric(fidelity)}, C ${formatCompleteness(completeness)}, ${l0.toFixed(1)} active${matched} `,
      gone,
    );
  }

  function show() {
    list.replaceChildren(...listKept().map(createItem));
    element.hidden = listKept().length === 0;
  }
  onKeptChange(show);
  show();
  return element;
}
