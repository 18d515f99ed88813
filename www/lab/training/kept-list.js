// @ts-check
/** The autoencoders that the reader kept, with what was measured of each. */

import { createButton, el } from '../../shell/dom.js';
import { kept, letGo, onKept } from '../kept.js';
import { rounded } from '../../shell/grouped.js';

/** @param {number | null | undefined} value */
export const three = (value) => rounded(value, 3);

/**
 * Completeness as the page of own files scores it where nobody asks for a reading: by the row space, or by the
 * reconstruction where the latents span the whole space, so that the former is 1 whatever they have learnt.
 *
 * @param {FamiliesResult['completeness']} readings
 */
const scored = ({ row_space: space, reconstruction }) =>
  space !== null && space > 1 - 1e-9 ? `${three(reconstruction)} by reconstruction` : three(space);

/** @param {() => void} onRemoved the button that had the focus is gone */
export function createKeptList(onRemoved) {
  const list = el('ul', { id: 'train-kept' });
  const element = el('div', { hidden: true }, el('h3', {}, 'Kept'), list);

  /** @param {import('../kept.js').Kept} one */
  function item({ name, found }) {
    const { sparsity, fidelity, completeness, l0, mcc } = found;
    const matched = mcc === null ? '' : `, MCC ${three(mcc)}`;
    const gone = createButton('Remove', { class: 'quiet', 'aria-label': `Remove ${name}` }, () => {
      letGo(name);
      onRemoved();
    });
    return el(
      'li',
      {},
      el('b', {}, name),
      `: S ${three(sparsity)}, F ${three(fidelity)}, C ${scored(completeness)}, ${l0.toFixed(1)} active${matched} `,
      gone,
    );
  }

  function show() {
    list.replaceChildren(...kept().map(item));
    element.hidden = kept().length === 0;
  }
  onKept(show);
  show();
  return element;
}
