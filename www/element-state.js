// @ts-check
/** The attributes of an <sfc-bench> as the core understands them. */

import { KEYS, PINNED } from './element.js';

/** What the element has beside its figure, which `hide` may take away. */
const PARTS = ['title', 'caption', 'text', 'export', 'open'];
/** What `controls` shows where it names none. */
const CONTROLS = ['weights', 'net', 'k', 'seed'];
const THEMES = ['auto', 'light', 'dark'];
const FIRST = 'fig1a';

/**
 * @typedef {object} Wish what somebody wants to see, made valid
 * @property {string} id of the figure
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {LinkState} state
 * @property {Settings} settings
 * @property {string} profile the profile that gives the weights; empty where none does
 * @property {string[]} controls keys of settings, and `weights`
 * @property {Set<string>} hidden
 * @property {LinkChange[]} changes what had to be changed for it
 */

/** @param {string} text */
const words = (text) => text.split(/[\s,]+/).filter((word) => word !== '');

/** Said again where anybody may read it: short, and without what could be taken for something else. @param {string} text */
const shown = (text) =>
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
      found: shown(found),
      used,
      sentence: `${key} is "${shown(found)}"; allowed: ${allowed}; ${used ? `${used} is used` : 'it is left out'}`,
    });

  const hide = words(host.getAttribute('hide') ?? '');
  /** @type {[string, string][]} */
  const pairs = [];
  for (const key of [...KEYS, ...PINNED]) {
    const value = host.getAttribute(key);
    // The figure may be one that a link has no word for; and of what is hidden, some is the element's.
    if (value !== null && key !== 'fig' && key !== 'hide') pairs.push([key, value]);
  }
  const foreign = hide.filter((name) => !PARTS.includes(name));
  if (foreign.length > 0) pairs.push(['hide', foreign.join()]);

  const { profile, weights } = profileOf(host, core, change);
  if (weights) pairs.push(['w', weights.join()]);
  const parsed = core.parse_state(
    pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&'),
  );

  const asked = host.getAttribute('figure') ?? host.getAttribute('fig') ?? FIRST;
  const id = core.figure_named(asked);
  if (!id) {
    const names = core.figure_names().map(({ name }) => name);
    change('figure', asked, `one of ${names.join(', ')}`, FIRST);
  }

  const wanted = host.getAttribute('theme') || 'auto';
  const theme = THEMES.includes(wanted) ? wanted : 'auto';
  if (theme !== wanted) change('theme', wanted, THEMES.join(', '), theme);

  const hidden = new Set([
    ...hide.filter((name) => PARTS.includes(name)),
    ...parsed.state.hide,
  ]);
  return {
    id: id ?? FIRST,
    theme: /** @type {Wish['theme']} */ (theme),
    state: parsed.state,
    settings: parsed.state.settings,
    profile,
    controls: controlsOf(host, core, change).filter((name) => !hidden.has(name)),
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
function profileOf(host, core, change) {
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
 * @param {Element} host
 * @param {Lab} core
 * @param {(key: string, found: string, allowed: string, used: string) => void} change
 */
function controlsOf(host, core, change) {
  const text = host.getAttribute('controls');
  if (text === null) return [];
  const asked = words(text);
  if (asked.length === 0) return CONTROLS;
  const settings = Object.keys(core.defaults());
  const allowed = core
    .state_keys()
    .filter(({ field }) => settings.includes(field))
    .map(({ key }) => (key === 'w' ? 'weights' : key));
  const names = new Set(asked.map((name) => (name === 'w' ? 'weights' : name)));
  const unknown = [...names].filter((name) => !allowed.includes(name));
  if (unknown.length > 0) change('controls', unknown.join(), `any of ${allowed.join(', ')}`, '');
  return [...names].filter((name) => allowed.includes(name));
}
