// @ts-check
/**
 * The page as a guest: what it says to the page around it, and what it lets itself be told.
 *
 * It says its height, whenever that changes and whenever it is asked:
 *
 *     { type: 'sfc-bench:height', version: 1, height: <whole CSS pixels, 40 to 40000>, id?: <string> }
 *
 * with the `id` of its own address. Anybody may know that, so it goes to whatever page is around it.
 * It listens to that page alone, and to these alone:
 *
 *     { type: 'sfc-bench:measure', version: 1 }
 *     { type: 'sfc-bench:theme', version: 1, theme: 'system' | 'light' | 'dark' }
 *     { type: 'sfc-bench:state', version: 1, query: <what could stand in its address> }
 */

import { setVisibility, getVisibility } from './visibility.js';
import { el, requireElement } from './dom.js';

/** Heights that are said, in CSS pixels. `frame.js` holds to the same. */
const HEIGHT_MIN = 40;
const HEIGHT_MAX = 40_000;

/**
 * Whether a message is one of version 1 of its type, with these further keys and no others.
 *
 * @param {unknown} data @param {string} type @param {Record<string, (value: unknown) => boolean>} keys
 */
function isMessage(data, type, keys) {
  if (typeof data !== 'object' || data === null) return false;
  const message = /** @type {Record<string, unknown>} */ (data);
  return (
    message.type === type &&
    message.version === 1 &&
    Object.keys(message).length === 2 + Object.keys(keys).length &&
    Object.entries(keys).every(([key, fits]) => Object.hasOwn(message, key) && fits(message[key]))
  );
}

/** @param {unknown} value */
const isTheme = (value) => value === 'system' || value === 'light' || value === 'dark';
/** @param {unknown} value */
const isString = (value) => typeof value === 'string';

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {(query: string) => void} parts.visit follows a link
 */
export function startEmbeddedPage({ core, visit }) {
  const open = el('a', { target: '_blank', rel: 'noopener' }, 'open the whole page');
  const differs = el('span');
  requireElement('#main').append(el('p', { class: 'embed-line' }, 'sfc-bench', differs, ' · ', open));
  // What could not be followed is said where it can be seen.
  requireElement('.embed-line').before(requireElement('#link-changes'));

  if (parent !== window) {
    let told = 0;
    const tell = () => {
      const { height } = document.documentElement.getBoundingClientRect();
      const wanted = Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, Math.ceil(height)));
      if (wanted === told) return;
      told = wanted;
      const { id } = getVisibility();
      const message = { type: 'sfc-bench:height', version: 1, height: wanted };
      parent.postMessage(id ? { ...message, id } : message, '*');
    };
    // Nothing in an embedded page is laid out by the window's height, so what the other page does
    // with the number does not come back as another number.
    new ResizeObserver(tell).observe(document.documentElement);
    addEventListener('message', ({ source, data }) => {
      if (source !== parent) return;
      if (isMessage(data, 'sfc-bench:measure', {})) {
        told = 0;
        tell();
      } else if (isMessage(data, 'sfc-bench:theme', { theme: isTheme })) {
        setVisibility(core, { ...getVisibility(), theme: data.theme === 'system' ? null : data.theme });
      } else if (isMessage(data, 'sfc-bench:state', { query: isString })) {
        visit(data.query);
      }
    });
  }

  return {
    /** The link to the whole page follows what is shown. @param {string} whole its address */
    follow(whole) {
      open.href = whole;
      // What the rest of the page explains is there, not here.
      /** @type {NodeListOf<HTMLAnchorElement>} */
      const inner = document.querySelectorAll('main a[href^="#"], main a[data-hash]');
      for (const link of inner) {
        link.dataset.hash ??= link.hash;
        link.href = whole + link.dataset.hash;
        link.target = '_blank';
        link.rel = 'noopener';
      }
      differs.textContent = requireElement('#verdict-differences').hidden
        ? ''
        : ` · not the paper’s settings: ${requireElement('#differences').textContent}`;
    },
  };
}
