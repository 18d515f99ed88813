// @ts-check
/** Numbers of the little model's page as people read them. */

/** A share, as a percentage. @param {number} share */
export function percent(share) {
  const hundredths = 100 * share;
  if (hundredths > 0 && hundredths < 0.1) return '<0.1%';
  const whole = hundredths >= 9.95 || hundredths === 0;
  return `${whole ? Math.round(hundredths) : hundredths.toFixed(1)}%`;
}

/** A logit difference or an activation. @param {number} value */
export const decimal = (value) => value.toFixed(Math.abs(value) < 9.95 ? 2 : 1).replace(/^-(?=[0.]*$)/, '');

/** A size. @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;

/** A word as it is shown: the start of a text is not written like one. @param {string | undefined} word */
export const shown = (word = '') => (word === '<s>' ? '‹start›' : word);

/** A head's name. @param {number} layer @param {number} head */
export const headName = (layer, head) => `${layer}.${head}`;

/** Names in a row, as a sentence has them. @param {readonly string[]} names */
export const listed = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
