// @ts-check
/** A group of controls as one stop of the Tab key: arrows, Home and End go through it. */

const KEY_STEPS = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
});

/**
 * @param {HTMLElement} group
 * @param {string} selector of its members
 * @param {readonly string[]} [keys] that move within it
 */
export function createRovingFocus(group, selector, keys = Object.keys(KEY_STEPS)) {
  /** Those that can be reached, as soon as the group can. @returns {HTMLElement[]} */
  const members = () =>
    [...group.querySelectorAll(/** @type {'button'} */ (selector))].filter((one) => {
      const away = one.closest('[hidden]');
      return !one.disabled && !(away && group.contains(away) && away !== group);
    });
  /** The stop is one of them, whatever comes and goes. @param {HTMLElement} [stop] */
  function refresh(stop) {
    const all = members();
    const chosen = stop ?? all.find(({ tabIndex }) => tabIndex === 0) ?? all[0];
    for (const one of all) one.tabIndex = one === chosen ? 0 : -1;
  }
  group.addEventListener('focusin', ({ target }) => {
    const found = members().find((one) => one === target);
    if (found) refresh(found);
  });
  group.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = members();
    const at = all.findIndex((one) => one === target);
    if (at < 0) return;
    const step = keys.includes(key) ? KEY_STEPS[key] : undefined;
    const next =
      key === 'Home' ? 0 : key === 'End' ? all.length - 1 : step && (at + step + all.length) % all.length;
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  });
  refresh();
  return { refresh: () => refresh() };
}
