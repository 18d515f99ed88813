// @ts-check
/**
 * A whole number with commas between groups of three: 12,345. Browsers take milliseconds for their first `toLocaleString`,
 * which is needed for nothing else.
 *
 * @param {number} value
 */
export const formatInteger = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** A number, or a dash where there is none. @param {number | null | undefined} value @param {number} digits */
export const formatFixed = (value, digits) => (value == null ? '–' : value.toFixed(digits));

/** "1 row", "2,000 rows". @param {number} value @param {string} one */
export const formatCount = (value, one) => `${formatInteger(value)} ${one}${value === 1 ? '' : 's'}`;
