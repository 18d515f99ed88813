// An ensemble that stays in the middle for as long as a test looks at it, however quick the machine.

/** @typedef {import('playwright-core').BrowserContext} BrowserContext */
/** @typedef {import('playwright-core').Page} Page */

const GATE_KEY = 'sfc-bench-gate';

/**
 * Holds back what an ensemble asks of its workers from a seed on, in every page of a context.
 *
 * @param {BrowserContext} context @param {number} from
 */
export const holdSeeds = (context, from) =>
  context.addInitScript(
    ([first, key]) => {
      /** @type {(() => void)[]} */
      const held = [];
      const isOpen = () => {
        try {
          return sessionStorage.getItem(key) !== null;
        } catch {
          return false; // A page without an origin runs no ensemble.
        }
      };
      globalThis.openGate = () => {
        sessionStorage.setItem(key, '');
        for (const send of held.splice(0)) send();
      };
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...rest) {
        const send = () => post.call(this, message, ...rest);
        if (message?.task?.kind === 'seeds' && message.task.from >= first && !isOpen()) held.push(send);
        else send();
      };
    },
    /** @type {const} */ ([from, GATE_KEY]),
  );

/** Lets a page's ensemble go on, and all after it. @param {Page} page */
export const openGate = (page) => page.evaluate(() => globalThis.openGate());
