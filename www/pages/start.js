// @ts-check
/** What the pages beside the paper's have in common: one build of the core, weights, a link, the shell. */

import { stripFullStop, createButton, requireElement, describeError } from '../shell/dom.js';
import { describeUnsupported } from '../shell/features.js';
import { createAnnouncer } from '../shell/figures.js';
import { setUpPage } from '../shell/page-setup.js';
import { enableOffline } from '../shell/offline.js';
import { onThemeChange, setUpThemeSwitch } from '../shell/theme.js';
import { isSingleFile, pageOpeners } from '../shell/views.js';
import { compile, startWorker } from '../workers/assets.js';
import { openLab } from '../workers/engine.js';
import { Pool } from '../workers/pool.js';

/**
 * @typedef {object} Place what a page is built in
 * @property {HTMLElement} view the page's own part of the document
 * @property {(text: string) => void} announce
 */

/**
 * @typedef {object} Built what a page gives back
 * @property {() => void} [redraw] for another theme
 * @property {() => void} [shown] comes to the front again, where it is one of several
 */

/** The build of the core that has everything, here and in workers, and no other. @param {boolean} warm */
async function startCoreAndPool(warm) {
  const pool = new Pool(() => startWorker('worker-lab', 'sfc-bench'), compile);
  if (warm) pool.warmUp();
  return { core: await openLab(), pool };
}

/** @type {ReturnType<typeof startCoreAndPool> | undefined} */
let coreAndPool;

/** Refuses where this browser cannot compute. */
export function requireSupport() {
  const why = describeUnsupported();
  if (why) throw new Error(why);
}

/**
 * The core and its workers, begun when first asked for and shared by all pages of one file.
 *
 * @param {boolean} [warm] whether there is work for a worker as soon as it is there
 */
export function openCoreAndPool(warm = false) {
  requireSupport();
  coreAndPool ??= startCoreAndPool(warm);
  // A connection that failed once may be back: the next one who asks tries again.
  coreAndPool.catch(() => (coreAndPool = undefined));
  return coreAndPool;
}

/**
 * Opens a page: now, where the document is that page, or when it is turned to, where all are one file.
 *
 * @param {string} name
 * @param {(place: Place) => Built | Promise<Built>} build
 */
export function startPage(name, build) {
  const open = async () => {
    const view = requireElement(`.view[data-view="${name}"]`);
    const state = view.querySelector('.page-state');
    document.documentElement.dataset.begun = '';
    const announce = createAnnouncer();
    /** @type {Built} */
    let built = {};
    const redraw = () => built.redraw?.();
    if (isSingleFile()) {
      onThemeChange(redraw);
    } else {
      setUpThemeSwitch(requireElement('#theme'), redraw);
      enableOffline(announce);
    }
    const furniture = setUpPage(view);
    const loading = state?.textContent ?? '';
    const attempt = async () => {
      try {
        built = await build({ view, announce });
        state?.remove();
        view.dataset.state = 'ready';
      } catch (error) {
        view.dataset.state = 'failed';
        const why = stripFullStop(describeError(error));
        state?.replaceChildren(`This page could not be opened: ${why}. `, again);
      }
      if (!isSingleFile()) document.body.dataset.lab = view.dataset.state;
      furniture.refresh();
    };
    const again = createButton('Try again', { class: 'quiet' }, () => {
      // The button is gone now; the focus must not be.
      requireElement('#main').focus({ preventScroll: true });
      state?.replaceChildren(loading);
      attempt();
    });
    await attempt();
    return built;
  };
  if (isSingleFile()) pageOpeners.set(name, open);
  else if (document.documentElement.dataset.page === name) open();
}
