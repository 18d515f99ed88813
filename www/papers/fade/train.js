// @ts-check
/** An autoencoder trained on this page, on the toy model's residual stream, and then rated. */

import { el, createErrorLine, describeError, handleSubmit } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { createProgressLine } from '../../shell/progress-meter.js';
import { swapButtons } from '../../shell/button-pair.js';
import { createTrainingFields } from '../../lab/training/fields.js';
import { PROGRESS_POINTS, UNTRAINED_CHECKPOINT, trainAutoencoder } from '../../toy-model/train-autoencoder.js';
import { RefusalError } from '../../workers/pool.js';
import { formatInteger } from '../../shell/basic-format.js';

/** The last checkpoint of the training. */
const FINAL_CHECKPOINT = 'ck-12000';

/** What a checkpoint is called. @param {string} name */
function checkpointLabel(name) {
  const steps = Number(/^ck-(\d+)$/.exec(name)?.[1] ?? NaN);
  if (name === UNTRAINED_CHECKPOINT) return 'untrained model (a control)';
  return Number.isNaN(steps) ? name : `after ${formatInteger(steps)} steps`;
}

/** The fields, and what they hold. @param {Lab} core */
function createForm(core) {
  const { family, latents, k } = core.train_defaults('topk');
  const names = core.little_checkpoints();
  const checkpoint = createField({
    ...{ kind: 'select', id: 'fade-train-checkpoint', label: 'Residual stream of' },
    options: names.map((name) => [name, checkpointLabel(name)]),
  });
  checkpoint.show(FINAL_CHECKPOINT);
  const general = createErrorLine('fade-train-error');
  const fields = createTrainingFields({ core, prefix: 'fade-train', family, latents, k, general });
  const start = el('button', { type: 'submit', id: 'fade-train-start' }, 'Train');
  const cancel = el('button', { type: 'button', id: 'fade-train-cancel', hidden: true }, 'Cancel');
  const element = el(
    'form',
    { class: 'families-controls', id: 'fade-train-form', novalidate: true },
    fields.family,
    checkpoint.element,
    ...fields.numbers,
    el('span', { class: 'families-go' }, start, cancel),
  );

  return {
    ...{ element, general, start, cancel, showProblem: fields.showProblem },
    wanted: () => fields.wanted(checkpoint.value()),
  };
}

/** @param {Metrics} metrics @param {number} steps */
const progressSentence = ({ step, loss, explained, l0, dead }, steps) =>
  `Step ${formatInteger(step)} of ${formatInteger(steps)}: loss ${loss.toPrecision(3)}, ${(100 * explained).toFixed(1)} % explained, ${l0.toFixed(1)} active, ${dead} dead`;

/** The losses as a line, for the eye; the numbers are in the sentence beside it. */
function createSparkline() {
  const [width, height] = [240, 48];
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('class', 'fade-spark');
  svg.setAttribute('role', 'img');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  svg.append(line);
  return {
    svg,
    /** @param {readonly Metrics[]} curve */
    show(curve) {
      const losses = curve.map(({ loss }) => loss);
      const most = Math.max(...losses);
      const points = losses.map((loss, at) => `${((at + 0.5) * width) / PROGRESS_POINTS},${height - 2 - ((height - 4) * loss) / (most || 1)}`);
      line.setAttribute('points', points.join(' '));
      svg.setAttribute('aria-label', `Loss from ${losses[0]?.toPrecision(3)} to ${losses.at(-1)?.toPrecision(3)}`);
    },
  };
}

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.element where it is to be
 * @param {(own: LittleAutoencoder) => void} parts.onTrained
 */
export function createTrainingSection(tools, { element, onTrained }) {
  const { announce } = tools;
  const form = createForm(tools.core);
  const line = createProgressLine('fade-train', 'the training', 'None was trained yet.', announce);
  const { say } = line;
  const spark = createSparkline();
  const drawn = el('div', { hidden: true }, spark.svg);
  element.append(form.element, form.general, line.element, drawn);
  /** @type {AbortController | null} */
  let running = null;

  async function train() {
    if (running) return;
    const wanted = form.wanted();
    if ('message' in wanted) {
      form.showProblem(wanted);
      return;
    }
    form.showProblem(null);
    const { signal } = (running = new AbortController());
    swapButtons(form.start, form.cancel, true);
    line.fill(0);
    line.setRunning(true);
    say('Reading the residual stream …');
    /** @type {Metrics[]} */
    const curve = [];
    try {
      const autoencoder = await trainAutoencoder(tools, wanted, {
        signal,
        priority: 1,
        onMetrics(share, metrics) {
          line.fill(share);
          curve.push(metrics);
          drawn.hidden = false;
          spark.show(curve);
          say(`${progressSentence(metrics, wanted.config.steps)}.`);
        },
      });
      const last = curve.at(-1);
      say(`Trained. ${last ? `${progressSentence(last, wanted.config.steps)}. ` : ''}It is rated above as “the one trained here”, until this page is left.`, true);
      onTrained(autoencoder);
    } catch (error) {
      if (signal.aborted) say('Cancelled.', true);
      else if (error instanceof RefusalError) {
        say('Refused.');
        form.showProblem(error.problem);
        announce(error.problem.message);
      } else say(`Broke off: ${describeError(error)}. Train tries again.`, true);
    }
    running = null;
    line.setRunning(false);
    swapButtons(form.start, form.cancel, false);
  }

  handleSubmit(form.element, train);
  form.cancel.addEventListener('click', () => running?.abort(new Error('cancelled')));
}
