// @ts-check
/**
 * The state of the page. What settings there are, the core says (`core.fields()`): the controls are
 * built from its rows, and whatever else has to know every setting reads them.
 */

/** @typedef {import('../types/core.d.ts').FormField & { name: SettingKey }} Field a setting, as the core describes it */
/** @typedef {'network' | 'seeds' | 'data' | 'metrics'} Group */

/** Sizes that a preset sets, all at once. */
export const SIZE_KEYS = /** @type {const} */ (['inputs', 'hidden', 'outputs', 'circuit']);

/** @typedef {{ draft: Draft }} State */

/**
 * A value that tells its listeners when it changes.
 *
 * @param {State} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: State, changed: SettingKey[]) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    /** @param {Draft} patch */
    edit(patch) {
      const changed = /** @type {SettingKey[]} */ (Object.keys(patch));
      state = { ...state, draft: { ...state.draft, ...patch } };
      for (const listener of listeners) listener(state, changed);
    },
    /** @param {(state: State, changed: SettingKey[]) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */

/** Most numbers of a list that are told one by one. */
const LIST_ITEMS_MAX = 12;

/** A value in full. @param {unknown} value */
function formatInFull(value) {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

/** A number as people write it: 0.3 where 0.30000000000000004 is meant. @param {number} value */
const formatNumber = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));

/** A value as people say it: of many numbers, how many. @param {unknown} value @returns {string} */
export function formatValue(value) {
  if (typeof value === 'number') return formatNumber(value);
  if (!Array.isArray(value)) return formatInFull(value);
  if (value.length <= LIST_ITEMS_MAX) return value.map(formatValue).join(', ');
  return `${value.length} from ${formatNumber(Math.min(...value))} to ${formatNumber(Math.max(...value))}`;
}

/**
 * A group's settings at a glance, for when it is folded.
 *
 * @param {readonly Field[]} fields
 * @returns {Record<Group, (draft: Draft) => string>}
 */
export function groupSummaries(fields) {
  return {
    network: ({ inputs, hidden, outputs, circuit }) =>
      `${inputs} → ${hidden} → ${outputs}, circuit ${circuit}`,
    seeds: ({ model_seed, data_seed, completeness_seed }) =>
      [model_seed, data_seed, completeness_seed].join(', '),
    data: ({ samples, k, levels }) => `N ${samples}, K ${k}, ${levels?.length} levels`,
    metrics: ({ completeness, fidelity }) =>
      `${optionLabel(fields, 'completeness', completeness)} C, F by ${optionLabel(fields, 'fidelity', fidelity)}`,
  };
}

/** @param {readonly Field[]} fields @param {SettingKey} name @param {unknown} value */
function optionLabel(fields, name, value) {
  const field = fields.find((row) => row.name === name);
  const options = field?.kind === 'choice' ? field.options : [];
  return options.find((option) => option.value === value)?.label ?? formatValue(value);
}

/** What only scores a run anew. @type {SettingKey} */
const RESCORE_KEY = 'weights';

/** @param {Settings} a @param {Settings} b whether both ask for the same run; weights only re-score */
export function isSameRun(a, b) {
  const names = /** @type {SettingKey[]} */ (Object.keys(a)).filter((name) => name !== RESCORE_KEY);
  return names.every((name) => formatInFull(a[name]) === formatInFull(b[name]));
}

/**
 * What differs from the paper, in words: "Dictionary size 48 → 32".
 *
 * @param {readonly Field[]} fields
 * @param {Settings} paper
 * @param {Settings} settings
 * @returns {string[]}
 */
export function describeDifferences(fields, paper, settings) {
  const other = fields.filter(
    ({ name }) => name !== RESCORE_KEY && formatInFull(paper[name]) !== formatInFull(settings[name]),
  );
  return other.map(({ name, label }) => {
    const [from, to] = [paper[name], settings[name]];
    const said = [from, to].map((value) => optionLabel(fields, name, value));
    // What differs beyond the digits that are said is told in full.
    const [before, after] = said[0] === said[1] ? [formatInFull(from), formatInFull(to)] : said;
    return `${label} ${before} → ${after}`;
  });
}
