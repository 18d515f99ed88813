// @ts-check
/** What each array of a reader's files is likely to be. */

/** Roles by their names in a request, in the order of the list. @type {[OwnRole, string][]} */
export const ROLE_LABELS = [
  ['activations', 'activations'],
  ['more_activations', 'further activations'],
  ['targets', 'what a transcoder reconstructs'],
  ['more_targets', 'further of what it reconstructs'],
  ['dictionary', 'dictionary'],
  ['codes', 'codes'],
  ['more_codes', 'further codes'],
  ['decoder_bias', 'bias of the decoder'],
  ['readout', 'readout'],
  ['readout_bias', 'bias of the readout'],
  ['weights', 'weights of an autoencoder'],
  ['config', 'its configuration'],
  ['scaler', 'scaling of its activations'],
  ['more_weights', 'further weights of it'],
];

/** What one array after another may be, in several files: the role of those after the first. @type {Map<OwnRole, OwnRole>} */
export const FURTHER_ROLES = new Map([
  ['activations', 'more_activations'],
  ['targets', 'more_targets'],
  ['codes', 'more_codes'],
]);

/** The file of a checkpoint's factor of activations. */
const SCALER_FILE = /(^|[/\\])activation_scaler\.json$/i;

/** What lies beside an autoencoder's weights and is read with them: a checkpoint's whitening, a layer's decoder. */
const FURTHER_WEIGHTS_FILE = /(^|[/\\])(activation_whitening|W_dec_\d+)\.safetensors$/;

/** The files of an autoencoder's folder, which have roles by their names alone. @type {ReadonlySet<OwnRole>} */
export const SAE_FOLDER_ROLES = new Set(['weights', 'config', 'scaler', 'more_weights']);

/** An autoencoder's parts that have no role by themselves. */
const AUTOENCODER_PART_NAME = /(^|[^a-z])encoder[^a-z]*(weight|bias)|(^|[^a-z])[wb]_enc|decoder.?bias|(^|[^a-z])b_dec/i;

/** A decoder's bias. */
const DECODER_BIAS_NAME = /decoder.?bias|(^|[^a-z])b_?dec/i;

/** A file with more arrays than this, and an autoencoder's, has one line. */
const LINES_MAX = 12;

/**
 * @typedef {object} Line one thing that can have a role
 * @property {string[]} arrays those it may be; none for JSON
 * @property {string} array the one it is
 * @property {OwnRole | ''} role
 * @property {boolean} [transposed] whether its rows are taken for columns
 * @property {boolean} [asked] whether somebody said what it is, or that it is nothing
 */

/**
 * @typedef {object} Entry a file that was handed over, or one of an archive that was
 * @property {string} name with its folder, where it came in one
 * @property {File} file the archive, where it came in one
 * @property {OwnFileDescription | null} description none: it could not be opened
 * @property {string} problem why
 * @property {Line[]} lines
 */

/** @param {OwnFileDescription} description */
const isAutoencoder = ({ arrays, autoencoder }) =>
  autoencoder || ['W_enc', 'W_dec'].every((name) => arrays.some((array) => array.name === name));

/** The lines of a file, without roles. @param {OwnFileDescription} description @returns {Line[]} */
export function createFileLines(description) {
  const names = description.arrays.map(({ name }) => name);
  const isWhole = isAutoencoder(description) || FURTHER_WEIGHTS_FILE.test(description.name);
  if (names.length > LINES_MAX || names.length === 0 || isWhole)
    return [{ arrays: names, array: names[0] ?? '', role: '' }];
  return names.map((name) => ({ arrays: [name], array: name, role: '' }));
}

/** Roles by what a name has in it; the first that fits. @type {[OwnRole, RegExp][]} */
const ROLE_PATTERNS = [
  // Files of activations are called by their hooks, however these end.
  ['activations', /(^|\.)hook_\w+$/i],
  ['targets', /target/i],
  ['readout_bias', /bias|(^|[^a-z])b_?out/i],
  ['readout', /read.?out|unembed|w_?out|w_?u$|head/i],
  ['codes', /(?<!en|de)code|latent|feature|(^|[^a-z])z$/i],
  ['dictionary', /dict|decoder|w_?dec|direction|component|basis|(^|[^a-z])w$/i],
  ['activations', /act|hidden|resid|embed|(^|[^a-z])[ahx]$/i],
];

/** What one line may be at all. @param {OwnFileDescription} description @param {Line} line @returns {OwnRole[]} */
export function listPossibleRoles(description, line) {
  if (description.format === 'json') return [SCALER_FILE.test(description.name) ? 'scaler' : 'config'];
  const others = ROLE_LABELS.map(([role]) => role).filter((role) => !SAE_FOLDER_ROLES.has(role));
  const all = FURTHER_WEIGHTS_FILE.test(description.name) ? [/** @type {const} */ ('more_weights'), ...others] : others;
  return line.arrays.length > 1 && isAutoencoder(description) ? ['weights', ...all] : all;
}

/** A file's name without folders and ending. @param {string} name */
const fileStem = (name) => name.replace(/^.*\//, '').replace(/\.[^.]*$/, '');

/**
 * A role for a line, by its names; one that is taken is not given again.
 *
 * @param {OwnFileDescription} description
 * @param {Line} line
 * @param {ReadonlySet<OwnRole | ''>} taken
 * @returns {OwnRole | ''}
 */
export function guessRole(description, line, taken) {
  const all = listPossibleRoles(description, line);
  // There may be several of them.
  if (all[0] === 'more_weights') return all[0];
  const may = all.filter((role) => !taken.has(role));
  if (may[0] && SAE_FOLDER_ROLES.has(may[0])) return may[0];
  // Of several autoencoders no tensor is a dictionary beside the first.
  if (all[0] === 'weights') return '';
  for (const name of [line.array, fileStem(description.name)]) {
    if (name && ((name === line.array && AUTOENCODER_PART_NAME.test(name)) || DECODER_BIAS_NAME.test(name))) return '';
    const found = name && ROLE_PATTERNS.find(([, pattern]) => pattern.test(name));
    if (found) return may.includes(found[0]) ? found[0] : '';
  }
  return '';
}

/**
 * The array without a role that is the bias of a decoder by its name: it has one beside codes alone.
 *
 * @param {readonly { entry: Entry, line: Line }[]} used
 */
export function findDecoderBias(used) {
  const taken = (/** @type {OwnRole} */ role) => used.some(({ line }) => line.role === role);
  if (!taken('codes') || taken('decoder_bias')) return undefined;
  return used.find(({ entry: { name, description }, line }) => {
    if (line.role || !description || description.format === 'json') return false;
    return DECODER_BIAS_NAME.test(line.array || fileStem(name));
  })?.line;
}
