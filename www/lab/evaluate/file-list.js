// @ts-check
/** The files that a reader has handed over, and what each array of them is taken for. */

import { createButton, el, describeError } from '../../shell/dom.js';
import { formatCount, formatInteger } from '../../shell/basic-format.js';
import { createArrayLine } from './array-row.js';
import { FURTHER_ROLES, SAE_FOLDER_ROLES, findDecoderBias, guessRole, createFileLines } from './array-roles.js';
import { formatBytes } from './byte-format.js';

/** Files that may be something, by the end of their name. */
const SUPPORTED_FILE = /\.(npy|npz|safetensors|pt|pth|csv|json|ya?ml|zip)$/i;

/** @typedef {import('./array-roles.js').Entry} Entry */
/** @typedef {import('./array-roles.js').Line} Line */
/** @typedef {import('../../types/core.d.ts').EvaluateChoice} Choice */

/** @param {{ entry: Entry, line: Line }} of @returns {Choice} as a request has it */
const toChoice = ({ entry, line }) => ({
  file: entry.name,
  // The only array of a .npy or .csv file has no name.
  ...(line.array ? { array: line.array } : {}),
  ...(line.transposed ? { transposed: true } : {}),
});

/** @param {{ entry: Entry, line: Line }} of */
const findShape = ({ entry, line }) =>
  entry.description?.arrays.find(({ name }) => name === line.array)?.shape ?? [];

/** A list of them on the page. */
export class UserFiles {
  /** @type {Entry[]} */
  #entries = [];
  #parts;
  #busy = false;

  element = el('ul', { class: 'own-files', 'aria-label': 'Your files' });

  /**
   * @param {object} parts
   * @param {Lab} parts.core
   * @param {import('./files-client.js').FilesClient} parts.client
   * @param {(text: string) => void} parts.announce
   * @param {() => void} parts.onChange roles are others
   */
  constructor(parts) {
    this.#parts = parts;
  }

  get isEmpty() {
    return this.#entries.length === 0;
  }

  /** All lines, with the files they are of. */
  #listLines() {
    return this.#entries.flatMap((entry) => entry.lines.map((line) => ({ entry, line })));
  }

  /** What has a role. @param {OwnRole} role */
  findByRole(role) {
    return this.#listLines().find(({ line }) => line.role === role);
  }

  /** What has a role, as a request has it. @param {OwnRole} role @returns {Choice | undefined} */
  choiceForRole(role) {
    const at = this.findByRole(role);
    if (!at) return undefined;
    if (SAE_FOLDER_ROLES.has(role)) return { file: at.entry.name };
    return toChoice(at);
  }

  /** The file that a choice is in. @param {Choice} choice */
  findFile({ file }) {
    return this.#entries.find(({ name }) => name === file)?.file;
  }

  /** What has a role and further ones of it, in the order in which they are read: that of their names and numbers. @param {OwnRole} role */
  #listShards(role) {
    const roles = [role, FURTHER_ROLES.get(role)];
    const all = this.#listLines().filter(({ line }) => line.role !== '' && roles.includes(line.role));
    if (all.length < 2) return all;
    const order = this.#parts.core.own_in_order(all.map(({ entry }) => entry.name));
    return all.sort((a, b) => order.indexOf(a.entry.name) - order.indexOf(b.entry.name));
  }

  /** As a request has them; nothing: there are none. @returns {{ activations: Choice, more_activations?: Choice[] } | undefined} */
  activationChoices() {
    const [first, ...more] = this.choicesForRole('activations');
    return first && { activations: first, ...(more.length > 0 ? { more_activations: more } : {}) };
  }

  /** All that has a role, in several files or in one. @param {OwnRole} role @returns {Choice[]} */
  choicesForRole(role) {
    return this.#listShards(role).map(toChoice);
  }

  /** The further files of an autoencoder’s weights that have this role: there may be those of others. @param {Choice} weights */
  furtherWeightFiles({ file }) {
    return this.#parts.core.own_further_weights(file, this.choicesForRole('more_weights').map(({ file: name }) => name));
  }

  /** Whether two are of one array, by the names of their files. @param {{ entry: Entry, line: Line }} one @param {{ entry: Entry, line: Line }} other */
  #isSameArray(one, other) {
    return (
      one.line !== other.line &&
      one.line.array === other.line.array &&
      one.line.arrays.length === other.line.arrays.length &&
      this.#parts.core.own_alike(one.entry.name, other.entry.name)
    );
  }

  /** Further ones of a role are those that are alike, but where somebody says something else. */
  #assignShards() {
    for (const [role, further] of FURTHER_ROLES) {
      const first = this.findByRole(role) ?? this.#listShards(role)[0];
      if (first) first.line.role = role;
      for (const other of this.#listLines()) {
        const { line } = other;
        if (line.asked || (line.role !== '' && line.role !== further)) continue;
        line.role = first && this.#isSameArray(first, other) ? further : '';
      }
    }
  }

  /** Somebody says what a line is. @param {Entry} entry @param {Line} line @param {OwnRole | ''} role */
  #assignRole(entry, line, role) {
    // A role is one array's, but those of further ones: who had it has none now.
    const isFurther = [...FURTHER_ROLES.values()].some((further) => further === role);
    const former = role && !isFurther ? this.findByRole(role) : undefined;
    if (former) {
      former.line.role = '';
      former.line.asked = role === '' || !FURTHER_ROLES.has(role) || !this.#isSameArray(former, { entry, line });
    }
    Object.assign(line, { role, asked: true });
    this.#assignShards();
  }

  /**
   * The first file of one array that nobody said anything of and that fits nothing beside the activations:
   * neither is it as wide, nor as high, nor has it as many rows.
   */
  findMisfit() {
    const shapes = this.#listShards('activations').map(findShape);
    const width = shapes[0]?.[1];
    const rows = shapes.reduce((sum, [some]) => sum + (some ?? 0), 0);
    if (width === undefined) return null;
    const found = this.#listLines().find(({ entry, line }) => {
      const shape = findShape({ entry, line });
      const alone = entry.description?.arrays.length === 1 && shape.length > 1;
      return alone && line.role === '' && !line.asked && shape[0] !== rows && !shape.includes(width);
    });
    return found ? { name: found.entry.name, shape: findShape(found), width } : null;
  }

  /** What the worker is to have open. */
  filesToOpen() {
    const open = this.#entries.filter(({ description }) => description);
    return new Map(open.map(({ name, file, description }) => [description?.archive ?? name, file]));
  }

  /** Takes all away. */
  clear() {
    this.#entries = [];
    this.show();
    this.#parts.onChange();
  }

  /** Nothing of what is there is used any more, until somebody says what it is. */
  clearRoles() {
    for (const { line } of this.#listLines()) Object.assign(line, { role: '', asked: true });
  }

  /** While a run is under way nothing can be changed. @param {boolean} on */
  setBusy(on) {
    this.#busy = on;
    for (const control of this.element.querySelectorAll('select, button'))
      control.toggleAttribute('disabled', on);
  }

  /**
   * Takes files in. Roles are guessed, but where they are given.
   *
   * @param {readonly [name: string, file: File, role?: OwnRole][]} more
   * @returns {Promise<string>} what came of it
   */
  async addFiles(more) {
    const folder = more.some(([name]) => name.includes('/'));
    const known = folder ? more.filter(([name]) => SUPPORTED_FILE.test(name)) : more;
    const left = more.length - known.length;
    let bad = 0;
    for (const [name, file, role] of known) {
      try {
        if (this.#busy) throw new Error('cancel the run first, or wait for its end');
        this.#addFile(file, await this.#parts.client.open(name, file), role);
      } catch (error) {
        // What is open under that name stays as it is.
        bad += 1;
        this.#entries = this.#entries.filter((other) => other.name !== name || other.description);
        this.#entries.push({ name, file, description: null, problem: describeError(error), lines: [] });
      }
    }
    this.#assignShards();
    const bias = findDecoderBias(this.#listLines());
    if (bias) bias.role = 'decoder_bias';
    this.show();
    this.#parts.onChange();
    const open = this.#entries.filter(({ description }) => description).length;
    const parts = [];
    if (open > 0) parts.push(`${formatCount(open, 'file')} ${open === 1 ? 'is' : 'are'} open.`);
    if (bad > 0) parts.push(`${formatCount(bad, 'file')} could not be opened: see below why.`);
    if (left > 0) {
      const were = left === 1 ? 'was' : 'were';
      parts.push(`${formatInteger(left)} of the folder ${were} left out: no arrays are in such files.`);
    }
    return parts.join(' ');
  }

  /** @param {File} file @param {OwnDescription} description @param {OwnRole} [role] */
  #addFile(file, description, role) {
    const all = description.format === 'zip' ? description.inside : [description];
    const archive = description.format === 'zip' ? description.name : undefined;
    for (const one of all) {
      this.#entries = this.#entries.filter((other) => other.name !== one.name);
      /** @type {Entry} */
      const entry = { name: one.name, file, description: { ...one, archive }, problem: '', lines: [] };
      this.#entries.push(entry);
      for (const line of createFileLines(one)) {
        const taken = new Set(this.#listLines().map(({ line }) => line.role));
        line.role = role ?? guessRole(one, line, taken);
        entry.lines.push(line);
      }
    }
  }

  /** @param {Entry} entry @param {number} at */
  #remove(entry, at) {
    this.#entries = this.#entries.filter((other) => other !== entry);
    const { description, name } = entry;
    if (description) {
      const outer = description.archive ?? name;
      // An archive is open while any of its files is.
      const others = this.#entries.some((other) => other.description?.archive === outer);
      if (!others) this.#parts.client.close(outer).catch(() => {});
    }
    this.#assignShards();
    this.show();
    this.#parts.onChange();
    this.#parts.announce(`${name} is removed.`);
    const next = this.element.querySelectorAll('.own-file button')[Math.min(at, this.#entries.length - 1)];
    return /** @type {HTMLElement | undefined} */ (next);
  }

  /** Where the focus goes when nothing is left. @type {HTMLElement | null} */
  fallback = null;

  show() {
    const change = (/** @type {() => HTMLElement | null} */ focus) => {
      this.show();
      focus()?.focus();
      this.#parts.onChange();
    };
    this.element.replaceChildren(
      ...this.#entries.map((entry, at) => {
        const { name, description, problem } = entry;
        const remove = createButton('Remove', { class: 'quiet', 'aria-label': `Remove ${name}` }, () =>
          (this.#remove(entry, at) ?? this.fallback)?.focus(),
        );
        const format = description ? `${description.format}, ` : '';
        const from = description?.archive ? `in ${description.archive}` : formatBytes(entry.file.size);
        return el(
          'li',
          { 'data-name': name },
          el('div', { class: 'own-file' }, el('b', {}, name), el('span', { class: 'own-what' }, format + from), remove),
          ...entry.lines.map((line, index) =>
            createArrayLine({
              ...{ entry, line, change, onArray: this.#parts.onChange },
              id: `own-role-${at}-${index}`,
              assign: (role) => this.#assignRole(entry, line, role),
            }),
          ),
          ...(problem ? [el('p', { class: 'error' }, problem)] : []),
        );
      }),
    );
  }

  /** Shows a refusal beside the file that it is of. @param {Problem | null} problem @returns {boolean} whether there is one */
  showProblem(problem) {
    for (const error of this.element.querySelectorAll('.own-mismatch')) error.remove();
    const items = /** @type {HTMLElement[]} */ ([...this.element.children]);
    const item = problem && items.find(({ dataset }) => dataset.name === problem.field);
    if (!item) return false;
    const said = el('div', { class: 'error own-mismatch' }, el('p', {}, problem.message));
    item.append(said);
    const line = this.#listLines().find(
      ({ entry, line }) =>
        entry.name === problem.field && (line.role === 'dictionary' || line.role === 'readout'),
    )?.line;
    if (problem.code === 'evaluate.transposed' && line) {
      const button = createButton('Read it transposed', { class: 'quiet' }, () => {
        line.transposed = true;
        this.show();
        this.#parts.onChange();
        this.#parts.announce(`${problem.field} is read transposed.`);
        /** @type {HTMLElement | null} */ (
          this.element.querySelector(`[data-name="${CSS.escape(problem.field ?? '')}"] select`)
        )?.focus();
      });
      said.append(button);
    }
    return true;
  }
}
