// @ts-check
/** An autoencoder, trained. */

import { TRIES_MAX } from '../../workers/families-jobs.js';
import { clonePlain, describeValue } from '../arguments.js';
import { createRefusal } from '../refusal.js';
import { importActivations, checkFamilies, checkKeys, checkInteger, resolveWorld } from './checks.js';

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'trainDefaults' | 'worldDefaults' | 'train'>}
 */
export function createTrainingApi(tools) {
  const { withCore, submit } = tools;

  return {
    trainDefaults: (family = 'topk') => withCore((core) => core.train_defaults(String(family))),
    worldDefaults: (name = 'superposition') => withCore((core) => core.world_defaults(String(name))),
    async train(draft = {}, of, options = {}) {
      const { given, state = null, onProgress, signal } = options;
      signal?.throwIfAborted();
      if (state !== null && typeof state?.config !== 'object')
        throw createRefusal('state.malformed', 'state', describeValue(state), 'the state of an earlier training');
      const { config, usual, ...trained } = await withCore((core) => {
        const usual = core.families_choices();
        const small = core.families_preset('small');
        const own = given === undefined ? null : importActivations(core, given);
        /** @type {Partial<TrainConfig>} */
        const asked = checkKeys('train', clonePlain('train', draft), Object.keys(small.train));
        if (own && of !== undefined)
          throw createRefusal('train.world', 'world', 'named', 'undefined where activations are given');
        const world = own?.world ?? resolveWorld(core, clonePlain('world', of ?? 'superposition'));
        const [most = 0, held = 0] = core.world_split(world, usual.rows_max);
        const rows = checkInteger('rows', options.rows ?? Math.min(usual.rows, most), 2, most);
        const config = state
          ? clonePlain('state', state).config
          : { ...core.train_defaults(String(asked.family ?? 'topk')), ...asked };
        // Some knobs of the study may be more than the latents: those are not asked about.
        const one = { ...small, world, ks: [1], train_rows: rows, eval_rows: held };
        if (!state) checkFamilies(core, { ...one, train: config }, one, 'train');
        return { config, usual, world, rows, held, drawn: own?.draw(rows + held) };
      });
      const left = state ? config.steps - state.step : config.steps;
      const task = /** @type {TrainWholeTask} */ ({
        kind: 'train-whole',
        config,
        ...trained,
        state: state && clonePlain('state', state),
        steps: checkInteger('steps', options.steps ?? left, 1, usual.steps_max),
        points: checkInteger('points', options.points ?? usual.points, 1, usual.points_max),
      });
      /** @type {Omit<import('../../types/sfc-bench.d.ts').Trained, 'folder'>} */
      const found = await submit(task, {
        tries: TRIES_MAX,
        signal,
        onProgress: (_, fraction, metrics) => onProgress?.(metrics, fraction),
      });
      const { family, seed } = config;
      const stem = `sae-${family}-${trained.world.world}-seed${seed}-step${found.state.step}`;
      return {
        ...found,
        folder: (name = stem) =>
          submit(
            {
              kind: 'train-folder',
              state: found.state,
              ...trained,
              name: String(name),
            },
            { tries: TRIES_MAX },
          ),
      };
    },
  };
}
