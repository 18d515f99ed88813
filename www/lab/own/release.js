// @ts-check
/** The autoencoders of a release among a reader's files: listed, chosen from, and compared. */

import { createButton, el, errorLine, reason, setScrolling, showError } from '../../shell/dom.js';
import { tick } from '../../shell/fields.js';
import { takeTurns } from '../../shell/turns.js';
import { counted, grouped } from '../../shell/grouped.js';
import { Refusal } from '../../workers/pool.js';
import { Cancelled } from '../../workers/rpc-client.js';
import { ComparedReport } from './compared.js';
import { comparisonOf } from './request.js';

/** The seed of controls, as on the command line where none is named. */
const SEED = 0;

/** What is known of an autoencoder, in a line. @param {OwnMember} member */
function words({ name, found, problem }) {
  if (!found) return `${name}: ${problem?.message ?? 'it cannot be read'}`;
  const { k, dimensions, recognised } = found;
  const [read, made] = dimensions;
  const width = read === made ? grouped(read) : `${grouped(read)} to ${grouped(made)}`;
  const { layout, architecture } = recognised;
  return `${name}: ${grouped(k)} latents of ${width}, ${layout}, ${architecture}${found.transcoder ? ', a transcoder' : ''}`;
}

export class Release {
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
  #controls = tick(' With controls: random directions, a permuted decoder, principal components', { id: 'own-members-controls', checked: true });
  #start = createButton('Compare them', { id: 'own-compare' }, () => this.start());
  #cancel = createButton('Cancel', { id: 'own-compare-cancel', hidden: true }, () => this.#parts.client.end());
  #meter = el('progress', { max: 1, value: 0, 'aria-label': 'Progress of the comparison', hidden: true });
  #status = el('span', { class: 'benchmark-status', id: 'own-compare-status' });
  #problem = errorLine('own-compare-problem');

  element = el('div', { id: 'own-release', hidden: true });

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {import('./client.js').OwnClient} parts.client
   * @param {import('./files.js').FileList} parts.files
   * @param {import('./settings.js').Settings} parts.settings
   * @param {() => Weights} parts.weights
   * @param {(text: string) => void} parts.announce
   * @param {() => boolean} parts.busy whether something else is being computed of these files
   * @param {(on: boolean) => void} parts.onRunning
   */
  constructor(parts) {
    this.#parts = parts;
    this.#report = new ComparedReport(parts);
    this.#filter.addEventListener('input', () => this.#show());
    this.#controls.input.addEventListener('change', () => this.check());
    setScrolling(this.#scrolling, 'Autoencoders among your files');
    this.element.append(
      this.#said,
      el(
        'div',
        { class: 'benchmark-bar' },
        el('label', { for: this.#filter.id }, 'Only those with '),
        this.#filter,
        createButton('All', { class: 'quiet' }, () => this.#choose(true)),
        createButton('None', { class: 'quiet' }, () => this.#choose(false)),
      ),
      this.#scrolling,
      el('p', {}, this.#controls.element),
      el('div', { class: 'benchmark-bar' }, this.#start, this.#cancel, this.#meter, this.#status),
      this.#problem,
      this.#report.element,
    );
  }

  /** Looks which autoencoders there are: a list is of two or more. */
  async look() {
    const { client, files } = this.#parts;
    if (this.running || this.#parts.busy()) return;
    try {
      this.#members = files.empty ? [] : await client.autoencoders(files.open());
    } catch {
      // What is wrong with files is said beside them.
      this.#members = [];
    }
    this.element.hidden = this.#members.length < 2;
    const read = this.#members.filter(({ found }) => found).length;
    this.#said.textContent = `${counted(this.#members.length, 'autoencoder')} among your files${read < this.#members.length ? `, of which ${grouped(read)} can be read` : ''}. They can be compared on the same activations, one after the other.`;
    this.#show();
  }

  /** What a comparison would be of now: files, settings and choices, but weights, by which what is shown is scored anew. */
  #wanted() {
    const { files, settings } = this.#parts;
    const seed = this.#controls.input.checked ? SEED : undefined;
    const open = [...files.open()].map(([name, { size, lastModified }]) => [name, size, lastModified]);
    return JSON.stringify([comparisonOf(files, settings, [1, 1, 1], this.#chosen(), seed), settings.by(), open]);
  }

  /** Says whether what is shown is of something else than would be compared now. */
  check() {
    if (!this.running) this.#report.setOutdated(this.#wanted() !== this.#compared);
  }

  /** Those that the filter shows. */
  #shown() {
    const wanted = this.#filter.value.trim().toLowerCase();
    return this.#members.filter(({ name }) => name.toLowerCase().includes(wanted));
  }

  /** Those that are to be compared: shown, readable, and ticked. */
  #chosen() {
    return this.#shown().filter(({ name, found }) => found && !this.#left.has(name));
  }

  /** @param {boolean} on */
  #choose(on) {
    for (const { name } of this.#shown()) {
      if (on) this.#left.delete(name);
      else this.#left.add(name);
    }
    this.#show();
  }

  #show() {
    this.#list.replaceChildren(
      ...this.#shown().map((member) => {
        const { name, found } = member;
        const checked = !!found && !this.#left.has(name);
        const { input, element } = tick(` ${words(member)}`, { disabled: !found || this.running, checked });
        input.addEventListener('change', () => {
          if (input.checked) this.#left.delete(name);
          else this.#left.add(name);
          this.#offer();
        });
        return el('li', { class: !found && 'error' }, element);
      }),
    );
    this.#offer();
  }

  /** Whether these files are being scored already. @param {boolean} on */
  setBusy(on) {
    this.#held = on;
    this.#offer();
  }

  #offer() {
    const chosen = this.#chosen().length;
    this.#start.textContent = chosen === 1 ? 'Compare it with controls' : `Compare these ${grouped(chosen)}`;
    this.#start.disabled = chosen === 0 || this.running || this.#held;
    this.check();
  }

  /** @param {boolean} on */
  #setRunning(on) {
    this.running = on;
    this.#meter.hidden = !on;
    takeTurns(this.#start, this.#cancel, on);
    for (const input of [this.#filter, this.#controls.input]) input.disabled = on;
    this.#parts.onRunning(on);
    this.#show();
  }

  async start() {
    const { client, files, settings, weights, announce, busy } = this.#parts;
    if (this.running || busy()) return;
    const seed = this.#controls.input.checked ? SEED : undefined;
    const wish = comparisonOf(files, settings, weights(), this.#chosen(), seed);
    const problem = settings.problem();
    showError(this.#problem, typeof wish === 'string' ? wish : (problem?.message ?? ''));
    if (typeof wish === 'string' || problem) return;
    const wanted = this.#wanted();
    this.#setRunning(true);
    announce('The comparison has begun.');
    let end = 'Done.';
    try {
      const report = await client.compare(files.open(), wish, ({ row, share }) => {
        this.#meter.value = share;
        this.#status.textContent = row;
      });
      this.#report.show(report);
      this.#compared = wanted;
    } catch (error) {
      end = error instanceof Cancelled ? 'Cancelled.' : 'It broke off.';
      if (!(error instanceof Cancelled))
        showError(this.#problem, error instanceof Refusal ? error.problem.message : reason(error));
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
