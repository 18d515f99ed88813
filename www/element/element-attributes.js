// @ts-check
/**
 * The names of an <sfc-bench>'s attributes. Written from the rows of the core by
 * `SFC_BENCH_TYPES=write cargo types`; a test fails where the two part.
 */

/** The settings' keys of a link, which `pin.` may stand before. */
const SETTING_KEYS = [
  'net',
  'in',
  'd',
  'out',
  'circuit',
  'ws',
  'bs',
  'noise',
  'seed',
  'data',
  'rows',
  'n',
  'k',
  'levels',
  'c',
  'f',
  'centred',
  'w',
];

/** Keys by which a framed page is dressed and named: an element has attributes of its own for both. */
export const FRAME_ONLY_KEYS = ['theme', 'id'];

/** Every other key of a link, in its order. */
export const LINK_KEYS = [
  ...SETTING_KEYS,
  'v',
  'study',
  'pin',
  'seeds',
  'vary',
  'fam',
  'own',
  'fig',
  'embed',
  'hide',
  'digest',
  'made',
];

/** Keys that stand before the settings that are pinned. */
export const PINNED_KEYS = SETTING_KEYS.map((key) => `pin.${key}`);

/** Attributes of a study of families: element-state.js makes one of them. */
export const STUDY_ATTRIBUTES = ['preset', 'world', 'completeness'];

/** The attributes that are no keys of a link. */
export const ELEMENT_ATTRIBUTES = ['figure', 'profile', 'theme', 'controls', 'page', 'of', ...STUDY_ATTRIBUTES];
