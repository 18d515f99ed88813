// @ts-check
/** The page without a network: a service worker keeps this version of it, once there is time. */

import { offlineWorker } from '../workers/assets-site.js';
import { createButton, el, requireElement } from './dom.js';
import { canPrecompute } from './data-saver.js';

/** Whether this page is one that may be kept: not a part of another's, nor a file. */
function canKeepOffline() {
  return (
    offlineWorker !== null &&
    window === top &&
    // It takes all of the site.
    canPrecompute() &&
    /^https?:$/.test(location.protocol) &&
    !new URLSearchParams(location.search).has('embed') &&
    'serviceWorker' in navigator
  );
}

/** Does something when the page has nothing else to do. @param {() => void} work */
function runWhenIdle(work) {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 10_000 });
  else setTimeout(work, 2_000);
}

/** Resolves once requests of this page go through the service worker. */
async function awaitController() {
  const { serviceWorker } = navigator;
  await serviceWorker.ready;
  if (!serviceWorker.controller)
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done, { once: true }));
}

/** Weights that came before there was a service worker to keep them are asked for once more, through it. */
async function refetchModelWeights() {
  const late = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.safetensors'));
  if (late.length === 0) return;
  await awaitController();
  await Promise.all(late.map(({ name }) => fetch(name)));
}

/**
 * Has this version of the page kept, and says when a newer one has come.
 *
 * @param {(text: string) => void} announce
 */
export function enableOffline(announce) {
  if (!canKeepOffline()) return;
  const line = el('p', { class: 'offline' });
  /** @param {...(Node | string)} words */
  const say = (...words) => {
    line.replaceChildren(...words);
    requireElement('.foot').append(line);
  };

  const ready = () => {
    document.body.dataset.offline = 'ready';
    if (document.body.dataset.update !== 'waiting') say('This page now works without a network.');
  };

  /** @param {ServiceWorker} waiting */
  function offer(waiting) {
    document.body.dataset.update = 'waiting';
    const words = 'A newer version of this page has come.';
    say(`${words} `, createButton('Reload with it', { class: 'quiet' }, () => waiting.postMessage('take')));
    announce(words);
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      if (!data.alone) say(`${words} Close the other tabs that show this page to have it.`);
    });
    waiting.addEventListener('statechange', () => {
      if (waiting.state === 'activated') location.reload();
    });
    // Messages wait for this where the listener is not a property.
    navigator.serviceWorker.startMessages();
  }

  runWhenIdle(async () => {
    try {
      const kept = await navigator.serviceWorker.register(
        /** @type {URL} */ (offlineWorker),
        // A host's idea of how long this file is good for must not keep an old version.
        { updateViaCache: 'none' },
      );
      if (!kept) return;
      const follow = (/** @type {ServiceWorker | null} */ worker) => {
        const look = () => {
          if (worker?.state === 'installed' && kept.active) offer(worker);
        };
        worker?.addEventListener('statechange', look);
        look();
      };
      follow(kept.waiting);
      follow(kept.installing);
      kept.addEventListener('updatefound', () => follow(kept.installing));
      await navigator.serviceWorker.ready;
      await refetchModelWeights();
      ready();
    } catch {
      // Forbidden, or no room: the page goes on as it is, with a network.
    }
  });
}
