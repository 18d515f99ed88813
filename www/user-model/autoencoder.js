// @ts-check
/** An autoencoder in a reader's own model: what its reconstruction does to predictions, and its latents over texts. */

import { createButton, el } from '../shell/dom.js';
import { createFilePicker } from '../shell/file-drop.js';
import { createLabelled, createSelect } from '../shell/fields.js';
import { AUTOENCODER_FILE_PATTERN } from '../workers/autoencoder-files.js';
import { formatRounded, formatPercent } from '../shell/number-format.js';
import { runStudySteps } from './study-steps.js';
import { createElementTable } from '../shell/scroll-region.js';
import { formatToken, formatTokenInText } from './token-format.js';
import { setShade } from '../toy-model/shaded-words.js';

/** @typedef {import('./model-client.js').ModelClient} ModelClient */
/** @typedef {<T>(words: string, work: () => Promise<T>, then: (found: T) => string) => Promise<void>} Doing */

/** Latents and places that are listed. */
const LATENTS_SHOWN = 20;
const CONTEXTS_SHOWN = 10;

/** What is in the place of the activation, and what that does. @param {SpliceReport} report */
function createSpliceTable(report) {
  /** @param {string} name @param {Effect} effect @param {number | null} recovered */
  const row = (name, effect, recovered) => [name, formatRounded(effect.cross_entropy), formatRounded(recovered), formatRounded(effect.kl), formatPercent(effect.top1_agreement)];
  const own = { cross_entropy: report.cross_entropy_spliced, kl: report.kl, top1_agreement: report.top1_agreement };
  /** @type {Record<string, string>} */
  const names = { zeros: 'Control: zeros', mean: 'Control: mean of the text', 'random error': 'Control: a random error as long as what the splice adds' };
  const rows = [
    row('The activation as it is', { cross_entropy: report.cross_entropy, kl: 0, top1_agreement: 1 }, 1),
    row('The autoencoder’s reconstruction', own, report.recovered),
    ...report.controls.map((control) => row(names[control.name] ?? control.name, control, control.recovered)),
  ];
  const edits = report.edits.map(({ latent, scale }) => `, latent ${latent} scaled by ${scale}`);
  const how = `${report.hook}${report.keep_error ? ', its error term kept' : ''}${edits.join('')}`;
  return createElementTable(`What stands at the hook ${how}, and what the model makes of the text then`, ['At the hook', 'Cross-entropy (nats)', 'Loss recovered', 'KL', 'Top-1 agreement'], rows);
}

/** Places of a latent: the token in question among those around it. @param {ModelTasks['model-latent']['answer']['contexts']} contexts */
function createContextList(contexts) {
  const most = contexts[0]?.activation ?? 1;
  const items = contexts.map(({ activation, tokens, pieces, at }) => {
    const words = tokens.map(([token, value], index) => {
      const word = (pieces[index] ?? `#${token}`).replaceAll('\n', '⏎');
      const box = el(index === at ? 'b' : 'span', { class: 'model-own-piece', title: `${formatTokenInText({ token, text: pieces[index] })} ${formatRounded(value, 2)}` }, word);
      setShade(box, Math.max(0, Math.min(1, value / most)));
      return box;
    });
    return el('li', {}, el('span', { class: 'toy-value' }, formatRounded(activation, 2)), ' ', ...words);
  });
  return el('ol', { class: 'model-own-contexts' }, ...items);
}

/** @param {string} label @param {ModelTasks['model-latent']['answer']['raised']} moved */
const createLogitLine = (label, moved) =>
  moved
    ? el('p', {}, `${label} the logits of `, el('span', {}, moved.map((one) => `${formatToken(one)} ${one.effect < 0 ? '' : '+'}${formatRounded(one.effect)}`).join(', ')))
    : '';

/** @param {ModelTasks['model-concepts']['answer']} found @param {(latent: number) => void} open */
function createConceptTable({ rows, directions, positions }, open) {
  const lines = rows.map(({ concept, positives, best, random, shuffled }) => {
    const link = best ? createButton(String(best.index), {}, () => open(best.index)) : '–';
    return [concept, String(positives[0] + positives[1]), link, formatRounded(best?.held_out), formatRounded(random?.held_out), formatRounded(shuffled?.held_out)];
  });
  const name = `Which concepts latents separate: AUROC of the latent that is best in every other text (${positions[0]} positions), measured in the others (${positions[1]}); – where a half has fewer than five`;
  return createElementTable(name, ['Concept', 'Positions', 'Latent', 'AUROC', `Best of ${directions} random directions`, 'Shuffled labels'], lines);
}

/** @param {ModelTasks['model-latents']['answer']} found @param {(latent: number) => void} open */
function createLatentTable(found, open) {
  const rows = found.rows.map(({ latent, density, max, mean }) => {
    const link = createButton(String(latent), {}, () => open(latent));
    return [link, formatRounded(max, 2), formatRounded(mean, 2), formatPercent(density)];
  });
  const name = `${found.alive} of ${found.latents} latents are active in ${found.texts} texts, at ${found.positions} positions (the first of each text is left out), L0 ${formatRounded(found.l0, 1)}`;
  return createElementTable(name, ['Latent', 'Greatest', 'Mean where active', 'Density'], rows);
}

/** All that can be pressed and filled in about latents, and where they are shown. */
function createLatentElements() {
  const corpus = el('textarea', { id: 'model-own-corpus', rows: '4', spellcheck: 'false', placeholder: 'Texts with blank lines between them; without any, ours are taken: prose, dialogue, code, numbers, German, French' });
  const run = el('button', { type: 'button', id: 'model-own-latents-run' }, 'Look for latents');
  const stop = el('button', { type: 'button', id: 'model-own-latents-stop', hidden: true }, 'Stop');
  const goOn = el('button', { type: 'button', id: 'model-own-latents-go-on', hidden: true }, 'Go on');
  const progress = el('p', { class: 'help', id: 'model-own-latents-progress' });
  const order = createSelect({ id: 'model-own-order' }, [
    ['max', 'greatest activation'],
    ['density', 'density'],
    ['number', 'number'],
  ]);
  const list = el('div', { id: 'model-own-latents' });
  const number = el('input', { type: 'number', id: 'model-own-latent', min: '0', value: '0' });
  const detail = el('div', { id: 'model-own-latent-view' });
  const rules = el('textarea', { id: 'model-own-rules', rows: '8', spellcheck: 'false' });
  const score = el('button', { type: 'button', id: 'model-own-concepts-run' }, 'Hold latents against the concepts');
  const concepts = el('div', { id: 'model-own-concepts' });
  const results = el(
    'div',
    { hidden: true },
    createLabelled('Order', order),
    list,
    createLabelled('Latent', number),
    detail,
    el('details', {}, el('summary', {}, 'Concepts, a rule a line'), el('label', { class: 'visually-hidden', for: 'model-own-rules' }, 'Rules of concepts'), rules),
    score,
    concepts,
  );
  const element = el(
    'div',
    {},
    el('h3', {}, 'Latents'),
    el('label', { for: 'model-own-corpus' }, 'Texts to look for latents in'),
    corpus,
    el('p', { class: 'row' }, run, ' ', stop, ' ', goOn),
    progress,
    results,
  );
  return { element, corpus, run, stop, goOn, progress, order, list, number, detail, rules, score, concepts, results };
}

/** The latents of an autoencoder over texts. @param {{ client: ModelClient, doing: Doing, hook: () => string }} parts */
function createLatentStudy({ client, doing, hook }) {
  const { element, corpus, run, stop, goOn, progress, order, list, number, detail, rules, score, concepts, results } = createLatentElements();
  let stopped = false;

  async function open() {
    const latent = Number(number.value);
    const found = await client.ask('model-latent', { latent, count: CONTEXTS_SHOWN });
    const none = found.contexts.length === 0;
    detail.replaceChildren(
      el('h4', {}, `Latent ${found.latent}`),
      none ? el('p', {}, 'It is active nowhere in these texts.') : createContextList(found.contexts),
      createLogitLine('Raises', found.raised),
      createLogitLine('Lowers', found.lowered),
      found.raised ? el('p', { class: 'help' }, 'Its direction through the gain of the last normalisation and the unembedding, less the mean over all tokens.') : '',
    );
  }
  /** @param {number} latent */
  const choose = (latent) => {
    number.value = String(latent);
    doing('Computing…', open, () => '');
  };
  async function show() {
    const found = await client.ask('model-latents', { order: /** @type {'max'} */ (order.value), count: LATENTS_SHOWN });
    list.replaceChildren(createLatentTable(found, choose));
    results.hidden = false;
    return found;
  }
  function clear() {
    [results.hidden, goOn.hidden] = [true, true];
    for (const place of [list, detail, concepts]) place.replaceChildren();
    progress.textContent = '';
  }
  async function study() {
    clear();
    const text = corpus.value.trim() === '' ? undefined : corpus.value;
    const steps = await client.beginStudy('model-study', { text, hook: hook(), seed: 0 });
    return read(steps, 0);
  }
  /** How many contexts there are, and how many of them were read when it was stopped. */
  let unread = { steps: 0, done: 0 };
  async function resumeReading() {
    await client.resume();
    return read(unread.steps, unread.done);
  }
  /** Reads all contexts from one on. @param {number} steps @param {number} from */
  async function read(steps, from) {
    stopped = false;
    [run.hidden, stop.hidden, goOn.hidden] = [true, false, true];
    try {
      const done = await runStudySteps({
        client,
        kind: 'model-study-step',
        steps,
        from,
        unit: 'contexts',
        tell: (words) => {
          progress.textContent = words;
        },
        // What there is so far is shown now and then.
        onStep: async (done, before) => {
          if (Math.floor(done / 16) > Math.floor(before / 16) && done < steps) await show();
        },
        isStopped: () => stopped,
      });
      unread = { steps, done };
      goOn.hidden = done >= steps;
      const found = await show();
      if (found.rows[0]) {
        number.value = String(found.rows[0].latent);
        await open();
      }
      return found;
    } finally {
      [run.hidden, stop.hidden] = [false, true];
    }
  }
  for (const [press, work] of /** @type {const} */ ([[run, study], [goOn, resumeReading]]))
    press.addEventListener('click', () => doing('Reading texts…', work, ({ alive, latents }) => `${alive} of ${latents} latents are active.`));
  stop.addEventListener('click', () => {
    stopped = true;
  });
  order.addEventListener('change', () => doing('Computing…', show, () => ''));
  number.addEventListener('change', () => choose(Number(number.value)));
  score.addEventListener('click', () =>
    doing('Computing…', () => client.ask('model-concepts', { rules: rules.value }), (found) => {
      concepts.replaceChildren(createConceptTable(found, choose));
      return 'The concepts are below.';
    }),
  );
  return {
    element,
    /** @param {string} defaults */
    reset(defaults) {
      rules.value = defaults;
      clear();
    },
    clear,
    /** Texts and rules, where others than those built in are wanted. */
    given: () => ({ ...(corpus.value.trim() !== '' && { texts: corpus.value }), ...(rules.value.trim() !== '' && { rules: rules.value }) }),
  };
}

/**
 * @param {object} parts
 * @param {ModelClient} parts.client
 * @param {Doing} parts.doing
 * @param {(of: { width: number, latents: number } | null) => void} parts.onAutoencoder there is another, or none
 * @param {() => number[]} parts.tokens of the text that was asked last
 * @param {() => string} parts.rules of concepts
 */
export function createUserAutoencoder({ client, doing, onAutoencoder, tokens, rules }) {
  const about = el('p', { id: 'model-own-sae-facts' });
  const hook = el('select', { id: 'model-own-sae-hook' });
  const keep = el('input', { type: 'checkbox', id: 'model-own-keep' });
  const latent = el('input', { type: 'number', id: 'model-own-edit', min: '0' });
  const scale = el('input', { type: 'number', id: 'model-own-scale', step: 'any', value: '0' });
  const run = createButton('Splice it in', { id: 'model-own-splice' }, () => runSplice());
  const report = el('div', { id: 'model-own-report' });
  const latents = createLatentStudy({ client, doing, hook: () => chosenHook() });
  const settings = el(
    'div',
    { hidden: true },
    el(
      'div',
      { class: 'model-own-controls' },
      createLabelled('Hook', hook),
      el('label', { for: 'model-own-keep' }, keep, ' keep its error term'),
      createLabelled('Scale latent', latent),
      createLabelled('by', scale),
      run,
    ),
    report,
    latents.element,
  );
  /** Those of the autoencoder that is open. @type {[string, File][]} */
  let opened = [];
  /** @type {{ width: number, latents: number } | null} */
  let shape = null;
  /** @param {[string, File][]} files */
  function open(files) {
    opened = [];
    // The worker lets the former one go, whatever becomes of these.
    settings.hidden = true;
    about.textContent = '';
    onAutoencoder(null);
    return doing('Opening the autoencoder…', () => client.ask('model-sae', { files }), (found) => {
      const assumed = found.assumed.length > 0 ? ` Assumed: ${found.assumed.join(' ')}` : '';
      const unnamed = found.hook === null ? ' It names no hook that this model has: choose the one that it was trained at.' : '';
      about.textContent = `${found.sentence}; activations of ${found.width} numbers.${assumed}${unnamed}`;
      hook.value = found.hook ?? '';
      latent.max = String(found.latents - 1);
      settings.hidden = false;
      opened = files.filter(([name]) => AUTOENCODER_FILE_PATTERN.test(name));
      shape = found;
      onAutoencoder(found);
      report.replaceChildren();
      latents.reset(rules());
      return unnamed === '' ? 'The autoencoder is here.' : 'The autoencoder is here; its hook is to be chosen.';
    });
  }
  /** The hook that was chosen. */
  function chosenHook() {
    if (hook.value === '') throw new Error('choose the hook that the autoencoder was trained at');
    return hook.value;
  }
  // What is shown is of what was asked for: another choice is another report.
  for (const control of [hook, keep, latent, scale]) control.addEventListener('change', () => report.replaceChildren());
  hook.addEventListener('change', () => {
    latents.clear();
    onAutoencoder(shape);
  });
  function runSplice() {
    const edits = latent.value === '' ? [] : [{ latent: Number(latent.value), scale: Number(scale.value) }];
    const options = { keep_error: keep.checked, edits, seed: 0 };
    const splice = async () => {
      if (tokens().length < 2) throw new Error('run a text of at least two tokens first, of which it is told what is lost');
      return client.ask('model-splice', { tokens: tokens(), hook: chosenHook(), options });
    };
    doing('Computing…', splice, (found) => {
      report.replaceChildren(
        createSpliceTable(found),
        el('p', { class: 'help' }, `L0 ${formatRounded(found.l0, 1)}, mean squared error ${formatRounded(found.mse)}: of all positions but the first, whose activations are outliers in many models. Loss recovered is (zeros − this)/(zeros − as it is).${found.zeros_lose ? '' : ' Zeros lower the loss of this text: here it says nothing.'}`),
      );
      return found.recovered === null || !found.zeros_lose ? 'It is spliced in.' : `Loss recovered ${formatRounded(found.recovered)}.`;
    });
  }
  const element = el(
    'div',
    { hidden: true },
    el('h3', {}, 'An autoencoder in the model'),
    el('p', {}, 'Drop a sparse autoencoder or choose it: SAELens, Gemma Scope, dictionary_learning and the other layouts of the page of own files.'),
    el(
      'div',
      { class: 'benchmark-bar' },
      ...createFilePicker('Choose its folder', { id: 'model-own-sae', webkitdirectory: true }, open),
      ...createFilePicker('Choose its files', { id: 'model-own-sae-files', multiple: true }, open),
    ),
    about,
    settings,
  );
  return {
    element,
    open,
    hook: chosenHook,
    given: latents.given,
    files: () => opened,
    /** Another text: what was found of the former one goes. */
    clear: () => report.replaceChildren(),
    /** Another model. @param {string[]} names of its hooks */
    reset(names) {
      hook.replaceChildren(...['', ...names].map((name) => el('option', { value: name }, name || 'choose')));
      about.textContent = '';
      opened = [];
      [element.hidden, settings.hidden] = [true, true];
    },
  };
}
