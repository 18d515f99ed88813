// @ts-check
/** What only the site's own pages load: the first build of the core, its worker, and the service worker. */

import { addresses } from './assets.js';

addresses.sfc_bench = new URL('../pkg/sfc_bench_bg.wasm', import.meta.url);
addresses.worker = new URL('./worker.js', import.meta.url);

/** @returns {Promise<Core>} the glue of the first build */
export const importCore = () => import('../pkg/sfc_bench.js');

/** Keeps the page for when there is no network; null where the page is not to be kept. @type {URL | null} */
export const offlineWorker = new URL('../../sw.js', import.meta.url);
