// @ts-check
/** What a benchmark found, in numbers and in words: statistics, tables, Markdown. No clock, no DOM. */

/** Names of the kernels; the formula says what is computed. @type {Record<string, string>} */
const KERNEL_LABELS = { layer: 'ReLU(XW₁ᵀ + b₁)', gram: 'HᵀH', dot: 'Dot product', sum: 'Sum' };

/** Short names, for under a bar. @type {Record<string, string>} */
const KERNEL_SHORT_LABELS = { layer: 'Layer', gram: 'HᵀH', dot: 'Dot', sum: 'Sum' };

/** @param {string} kernel */
const kernelLabel = (kernel) => KERNEL_LABELS[kernel] ?? kernel;

/** The median of what was measured; NaN where nothing was. @param {BenchRow} [row] */
const median = (row) => row?.quartiles[1] ?? NaN;

/** Three significant figures, without an exponent; "–" for no number. @param {number} value */
export function formatSignificant(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return String(Math.round(value));
  // Rounding may itself add a digit: 9.996 is 10.0, not 10.00.
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Number(size.toPrecision(3)))));
  return value.toFixed(Math.min(digits, 4));
}

/** "16.3 (15.9–16.5)": the median and the quartiles. @param {BenchRow} [row] */
export function formatQuartiles(row) {
  const [low, middle, high] = (row?.quartiles ?? []).map(formatSignificant);
  return middle === undefined ? '–' : `${middle} (${low}–${high})`;
}

/** @param {number} value @param {string} unit */
const formatWithUnit = (value, unit) => `${formatSignificant(value)} ${unit}`;

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {string[][]} rows
 * @param {number} words columns of words; numbers follow
 * @returns {BenchTable}
 */
const createTable = (title, heads, rows, words) => ({
  title,
  data: {
    columns: heads.map((head, at) => ({ title: head, align: at < words ? 'left' : 'right' })),
    rows: rows.map((row) => row.map((text) => ({ text }))),
  },
});

/** @param {BenchResult} result @param {BenchGroup} group */
const filterRows = (result, group) =>
  result.rows.filter((row) => row.group === group && row.samples.length > 0);

/** The two paths of every kernel, side by side. @param {BenchResult} result */
function pairKernels(result) {
  const rows = filterRows(result, 'kernel');
  return rows
    .filter(({ path }) => path === 'simd')
    .map((simd) => ({
      simd,
      plain: rows.find(
        ({ path, name, detail }) =>
          path === 'plain' && name === simd.name && detail === simd.detail,
      ),
    }));
}

/** Everything measured as tables; those with nothing in them are left out. @param {BenchResult} result */
export function buildBenchTables(result) {
  const stages = filterRows(result, 'stage');
  const whole = stages.reduce((sum, stage) => sum + median(stage), 0);
  const seeds = filterRows(result, 'seeds');
  const [alone] = seeds;
  const tables = [
    createTable(
      'Kernels, GFLOP/s',
      ['Kernel', 'Size', 'Plain Rust', 'SIMD', 'Ratio'],
      pairKernels(result).map(({ simd, plain }) => [
        kernelLabel(simd.name),
        simd.detail ?? '',
        formatQuartiles(plain),
        formatQuartiles(simd),
        `${formatSignificant(median(simd) / median(plain))}×`,
      ]),
      2,
    ),
    createTable(
      'One level curve, ms',
      ['Stage', 'Time', 'Share'],
      [
        ...stages.map((stage, at) => [
          `${at + 1}. ${stage.name}`,
          formatQuartiles(stage),
          `${((100 * median(stage)) / whole).toFixed(1)} %`,
        ]),
        ...(stages.length > 0 ? [['sum of the stages', formatSignificant(whole), '100.0 %']] : []),
      ],
      1,
    ),
    createTable(
      'Whole runs, ms',
      ['Run', 'Time'],
      filterRows(result, 'whole').map((row) => [row.name, formatQuartiles(row)]),
      1,
    ),
    createTable(
      'Seeds per second',
      ['Workers', 'Rate', 'Against one'],
      seeds.map((row) => [row.name, formatQuartiles(row), `${formatSignificant(median(row) / median(alone))}×`]),
      1,
    ),
    createTable(
      'Start-up, ms',
      ['Step', 'Time'],
      filterRows(result, 'start').map((row) => [row.name, formatQuartiles(row)]),
      1,
    ),
  ];
  return tables.filter(({ data }) => data.rows.length > 0);
}

/** The machine and the measuring, as a table. @param {BenchResult} result */
export function buildMachineTable({ machine, rounds, completed, background }) {
  const rows = Object.entries(machine).map(([name, value]) => [name, value]);
  rows.push(['Rounds', completed < rounds ? `${completed} of ${rounds}` : String(rounds)]);
  if (background) rows.push(['Note', 'the page was in the background part of the time']);
  return createTable('Machine', ['', 'As the browser tells it'], rows, 2);
}

/** @param {string} text */
const escapeMarkdown = (text) => text.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ');

/** @param {BenchTable} table */
function formatMarkdownTable({ title, data }) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [
    `### ${title}`,
    '',
    line(data.columns.map((column) => column.title)),
    line(data.columns.map(({ align }) => (align === 'right' ? '--:' : ':--'))),
    ...data.rows.map((row) => line(row.map(({ text }) => text))),
  ].join('\n');
}

/** @param {BenchResult} result */
export function toMarkdown(result) {
  const heading = `## sfc-bench ${result.version}, ${result.date}`;
  const note = 'Medians of interleaved rounds; quartiles in parentheses.';
  const tables = [buildMachineTable(result), ...buildBenchTables(result)].map(formatMarkdownTable);
  return `${[heading, note, ...tables].join('\n\n')}\n`;
}

/** Everything, every sample included. @param {BenchResult} result */
export function toJson(result) {
  const rows = result.rows
    .filter(({ samples }) => samples.length > 0)
    .map(({ quartiles: [q25, middle, q75], ...row }) => ({ ...row, q25, median: middle, q75 }));
  return `${JSON.stringify({ benchmark: 'sfc-bench', ...result, rows }, null, 2)}\n`;
}

/** What the core draws. @param {BenchResult} result @returns {Measured[]} */
export function buildBenchCharts(result) {
  const middle = (/** @type {BenchRow | undefined} */ row) => (row ? median(row) : null);
  // One size of each kernel: more would leave no room for their names.
  const pairs = pairKernels(result).filter(
    ({ simd }, at, all) => all.findIndex((pair) => pair.simd.name === simd.name) === at,
  );
  const stages = filterRows(result, 'stage');
  const seeds = filterRows(result, 'seeds');
  const slowest = [...stages].sort((a, b) => median(b) - median(a))[0];
  const best = pairs.map(({ simd }) => median(simd));
  const rates = seeds.map(median);
  /** @type {Measured[]} */
  const charts = [
    {
      id: 'fig-kernels',
      title: 'Kernels',
      summary: `With SIMD by hand the kernels reach up to ${formatWithUnit(Math.max(...best), 'GFLOP/s')}.`,
      caption:
        'Additions and multiplications a second on one thread, each kernel at the smallest size in the table below. SIMD is what runs use, written by hand. Plain Rust is the specification it is held against; the compiler may use SIMD there too, and does, so this is not the speed of a machine without it.',
      x_title: 'Kernel',
      y_title: 'GFLOP/s',
      groups: pairs.map(({ simd }) => [KERNEL_SHORT_LABELS[simd.name] ?? simd.name, null]),
      series: [
        { name: 'Plain Rust', values: pairs.map(({ plain }) => middle(plain)) },
        { name: 'SIMD', values: pairs.map(({ simd }) => middle(simd)) },
      ],
    },
    {
      id: 'fig-stages',
      title: 'Stages of a level curve',
      summary: slowest
        ? `The slowest stage, ${slowest.name}, takes ${formatWithUnit(median(slowest), 'ms')}.`
        : '',
      caption:
        'Times of the Standard network’s stages in the order they run, numbered as in the table below; each is repeated by itself on the results of those before it.',
      x_title: 'Stage',
      y_title: 'ms',
      groups: stages.map((_, at) => [String(at + 1), null]),
      series: [{ name: 'Time', values: stages.map(middle) }],
    },
    {
      id: 'fig-seeds',
      title: 'Seeds per second',
      summary: `${seeds.map(({ name }, at) => `${name}: ${formatSignificant(rates[at] ?? NaN)}`).join(', ')} seeds a second by number of workers.`,
      caption:
        'Whole level curves of the Standard network, each from another model seed, shared out among workers. Processors that share a core do not add up to twice the speed.',
      x_title: 'Workers',
      y_title: 'Seeds per second',
      groups: seeds.map(({ name }) => [name, null]),
      series: [{ name: 'Rate', values: seeds.map(middle) }],
    },
  ];
  return charts.filter(({ groups }) => groups.length > 0);
}
