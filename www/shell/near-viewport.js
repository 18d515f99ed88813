// @ts-check
/** Work that waits until the reader comes near what it is for. */

/**
 * Does something once, when an element comes near the window.
 *
 * @param {Element} element
 * @param {() => void} work
 * @param {string} [margin] how near
 */
export function whenNearViewport(element, work, margin = '300px') {
  const nearing = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      nearing.disconnect();
      work();
    },
    { rootMargin: margin },
  );
  nearing.observe(element);
}
