// @ts-check
/** A plan of a run, the run itself, and what is said of both. */

import { describeError, showError } from '../../shell/dom.js';
import { formatRemaining } from '../../shell/duration.js';
import { formatCount, formatInteger } from '../../shell/basic-format.js';
import { RefusalError } from '../../workers/pool.js';
import { CancelledError } from '../../workers/rpc-client.js';
import { buildRequest } from './request.js';
import { planWorkers } from './worker-count.js';

/** @type {Record<OwnProgress['phase'], [words: string, counted: string]>} */
const PHASE_LABELS = {
  loading: ['Reading the dictionary and what it spans', ''],
  lengths: ['Measuring lengths of rows', 'rows'],
  rows: ['Coding and measuring rows', 'rows'],
  'active-subspace': ['Projecting on what is active', 'rows'],
  directions: ['Comparing directions', 'features'],
  digests: ['Taking the files’ SHA-256', ''],
  done: ['Done', ''],
};

/** What will take how long is not said before so many ms of a phase. */
const ESTIMATE_DELAY = 1000;

/** @param {unknown} error @returns {Problem} */
const toProblem = (error) =>
  error instanceof RefusalError ? error.problem : { code: 'page.worker', message: describeError(error) };

/** @param {OwnPlan} plan @param {OwnRequest} request */
const describePlan = (plan, { activations, more_activations: more = [], options }) =>
  [
    `${formatCount(plan.rows, 'row')} of ${formatInteger(plan.dimensions)}${more.length > 0 ? ` in ${formatInteger(more.length + 1)} files, from ${activations.file} to ${more.at(-1)?.file}` : ''}`,
    `a dictionary of ${formatInteger(plan.k)} × ${formatInteger(plan.dimensions)}`,
    `codes: ${plan.codes}`,
    `${formatCount(plan.outputs, 'output')}. ${planWorkers(plan, options?.memory).words}`,
  ].join('; ');

export class ScoringRun {
  /** Counts what was asked for: an answer to an older question is not shown. */
  #asked = 0;
  #parts;
  running = false;

  /**
   * @param {object} parts
   * @param {import('./files-client.js').FilesClient} parts.client
   * @param {import('./file-list.js').UserFiles} parts.files
   * @param {import('./settings.js').Settings} parts.settings
   * @param {import('./page-elements.js').RunControls} parts.controls
   * @param {import('./report.js').ReportSection} parts.report
   * @param {() => Weights} parts.weights
   * @param {(text: string) => void} parts.announce
   * @param {(work: () => Promise<void>) => void} parts.later does it when what came before is done
   * @param {(on: boolean) => void} parts.onRunning
   * @param {(report: OwnReport, program?: string) => void} parts.onFound
   */
  constructor(parts) {
    this.#parts = parts;
  }

  #buildRequest() {
    const { files, settings, weights } = this.#parts;
    return buildRequest(files, settings, weights());
  }

  /** Shows a refusal where it belongs; nothing: there is none. @param {Problem | null} problem */
  #showProblem(problem) {
    const { files, settings, controls } = this.#parts;
    // Both take away what they showed.
    const placed = [settings.showProblem(problem), files.showProblem(problem)].includes(true);
    showError(controls.refused, problem && !placed ? problem.message : '');
  }

  /** @param {Problem} problem */
  #showRefusal(problem) {
    this.#parts.controls.planned.textContent = '';
    this.#showProblem(problem);
    this.#parts.announce(problem.message);
  }

  /** Holds shapes against each other and says what a run would take. */
  plan() {
    const { client, files, settings, controls, later } = this.#parts;
    const mine = ++this.#asked;
    controls.start.disabled = true;
    settings.setCoding(!!files.choiceForRole('dictionary') && !files.choiceForRole('codes'));
    controls.readoutNote.textContent = files.choiceForRole('readout')
      ? 'C compares outputs of the readout that you gave.'
      : 'No readout is given: f is the identity, so C measures the activations themselves.';
    const wish = this.#buildRequest();
    this.#showProblem(null);
    if (typeof wish === 'string') {
      controls.planned.textContent = wish;
      return;
    }
    const problem = settings.problem();
    if (problem) {
      this.#showRefusal(problem);
      return;
    }
    // A run under way is not disturbed; what it leaves is planned then.
    if (this.running) return;
    later(async () => {
      if (mine !== this.#asked || this.running) return;
      try {
        const plan = await client.planRun(files.filesToOpen(), wish);
        if (mine !== this.#asked) return;
        controls.planned.textContent = describePlan(plan, wish);
        controls.start.disabled = false;
      } catch (error) {
        if (mine !== this.#asked || error instanceof CancelledError) return;
        this.#showRefusal(toProblem(error));
      }
    });
  }

  /** When this phase began, and what was done of it by then. */
  #since = { phase: '', at: 0, done: 0 };

  /** How long this phase will still take, where that can be told. @param {OwnProgress} progress */
  #remainingLabel({ phase, done, total }) {
    const now = performance.now();
    if (phase !== this.#since.phase) this.#since = { phase, at: now, done };
    const { at, done: before } = this.#since;
    if (now - at < ESTIMATE_DELAY || done <= before) return '';
    return `, about ${formatRemaining(((now - at) * (total - done)) / (done - before))} left`;
  }

  /** @param {OwnProgress} progress */
  #showProgress(progress) {
    const { phase, done, total, found } = progress;
    const { meter, status } = this.#parts.controls;
    if (found && this.running) this.#parts.report.showPartial(found);
    const [words, what] = PHASE_LABELS[phase];
    if (what && total > 0) {
      meter.value = done / total;
      status.textContent = `${words}: ${formatInteger(done)} of ${formatInteger(total)} ${what}${this.#remainingLabel(progress)}`;
    } else {
      meter.removeAttribute('value');
      status.textContent = words;
    }
  }

  /** @param {boolean} on */
  #setRunning(on) {
    this.running = on;
    this.#parts.onRunning(on);
  }

  async start() {
    const { client, files, controls, report, announce, onFound } = this.#parts;
    const wish = this.#buildRequest();
    if (this.running || typeof wish === 'string') return;
    this.#setRunning(true);
    this.#showProblem(null);
    this.#showProgress({ phase: 'loading', done: 0, total: 0 });
    announce('The evaluation has begun.');
    let end = '';
    /** @type {Problem | null} */
    let problem = null;
    try {
      const { report: found, script } = await client.run(files.filesToOpen(), wish, (progress) => this.#showProgress(progress));
      onFound(found, script);
      end = 'Done.';
    } catch (error) {
      const kept = report.restoreFormer();
      if (error instanceof CancelledError) end = `Cancelled.${kept}`;
      else {
        problem = toProblem(error);
        end = `It broke off.${kept}`;
      }
    }
    this.#setRunning(false);
    controls.status.textContent = end;
    announce(problem ? `${end} ${problem.message}` : end);
    // The worker has no plan any more; and what was refused is said again, where it belongs.
    if (problem) this.#showProblem(problem);
    else this.plan();
    controls.start.disabled = false;
  }
}
