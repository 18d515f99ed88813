// @ts-check
/** How many workers share what is computed over texts with a reader's own model: each of them holds it. */

import { el } from '../shell/dom.js';
import { coresToUse, memoryToUse } from '../workers/pool.js';
import { megabytes } from './number-format.js';

/** @typedef {ModelTasks['model-open']['answer']} Opened */

/** Most workers. */
const MOST = 16;

/** @param {{ client: import('./model-client.js').ModelClient, tell: (text: string) => void }} parts */
export function createWorkerCount({ client, tell }) {
  const entry = el('input', { type: 'number', id: 'model-own-workers', min: '1', max: String(MOST), value: '1', 'aria-describedby': 'model-own-workers-help' });
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
    const held = autoencoder > 0 ? `the model and the autoencoder, ${megabytes(model + autoencoder)},` : `the model, ${megabytes(model)},`;
    help.textContent = `share latents, metrics and activations over texts; each ${isRemote ? 'fetches and ' : ''}holds ${held} and up to ${megabytes(run)} for a text`;
  };
  /** As many as there are cores and memory for; each would fetch a remote model again. */
  function fit() {
    const most = Math.floor(memoryToUse() / (each.model + each.autoencoder + each.run));
    if (!isChosen) client.workers = isRemote ? 1 : Math.max(1, Math.min(MOST, coresToUse(), most));
    show();
  }
  entry.addEventListener('change', () => {
    const wanted = Number(entry.value);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST) [client.workers, isChosen] = [wanted, true];
    else tell(`Workers is ${entry.value || 'empty'}; allowed: 1 to ${MOST}.`);
    show();
  });
  return {
    element,
    /** Another model, of which nobody has said yet how many. @param {Opened} opened @param {boolean} fromAddress */
    setModel({ bytes, run }, fromAddress) {
      Object.assign(each, { model: bytes, autoencoder: 0, run });
      [isRemote, isChosen, element.hidden] = [fromAddress, false, false];
      fit();
    },
    /** Another autoencoder, or none: its two matrices. @param {{ width: number, latents: number } | null} of */
    setAutoencoder(of) {
      each.autoencoder = of ? 2 * of.width * of.latents * Float32Array.BYTES_PER_ELEMENT : 0;
      if (!element.hidden) fit();
    },
  };
}
