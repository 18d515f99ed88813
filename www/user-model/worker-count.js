// @ts-check
/** How many workers share what is computed over texts with a reader's own model: each of them holds it. */

import { el } from '../shell/dom.js';
import { defaultWorkerCount, runMemoryLimit } from '../workers/pool.js';
import { formatMebibytes } from '../shell/number-format.js';

/** @typedef {ModelTasks['model-open']['answer']} Opened */

/** Most workers. */
const WORKERS_MAX = 16;

/** @param {{ client: import('./model-client.js').ModelClient, tell: (text: string) => void }} parts */
export function createWorkerField({ client, tell }) {
  const entry = el('input', { type: 'number', id: 'model-own-workers', min: '1', max: String(WORKERS_MAX), value: '1', 'aria-describedby': 'model-own-workers-help' });
  const help = el('span', { class: 'help', id: 'model-own-workers-help' });
  const element = el('p', { class: 'row', hidden: true }, el('label', { for: entry.id }, 'Workers'), ' ', entry, ' ', help);
  /** What each worker holds, and what a text takes besides, in bytes. */
  const each = { model: 0, autoencoder: 0, run: 0 };
  let isRemote = false;
  /** Whether the reader has said how many. */
  let isChosen = false;
  const show = () => {
    const { model, autoencoder, run } = each;
    entry.value = String(client.workers);
    const held = autoencoder > 0 ? `the model and the autoencoder, ${formatMebibytes(model + autoencoder)},` : `the model, ${formatMebibytes(model)},`;
    help.textContent = `share latents, metrics and activations over texts; each ${isRemote ? 'fetches and ' : ''}holds ${held} and up to ${formatMebibytes(run)} for a text`;
  };
  /** As many as there are cores and memory for; each would fetch a remote model again. */
  function fitWorkerCount() {
    const most = Math.floor(runMemoryLimit() / (each.model + each.autoencoder + each.run));
    if (!isChosen) client.workers = isRemote ? 1 : Math.max(1, Math.min(WORKERS_MAX, defaultWorkerCount(), most));
    show();
  }
  entry.addEventListener('change', () => {
    const wanted = Number(entry.value);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= WORKERS_MAX) [client.workers, isChosen] = [wanted, true];
    else tell(`Workers is ${entry.value || 'empty'}; allowed: 1 to ${WORKERS_MAX}.`);
    show();
  });
  return {
    element,
    /** Another model, of which nobody has said yet how many. @param {Opened} opened @param {boolean} fromAddress */
    setModel({ bytes, run }, fromAddress) {
      Object.assign(each, { model: bytes, autoencoder: 0, run });
      [isRemote, isChosen, element.hidden] = [fromAddress, false, false];
      fitWorkerCount();
    },
    /** Another autoencoder, or none: its two matrices. @param {{ width: number, latents: number } | null} of */
    setAutoencoder(of) {
      each.autoencoder = of ? 2 * of.width * of.latents * Float32Array.BYTES_PER_ELEMENT : 0;
      if (!element.hidden) fitWorkerCount();
    },
  };
}
