// @ts-check
/** What the browser must have; asked before anything is fetched. */

/**
 * The smallest module with a 128-bit constant in it: a browser without wasm SIMD refuses it.
 * (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt)
 */
const SIMD_MODULE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

/** What is said where it has not. */
const REQUIREMENTS_SENTENCE =
  'This page needs a browser with WebAssembly and its SIMD instructions: Chrome or Edge 91, Firefox 114, Safari 16.4, or later.';

/** Why a page of the site cannot compute here; null when it can. */
export function describeUnsupported() {
  const missing = findMissingFeature();
  return missing && `${missing} ${REQUIREMENTS_SENTENCE}`;
}

/** Why the page cannot compute here, in words for its reader; null when it can. @returns {string | null} */
export function findMissingFeature() {
  if (typeof WebAssembly !== 'object') {
    return 'This browser has no WebAssembly, or it is switched off.';
  }
  if (!WebAssembly.validate(SIMD_MODULE)) {
    return 'This browser has WebAssembly but not its SIMD instructions.';
  }
  if (typeof Worker !== 'function') {
    return 'This browser has no web workers.';
  }
  return null;
}
