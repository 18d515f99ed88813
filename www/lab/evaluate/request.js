// @ts-check
/** What is to be done with the files, and the reader's activations for those who train on them. */

import { formatInteger } from '../../shell/basic-format.js';
import { packArrays } from '../../workers/packed-arrays.js';

/**
 * The files of an autoencoder's folder.
 *
 * @param {{ file: string } | undefined} config
 * @param {{ file: string }} weights
 * @param {{ file: string } | undefined} scaler
 * @param {string[]} more
 */
const folderRequest = (config, weights, scaler, more) => ({
  ...(config ? { config: config.file } : {}),
  weights: weights.file,
  ...(scaler ? { scaler: scaler.file } : {}),
  ...(more.length > 0 ? { more } : {}),
});

/** @param {import('./file-list.js').UserFiles} files */
function readoutRequest(files) {
  const [readout, bias] = [files.choiceForRole('readout'), files.choiceForRole('readout_bias')];
  return { ...(readout ? { readout } : {}), ...(readout && bias ? { readout_bias: bias } : {}) };
}

/** The codes of a dictionary, or how they are made. @param {import('./file-list.js').UserFiles} files @param {import('./settings.js').Settings} settings */
function codesRequest(files, settings) {
  const [codes, ...more] = files.choicesForRole('codes');
  if (!codes) return { codes_by: settings.by() };
  const bias = files.choiceForRole('decoder_bias');
  return { codes, ...(more.length > 0 ? { more_codes: more } : {}), ...(bias ? { decoder_bias: bias } : {}) };
}

/**
 * What all that is scored has in common.
 *
 * @param {import('./file-list.js').UserFiles} files
 * @param {import('./settings.js').Settings} settings
 * @param {Weights} weights
 */
function sharedRequest(files, settings, weights) {
  const targets = files.choicesForRole('targets');
  return {
    ...(targets.length > 0 ? { targets } : {}),
    ...readoutRequest(files),
    skip: settings.skip(),
    options: { ...settings.axes(), weights, ...settings.limits() },
  };
}

/**
 * What of the files a score would leave out in silence, in words; nothing: nothing.
 *
 * @param {import('./file-list.js').UserFiles} files
 */
function unusableFileSentence(files) {
  if (files.choiceForRole('decoder_bias') && !files.choiceForRole('codes'))
    return 'The bias of a decoder needs the codes that it is of: name them, or leave the bias unused.';
  if (files.choiceForRole('readout_bias') && !files.choiceForRole('readout'))
    return 'A bias needs its readout: name one, or leave the bias unused.';
  const unfit = files.findMisfit();
  if (!unfit) return '';
  const { name, shape, width } = unfit;
  return `${name} is ${shape.map(formatInteger).join(' × ')}, and the activations have ${formatInteger(width)} columns: it fits nothing here. Say what it is, or remove it.`;
}

/**
 * What is to be compared: some of the autoencoders among the files and, where one has that role, the dictionary; or what is
 * missing for it, in words.
 *
 * @param {import('./file-list.js').UserFiles} files
 * @param {import('./settings.js').Settings} settings
 * @param {Weights} weights
 * @param {OwnMember[]} chosen
 * @param {number | undefined} seed of controls; none: there are none
 * @returns {OwnComparison | string}
 */
export function buildComparisonRequest(files, settings, weights, chosen, seed) {
  const activations = files.activationChoices();
  if (!activations) return 'Still needed: activations, one row a sample.';
  const dictionary = files.choiceForRole('dictionary');
  if (!dictionary && files.choiceForRole('codes'))
    return 'Autoencoders make their own codes: name the dictionary that those of the file are of, or leave them unused.';
  const lost = unusableFileSentence(files);
  if (lost) return lost;
  const shared = { ...activations, ...sharedRequest(files, settings, weights) };
  /** @type {OwnComparison['members']} */
  const members = chosen.map(({ name, sae }) => ({ name, request: { ...shared, sae } }));
  if (dictionary) {
    const name = dictionary.array ? `${dictionary.file}:${dictionary.array}` : dictionary.file;
    members.push({ name, request: { ...shared, dictionary, ...codesRequest(files, settings) } });
  }
  if (members.length === 0) return 'Still needed: one autoencoder or more to compare.';
  return { members, ...(seed === undefined ? {} : { seed }) };
}

/**
 * What is to be scored; or what is missing for it, in words.
 *
 * @param {import('./file-list.js').UserFiles} files
 * @param {import('./settings.js').Settings} settings
 * @param {Weights} weights
 * @returns {OwnRequest | string}
 */
export function buildRequest(files, settings, weights) {
  const activations = files.activationChoices();
  const [config, trained] = [files.choiceForRole('config'), files.choiceForRole('weights')];
  const scaler = files.choiceForRole('scaler');
  const dictionary = files.choiceForRole('dictionary');
  if (!activations) return 'Still needed: activations, one row a sample.';
  // Other tools write weights that need none.
  if (trained?.file.endsWith('sae_weights.safetensors') && !config) return 'Still needed: the autoencoder’s configuration, cfg.json.';
  if (trained && dictionary)
    return 'There are both a dictionary and an autoencoder: leave one of them unused.';
  if (!trained && !dictionary)
    return 'Still needed: a dictionary, one row a feature, or an autoencoder’s folder.';
  if (trained && files.choiceForRole('codes'))
    return 'An autoencoder makes its own codes: leave those of the file unused.';
  const lost = unusableFileSentence(files);
  if (lost) return lost;
  return {
    ...activations,
    ...(trained ? { sae: folderRequest(config, trained, scaler, files.furtherWeightFiles(trained)) } : {}),
    ...(dictionary ? { dictionary, ...codesRequest(files, settings) } : {}),
    ...sharedRequest(files, settings, weights),
  };
}

/** A word of a command line. @param {string} name */
const quoteArgument = (name) =>
  /^[\w./:-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The reader's activations, for training on them.
 *
 * @param {import('./file-list.js').UserFiles} files
 * @param {import('./files-client.js').FilesClient} client
 * @returns {GivenSource}
 */
export function createActivationsSource(files, client) {
  /** The last world that files were read whole for. @type {{ key: unknown[], world: Extract<World, { world: 'given' }> } | null} */
  let last = null;

  /** @param {number} seed @returns {OwnGiven} */
  function activationsRequest(seed) {
    const activations = files.activationChoices();
    if (!activations)
      throw new Error('there are no activations yet: choose a file of them under “Your own decomposition”');
    return { ...activations, ...readoutRequest(files), seed };
  }

  return {
    async world(seed) {
      const request = activationsRequest(seed);
      const open = files.filesToOpen();
      const named = [request.activations, ...(request.more_activations ?? []), request.readout, request.readout_bias];
      // A file of the same name may be another one.
      const key = [JSON.stringify(request), ...named.map((choice) => choice && files.findFile(choice))];
      // Files are read whole for their digests: once.
      if (!last || last.key.length !== key.length || key.some((part, at) => part !== last?.key[at]))
        last = { key, world: await client.readActivations(open, request) };
      return last.world;
    },
    flags() {
      const readout = files.choiceForRole('readout');
      const given = files.activationChoices();
      /** @type {[string, (OwnGiven['activations'] | undefined)[]][]} */
      const named = [
        ['--activations', given ? [given.activations, ...(given.more_activations ?? [])] : []],
        ['--readout', [readout]],
        ['--readout-bias', [readout && files.choiceForRole('readout_bias')]],
      ];
      const flags = named.flatMap(([flag, choices]) => {
        const words = choices.flatMap((choice) =>
          choice ? [quoteArgument(choice.array ? `${choice.file}:${choice.array}` : choice.file)] : [],
        );
        return words.length > 0 ? [flag, ...words] : [];
      });
      return readout?.transposed ? [...flags, '--transposed', 'readout'] : flags;
    },
    draw: async (seed, wanted) => packArrays(await client.readActivations(files.filesToOpen(), activationsRequest(seed), wanted)),
  };
}
