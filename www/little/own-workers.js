// @ts-check
/** How many workers share what is computed over texts with a reader's own model: each of them holds it. */

import { el } from '../shell/dom.js';
import { coresToUse, memoryToUse } from '../workers/pool.js';

/** @typedef {ModelTasks['model-open']['answer']} Opened */

/** Most workers. */
const MOST = 16;

/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;

/** @param {{ client: import('./model-client.js').ModelClient, tell: (text: string) => void }} parts */
export function createWorkers({ client, tell }) {
  const entry = el('input', { type: 'number', id: 'model-own-workers', min: '1', max: String(MOST), value: '1', 'aria-describedby': 'model-own-workers-help' });
  const help = el('span', { class: 'help', id: 'model-own-workers-help' });
  const element = el('p', { class: 'row', hidden: true }, el('label', { for: entry.id }, 'Workers'), ' ', entry, ' ', help);
  const show = () => {
    entry.value = String(client.workers);
  };
  entry.addEventListener('change', () => {
    const wanted = Number(entry.value);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MOST) client.workers = wanted;
    else tell(`Workers is ${entry.value || 'empty'}; allowed: 1 to ${MOST}.`);
    show();
  });
  return {
    element,
    /** As many as there are cores and memory for; each would fetch a remote model again. @param {Opened} opened @param {boolean} isRemote */
    setModel({ bytes, run }, isRemote) {
      const fit = Math.max(1, Math.min(MOST, coresToUse(), Math.floor(memoryToUse() / (bytes + run))));
      client.workers = isRemote ? 1 : fit;
      help.textContent = `share latents, metrics and activations over texts; each ${isRemote ? 'fetches and ' : ''}holds the model, ${megabytes(bytes)} and up to ${megabytes(run)} for a text`;
      element.hidden = false;
      show();
    },
  };
}
