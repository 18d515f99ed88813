// @ts-check
/** Two buttons in one place, as the one that starts and the one that cancels. */

/**
 * Shows the second in the place of the first, or the first again. The button that was pressed is gone
 * then; the focus must not be.
 *
 * @param {HTMLButtonElement} first @param {HTMLButtonElement} second @param {boolean} turned
 */
export function swapButtons(first, second, turned) {
  const focused = document.activeElement;
  first.hidden = turned;
  second.hidden = !turned;
  if (turned && focused === first) second.focus();
  if (!turned && focused === second) first.focus();
}
