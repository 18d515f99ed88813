// Workers that end without a word, as those do whose browser has ended them: nobody is told.

/**
 * When one ends: so many milliseconds after its birth, or once it is told or says something; and
 * whether somebody ends it, or it closes itself.
 *
 * @typedef {{ age: number, closes?: boolean } | { told: string } | { says: string }} Ending
 */

/** @type {Record<string, Ending>} */
export const endings = {
  'at its birth': { age: 0 },
  'before it lives': { told: 'init' },
  'once it lives': { says: 'alive' },
  'by itself, while it starts': { age: 0, closes: true },
  'once its code is there': { says: 'up' },
  'in its first task': { told: 'task' },
};

/**
 * Before a page's own scripts: its first workers end so. What became of them is in `ended`: when each did.
 * `endings` is how many are to end still, `endAny` ends one of those that live, and `only` the kind of task that they end in, where it is told.
 *
 * @param {Ending | Ending[]} ending one, or one of each worker in turn
 * @param {number} times
 * @returns {(context: { addInitScript: (script: any, given: any) => Promise<unknown> }) => Promise<unknown>}
 */
export const armEndings = (ending, times) => (context) =>
  context.addInitScript(
    ([list, times]) => {
      const { terminate, postMessage } = Worker.prototype;
      const page = /** @type {any} */ (globalThis);
      page.endings = times ?? Infinity;
      page.ended = [];
      page.born = 0;
      /** Those that nobody has ended. @type {Set<Worker>} */
      page.living = new Set();
      Worker.prototype.terminate = function () {
        page.living.delete(this);
        terminate.call(this);
      };
      /** Ends any of them after so many milliseconds, or the next that there is. @param {number} age */
      page.endAny = (age) =>
        setTimeout(function end() {
          const all = [...page.living];
          const one = all[Math.floor(Math.random() * all.length)];
          if (!one) return void setTimeout(end, 5);
          page.living.delete(one);
          page.ended.push(performance.now());
          terminate.call(one);
        }, age);
      /** @type {WeakMap<Worker, any>} */
      const fates = new WeakMap();
      /** @param {Worker} worker */
      const end = (worker) => {
        if (page.endings <= 0 || !fates.has(worker)) return;
        fates.delete(worker);
        page.endings -= 1;
        page.ended.push(performance.now());
        page.living.delete(worker);
        terminate.call(worker);
      };
      const Real = Worker;
      const RealBlob = Blob;
      /** The fate of the next worker, whose first lines are a blob. */
      const next = () => list[page.born % list.length];
      page.Blob = class extends RealBlob {
        constructor(parts, options) {
          const fate = next();
          const closing = options?.type === 'text/javascript' && fate.closes && page.endings > 0;
          super(closing ? [`setTimeout(() => close(), ${fate.age});\n`, ...parts] : parts, options);
        }
      };
      page.Worker = class extends Real {
        constructor(...given) {
          super(...given);
          const fate = next();
          page.born += 1;
          page.living.add(this);
          if (page.endings <= 0 && !('told' in fate)) return;
          fates.set(this, fate);
          if (fate.closes) {
            page.endings -= 1;
            setTimeout(() => page.ended.push(performance.now()), fate.age);
          } else if ('age' in fate) setTimeout(() => end(this), fate.age);
          else if ('says' in fate)
            this.addEventListener('message', ({ data }) => data.type === fate.says && end(this));
        }
        postMessage(message, ...rest) {
          postMessage.call(this, message, ...rest);
          const kind = message.task?.kind;
          if (message.type === fates.get(this)?.told && (!page.only || page.only === kind))
            setTimeout(() => end(this));
        }
      };
    },
    /** @type {const} */ ([Array.isArray(ending) ? ending : [ending], Number.isFinite(times) ? times : null]),
  );
