// @ts-check
/** An autoencoder, trained. */

import { TRIES } from '../../workers/study.js';
import { plain, said } from '../given.js';
import { refusal } from '../refusal.js';
import { givenOf, judged, keyed, whole, worldOf } from './checks.js';

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
        throw refusal('state.malformed', 'state', said(state), 'the state of an earlier training');
      const { config, usual, ...trained } = await withCore((core) => {
        const usual = core.families_choices();
        const small = core.families_preset('small');
        const own = given === undefined ? null : givenOf(core, given);
        /** @type {Partial<TrainConfig>} */
        const asked = keyed('train', plain('train', draft), Object.keys(small.train));
        if (own && of !== undefined)
          throw refusal('train.world', 'world', 'named', 'undefined where activations are given');
        const world = own?.world ?? worldOf(core, plain('world', of ?? 'superposition'));
        const [most = 0, held = 0] = core.world_split(world, usual.rows_max);
        const rows = whole('rows', options.rows ?? Math.min(usual.rows, most), 2, most);
        const config = state
          ? plain('state', state).config
          : { ...core.train_defaults(String(asked.family ?? 'topk')), ...asked };
        // Some knobs of the study may be more than the latents: those are not asked about.
        const one = { ...small, world, ks: [1], train_rows: rows, eval_rows: held };
        if (!state) judged(core, { ...one, train: config }, one, 'train');
        return { config, usual, world, rows, held, drawn: own?.draw(rows + held) };
      });
      const left = state ? config.steps - state.step : config.steps;
      const task = /** @type {TrainWholeTask} */ ({
        kind: 'train-whole',
        config,
        ...trained,
        state: state && plain('state', state),
        steps: whole('steps', options.steps ?? left, 1, usual.steps_max),
        points: whole('points', options.points ?? usual.points, 1, usual.points_max),
      });
      /** @type {Omit<import('../../types/sfc-bench.d.ts').Trained, 'folder'>} */
      const found = await submit(task, {
        tries: TRIES,
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
            { tries: TRIES },
          ),
      };
    },
  };
}
