// @ts-check
/** The section for a reader's own decomposition: files in, a report out. */

import { el, reason } from '../shell/dom.js';
import { choice } from '../shell/fields.js';
import { Figures } from '../shell/figures.js';
import { save } from '../shell/save.js';
import { shelf } from '../shell/shelf.js';
import { packed } from '../workers/given.js';
import { Refusal } from '../workers/pool.js';
import { Cancelled, OwnClient } from './own-client.js';
import { digestsOf, othersOf, printOwn, readOwn } from './own-link.js';
import { ROLES, guess, linesOf, possible } from './own-roles.js';

/** Files that may be something, by the end of their name. */
const KNOWN = /\.(npy|npz|safetensors|csv|json)$/i;
/** Most files of a folder that are looked at. */
const FOLDER_MOST = 64;
const MEBIBYTE = 2 ** 20;
/** Most memory that may be asked for, in MiB: what WebAssembly can address, less what it needs. */
const MEMORY_MOST = 3584;

/** Figures of a report, the wide ones marked. @type {[string, boolean][]} */
const FIGURES = [
  ['own-score', false],
  ['own-readings', false],
  ['own-measures', true],
  ['own-frequencies', false],
  ['own-similarity', false],
];

/** @type {Record<OwnProgress['phase'], [words: string, counted: string]>} */
const PHASES = {
  loading: ['Reading the dictionary and what it spans', ''],
  rows: ['Coding and measuring rows', 'rows'],
  'active-subspace': ['Projecting on what is active', 'rows'],
  directions: ['Comparing directions', 'features'],
  digests: ['Taking the files’ SHA-256', ''],
  done: ['Done', ''],
};

/**
 * @typedef {object} Entry a file that was handed over
 * @property {string} name with its folder, where it came in one
 * @property {File} file
 * @property {OwnDescription | null} description none: it could not be opened
 * @property {string} problem why
 * @property {import('./own-roles.js').Line[]} lines
 */

/** @param {number} bytes */
function size(bytes) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let at = 0;
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at += 1;
  }
  return `${at === 0 ? value : value.toPrecision(3)} ${units[at]}`;
}

const count = (/** @type {number} */ value) => value.toLocaleString('en');

/** @param {unknown} error @returns {Problem} */
const problemOf = (error) =>
  error instanceof Refusal ? error.problem : { code: 'page.worker', message: reason(error) };

/** The files of what was dropped, folders opened. @param {DataTransfer} dropped @returns {Promise<[string, File][]>} */
async function filesOf(dropped) {
  // Both lists are there only while the event is.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...dropped.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain.map((file) => [file.name, file]);
  /** @type {[string, File][]} */
  const found = [];
  /** @param {FileSystemEntry} entry @returns {Promise<void>} */
  async function visit(entry) {
    if (found.length >= FOLDER_MOST) return;
    if (entry.isFile) {
      const of = /** @type {FileSystemFileEntry} */ (entry);
      const file = await new Promise((resolve, reject) => of.file(resolve, reject));
      found.push([entry.fullPath.replace(/^\//, ''), /** @type {File} */ (file)]);
      return;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await visit(one);
    }
  }
  for (const entry of entries) if (entry) await visit(entry);
  return found;
}

/** @param {string} id @param {string} label @param {number} value @param {number} max */
function numeric(id, label, value, max) {
  const error = el('p', { class: 'error', id: `${id}-error`, hidden: true });
  const attributes = { id, type: 'number', min: 1, max, step: 1, value };
  const input = el('input', { ...attributes, 'aria-describedby': error.id });
  const element = el('div', { class: 'field' }, el('label', { for: id }, label), input, error);
  return { input, error, element };
}

/**
 * Builds the section.
 *
 * @param {object} parts
 * @param {Lab} parts.core
 * @param {() => Weights} parts.weights of the page, at the moment
 * @param {(program: string, file: string, words: string) => void} parts.script shows a program
 * @param {(text: string) => void} parts.announce
 * @param {string | null} parts.linked the files that a link is of; null: of none
 * @param {() => void} parts.onChange the link is another one
 */
export function createOwn({ core, weights, script, announce, linked, onChange }) {
  const section = /** @type {HTMLElement} */ (document.querySelector('#own'));
  const client = new OwnClient();

  const chooseFiles = el('button', { type: 'button' }, 'Choose files');
  const chooseFolder = el('button', { type: 'button' }, 'Choose a folder');
  const example = el('button', { type: 'button' }, 'Try it with an example');
  const filesInput = el('input', { type: 'file', id: 'own-files', multiple: true, hidden: true });
  const folderInput = el('input', {
    type: 'file',
    id: 'own-folder',
    webkitdirectory: true,
    hidden: true,
  });
  const drop = el(
    'div',
    { class: 'own-drop', id: 'own-drop' },
    el(
      'p',
      {},
      'Drop files or a folder here: .npy, .npz, .safetensors, .csv, or a folder as SAELens saves it.',
    ),
    el('div', { class: 'benchmark-bar' }, chooseFiles, chooseFolder, example),
    filesInput,
    folderInput,
  );
  const said = el('p', { class: 'help', id: 'own-said' });
  const list = el('ul', { class: 'own-files', 'aria-label': 'Your files' });

  const codesBy = choice('own-codes-by', 'Codes on a dictionary alone', [
    ['projection', 'by projection, a·Wᵀ'],
    ['least-squares', 'by least squares'],
  ]);
  const fidelity = choice('own-fidelity', 'F in the score', [
    ['cosine', 'mean cosine'],
    ['r2', 'R²'],
    ['rel-mse', '1 − relative MSE'],
  ]);
  const completeness = choice('own-completeness', 'C in the score', [
    ['row-space', 'row space (the paper’s)'],
    ['reconstruction', 'reconstruction'],
    ['active-subspace', 'active subspace'],
  ]);
  const variance = choice('own-variance', 'C is over', [
    ['total', 'the total variance'],
    ['grand', 'the grand variance (the paper’s)'],
  ]);
  const rows = numeric('own-rows', 'Most rows for the active subspace', 1000, 4_294_967_295);
  const memory = numeric('own-memory', 'Memory it may take, in MiB', 1024, MEMORY_MOST);
  const options = el(
    'fieldset',
    { class: 'own-options' },
    el('legend', { class: 'visually-hidden' }, 'Options'),
    ...[codesBy, fidelity, completeness, variance, rows, memory].map(({ element }) => element),
  );
  const readoutNote = el('p', { class: 'help', id: 'own-readout-note' });
  const planned = el('p', { id: 'own-plan' });
  const refused = el('p', { class: 'error', id: 'own-problem', hidden: true });
  const start = el('button', { type: 'button', id: 'own-start', disabled: true }, 'Score it');
  const cancel = el('button', { type: 'button', id: 'own-cancel', hidden: true }, 'Cancel');
  const meter = el('progress', {
    max: 1,
    value: 0,
    'aria-label': 'Progress of the evaluation',
    hidden: true,
  });
  const status = el('span', { class: 'benchmark-status', id: 'own-status' });
  const desk = el(
    'div',
    { hidden: true },
    list,
    options,
    el(
      'p',
      { class: 'help' },
      'A code counts as active above 10⁻⁶ in magnitude, as in the paper. The score is under the weights of this page’s sliders, whenever they move.',
    ),
    readoutNote,
    planned,
    refused,
    el('div', { class: 'benchmark-bar' }, start, cancel, meter, status),
  );

  const linkedNote = el('div', { id: 'own-linked', hidden: true });
  const headline = el('p', { id: 'own-headline' });
  const notes = el('ul', { id: 'own-notes' });
  const grid = el(
    'div',
    { class: 'grid' },
    ...FIGURES.map(([id, wide]) => el('figure', { class: wide ? 'wide' : '', 'data-figure': id })),
  );
  const digests = el('ul', { class: 'own-digests' });
  const check = el('button', { type: 'button', id: 'own-script' }, 'Check this in NumPy');
  const saveButton = el('button', { type: 'button', id: 'own-save' }, 'Save the report as JSON');
  const result = el(
    'div',
    { id: 'own-result', hidden: true },
    headline,
    notes,
    el('div', { class: 'benchmark-bar' }, check, saveButton),
    grid,
    el(
      'p',
      { class: 'help' },
      'What was read. A link to this page cannot hold your files; by these you know that somebody else has the same.',
    ),
    digests,
  );

  section.append(
    el('h2', { id: 'own-title' }, 'Your own decomposition'),
    el(
      'p',
      {},
      'Score a dictionary or a sparse autoencoder of your own by the same measures. ',
      el('b', {}, 'Your files never leave this page'),
      ': they are read here, by your browser, as far as they are needed, and sent nowhere.',
    ),
    drop,
    linkedNote,
    said,
    desk,
    result,
  );

  /** @type {Entry[]} */
  let entries = [];
  /** The last world that files were read whole for. @type {{ key: unknown[], world: Extract<World, { world: 'given' }> } | null} */
  let lastWorld = null;
  /** Files are taken in one after the other. @type {Promise<unknown>} */
  let queue = Promise.resolve();
  /** Counts what was asked for: an answer to an older question is not shown. */
  let asked = 0;
  let running = false;
  /** What is shown. @type {{ view: EvaluateView, program: string } | null} */
  let found = null;
  /** @type {Figures | null} */
  let figures = null;

  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    if (text) announce(text);
  }

  /** @param {() => Promise<void>} work */
  const later = (work) => (queue = queue.then(work, work));

  const used = () => entries.flatMap((entry) => entry.lines.map((line) => ({ entry, line })));
  const taken = () => new Set(used().map(({ line }) => line.role));

  const placed = (/** @type {OwnRole} */ role) => used().find(({ line }) => line.role === role);

  /** @param {OwnRole} role @returns {import('../types/core.d.ts').EvaluateChoice | undefined} */
  function chosen(role) {
    const at = placed(role);
    if (!at) return undefined;
    const { entry, line } = at;
    // The only array of a .npy or .csv file has no name.
    return line.array && role !== 'weights' && role !== 'config'
      ? { file: entry.name, array: line.array }
      : { file: entry.name };
  }

  /** @returns {OwnAxes} */
  const axes = () =>
    /** @type {OwnAxes} */ ({
      fidelity: fidelity.select.value,
      completeness: completeness.select.value,
      variance: variance.select.value,
    });

  /** What is to be done, or what is missing for it. @returns {OwnRequest | string} */
  function request() {
    const activations = chosen('activations');
    const [config, trained] = [chosen('config'), chosen('weights')];
    const dictionary = chosen('dictionary');
    if (!activations) return 'Still needed: activations, one row a sample.';
    if (trained && !config) return 'Still needed: the autoencoder’s configuration, cfg.json.';
    if (trained && dictionary)
      return 'There are both a dictionary and an autoencoder: leave one of them unused.';
    if (!trained && !dictionary)
      return 'Still needed: a dictionary, one row a feature, or an autoencoder’s folder.';
    const codes = chosen('codes');
    if (trained && codes)
      return 'An autoencoder makes its own codes: leave those of the file unused.';
    const readout = chosen('readout');
    const bias = chosen('readout_bias');
    if (bias && !readout) return 'A bias needs its readout: name one, or leave the bias unused.';
    return {
      activations,
      ...(trained && config ? { sae: { config: config.file, weights: trained.file } } : {}),
      ...(dictionary ? { dictionary } : {}),
      ...(codes ? { codes } : {}),
      ...(dictionary && !codes
        ? { codes_by: /** @type {'projection'} */ (codesBy.select.value) }
        : {}),
      ...(readout ? { readout } : {}),
      ...(bias ? { readout_bias: bias } : {}),
      options: {
        ...axes(),
        weights: weights(),
        active_rows: rows.input.valueAsNumber,
        memory: memory.input.valueAsNumber * MEBIBYTE,
      },
    };
  }

  /** Shows a refusal where it belongs; nothing: there is none. @param {Problem | null} problem */
  function showProblem(problem) {
    const fields = { memory, active_rows: rows };
    for (const [field, { input, error }] of Object.entries(fields)) {
      const mine = problem?.field === field;
      input.setAttribute('aria-invalid', String(mine));
      error.textContent = mine ? (problem?.message ?? '') : '';
      error.hidden = !mine;
    }
    for (const error of list.querySelectorAll('.own-mismatch')) error.remove();
    let placed = problem?.field !== undefined && problem.field in fields;
    for (const item of list.children) {
      if (problem && item instanceof HTMLElement && item.dataset.name === problem.field) {
        item.append(el('p', { class: 'error own-mismatch' }, problem.message));
        placed = true;
      }
    }
    refused.textContent = problem && !placed ? problem.message : '';
    refused.hidden = !problem || placed;
  }

  /** The activations, and what reads them out, as a world. @returns {OwnGiven} */
  function asWorld(/** @type {number} */ seed) {
    const [activations, readout, bias] = [
      chosen('activations'),
      chosen('readout'),
      chosen('readout_bias'),
    ];
    if (!activations)
      throw new Error('there are no activations yet: choose a file of them under “Your own decomposition”');
    return {
      activations,
      ...(readout ? { readout } : {}),
      ...(readout && bias ? { readout_bias: bias } : {}),
      seed,
    };
  }

  const files = () =>
    new Map(entries.filter(({ description }) => description).map(({ name, file }) => [name, file]));

  /** @param {Problem} problem */
  function refuse(problem) {
    planned.textContent = '';
    showProblem(problem);
    announce(problem.message);
  }

  /** Holds shapes against each other and says what a run would take. */
  function replan() {
    const mine = ++asked;
    start.disabled = true;
    desk.hidden = entries.length === 0;
    codesBy.select.disabled = !chosen('dictionary') || !!chosen('codes');
    readoutNote.textContent = chosen('readout')
      ? 'C compares outputs of the readout that you gave.'
      : 'No readout is given: f is the identity, so C measures the activations themselves.';
    const wish = request();
    showProblem(null);
    if (typeof wish === 'string') {
      planned.textContent = wish;
      return;
    }
    for (const [field, { input }, most] of /** @type {const} */ ([
      ['active_rows', rows, 4_294_967_295],
      ['memory', memory, MEMORY_MOST],
    ])) {
      const value = input.valueAsNumber;
      if (!(Number.isInteger(value) && value >= 1 && value <= most)) {
        const message = `A whole number from 1 to ${count(most)} is needed.`;
        refuse({ code: 'page.number', field, message });
        return;
      }
    }
    // A run under way is not disturbed; what it leaves is planned then.
    if (running) return;
    later(async () => {
      if (mine !== asked || running) return;
      try {
        const plan = await client.plan(files(), wish);
        if (mine !== asked) return;
        const { rows: n, dimensions, k, outputs, codes, memory: bytes } = plan;
        planned.textContent = [
          `${count(n)} rows of ${count(dimensions)}`,
          `a dictionary of ${count(k)} × ${count(dimensions)}`,
          `codes: ${codes}`,
          `${count(outputs)} outputs. It takes about ${size(bytes)} of memory.`,
        ].join('; ');
        start.disabled = false;
      } catch (error) {
        if (mine !== asked || error instanceof Cancelled) return;
        refuse(problemOf(error));
      }
    });
  }

  /** @param {Entry} entry @param {import('./own-roles.js').Line} line @param {string} id */
  function lineOf(entry, line, id) {
    const { description } = entry;
    if (!description) return el('span');
    const alone = line.arrays.length === 1 ? line.array : '';
    const role = el(
      'select',
      { id, 'aria-label': `What ${entry.name}${alone && `, ${alone}`} is` },
      el('option', { value: '' }, 'not used'),
      ...possible(description, line).map((value) =>
        el('option', { value }, ROLES.find(([name]) => name === value)?.[1] ?? value),
      ),
    );
    role.value = line.role;
    const what = el('span', { class: 'own-what' });
    const describe = () => {
      const array = description.arrays.find(({ name }) => name === line.array);
      const whole = line.role === 'weights';
      const named = array?.name ? `${array.name}: ` : '';
      what.textContent = whole
        ? `${description.arrays.length} arrays`
        : array
          ? `${named}${array.shape.map(count).join(' × ') || 'a number'}, ${array.dtype}`
          : '';
      which?.toggleAttribute('hidden', whole);
    };
    const which =
      line.arrays.length > 1
        ? el(
            'select',
            { 'aria-label': `Which array of ${entry.name}` },
            ...line.arrays.map((name) => el('option', { value: name }, name)),
          )
        : null;
    if (which) {
      which.value = line.array;
      which.addEventListener('change', () => {
        line.array = which.value;
        describe();
        replan();
      });
    }
    role.addEventListener('change', () => {
      const wish = /** @type {OwnRole | ''} */ (role.value);
      // A role is one array's: who had it has none now.
      const former = used().find(({ line: other }) => wish && other.role === wish);
      if (former) former.line.role = '';
      line.role = wish;
      showFiles();
      document.getElementById(id)?.focus();
      replan();
    });
    describe();
    return el('div', { class: 'own-line' }, role, ...(which ? [which] : []), what);
  }

  function showFiles() {
    list.replaceChildren(
      ...entries.map((entry, at) => {
        const remove = el(
          'button',
          { type: 'button', class: 'quiet', 'aria-label': `Remove ${entry.name}` },
          'Remove',
        );
        remove.addEventListener('click', () => {
          entries = entries.filter((other) => other !== entry);
          if (entry.description) later(() => client.close(entry.name));
          showFiles();
          replan();
          announce(`${entry.name} is removed.`);
          const next = list.querySelectorAll('button')[Math.min(at, entries.length - 1)];
          (next ?? chooseFiles).focus();
        });
        const format = entry.description ? `${entry.description.format}, ` : '';
        return el(
          'li',
          { 'data-name': entry.name },
          el(
            'div',
            { class: 'own-file' },
            el('b', {}, entry.name),
            el('span', { class: 'own-what' }, `${format}${size(entry.file.size)}`),
            remove,
          ),
          ...entry.lines.map((line, index) => lineOf(entry, line, `own-role-${at}-${index}`)),
          ...(entry.problem ? [el('p', { class: 'error' }, entry.problem)] : []),
        );
      }),
    );
  }

  /**
   * Takes files in. Roles are guessed, but where they are given.
   *
   * @param {[name: string, file: File, role?: OwnRole][]} more
   */
  async function take(more) {
    const folder = more.some(([name]) => name.includes('/'));
    const known = folder ? more.filter(([name]) => KNOWN.test(name)) : more;
    const left = more.length - known.length;
    let bad = 0;
    for (const [name, file, given] of known) {
      /** @type {Entry} */
      const entry = { name, file, description: null, problem: '', lines: [] };
      try {
        if (running) throw new Error('cancel the run first, or wait for its end');
        const description = await client.open(name, file);
        entries = entries.filter((other) => other.name !== name);
        entries.push(entry);
        entry.description = description;
        for (const line of linesOf(description)) {
          line.role = given ?? guess(description, line, taken());
          entry.lines.push(line);
        }
      } catch (error) {
        // What is open under that name stays as it is.
        bad += 1;
        entry.problem = reason(error);
        entries = entries.filter((other) => other.name !== name || other.description);
        entries.push(entry);
      }
    }
    const parts = [];
    const fine = known.length - bad;
    if (fine > 0) parts.push(`${count(fine)} ${fine === 1 ? 'file is' : 'files are'} open.`);
    if (bad > 0) parts.push(`${count(bad)} could not be opened: see below why.`);
    if (left > 0) {
      const were = left === 1 ? 'was' : 'were';
      parts.push(`${count(left)} of the folder ${were} left out: no arrays are in such files.`);
    }
    say(parts.join(' '));
    showFiles();
    replan();
  }

  /** @param {OwnProgress} progress */
  function tell({ phase, done, total }) {
    const [words, counted] = PHASES[phase];
    if (counted && total > 0) {
      meter.value = done / total;
      status.textContent = `${words}: ${count(done)} of ${count(total)} ${counted}`;
    } else {
      meter.removeAttribute('value');
      status.textContent = words;
    }
  }

  /** @param {boolean} on */
  function setRunning(on) {
    const focused = document.activeElement;
    running = on;
    section.dataset.state = on ? 'running' : 'idle';
    start.hidden = on;
    cancel.hidden = meter.hidden = !on;
    options.disabled = on;
    for (const control of [chooseFiles, chooseFolder, example]) control.disabled = on;
    for (const control of list.querySelectorAll('select, button'))
      control.toggleAttribute('disabled', on);
    if (on && focused === start) cancel.focus();
    if (!on && focused === cancel) start.focus();
  }

  /** What a link says of the files: the one that was opened, until something else is scored. @type {string | null} */
  let text = null;
  /** The files of the link that was opened. @type {ReadonlyMap<string, string>} */
  let claimed = new Map();
  /** The files of the report, and how codes were made of them. @type {{ files: Map<string, string>, by: string, rows: string } | null} */
  let shown = null;

  /** What is shown, and as it is scored, is what a link says from now on. */
  function rename() {
    if (!shown) return;
    const { fidelity: f, completeness: c, variance: v } = axes();
    const { files, by, rows } = shown;
    const options = new Map(Object.entries({ f, c, v, ...(by ? { by } : {}), rows }));
    text = printOwn({ options, files });
    onChange();
  }

  /** Says what a link is of, and whether it is what is shown. */
  function tellLinked() {
    linkedNote.hidden = claimed.size === 0;
    if (linkedNote.hidden) return;
    const others = shown && othersOf(claimed, shown.files);
    linkedNote.className = others === null ? '' : others.length === 0 ? 'agrees' : 'differs';
    if (others !== null) {
      const sentence =
        others.length === 0
          ? '✓ These are the files that the link was made with.'
          : `✗ The link was made with other files: ${others.join(', ')}.`;
      linkedNote.replaceChildren(el('p', {}, sentence));
      announce(sentence);
      return;
    }
    linkedNote.replaceChildren(
      el('p', {}, 'The link that was opened is of these files, by their SHA-256. Choose them here and score them to see the same.'),
      el(
        'ul',
        { class: 'own-digests' },
        ...[...claimed].map(([role, sha256]) =>
          el('li', {}, `${role.replaceAll('-', ' ')}: `, el('span', { class: 'digest' }, el('code', {}, sha256))),
        ),
      ),
    );
  }

  /** Takes what a link says. @param {string | null} link */
  function choose(link) {
    if (link === text) return;
    text = link;
    const { options, files } = readOwn(link ?? '');
    claimed = files;
    const controls = { f: fidelity.select, c: completeness.select, v: variance.select, by: codesBy.select };
    for (const [key, select] of Object.entries(controls)) {
      const value = options.get(key);
      if ([...select.options].some((option) => option.value === value)) select.value = value ?? '';
    }
    const most = Number(options.get('rows'));
    if (Number.isInteger(most) && most > 0) rows.input.value = String(most);
    if (found) {
      found.view.set_axes(axes());
      figures?.redraw();
      tellScore();
    }
    tellLinked();
  }

  /** @param {OwnReport} report @param {string} program */
  function show(report, program) {
    const former = found;
    const view = new core.EvaluateView(report);
    view.set_weights(...weights());
    view.set_axes(axes());
    found = { view, program };
    shelf.own = view;
    result.hidden = false;
    notes.replaceChildren(...report.notes.map((note) => el('li', {}, note)));
    notes.hidden = report.notes.length === 0;
    digests.replaceChildren(
      ...report.files.map(({ role, file, sha256 }) =>
        el(
          'li',
          {},
          `${role}: ${file} `,
          el('span', { class: 'digest' }, 'SHA-256 ', el('code', {}, sha256 ?? 'not taken')),
        ),
      ),
    );
    figures ??= new Figures(
      /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll('[data-figure]')),
      announce,
      () => found?.view ?? null,
    );
    figures.show(view);
    former?.view.free();
    shown = {
      files: digestsOf(report.files),
      by: chosen('dictionary') && !chosen('codes') ? codesBy.select.value : '',
      rows: rows.input.value,
    };
    tellScore();
    tellLinked();
    rename();
  }

  function tellScore() {
    if (found) headline.textContent = found.view.summary('own-score');
  }

  async function run() {
    const wish = request();
    if (running || typeof wish === 'string') return;
    setRunning(true);
    showProblem(null);
    tell({ phase: 'loading', done: 0, total: 0 });
    announce('The evaluation has begun.');
    let end = '';
    /** @type {Problem | null} */
    let problem = null;
    try {
      await client.plan(files(), wish);
      const { report, script: program } = await client.run(tell);
      show(report, program);
      end = 'Done.';
    } catch (error) {
      const kept = found ? ' The report below is the former one.' : '';
      if (error instanceof Cancelled) end = `Cancelled.${kept}`;
      else {
        problem = problemOf(error);
        end = `It broke off.${kept}`;
      }
    }
    setRunning(false);
    status.textContent = end;
    announce(problem ? `${end} ${problem.message}` : end);
    // The worker has no plan any more; and what was refused is said again, where it belongs.
    if (problem) showProblem(problem);
    else replan();
    start.disabled = false;
  }

  const pick = (/** @type {HTMLInputElement} */ input) => {
    const picked = [...(input.files ?? [])];
    input.value = '';
    if (picked.length > 0)
      later(() => take(picked.map((file) => [file.webkitRelativePath || file.name, file])));
  };
  chooseFiles.addEventListener('click', () => filesInput.click());
  chooseFolder.addEventListener('click', () => folderInput.click());
  filesInput.addEventListener('change', () => pick(filesInput));
  folderInput.addEventListener('change', () => pick(folderInput));
  drop.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
  for (const name of /** @type {const} */ (['dragleave', 'drop']))
    drop.addEventListener(name, () => drop.classList.remove('over'));
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    if (!event.dataTransfer || running) return;
    const dropped = filesOf(event.dataTransfer);
    later(async () => {
      try {
        await take(await dropped);
      } catch (error) {
        say(`What was dropped could not be read: ${reason(error)}`);
      }
    });
  });
  example.addEventListener('click', () =>
    later(async () => {
      try {
        say('Making an example …');
        const made = await client.example();
        // The example's roles are its own.
        for (const { line } of used()) line.role = '';
        variance.select.value = 'grand';
        await take(made.map(({ role, file }) => [file.name, file, role]));
        say(
          'The example is the paper’s standard network: its activations, 48 singular directions, their codes at λ = 0.85, and the layer that follows.',
        );
        run();
      } catch (error) {
        say(`There is no example: ${reason(error)}`);
      }
    }),
  );
  for (const { select } of [fidelity, completeness, variance]) {
    select.addEventListener('change', () => {
      found?.view.set_axes(axes());
      figures?.redraw();
      tellScore();
      replan();
      rename();
    });
  }
  codesBy.select.addEventListener('change', replan);
  for (const { input } of [rows, memory]) input.addEventListener('change', replan);
  start.addEventListener('click', run);
  cancel.addEventListener('click', () => client.end());
  check.addEventListener('click', () => {
    if (found)
      script(
        found.program,
        'sfc_evaluate.py',
        'The same from the same files, which are to lie beside the program, in nothing but NumPy. It refuses files with other bytes, and prints the same measures; with --json, at full precision.',
      );
  });
  saveButton.addEventListener('click', () => {
    if (!found) return;
    const text = `${JSON.stringify(found.view.report(), null, 2)}\n`;
    save(found.view.file_name('report', 'json'), new Blob([text], { type: 'application/json' }));
  });

  choose(linked);

  return {
    choose,
    /** What a link says of the files; null: nothing. */
    text: () => text,
    /** Scores what is there anew. @param {Weights} wish */
    weigh(wish) {
      if (!found) return;
      found.view.set_weights(...wish);
      figures?.redraw();
      tellScore();
    },
    redraw: () => figures?.redraw(),
    /** What was given, for training. @type {GivenSource} */
    given: {
      async world(seed) {
        const parts = /** @type {const} */ (['activations', 'readout', 'readout_bias']).map((role) => {
          const at = placed(role);
          return [at?.entry.file, at?.line.array];
        });
        const key = [seed, ...parts.flat()];
        // Files are read whole for their digests: once.
        if (!lastWorld || key.some((part, at) => part !== lastWorld?.key[at]))
          lastWorld = { key, world: await client.given(files(), asWorld(seed)) };
        return lastWorld.world;
      },
      flags: () =>
        /** @type {[string, OwnGiven['activations'] | undefined][]} */ ([
          ['--activations', chosen('activations')],
          ['--readout', chosen('readout')],
          ['--readout-bias', chosen('readout') && chosen('readout_bias')],
        ]).flatMap(([flag, choice]) => {
          if (!choice) return [];
          const name = choice.array ? `${choice.file}:${choice.array}` : choice.file;
          return [flag, /^[\w./:-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`];
        }),
      draw: async (seed, wanted) => packed(await client.given(files(), asWorld(seed), wanted)),
    },
  };
}
