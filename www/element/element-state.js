// @ts-check
/** The attributes of an <sfc-bench> as the core understands them. */

import { LINK_KEYS, PINNED_KEYS } from './element-attributes.js';

/** What the element has beside its figure, which `hide` may take away. */
const ELEMENT_PARTS = ['title', 'caption', 'text', 'export', 'open'];
/** What `controls` shows where it names none. */
const DEFAULT_CONTROLS = ['weights', 'net', 'k', 'seed'];
const THEMES = ['auto', 'light', 'dark'];
/** Studies whose figures an element shows, and what it does for them. */
const STUDY_KINDS = new Map(
  /** @type {const} */ ([
    ['sfc', 'run'],
    ['families', 'families'],
    ['own', 'own'],
    ['fade', 'little'],
    ['ce-bench', 'little'],
    ['mui', 'little'],
    ['measurement', 'little'],
    ['audit', 'little'],
  ]),
);
/** What there is to control where a figure is not of a run. */
const WEIGHT_CONTROLS = ['weights'];
const DEFAULT_FIGURE = 'fig1b';
/** What a reader need not wait long for. */
const DEFAULT_PRESET = 'small';

/**
 * @typedef {object} Wish what somebody wants to see, made valid
 * @property {string} id of the figure
 * @property {'run' | 'families' | 'own' | 'little'} kind what the figure is of
 * @property {FamiliesConfig | null} study where it is of one
 * @property {LittleWish | null} little the study of the toy model, where it is of one
 * @property {boolean} weighed whether the weights were asked for
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {LinkState} state
 * @property {Settings} settings
 * @property {string} profile the profile that gives the weights; empty where none does
 * @property {string[]} controls keys of settings, and `weights`
 * @property {Set<string>} hidden
 * @property {LinkChange[]} changes what had to be changed for it
 */

/**
 * @typedef {object} LittleWish a study of the toy model, as the attribute `of` says it
 * @property {LittleStudy} study
 * @property {any} settings
 * @property {number} open the feature or pair that is opened
 * @property {string | null} view the reading that is chosen
 */

/** @param {string} text */
const splitWords = (text) => text.split(/[\s,]+/).filter((word) => word !== '');

/** Said again where anybody may read it: short, and without what could be taken for something else. @param {string} text */
const sanitizeText = (text) =>
  [...text.slice(0, 40)].map((c) => (/[ -~]/.test(c) ? c : '?')).join('');

/**
 * @param {Element} host
 * @param {Lab} core
 * @returns {Wish}
 */
export function readAttributes(host, core) {
  /** @type {LinkChange[]} */
  const changes = [];
  /** @param {string} key @param {string} found @param {string} allowed @param {string} used */
  const change = (key, found, allowed, used) =>
    changes.push({
      key,
      found: sanitizeText(found),
      used,
      sentence: `${key} is "${sanitizeText(found)}"; allowed: ${allowed}; ${used ? `${used} is used` : 'it is left out'}`,
    });

  const hide = splitWords(host.getAttribute('hide') ?? '');
  /** @type {[string, string][]} */
  const pairs = [];
  for (const key of [...LINK_KEYS, ...PINNED_KEYS]) {
    const value = host.getAttribute(key);
    // The figure may be one that a link has no word for; and of what is hidden, some is the element's.
    if (value !== null && key !== 'fig' && key !== 'hide') pairs.push([key, value]);
  }
  const foreign = hide.filter((name) => !ELEMENT_PARTS.includes(name));
  if (foreign.length > 0) pairs.push(['hide', foreign.join()]);

  const { profile, weights } = readProfile(host, core, change);
  if (weights) pairs.push(['w', weights.join()]);
  const parsed = core.parse_state(
    pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&'),
  );

  const asked = host.getAttribute('figure') ?? host.getAttribute('fig') ?? DEFAULT_FIGURE;
  const found = core.figure_named(asked);
  const known = STUDY_KINDS.get(/** @type {any} */ (found?.study));
  const id = known && found?.id;
  const kind = known ?? 'run';
  if (!id) {
    const names = [...STUDY_KINDS.keys()].flatMap((study) => core.figure_names(study)).map(({ name }) => name);
    change('figure', asked, `one of ${names.join(', ')}`, DEFAULT_FIGURE);
  }

  const wanted = host.getAttribute('theme') || 'auto';
  const theme = THEMES.includes(wanted) ? wanted : 'auto';
  if (theme !== wanted) change('theme', wanted, THEMES.join(', '), theme);

  const hidden = new Set([
    ...hide.filter((name) => ELEMENT_PARTS.includes(name)),
    ...parsed.state.hide,
  ]);
  return {
    id: id ?? DEFAULT_FIGURE,
    kind,
    study: kind === 'families' ? readFamilies(host, core, parsed.state.families, change, changes) : null,
    little: kind === 'little' && found ? readToyModelStudy(host, core, /** @type {LittleWish['study']} */ (found.study), changes) : null,
    weighed: weights !== null || host.hasAttribute('w'),
    theme: /** @type {Wish['theme']} */ (theme),
    state: parsed.state,
    settings: parsed.state.settings,
    profile,
    controls: readControls(host, core, kind, change).filter((name) => !hidden.has(name)),
    hidden,
    changes: [...parsed.changes, ...changes],
  };
}

/**
 * The weights of a profile; none where the attribute is absent, or `w` says them.
 *
 * @param {Element} host
 * @param {Lab} core
 * @param {(key: string, found: string, allowed: string, used: string) => void} change
 * @returns {{ profile: string, weights: Weights | null }}
 */
function readProfile(host, core, change) {
  const name = host.getAttribute('profile');
  if (name === null) return { profile: '', weights: null };
  if (host.hasAttribute('w')) {
    change('profile', name, 'a profile, where w does not say the weights', '');
    return { profile: '', weights: null };
  }
  const profiles = core.profiles();
  const found = profiles.find((profile) => profile.name === name);
  if (!found) change('profile', name, `one of ${profiles.map((row) => row.name).join(', ')}`, 'equal');
  return found ? { profile: name, weights: found.weights } : { profile: '', weights: null };
}

/**
 * The study of families that the attributes ask for: `fam` as in a link, and words of its own for the
 * preset, the world and the reading, which go before it.
 *
 * @param {Element} host
 * @param {Lab} core
 * @param {string | null} text
 * @param {(key: string, found: string, allowed: string, used: string) => void} change
 * @param {LinkChange[]} changes
 * @returns {FamiliesConfig}
 */
function readFamilies(host, core, text, change, changes) {
  /** @template T @param {string} key @param {string} usual @param {(name: string) => T} named @returns {T} */
  const read = (key, usual, named) => {
    const asked = host.getAttribute(key);
    try {
      return named(asked ?? usual);
    } catch (error) {
      const { allowed, message } = /** @type {Problem} */ (error);
      change(key, asked ?? '', allowed ?? message.replace(/^.*allowed: /, 'one of '), usual);
      return named(usual);
    }
  };
  const said = text === null || host.hasAttribute('preset') ? null : core.families_read(text);
  changes.push(...(said?.changes ?? []));
  const config = said?.config ?? read('preset', DEFAULT_PRESET, core.families_preset);
  if (host.hasAttribute('world')) {
    // What cannot be read leaves the world that there is, or the usual one in the place of files.
    const { world } = config;
    const usual = world.world === 'given' ? core.families_preset(DEFAULT_PRESET).world : world;
    config.world = read('world', usual.world, (name) =>
      name === usual.world ? usual : core.world_defaults(name),
    );
  }
  config.completeness = read('completeness', config.completeness, (name) => {
    const readings = core.families_choices().readings.map(({ value }) => value);
    if (!readings.includes(name)) throw { allowed: `one of ${readings.join(', ')}` };
    return /** @type {Reading} */ (name);
  });
  return config;
}

/**
 * The study of the toy model that `of` asks for, as the query of its page has it.
 *
 * @param {Element} host
 * @param {Lab} core
 * @param {LittleWish['study']} study
 * @param {LinkChange[]} changes
 * @returns {LittleWish}
 */
function readToyModelStudy(host, core, study, changes) {
  const { settings, open, view, changes: own } = core.study_read(study, host.getAttribute('of') ?? '');
  changes.push(...own.map((change) => ({ ...change, key: 'of', sentence: `of: ${change.sentence}` })));
  return { study, settings, open, view };
}

/**
 * @param {Element} host
 * @param {Lab} core
 * @param {Wish['kind']} kind
 * @param {(key: string, found: string, allowed: string, used: string) => void} change
 */
function readControls(host, core, kind, change) {
  const text = host.getAttribute('controls');
  if (text === null) return kind === 'run' && !host.hasAttribute('figure') && !host.hasAttribute('fig') ? WEIGHT_CONTROLS : [];
  const asked = splitWords(text);
  if (kind === 'little') {
    // Nothing there is weighed.
    if (asked.length > 0) change('controls', asked.join(), 'none of this figure', '');
    return [];
  }
  if (asked.length === 0) return kind === 'run' ? DEFAULT_CONTROLS : WEIGHT_CONTROLS;
  const settings = Object.keys(core.defaults());
  const ofRuns = core
    .state_keys()
    .filter(({ field }) => settings.includes(field))
    .map(({ key }) => (key === 'w' ? 'weights' : key));
  const allowed = kind === 'run' ? ofRuns : WEIGHT_CONTROLS;
  const names = new Set(asked.map((name) => (name === 'w' ? 'weights' : name)));
  const unknown = [...names].filter((name) => !allowed.includes(name));
  if (unknown.length > 0) change('controls', unknown.join(), `any of ${allowed.join(', ')}`, '');
  return [...names].filter((name) => allowed.includes(name));
}
