// @ts-check
/**
 * What a link says of a decomposition of somebody's own: the files by their digests, never their content,
 * and what was scored of them. `f:cosine,c:row-space,v:total,rows:1000,activations:9f86…,weights:60303…`
 */

/** What a digest may be. */
const SHA256 = /^[0-9a-f]{64}$/;

/**
 * @typedef {object} OwnLink
 * @property {Map<string, string>} options by their keys: f, c, v, by, rows
 * @property {Map<string, string>} files the SHA-256 of each, by its role
 */

const OPTIONS = ['f', 'c', 'v', 'by', 'rows'];

/** @param {OwnLink} link */
export function printOwn({ options, files }) {
  return [...options, ...files].map(([key, value]) => `${key}:${value}`).join(',');
}

/** Whatever the text: what can be read of it. @param {string} text @returns {OwnLink} */
export function readOwn(text) {
  const options = new Map();
  const files = new Map();
  for (const item of text.split(',')) {
    const at = item.indexOf(':');
    const [key, value] = [item.slice(0, at), item.slice(at + 1)];
    if (OPTIONS.includes(key)) options.set(key, value);
    else if (/^[a-z-]+$/.test(key) && SHA256.test(value)) files.set(key, value);
  }
  return { options, files };
}

/** The files of a report, as a link has them. @param {readonly OwnFile[]} files */
export function digestsOf(files) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { role, sha256 } of files)
    if (sha256) found.set(role.replaceAll(' ', '-'), sha256);
  return found;
}

/**
 * Which of a link's files are others than those there are, by their roles.
 *
 * @param {ReadonlyMap<string, string>} wanted
 * @param {ReadonlyMap<string, string>} found
 */
export function othersOf(wanted, found) {
  const roles = new Set([...wanted.keys(), ...found.keys()]);
  return [...roles].filter((role) => wanted.get(role) !== found.get(role));
}
