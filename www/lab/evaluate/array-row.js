// @ts-check
/** One array of a file: what it is taken for. */

import { createButton, el } from '../../shell/dom.js';
import { formatInteger } from '../../shell/basic-format.js';
import { ROLE_LABELS, listPossibleRoles } from './array-roles.js';

/** Roles that can be read transposed. */
const TRANSPOSABLE_ROLES = ['dictionary', 'readout'];

/**
 * @param {object} of
 * @param {import('./array-roles.js').Entry} of.entry
 * @param {import('./array-roles.js').Line} of.line
 * @param {string} of.id of the choice
 * @param {(role: OwnRole | '') => void} of.assign somebody says what it is
 * @param {(focus: () => HTMLElement | null) => void} of.change the list is shown anew
 * @param {() => void} of.onArray another array is meant
 */
export function createArrayLine({ entry, line, id, assign, change, onArray }) {
  const { description } = entry;
  if (!description) return el('span');
  const alone = line.arrays.length === 1 ? line.array : '';
  const role = el(
    'select',
    { id, 'aria-label': `What ${entry.name}${alone && `, ${alone}`} is` },
    el('option', { value: '' }, 'not used'),
    ...listPossibleRoles(description, line).map((value) =>
      el('option', { value }, ROLE_LABELS.find(([name]) => name === value)?.[1] ?? value),
    ),
  );
  role.value = line.role;
  role.addEventListener('change', () => {
    assign(/** @type {OwnRole | ''} */ (role.value));
    change(() => document.getElementById(id));
  });
  const what = el('span', { class: 'own-what' });
  const which =
    line.arrays.length > 1
      ? el(
          'select',
          { 'aria-label': `Which array of ${entry.name}` },
          ...line.arrays.map((name) => el('option', { value: name }, name)),
        )
      : null;
  const describe = () => {
    const whole = line.role === 'weights';
    which?.toggleAttribute('hidden', whole);
    if (whole) {
      what.textContent = `${description.arrays.length} arrays`;
      return;
    }
    const array = description.arrays.find(({ name }) => name === line.array);
    if (!array) return;
    const named = array.name ? `${array.name}: ` : '';
    const turned = line.transposed && TRANSPOSABLE_ROLES.includes(line.role) ? ', read transposed' : '';
    what.textContent = `${named}${array.shape.map(formatInteger).join(' × ') || 'a number'}, ${array.dtype}${turned}`;
  };
  if (which) {
    which.value = line.array;
    which.addEventListener('change', () => {
      line.array = which.value;
      describe();
      onArray();
    });
  }
  describe();
  const back = createButton('Read it as it is', { class: 'quiet' }, () => {
    line.transposed = false;
    change(() => document.getElementById(id));
  });
  const turned = line.transposed && TRANSPOSABLE_ROLES.includes(line.role) ? [back] : [];
  return el('div', { class: 'own-line' }, role, ...(which ? [which] : []), what, ...turned);
}
