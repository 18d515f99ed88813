// @ts-check
/** The form that asks for a study: two choices make one, and every number of it can be changed. */

import { createButton, el, handleSubmit } from '../../shell/dom.js';
import { createField, toOptions } from '../../shell/fields.js';
import { swapButtons } from '../../shell/button-pair.js';
import { toMemberConfig } from '../../workers/families-jobs.js';
import { createStudySettings } from './settings.js';

/** Stands for activations until there are some. @param {number} seed @returns {World} */
const createPlaceholderWorld = (seed) => ({
  world: 'given',
  rows: 4_294_967_295,
  dimensions: 16,
  outputs: null,
  sha256: null,
  with: null,
  seed,
});

/** What tells studies apart: all but what members are measured by, which changes no member. @param {Lab} core @param {FamiliesConfig} config */
export function studyKey(core, config) {
  const plain = toMemberConfig(config);
  return core.families_print(plain) ?? JSON.stringify(plain);
}

/** The choices and the buttons. @param {Lab} core @param {HTMLElement} settings @param {() => void} onCancel */
function buildForm(core, settings, onCancel) {
  const { worlds, presets, readings } = core.families_choices();
  /** @param {string} name @param {string} label @param {import('../../types/core.d.ts').FieldChoice[]} choices */
  const select = (name, label, choices) =>
    createField({ kind: 'select', id: `families-${name}`, label, options: toOptions(choices) });
  const world = select('world', 'Dataset', worlds);
  const preset = select('preset', 'Size', presets);
  const reading = select('reading', 'Completeness', readings);
  const start = el('button', { type: 'submit', id: 'families-start' }, 'Compare families');
  const cancel = createButton('Cancel', { id: 'families-cancel', hidden: true }, onCancel);
  const element = el(
    'form',
    { class: 'families-controls', id: 'families-form', novalidate: true },
    world.element,
    preset.element,
    reading.element,
    el('span', { class: 'families-go' }, start, cancel),
    settings,
  );
  return { world: world.input, preset: preset.input, reading: reading.input, start, cancel, element };
}

/** A study made to fit given activations. @param {Lab} core @param {FamiliesConfig} config @param {World} own @param {string} preset */
function fitToActivations(core, config, own, preset) {
  const found = core.families_fit(config, own);
  // A number of latents that somebody chose is kept.
  const { latents } = core.families_preset(preset).train;
  if (config.train.latents !== latents) found.train.latents = config.train.latents;
  return found;
}

/** The same without what was made to fit. @param {Lab} core @param {FamiliesConfig} config @param {string} preset @returns {FamiliesConfig} */
function resetFit(core, config, preset) {
  const { train, train_rows, eval_rows } = core.families_preset(preset);
  const { batch, latents } = train;
  return { ...config, train_rows, eval_rows, train: { ...config.train, batch, latents } };
}

/** What a link says of a study, and the name of its preset. @param {Lab} core @param {string | null} link */
function readLink(core, link) {
  const read = link === null ? null : core.families_read(link).config;
  const printed = read && core.families_print(read);
  return { read, preset: printed?.split(',')[0] ?? core.families_choices().presets[0]?.value ?? '' };
}

/** The SHA-256 of a reader's own activations that a study is of; null: of others, or not known. @param {FamiliesConfig} config */
const activationsDigest = ({ world }) => (world.world === 'given' ? world.sha256 : null);

/**
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {GivenSource} parts.given a reader's own activations
 * @param {() => void} parts.onStart
 * @param {() => void} parts.onCancel
 * @param {(givenAsked: boolean) => void} parts.onChange it asks for something else; whether for the reader's own activations just now
 */
export function createFamiliesForm({ core, given, onStart, onCancel, onChange }) {
  const settings = createStudySettings(core, () => {
    set(usual());
    onChange(false);
  });
  const { element, world, preset, reading, start, cancel } = buildForm(core, settings.element, onCancel);
  const { own_seed: usualSeed } = core.constants();
  /** The world of the reader's own activations, as they were last. @type {World} */
  let own = createPlaceholderWorld(usualSeed);
  /** The SHA-256 of the activations that a link was made with. @type {string | null} */
  let linked = null;
  /** What the command line is to be given for them. @type {string[]} */
  let flags = [];

  const readingWanted = () => /** @type {Reading} */ (reading.value);
  /** @param {string} name @returns {World} */
  const worldOf = (name) => (name === 'given' ? own : core.world_defaults(name));
  /** What the choices ask for, with nothing changed. @returns {FamiliesConfig} */
  function usual() {
    const config = core.families_preset(preset.value);
    return { ...core.families_fit(config, worldOf(world.value)), completeness: readingWanted() };
  }
  /** What the form was last set to: what has no field is as it has it. */
  let base = usual();
  /** What the form asks for, which need not be allowed. @returns {FamiliesConfig} */
  const wanted = () => settings.read({ ...base, completeness: readingWanted() });

  /** Sets the whole form. @param {FamiliesConfig} config */
  function set(config) {
    base = config;
    world.value = config.world.world;
    reading.value = config.completeness;
    settings.show(config);
  }

  /** What the form asks for, if it is allowed; if not, that is said. @param {boolean} [focus] */
  function judged(focus) {
    const config = wanted();
    const problems = core.families_check(config);
    settings.showProblems(problems, focus);
    return problems.length === 0 ? config : null;
  }

  /** Another world: everything else stays, but for what was made to fit given activations. */
  function changeDataset() {
    linked = null;
    const before = wanted();
    const left = before.world.world === 'given' && world.value !== 'given';
    const found = left ? resetFit(core, before, preset.value) : before;
    set({ ...found, world: worldOf(world.value) });
  }

  handleSubmit(element, onStart);
  element.addEventListener('change', ({ target }) => {
    if (target === preset) set(usual());
    if (target === world) changeDataset();
    onChange(target === world && world.value === 'given');
  });

  return {
    element,
    judged,
    /** Whether a study is what the choices ask for, with nothing changed. @param {FamiliesConfig} config */
    isUsual: (config) => studyKey(core, config) === studyKey(core, usual()),
    /** The name of a file of such a study. */
    usualName: () => `sfc-bench-families-${world.value}-${preset.value}.json`,
    /** The SHA-256 of other activations than these that a link was made with. @param {FamiliesConfig} config */
    linkedOthers(config) {
      const sha256 = activationsDigest(config);
      return sha256 !== null && linked !== null && linked !== sha256 ? { linked, sha256 } : null;
    },
    /** What the command line is to be given beside a study. @param {FamiliesConfig} config */
    flags: (config) => (config.world.world === 'given' ? flags : []),
    /** Says whether the study is as the preset has it. @param {FamiliesConfig | null} config allowed @param {boolean} long */
    tellChanged(config, long) {
      settings.setChanged(!config || studyKey(core, config) !== studyKey(core, usual()), long);
    },
    /** Sets the form to what a link asks for. @param {string | null} link @returns {boolean} whether it asks for anything */
    follow(link) {
      const { read, preset: name } = readLink(core, link);
      preset.value = name;
      linked = read && activationsDigest(read);
      set(read ?? core.families_preset(preset.value));
      return read !== null;
    },
    /**
     * A study made to fit the activations there are now, unless the form is asked for something else
     * meanwhile.
     *
     * @param {FamiliesConfig} config
     * @param {() => boolean} stillAsked
     */
    async adopted(config, stillAsked) {
      const seed = config.world.world === 'given' ? config.world.seed : usualSeed;
      const found = await given.world(seed);
      if (!stillAsked()) throw new Error('something else was asked for meanwhile');
      own = found;
      flags = given.flags();
      if (JSON.stringify(own) === JSON.stringify(config.world)) return config;
      set(fitToActivations(core, config, own, preset.value));
      const allowed = judged();
      if (!allowed) throw new Error('some settings are invalid; see below');
      return allowed;
    },
    /** @param {string} words on the button that starts */
    offer(words) {
      start.textContent = words;
    },
    /** @param {boolean} on */
    setRunning(on) {
      settings.setDisabled(on);
      for (const select of [world, preset, reading]) select.disabled = on;
      swapButtons(start, cancel, on);
    },
  };
}
