// @ts-check
/** An instance of the core, also where the browser has not yet cleared away former ones. */

/** How long a browser is given to do so, in milliseconds. */
const RETRY_DELAY = 300;

/** No memory for an instance, in the words of Chromium and Safari, or of Firefox. @param {unknown} error */
const isOutOfMemory = (error) =>
  error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');

/** What gives something that is made once, for all who ask. @template T @param {() => Promise<T>} make */
export function memoizeAsync(make) {
  /** @type {Promise<T> | undefined} */
  let made;
  return () => {
    made ??= make();
    // A connection that failed once may be back: the next one who asks tries again.
    made.catch(() => (made = undefined));
    return made;
  };
}

/**
 * What opens a build, once for all who ask.
 *
 * @template {{ default: (from: any) => Promise<unknown> }} Glue
 * @param {() => Promise<[Glue, WebAssembly.Module]>} load its glue, and the build, compiled
 * @returns {() => Promise<Glue>} the glue, ready on this thread
 */
export const createCoreLoader = (load) =>
  memoizeAsync(async () => {
    const [glue, module] = await load();
    await instantiate(glue, module);
    return glue;
  });

/**
 * Makes the one instance of a build's glue. Each takes a large piece of addresses, and a page that is
 * loaded again and again may find those of its former visits still taken: so it is tried twice.
 *
 * @param {{ default: (from: { module_or_path: WebAssembly.Module }) => Promise<unknown> }} glue
 * @param {WebAssembly.Module} module
 * @returns {Promise<unknown>} what the glue gives: the instance's exports
 */
export async function instantiate(glue, module) {
  const make = () => glue.default({ module_or_path: module });
  try {
    return await make();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    return make().catch((second) => {
      if (!isOutOfMemory(second)) throw second;
      throw new Error('this browser has no memory left for the computing core', { cause: second });
    });
  }
}
