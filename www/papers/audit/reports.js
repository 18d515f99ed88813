// @ts-check
/** Reports as files: what somebody has measured elsewhere is opened. */

import { requireElement, describeError } from '../../shell/dom.js';
import { formatDuration } from '../../shell/duration.js';
import { isSingleFile } from '../../shell/views.js';
import { REPORT_BYTES_MAX, readFiles } from '../../shell/whole-files.js';
import { openAuditFile } from '../../workers/audit-file.js';

/**
 * A report that was measured elsewhere.
 *
 * @typedef {object} Opened
 * @property {AuditView} view
 * @property {StudySettings} settings what was asked for there
 * @property {Set<string>} jobs the names of those that it has
 * @property {boolean} own whether it is of somebody's own
 * @property {string} from where it comes from, with machine and time where it says them
 */

/** @param {import('../../shell/page-setup.js').PageTools} tools @param {Blob} file @param {string} name @returns {Promise<Opened>} */
async function readReport({ core, pool }, file, name) {
  const [{ bytes }] = await readFiles([[name, file]], REPORT_BYTES_MAX);
  const read = await openAuditFile(core, pool, bytes);
  const machine = read.machine();
  const seconds = read.seconds();
  const on = machine ? ` on ${machine}` : ' elsewhere';
  const time = seconds > 0 ? `, in ${formatDuration(1_000 * seconds)} of one thread` : '';
  const view = read.open();
  const own = view.audit_is_own();
  const from = own ? `${name}, somebody’s own autoencoders` : `${name}, measured${on}${time}`;
  return { view, settings: view.audit_settings(), jobs: new Set(view.audit_there()), own, from };
}

/** @param {import('../../shell/page-setup.js').PageTools & { view: HTMLElement, onOpen: (report: Opened) => void }} parts */
export function createReportOpener(parts) {
  const { view, onOpen, announce } = parts;
  const status = requireElement('#audit-report-status', view);
  const say = (/** @type {string} */ words) => {
    status.textContent = words;
  };

  /** Counts what was asked to be opened: the last one is shown. */
  let turn = 0;
  /** @param {string} name @param {() => Promise<Blob>} file */
  async function openReport(name, file) {
    turn += 1;
    const mine = turn;
    say(`Opening ${name} …`);
    try {
      const report = await readReport(parts, await file(), name);
      if (mine !== turn) {
        report.view.free();
        return;
      }
      onOpen(report);
      say(`Shown above: ${report.from}.`);
    } catch (error) {
      if (mine === turn) say(`${name} cannot be opened: ${describeError(error)}`);
    }
  }

  const input = /** @type {HTMLInputElement} */ (requireElement('#audit-file', view));
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    if (file) openReport(file.name, async () => file).then(() => (input.value = ''));
  });

  // Where the site has one, its address stands on its button.
  const shipped = [
    { id: '#audit-full', name: 'the report of ten models' },
    { id: '#audit-full-first', name: 'the first edition’s report' },
  ].map(({ id, name }) => {
    const button = requireElement(id, view);
    const address = isSingleFile() ? undefined : button.dataset.report;
    const arrive = async () => {
      const response = await fetch(new URL(address ?? '', document.baseURI));
      if (!response.ok) throw new Error(`it did not arrive (status ${response.status})`);
      return response.blob();
    };
    button.hidden = !address;
    button.addEventListener('click', () => openReport(name, arrive));
    return { address, name, arrive };
  });
  const [second, first] = shipped;
  return {
    isShipped: !!second?.address,
    /** The site's own of an edition, which is not shown yet; null where it cannot be opened. @param {string} edition */
    async shipped(edition) {
      const full = edition === '1' ? first : second;
      try {
        return full ? await readReport(parts, await full.arrive(), full.name) : null;
      } catch (error) {
        const why = `${full?.name} cannot be opened: ${describeError(error)}`;
        say(why);
        announce(why);
        return null;
      }
    },
  };
}
