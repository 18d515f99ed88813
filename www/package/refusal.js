// @ts-check
/** What the package throws. */

/** What is refused, field by field. */
export class SfcBenchError extends Error {
  /** @param {Problem} problem @param {Problem[]} [problems] */
  constructor(problem, problems = [problem]) {
    super(problem.message);
    this.name = 'SfcBenchError';
    this.code = problem.code;
    this.field = problem.field;
    this.value = problem.value;
    this.allowed = problem.allowed;
    this.problems = problems;
  }
}

/**
 * A refusal of what never reaches the core, in its manner.
 *
 * @param {string} code
 * @param {string} field
 * @param {string} value
 * @param {string} allowed
 */
export const createRefusal = (code, field, value, allowed) =>
  new SfcBenchError({
    code,
    field,
    value,
    allowed,
    message: `${field} is ${value}; allowed: ${allowed}`,
  });

/** Calls the core, whose plain objects become errors of the package. @template T @param {() => T} work @returns {T} */
export function callCore(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) throw error;
    if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error)
      throw new SfcBenchError(/** @type {Problem} */ (error));
    throw new Error(String(error));
  }
}
