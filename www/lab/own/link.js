// @ts-check
/** What a link says of a decomposition of somebody's own: the core reads and prints it. */

/**
 * @typedef {object} OwnLink
 * @property {OwnLinked} options what is scored; null where the link does not say
 * @property {Map<string, string>} files the SHA-256 of each, by its role
 */

/** @param {Lab} core @param {OwnLink} link @returns {string | null} nothing where a text cannot say it */
export function printOwn(core, { options, files }) {
  return core.own_print(options, [...files]) ?? null;
}

/** Whatever the text: what can be read of it. @param {Lab} core @param {string} text @returns {OwnLink} */
export function readOwn(core, text) {
  const { options, files } = core.own_read(text);
  return { options, files: new Map(files) };
}

/** The files of a report, as a link has them. @param {Lab} core @param {readonly OwnFile[]} files */
export const digestsOf = (core, files) => new Map(core.own_digests(files));

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
