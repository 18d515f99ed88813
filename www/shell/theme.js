// @ts-check
/** System, light or dark: the choice, its memory, and what it comes to just now. */

/** @typedef {'system' | 'light' | 'dark'} Theme */

const THEME_KEY = 'sfc-bench.theme';
const darkSchemeQuery = matchMedia('(prefers-color-scheme: dark)');

/** @returns {Theme} */
function getChosenTheme() {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Whether the page is dark at this moment. */
export function isDark() {
  const theme = getChosenTheme();
  return theme === 'system' ? darkSchemeQuery.matches : theme === 'dark';
}

/** @param {Theme} theme */
function storeTheme(theme) {
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage may be forbidden or full: the choice then lasts as long as the page.
  }
}

/**
 * Makes the radio buttons work, and reports every change, the system's included.
 *
 * @param {HTMLElement} switcher
 * @param {() => void} onChange
 */
export function setUpThemeSwitch(switcher, onChange) {
  for (const radio of switcher.querySelectorAll('input')) {
    radio.checked = radio.value === getChosenTheme();
    radio.addEventListener('change', () => {
      const theme = /** @type {Theme} */ (radio.value);
      document.documentElement.dataset.theme = theme;
      storeTheme(theme);
    });
  }
  switcher.hidden = false;
  onThemeChange(onChange);
}

/** Reports every change, whoever made it. @param {() => void} onChange */
export function onThemeChange(onChange) {
  darkSchemeQuery.addEventListener('change', onChange);
  // A page around this one may choose, too.
  new MutationObserver(onChange).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}
