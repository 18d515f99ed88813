// @ts-check
/** Names of files that an autoencoder may be in. */

const ENDINGS = ['json', 'yaml', 'yml', 'safetensors', 'npz', 'pt', 'pth', 'zip'];

export const AUTOENCODER_FILE = new RegExp(`\\.(${ENDINGS.join('|')})$`, 'i');

/** For a control that chooses them. */
export const ACCEPTED = ENDINGS.map((ending) => `.${ending}`).join(',');
