// @ts-check
/** Numbers as people read them. */

/** A share, as a percentage. @param {number} share */
export function formatPercent(share) {
  const hundredths = 100 * share;
  if (hundredths > 0 && hundredths < 0.1) return '<0.1%';
  const whole = hundredths >= 9.95 || hundredths === 0;
  return `${whole ? Math.round(hundredths) : hundredths.toFixed(1)}%`;
}

/** A logit difference or an activation. @param {number} value */
export const formatDecimal = (value) => value.toFixed(Math.abs(value) < 9.95 ? 2 : 1).replace(/^-(?=[0.]*$)/, '');

/** A size. @param {number} bytes */
export const formatMebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;

/** A word as it is shown: the start of a text is not written like one. @param {string | undefined} word */
export const formatWord = (word = '') => (word === '<s>' ? '‹start›' : word);

/** A word told apart from those round it. @param {string} word */
export const quoteWord = (word) => (word === '<s>' ? 'the start' : `“${word}”`);

/** A head's name. @param {number} layer @param {number} head */
export const headName = (layer, head) => `${layer}.${head}`;

/** Names in a row, as a sentence has them. @param {readonly string[]} names */
export const joinWithAnd = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** With so many digits, or a dash where there is none. @param {number | null | undefined} value @param {number} [digits] */
export const formatRounded = (value, digits = 3) => (value === null || value === undefined ? '–' : value.toFixed(digits).replace(/^-(?=0\.?0*$)/, '').replace('-', '−'));

/** Where an interval begins and ends. @param {Interval | null | undefined} interval @param {(value: number) => string} [how] */
export const formatInterval = (interval, how = formatRounded) => (interval ? `${how(interval[0])}\u00a0to\u00a0${how(interval[1])}` : '–');

/** A number with its interval. @param {number | null} value @param {Interval | null | undefined} interval @param {(value: number) => string} [how] */
export const formatWithInterval = (value, interval, how = formatRounded) => (value === null ? '–' : `${how(value)}${interval ? ` (${formatInterval(interval, how)})` : ''}`);

/** A whole number, or a dash where there is none. @param {number | null | undefined} value */
export const formatWhole = (value) => (value === null || value === undefined ? '–' : String(value));
