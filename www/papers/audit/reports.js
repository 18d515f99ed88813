// @ts-check
/** Reports as files: what is shown is saved, and what somebody has measured elsewhere is opened. */

import { need, reason } from '../../shell/dom.js';
import { duration } from '../../shell/duration.js';
import { save } from '../../shell/save.js';
import { inOneFile } from '../../shell/views.js';

/**
 * A report that was measured elsewhere.
 *
 * @typedef {object} Opened
 * @property {AuditView} view
 * @property {StudySettings} settings what was asked for there
 * @property {Set<string>} jobs the names of those that it has
 * @property {string} from where it comes from, with machine and time where it says them
 */

/** What a report may say of where it was made. @typedef {{ machine?: unknown, seconds?: unknown }} Made */

/** Compressed files begin so. */
const GZIP = [0x1f, 0x8b];

/** @param {Blob} file @returns {Promise<string>} */
async function textOf(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!GZIP.every((byte, at) => start[at] === byte)) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

/** "on a machine with 2 cores, in 12 min". @param {Made} made */
function place({ machine, seconds }) {
  const on = typeof machine === 'string' ? ` on ${machine}` : '';
  return typeof seconds === 'number' ? `${on}, in ${duration(1_000 * seconds)}` : on;
}

/** @param {Lab} core @param {Blob} file @param {string} name @returns {Promise<Opened>} */
async function opened(core, file, name) {
  const text = await textOf(file);
  const view = core.audit_read(text);
  const from = `${name}, measured${place(/** @type {Made} */ (JSON.parse(text))) || ' elsewhere'}`;
  return { view, settings: view.audit_settings(), jobs: new Set(view.audit_there()), from };
}

/**
 * @param {object} parts
 * @param {HTMLElement} parts.view
 * @param {Lab} parts.core
 * @param {() => AuditView | null} parts.shown
 * @param {(report: Opened) => void} parts.onOpen
 * @param {(text: string) => void} parts.announce
 */
export function createReports({ view, core, shown, onOpen, announce }) {
  const status = need('#audit-report-status', view);
  const say = (/** @type {string} */ words) => {
    status.textContent = words;
  };

  /** @param {string} name @param {() => Promise<Blob>} file */
  async function open(name, file) {
    say(`Opening ${name} …`);
    try {
      const report = await opened(core, await file(), name);
      onOpen(report);
      say(`Shown above: ${report.from}.`);
    } catch (error) {
      say(`${name} cannot be opened: ${reason(error)}`);
    }
  }

  need('#audit-save', view).addEventListener('click', () => {
    const now = shown();
    if (!now) return;
    const name = now.file_name('', 'json');
    save(name, new Blob([now.json()], { type: 'application/json' }));
    announce(`${name} is saved.`);
  });

  const input = /** @type {HTMLInputElement} */ (need('#audit-file', view));
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    if (file) open(file.name, async () => file).then(() => (input.value = ''));
  });

  // Where the site has one, its address stands on the button.
  const button = need('#audit-full', view);
  const address = button.dataset.report;
  button.hidden = !address || inOneFile();
  button.addEventListener('click', () =>
    open('the full report', async () => {
      const response = await fetch(new URL(address ?? '', document.baseURI));
      if (!response.ok) throw new Error(`it did not arrive (status ${response.status})`);
      return response.blob();
    }),
  );
}
