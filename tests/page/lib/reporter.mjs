// Writes an object a line for each test: its name below the names of its groups, what came of it, and
// how long it took. `cargo xtask test` counts by it, and names the slowest.

/** @param {AsyncIterable<{ type: string, data: any }>} source */
export default async function* report(source) {
  /** @type {string[]} */
  const names = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A group's tests are reported on their own; one that cannot even begin has none.
    if (data.details?.type === 'suite' && data.details.error?.failureType !== 'hookFailed') continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    yield `${JSON.stringify({
      name: [...names.slice(0, data.nesting), data.name].join(' › '),
      outcome: skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
      ms: Math.round(data.details?.duration_ms ?? 0),
    })}\n`;
  }
}
