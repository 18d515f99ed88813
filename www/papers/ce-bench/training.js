// @ts-check
/** Autoencoders trained in this tab, each scored beside the others as soon as it is there. */

import { el, describeError, handleSubmit } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { RefusalError } from '../../workers/pool.js';
import { createTrainingFields } from '../../lab/training/fields.js';
import { UNTRAINED_CHECKPOINT, trainAutoencoder } from '../../toy-model/train-autoencoder.js';

/**
 * @typedef {object} Trained
 * @property {string} name among the subjects
 * @property {string} label
 * @property {boolean} trained whether the model was, too: a control otherwise
 * @property {LittleAutoencoder | null} autoencoder null as long as it is on its way
 */

/** The form. @param {HTMLElement} form empty @param {HTMLElement} general @param {Lab} core */
function createForm(form, general, core) {
  const { families, k } = core.families_choices();
  const checkpoints = core.little_checkpoints();
  const last = core.little_needs('fade', '')[0] ?? '';
  const checkpoint = createField({
    ...{ kind: 'select', id: 'ce-bench-train-checkpoint', label: 'Checkpoint' },
    options: checkpoints.map((name) => [name, name]),
  });
  checkpoint.show(last);
  const fields = createTrainingFields({
    ...{ core, prefix: 'ce-bench-train', general, latents: 128, k },
    family: core.families_preset('small').train.family,
  });
  const go = el('button', { type: 'submit', id: 'ce-bench-train-start' }, 'Train and score');
  form.append(fields.family, ...fields.numbers, checkpoint.element, el('span', { class: 'families-go' }, go));

  const wanted = () => fields.wanted(checkpoint.value());

  /** @param {LittleTrainingWanted} of */
  function labelOf({ config, checkpoint: of }) {
    const name = families.find((one) => one.family === config.family)?.label ?? config.family;
    const sparse = fields.hasK() ? `k ${config.k}` : `λ ${config.sparsity}`;
    const where = of === last ? '' : `, of ${of}`;
    return `${name} ${config.latents}, ${sparse}, seed ${config.seed}${where}: trained here`;
  }
  return { wanted, showProblem: fields.showProblem, labelOf };
}

/** A training's line in the list. @param {string} label */
function createLine(label) {
  const meter = el('progress', { max: 1, value: 0, 'aria-label': `Training of ${label}` });
  const said = el('span', {}, 'waiting');
  const cancel = el('button', { type: 'button', class: 'quiet', 'aria-label': `Cancel ${label}` }, 'Cancel');
  const open = el('button', { type: 'button', class: 'quiet', hidden: true }, 'Open its pairs');
  const remove = el(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `Remove ${label}`, hidden: true },
    'Remove',
  );
  open.setAttribute('aria-label', `Open the pairs of ${label}`);
  const element = el('li', {}, el('b', {}, label), ' ', meter, ' ', said, ' ', cancel, open, remove);
  return { element, meter, said, cancel, open, remove };
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.form empty
 * @param {HTMLElement} parts.general where a refusal goes that is no field's
 * @param {HTMLElement} parts.list
 * @param {(one: Trained, signal: AbortSignal) => Promise<void>} parts.onTrained scores it
 * @param {(one: Trained) => void} parts.onOpen
 * @param {(one: Trained) => void} parts.onRemove
 */
export function createTrainingList(tools, { form, general, list, onTrained, onOpen, onRemove }) {
  const { announce } = tools;
  const asked = createForm(form, general, tools.core);
  let count = 0;

  /** @param {LittleTrainingWanted} wanted */
  async function train(wanted) {
    count += 1;
    /** @type {Trained} */
    const one = {
      name: `own-${count}`,
      label: asked.labelOf(wanted),
      trained: wanted.checkpoint !== UNTRAINED_CHECKPOINT,
      autoencoder: null,
    };
    const line = createLine(one.label);
    list.append(line.element);
    const running = new AbortController();
    const { signal } = running;
    line.cancel.addEventListener('click', () => running.abort());
    line.open.addEventListener('click', () => onOpen(one));
    line.remove.addEventListener('click', () => {
      line.element.remove();
      form.querySelector('button')?.focus();
      if (one.autoencoder) onRemove(one);
    });
    /** @param {string} text */
    const say = (text) => {
      line.said.textContent = text;
    };
    try {
      one.autoencoder = await trainAutoencoder(tools, wanted, {
        signal,
        onMetrics(share, { step }) {
          line.meter.value = share;
          say(`step ${step} of ${wanted.config.steps}`);
        },
      });
      say('scoring');
      await onTrained(one, signal);
      say('scored: it stands in every figure');
      line.open.hidden = false;
      announce(`${one.label}: scored.`);
    } catch (error) {
      one.autoencoder = null;
      if (error instanceof RefusalError && !signal.aborted) {
        line.element.remove();
        asked.showProblem(error.problem);
        announce(error.problem.message);
        return;
      }
      say(signal.aborted ? 'cancelled' : `broke off: ${describeError(error)}`);
    }
    line.meter.hidden = true;
    const focused = document.activeElement === line.cancel;
    line.cancel.hidden = true;
    line.remove.hidden = false;
    if (focused) line.remove.focus();
  }

  handleSubmit(form, () => {
    const wanted = asked.wanted();
    if ('message' in wanted) {
      asked.showProblem(wanted);
      announce(wanted.message);
      return;
    }
    asked.showProblem(null);
    train(wanted);
  });
}
