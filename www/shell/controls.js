// @ts-check
/**
 * The controls of a run. They gather what somebody typed and show what the core said about it;
 * they never judge a value themselves.
 */

import { requireElement, openEnclosingFolds } from './dom.js';
import { createField, toOptions, showProblems } from './fields.js';
import { groupSummaries, SIZE_KEYS } from './state.js';

/** @typedef {import('./state.js').Store} Store */

/** @typedef {Record<(typeof SIZE_KEYS)[number], number>} Sizes */
/** @typedef {{ name: ConfigName, label: string, sizes: Sizes }} SizedPreset */

/** What most readers change: everything else is among all parameters. @type {readonly string[]} */
const MAIN_FIELDS = ['k', 'levels', 'model_seed', 'data_seed'];

/** What a setting's input has that others have not. @type {Record<string, Record<string, string | boolean>>} */
const INPUT_ATTRIBUTES = { number: { required: true }, seed: { required: true }, list: { inputmode: 'decimal' } };

/**
 * The networks of Table 1 with their sizes, as the core fills them in for a name.
 *
 * @param {Core} core
 * @returns {SizedPreset[]}
 */
function listSizedPresets(core) {
  return core.presets().flatMap(({ name, label }) => {
    const { settings } = core.validate({ config: name });
    if (!settings) return [];
    const { inputs, hidden, outputs, circuit } = settings;
    return [{ name, label, sizes: { inputs, hidden, outputs, circuit } }];
  });
}

/** @param {Draft} draft @param {SizedPreset[]} presets @returns {ConfigName} the name the sizes have in Table 1 */
function findConfigName(draft, presets) {
  const match = presets.find(({ sizes }) => SIZE_KEYS.every((key) => sizes[key] === draft[key]));
  return match?.name ?? 'custom';
}

/** @param {SizedPreset[]} presets @returns {import('./fields.js').Option[]} */
const createPresetOptions = (presets) => [...presets.map(({ name, label }) => /** @type {const} */ ([name, label])), ['custom', 'Custom sizes']];

/**
 * Builds every control into its group on the page; the weights have controls of their own.
 *
 * @param {Store} store
 * @param {Core} core
 */
export function createControls(store, core) {
  const presets = listSizedPresets(core);
  const settings = core.fields();
  const digests = groupSummaries(settings);

  const fields = settings.flatMap(({ name, kind, group, options, ...setting }) => {
    if (kind === 'weights') return [];
    const isPreset = kind === 'preset';
    const field = createField({
      ...{ ...setting, id: `set-${name}`, name, kind: isPreset ? 'select' : kind },
      options: isPreset ? createPresetOptions(presets) : toOptions(options),
      attributes: INPUT_ATTRIBUTES[kind],
      freshSeed: core.fresh_seed,
    });
    field.element.dataset.field = name;
    field.element.addEventListener('input', () => {
      const value = field.value();
      store.edit({ [name]: value, ...(isPreset && presets.find((one) => one.name === value)?.sizes) });
    });
    requireElement(isPreset ? '#network-choice' : `#group-${MAIN_FIELDS.includes(name) ? 'main' : group}`).append(field.element);
    return [field];
  });

  /** @param {Draft} draft */
  function showDraft(draft) {
    for (const { name, show } of fields) show(draft[/** @type {SettingKey} */ (name)]);
    for (const [group, digest] of Object.entries(digests))
      requireElement(`#digest-${group}`).textContent = digest(draft);
  }

  store.subscribe(({ draft }, changed) => {
    if (
      changed.some((key) => SIZE_KEYS.some((size) => size === key)) &&
      !changed.includes('config')
    ) {
      store.edit({ config: findConfigName(draft, presets) });
      return;
    }
    if (changed.includes('config') && draft.config === 'custom' && changed.length === 1) {
      openEnclosingFolds(requireElement('#group-network'));
    }
    showDraft(draft);
  });
  showDraft(store.get().draft);

  return {
    /** Says beside each field what the core refused. @param {Problem[]} problems */
    showProblems(problems) {
      // Too large a request is no one field's fault; the number of samples is the usual one.
      const placed = problems.map((problem) => (problem.field === 'memory' ? { ...problem, field: 'samples' } : problem));
      showProblems(fields, placed, requireElement('#settings-error'));
    },
  };
}
