// @ts-check
/**
 * The state of the page, described once: one entry a setting. The controls are built from this
 * list, and whatever else has to know every setting (differences from the paper, a link) reads it.
 */

/** @typedef {Exclude<SettingKey, 'weights'>} RunKey settings whose change needs a new run */
/** @typedef {'network' | 'seeds' | 'data' | 'metrics'} Group */

/**
 * @typedef {object} Option
 * @property {string} value
 * @property {string} label
 * @property {string} help
 */

/**
 * @typedef {object} Field
 * @property {RunKey} key
 * @property {Group} group
 * @property {'preset' | 'number' | 'seed' | 'list' | 'choice' | 'switch'} kind
 * @property {string} label
 * @property {string} help
 * @property {Option[]} [options] of a choice
 */

/** @type {readonly Field[]} */
export const FIELDS = [
  {
    key: 'config',
    group: 'network',
    kind: 'preset',
    label: 'Network',
    help: 'The four of Table 1, or sizes of your own.',
  },
  { key: 'inputs', group: 'network', kind: 'number', label: 'Inputs', help: 'Width of x.' },
  {
    key: 'hidden',
    group: 'network',
    kind: 'number',
    label: 'Hidden units',
    help: 'D, width of the activations.',
  },
  { key: 'outputs', group: 'network', kind: 'number', label: 'Outputs', help: 'Width of y.' },
  {
    key: 'circuit',
    group: 'network',
    kind: 'number',
    label: 'Circuit units',
    help: 'Hidden units that reach y.',
  },
  {
    key: 'weight_scale',
    group: 'network',
    kind: 'number',
    label: 'Weight scale',
    help: 'Spread of the input weights.',
  },
  {
    key: 'bias_scale',
    group: 'network',
    kind: 'number',
    label: 'Bias scale',
    help: 'Spread of the biases.',
  },
  {
    key: 'noise',
    group: 'network',
    kind: 'number',
    label: 'Noise',
    help: 'Added to the activations; none in the paper.',
  },
  {
    key: 'model_seed',
    group: 'seeds',
    kind: 'seed',
    label: 'Model seed',
    help: 'Draws the circuit, weights and biases.',
  },
  {
    key: 'data_seed',
    group: 'seeds',
    kind: 'seed',
    label: 'Data seed',
    help: 'Draws the inputs, and any noise.',
  },
  {
    key: 'completeness_seed',
    group: 'seeds',
    kind: 'seed',
    label: 'Completeness seed',
    help: 'Picks the 100 rows on which the paper measures C.',
  },
  {
    key: 'samples',
    group: 'data',
    kind: 'number',
    label: 'Samples',
    help: 'N, rows of activations.',
  },
  {
    key: 'k',
    group: 'data',
    kind: 'number',
    label: 'Dictionary size',
    help: 'K, directions kept.',
  },
  {
    key: 'levels',
    group: 'data',
    kind: 'list',
    label: 'Sparsity levels λ',
    help: 'Share of each row’s codes set to zero, separated by commas.',
  },
  {
    key: 'centred',
    group: 'data',
    kind: 'switch',
    label: 'Centre the activations first',
    help: 'Principal components instead of the paper’s uncentred dictionary.',
  },
  {
    key: 'completeness',
    group: 'metrics',
    kind: 'choice',
    label: 'Completeness is read as',
    help: '',
    options: [
      {
        value: 'paper',
        label: 'The paper’s',
        help: '100 rows; one variance over all their outputs together.',
      },
      {
        value: 'total',
        label: 'Textbook',
        help: 'All rows; each output’s variance about its own mean, summed.',
      },
    ],
  },
  {
    key: 'fidelity',
    group: 'metrics',
    kind: 'choice',
    label: 'Fidelity is',
    help: '',
    options: [
      {
        value: 'cosine',
        label: 'Cosine',
        help: 'Mean cosine of each row and its reconstruction; the paper’s.',
      },
      { value: 'r2', label: 'R²', help: 'One minus squared error over variance.' },
      {
        value: 'rel-mse',
        label: 'Relative error',
        help: 'One minus squared error over squared length.',
      },
    ],
  },
];

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

/** @param {unknown} value */
function shown(value) {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

/** A group's settings at a glance, for when it is folded. @type {Record<Group, (draft: Draft) => string>} */
export const DIGESTS = {
  network: ({ inputs, hidden, outputs, circuit }) =>
    `${inputs} → ${hidden} → ${outputs}, circuit ${circuit}`,
  seeds: ({ model_seed, data_seed, completeness_seed }) =>
    [model_seed, data_seed, completeness_seed].join(', '),
  data: ({ samples, k, levels }) => `N ${samples}, K ${k}, ${levels?.length} levels`,
  metrics: ({ completeness, fidelity }) =>
    `${optionLabel('completeness', completeness)} C, F by ${optionLabel('fidelity', fidelity)}`,
};

/** @param {RunKey} key @param {unknown} value */
function optionLabel(key, value) {
  const options = FIELDS.find((field) => field.key === key)?.options;
  return options?.find((option) => option.value === value)?.label ?? shown(value);
}

/** @param {Settings} a @param {Settings} b whether both ask for the same run; weights only re-score */
export function sameRun(a, b) {
  return FIELDS.every(({ key }) => shown(a[key]) === shown(b[key]));
}

/**
 * What differs from the paper, in words: "Dictionary size 48 → 32".
 *
 * @param {Settings} paper
 * @param {Settings} settings
 * @returns {string[]}
 */
export function differences(paper, settings) {
  return FIELDS.filter(({ key }) => shown(paper[key]) !== shown(settings[key])).map(
    ({ key, label }) =>
      `${label} ${optionLabel(key, paper[key])} → ${optionLabel(key, settings[key])}`,
  );
}
