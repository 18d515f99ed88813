// @ts-check
/** The autoencoders of a release among a reader's files: listed, chosen from, and compared. */

import { createButton, el, createErrorLine, describeError, setScrollRegion, showError } from '../../shell/dom.js';
import { createCheckbox } from '../../shell/fields.js';
import { swapButtons } from '../../shell/button-pair.js';
import { formatCount, formatInteger } from '../../shell/basic-format.js';
import { RefusalError } from '../../workers/pool.js';
import { CancelledError } from '../../workers/rpc-client.js';
import { ComparisonReport } from './comparison.js';
import { buildComparisonRequest } from './request.js';

/** The seed of controls, as on the command line where none is named. */
const CONTROL_SEED = 0;

/** What is known of an autoencoder, in a line. @param {OwnMember} member */
function describeMember({ name, found, problem }) {
  if (!found) return `${name}: ${problem?.message ?? 'it cannot be read'}`;
  const { k, dimensions, recognised } = found;
  const [read, made] = dimensions;
  const width = read === made ? formatInteger(read) : `${formatInteger(read)} to ${formatInteger(made)}`;
  const { layout, architecture } = recognised;
  return `${name}: ${formatInteger(k)} latents of ${width}, ${layout}, ${architecture}${found.transcoder ? ', a transcoder' : ''}`;
}

export class ReleaseComparison {
  #parts;
  /** @type {OwnMember[]} */
  #members = [];
  /** Names of those that are not to be compared. @type {Set<string>} */
  #left = new Set();
  running = false;
  #held = false;
  /** What the comparison that is shown is of. */
  #compared = '';
  #report;
  #said = el('p', { id: 'own-members-said' });
  #filter = el('input', { type: 'search', id: 'own-members-filter', autocomplete: 'off' });
  #list = el('ul');
  #scrolling = el('div', { class: 'own-members' }, this.#list);
  #controls = createCheckbox(' With controls: random directions, a permuted decoder, principal components', { id: 'own-members-controls', checked: true });
  #start = createButton('Compare them', { id: 'own-compare' }, () => this.start());
  #cancel = createButton('Cancel', { id: 'own-compare-cancel', hidden: true }, () => this.#parts.client.cancel());
  #meter = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the comparison', hidden: true });
  #status = el('span', { class: 'benchmark-status', id: 'own-compare-status' });
  #problem = createErrorLine('own-compare-problem');

  element = el('div', { id: 'own-release', hidden: true });

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {import('./files-client.js').FilesClient} parts.client
   * @param {import('./file-list.js').UserFiles} parts.files
   * @param {import('./settings.js').Settings} parts.settings
   * @param {() => Weights} parts.weights
   * @param {(text: string) => void} parts.announce
   * @param {() => boolean} parts.busy whether something else is being computed of these files
   * @param {(on: boolean) => void} parts.onRunning
   */
  constructor(parts) {
    this.#parts = parts;
    this.#report = new ComparisonReport(parts);
    this.#filter.addEventListener('input', () => this.#showMembers());
    this.#controls.input.addEventListener('change', () => this.checkOutdated());
    setScrollRegion(this.#scrolling, 'Autoencoders among your files');
    this.element.append(
      this.#said,
      el(
        'div',
        { class: 'benchmark-bar' },
        el('label', { for: this.#filter.id }, 'Only those with '),
        this.#filter,
        createButton('All', { class: 'quiet' }, () => this.#selectShown(true)),
        createButton('None', { class: 'quiet' }, () => this.#selectShown(false)),
      ),
      this.#scrolling,
      el('p', {}, this.#controls.element),
      el('div', { class: 'benchmark-bar' }, this.#start, this.#cancel, this.#meter, this.#status),
      this.#problem,
      this.#report.element,
    );
  }

  /** Looks which autoencoders there are: a list is of two or more. */
  async findAutoencoders() {
    const { client, files } = this.#parts;
    if (this.running || this.#parts.busy()) return;
    try {
      this.#members = files.isEmpty ? [] : await client.listAutoencoders(files.filesToOpen());
    } catch {
      // What is wrong with files is said beside them.
      this.#members = [];
    }
    this.element.hidden = this.#members.length < 2;
    const read = this.#members.filter(({ found }) => found).length;
    this.#said.textContent = `${formatCount(this.#members.length, 'autoencoder')} among your files${read < this.#members.length ? `, of which ${formatInteger(read)} can be read` : ''}. They can be compared on the same activations, one after the other.`;
    this.#showMembers();
  }

  /** What a comparison would be of now: files, settings and choices, but weights, by which what is shown is scored anew. */
  #comparisonKey() {
    const { files, settings } = this.#parts;
    const seed = this.#controls.input.checked ? CONTROL_SEED : undefined;
    const open = [...files.filesToOpen()].map(([name, { size, lastModified }]) => [name, size, lastModified]);
    return JSON.stringify([buildComparisonRequest(files, settings, [1, 1, 1], this.#selectedMembers(), seed), settings.by(), open]);
  }

  /** Says whether what is shown is of something else than would be compared now. */
  checkOutdated() {
    if (!this.running) this.#report.setOutdated(this.#comparisonKey() !== this.#compared);
  }

  /** Those that the filter shows. */
  #filteredMembers() {
    const wanted = this.#filter.value.trim().toLowerCase();
    return this.#members.filter(({ name }) => name.toLowerCase().includes(wanted));
  }

  /** Those that are to be compared: shown, readable, and ticked. */
  #selectedMembers() {
    return this.#filteredMembers().filter(({ name, found }) => found && !this.#left.has(name));
  }

  /** @param {boolean} on */
  #selectShown(on) {
    for (const { name } of this.#filteredMembers()) {
      if (on) this.#left.delete(name);
      else this.#left.add(name);
    }
    this.#showMembers();
  }

  #showMembers() {
    this.#list.replaceChildren(
      ...this.#filteredMembers().map((member) => {
        const { name, found } = member;
        const checked = !!found && !this.#left.has(name);
        const { input, element } = createCheckbox(` ${describeMember(member)}`, { disabled: !found || this.running, checked });
        input.addEventListener('change', () => {
          if (input.checked) this.#left.delete(name);
          else this.#left.add(name);
          this.#updateStartButton();
        });
        return el('li', { class: !found && 'error' }, element);
      }),
    );
    this.#updateStartButton();
  }

  /** Whether these files are being scored already. @param {boolean} on */
  setBusy(on) {
    this.#held = on;
    this.#updateStartButton();
  }

  #updateStartButton() {
    const chosen = this.#selectedMembers().length;
    this.#start.textContent = chosen === 1 ? 'Compare it with controls' : `Compare these ${formatInteger(chosen)}`;
    this.#start.disabled = chosen === 0 || this.running || this.#held;
    this.checkOutdated();
  }

  /** @param {boolean} on */
  #setRunning(on) {
    this.running = on;
    this.#meter.hidden = !on;
    swapButtons(this.#start, this.#cancel, on);
    for (const input of [this.#filter, this.#controls.input]) input.disabled = on;
    this.#parts.onRunning(on);
    this.#showMembers();
  }

  async start() {
    const { client, files, settings, weights, announce, busy } = this.#parts;
    if (this.running || busy()) return;
    const seed = this.#controls.input.checked ? CONTROL_SEED : undefined;
    const wish = buildComparisonRequest(files, settings, weights(), this.#selectedMembers(), seed);
    const problem = settings.problem();
    showError(this.#problem, typeof wish === 'string' ? wish : (problem?.message ?? ''));
    if (typeof wish === 'string' || problem) return;
    const wanted = this.#comparisonKey();
    this.#setRunning(true);
    announce('The comparison has begun.');
    let end = 'Done.';
    try {
      const report = await client.compare(files.filesToOpen(), wish, ({ row, share }) => {
        this.#meter.value = share;
        this.#status.textContent = row;
      });
      this.#report.show(report);
      this.#compared = wanted;
    } catch (error) {
      end = error instanceof CancelledError ? 'Cancelled.' : 'It broke off.';
      if (!(error instanceof CancelledError))
        showError(this.#problem, error instanceof RefusalError ? error.problem.message : describeError(error));
    }
    this.#setRunning(false);
    this.#status.textContent = end;
    announce(end === 'It broke off.' ? `${end} ${this.#problem.textContent}` : end);
  }

  /** Scores what is there anew. */
  rescore() {
    this.#report.rescore();
  }

  redraw() {
    this.#report.redraw();
  }
}
