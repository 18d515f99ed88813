// @ts-check
/**
 * For a page that frames sfc-bench: each `<iframe class="sfc-bench">` becomes as high as what it
 * shows. A plain script, so that it loads from any host:
 *
 *     <script src="…/www/frame.js" async></script>
 *
 * A message counts if it comes from such a frame and is exactly
 * `{ type: 'sfc-bench:height', version: 1, height: <whole number>, id?: <string> }`; the height is
 * kept between 40 and 40000 pixels. Nothing else is read, and only that frame's height is changed.
 */
(() => {
  const HEIGHT_MIN = 40;
  // All of the page with every fold open is about 22,000 pixels high on a small phone.
  const HEIGHT_MAX = 40_000;

  /** The height a message tells; NaN if it is none. @param {any} data */
  function parseHeight(data) {
    if (typeof data !== 'object' || data === null) return NaN;
    const { type, version, height, id, ...rest } = data;
    const fits =
      type === 'sfc-bench:height' &&
      version === 1 &&
      Number.isInteger(height) &&
      (!('id' in data) || typeof id === 'string') &&
      Object.keys(rest).length === 0;
    return fits ? Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, height)) : NaN;
  }

  /** @returns {NodeListOf<HTMLIFrameElement>} */
  const findFrames = () => document.querySelectorAll('iframe.sfc-bench');

  addEventListener('message', ({ source, data }) => {
    const height = parseHeight(data);
    const frame = [...findFrames()].find(({ contentWindow }) => contentWindow === source);
    if (!frame || Number.isNaN(height)) return;
    // Where the border counts as part of the height, it is given on top.
    const border =
      getComputedStyle(frame).boxSizing === 'border-box'
        ? frame.offsetHeight - frame.clientHeight
        : 0;
    frame.style.height = `${height + border}px`;
  });

  // Those that spoke before this script was there say it again.
  for (const { contentWindow } of findFrames()) {
    contentWindow?.postMessage({ type: 'sfc-bench:measure', version: 1 }, '*');
  }
})();
