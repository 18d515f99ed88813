// @ts-check
/** A file with a report of the audit. */

/** Before any job: somebody waits for it. */
const TOP_PRIORITY = 900;

/**
 * Read and judged by a worker.
 *
 * @param {Lab} core @param {import('./pool.js').Pool} pool @param {Uint8Array} bytes
 */
export async function openAuditFile(core, pool, bytes) {
  return core.AuditFile.of_judged(await pool.submit({ kind: 'study-audit-report', bytes }, { priority: TOP_PRIORITY, tries: 1 }));
}
