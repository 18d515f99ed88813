// @ts-check
/** Names of files that an autoencoder may be in. */

const FILE_ENDINGS = ['json', 'yaml', 'yml', 'safetensors', 'npz', 'pt', 'pth', 'zip'];

export const AUTOENCODER_FILE_PATTERN = new RegExp(`\\.(${FILE_ENDINGS.join('|')})$`, 'i');

/** For a control that chooses them. */
export const ACCEPTED_ENDINGS = FILE_ENDINGS.map((ending) => `.${ending}`).join(',');
