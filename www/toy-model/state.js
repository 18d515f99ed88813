// @ts-check
/** What the toy model's page shows, and how its address says it. */

/**
 * @typedef {{ kind: 'own', text: string } | { kind: 'drawn', seed: number, index: number } |
 *   { kind: 'prompt', task: string, index: number }} Source where a text comes from
 *
 * @typedef {object} ModelState
 * @property {string} checkpoint
 * @property {Source} source
 * @property {string[]} off heads that are off, by name
 * @property {string} head that is looked through
 * @property {string} sae
 * @property {string | null} unit a neuron (`n1.63`) or a latent (`f45`) whose activations are shown; null: the
 *   strongest latent
 */

/** @typedef {Pick<LinkChange, 'sentence'>} Change */

/** The model's layers, and the heads of each. */
export const N_LAYERS = 3;
export const N_HEADS = 4;

const HEAD_NAME = /^[0-2]\.[0-3]$/;
const UNIT_NAME = /^(n[0-2]\.\d{1,3}|f\d{1,3})$/;
/** Seeds and places of texts. */
const NUMBER_MAX = { seed: 4_294_967_295, index: 9_999, prompt: 127 };

/** The page as it opens. @param {Lab} core @returns {ModelState} */
export function defaultState(core) {
  const trained = core.little_dictionaries().find(({ name }) => name === 'topk256');
  return {
    checkpoint: 'ck-12000',
    source: { kind: 'prompt', task: 'ioi', index: 0 },
    off: [],
    head: '0.0',
    sae: trained?.name ?? core.little_dictionaries()[0]?.name ?? '',
    unit: null,
  };
}

/** @param {string} text @param {number} most */
const parseWholeNumber = (text, most) => (/^\d{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null);

/**
 * The readers of each key: what it asks for, or in which words it is refused.
 *
 * @type {Record<string, (core: Lab, value: string) => Partial<ModelState> | string>}
 */
const KEY_PARSERS = {
  v: (_core, value) => (value === '1' ? {} : 'this page reads version 1'),
  ck: (core, value) =>
    core.little_checkpoints().includes(value) ? { checkpoint: value } : 'there is no checkpoint of that name',
  t(core, value) {
    try {
      const count = core.language_tokens(value).length;
      const { context } = core.language();
      if (count > context) return `a text has at most ${context} words`;
      return { source: { kind: 'own', text: value } };
    } catch (error) {
      return /** @type {Problem} */ (error).message;
    }
  },
  draw(_core, value) {
    const [seed, index] = value.split('.');
    const [from, at] = [parseWholeNumber(seed ?? '', NUMBER_MAX.seed), parseWholeNumber(index ?? '0', NUMBER_MAX.index)];
    if (from === null || at === null) return 'a seed and a place are meant, as 2.0';
    return { source: { kind: 'drawn', seed: from, index: at } };
  },
  ask(core, value) {
    const [task = '', index] = value.split('.');
    const at = parseWholeNumber(index ?? '0', NUMBER_MAX.prompt);
    const known = core.language().tasks.some(({ name }) => name === task);
    if (!known || at === null) return 'a task and the number of a prompt are meant, as ioi.0';
    return { source: { kind: 'prompt', task, index: at } };
  },
  off(_core, value) {
    const heads = [...new Set(value.split(',').filter(Boolean))];
    return heads.every((head) => HEAD_NAME.test(head)) ? { off: heads.sort() } : 'heads are meant, as 0.0,2.3';
  },
  head: (_core, value) => (HEAD_NAME.test(value) ? { head: value } : 'a head is meant, as 0.0'),
  sae: (core, value) =>
    core.little_dictionaries().some(({ name }) => name === value)
      ? { sae: value }
      : 'there is no autoencoder of that name',
  unit: (_core, value) =>
    UNIT_NAME.test(value) ? { unit: value } : 'a neuron is meant, as n1.63, or a feature, as f45',
};

/**
 * What a query asks for. Whatever it says, the state is one that can be shown.
 *
 * @param {Lab} core @param {string} query
 * @returns {{ state: ModelState, changes: Change[] }}
 */
export function parseState(core, query) {
  let state = defaultState(core);
  /** @type {Change[]} */
  const changes = [];
  /** @type {Set<string>} */
  const met = new Set();
  for (const [key, value] of new URLSearchParams(query)) {
    const read = Object.hasOwn(KEY_PARSERS, key) ? KEY_PARSERS[key] : undefined;
    const said = value.length > 60 ? `${value.slice(0, 60)}…` : value;
    const found = !read
      ? 'there is no such key'
      : met.has(key)
        ? 'the key stands there twice'
        : read(core, value);
    met.add(key);
    if (typeof found === 'string') changes.push({ sentence: `${key}=${said} was left out: ${found}` });
    else state = { ...state, ...found };
  }
  return { state, changes };
}

/** The query of a state: what is as the page opens is left out. @param {Lab} core @param {ModelState} state */
export function formatState(core, state) {
  const plain = defaultState(core);
  const query = new URLSearchParams();
  /** @param {keyof ModelState} name @param {string} key */
  const put = (name, key) => {
    if (String(state[name] ?? '') !== String(plain[name] ?? '')) query.set(key, String(state[name] ?? ''));
  };
  put('checkpoint', 'ck');
  const { source } = state;
  if (JSON.stringify(source) !== JSON.stringify(plain.source)) {
    if (source.kind === 'own') query.set('t', source.text);
    if (source.kind === 'drawn') query.set('draw', `${source.seed}.${source.index}`);
    if (source.kind === 'prompt') query.set('ask', `${source.task}.${source.index}`);
  }
  put('off', 'off');
  put('head', 'head');
  put('sae', 'sae');
  put('unit', 'unit');
  return query.toString().replaceAll('%2C', ',');
}

/** Heads as the core takes them. @param {readonly string[]} heads */
export const toHeadPairs = (heads) => heads.flatMap((head) => head.split('.').map(Number));
