// What `cargo xtask test --long` runs besides: a matrix of which the default run has its first members.

/** Whether everything is to be run, as before a release. */
export const IS_LONG_RUN = process.env.SFC_BENCH_LONG === '1';

/** The reason why a test is skipped in the default run; `false` in the long one. */
export const SKIP_UNLESS_LONG = IS_LONG_RUN ? false : 'cargo xtask test --long';

/**
 * The members of a matrix that this run has: all in the long run, else the first ones.
 *
 * @template T
 * @param {readonly T[]} all
 * @param {number} [count] how many the default run has
 */
export function selectMembers(all, count = 1) {
  return IS_LONG_RUN ? all : all.slice(0, count);
}
