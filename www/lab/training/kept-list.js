// @ts-check
/** The autoencoders that the reader kept, with what was measured of each. */

import { el } from '../../shell/dom.js';
import { kept, letGo, onKept } from '../kept.js';

/** @param {number | null | undefined} value */
export const three = (value) => (typeof value === 'number' ? value.toFixed(3) : '–');

/** @param {() => void} onRemoved the button that had the focus is gone */
export function createKeptList(onRemoved) {
  const list = el('ul', { id: 'train-kept' });
  const element = el('div', { hidden: true }, el('h3', {}, 'Kept'), list);

  /** @param {import('../kept.js').Kept} one */
  function item({ name, found }) {
    const { sparsity, fidelity, completeness, l0, mcc } = found;
    const matched = mcc === null ? '' : `, MCC ${three(mcc)}`;
    const gone = el('button', { type: 'button', class: 'quiet', 'aria-label': `Remove ${name}` }, 'Remove');
    gone.addEventListener('click', () => {
      letGo(name);
      onRemoved();
    });
    return el(
      'li',
      {},
      el('b', {}, name),
      `: S ${three(sparsity)}, F ${three(fidelity)}, C ${three(completeness.reconstruction)}, ${l0.toFixed(1)} active${matched} `,
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
