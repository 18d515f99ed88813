// @ts-check
/**
 * What is finished of a long work is kept in this browser while the rest is under way, and offered to
 * whoever comes back to it. One line says so, and how much it is; one click forgets it. In a frame of
 * another page, and where the browser refuses, nothing is kept and the work goes on without.
 */

import { StorageFullError } from '../shell/database.js';
import { createButton, el, describeError } from '../shell/dom.js';
import { RefusalError } from '../workers/pool.js';
import { findWork, forgetWork, loadParts, putParts } from './resume/store.js';

/** Parts are written together this often, in milliseconds: one by one would cost more than they do. */
const WRITE_INTERVAL = 1_000;
/** A database that does not answer for so long, in milliseconds, is taken for none. */
const DATABASE_TIMEOUT = 2_000;

/** Whether this page may keep anything: not as a guest of another. */
const canStoreWork = () =>
  window === top && !('embed' in document.documentElement.dataset) && 'indexedDB' in globalThis;

/** @param {number} bytes */
const formatBytes = (bytes) => (bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** The same text for the same value, whatever the order of its keys. @param {unknown} value @returns {string} */
function toCanonicalJson(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${toCanonicalJson(one)}`).join()}}`;
}

/** @template T @param {Promise<T>} promise @returns {Promise<T>} */
const withTimeout = (promise) =>
  Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(() => reject(new Error('the database does not answer')), DATABASE_TIMEOUT)),
  ]);

/**
 * How a run ended before its end, in words.
 *
 * @param {unknown} error @param {boolean} aborted @param {string} soFar what is done of it
 */
export function describeInterruption(error, aborted, soFar) {
  if (aborted) return `Cancelled with ${soFar} done; they are kept.`;
  if (error instanceof RefusalError) return `Refused: ${describeError(error)}`;
  return `Broke off with ${soFar} done (${describeError(error)}); they are kept.`;
}

/** @typedef {{ id: string, done: number, all: number, about: any, bytes: number }} Found what is kept of a work */

/** One work, and what is written of it. */
class WorkWriter {
  #work;
  #instead;
  #rest;
  /** Whether nothing has been written yet: what is kept from before is then taken over by the page, which has it. */
  #first = true;
  #tell;
  /** What is not written yet. @type {Map<string, unknown>} */
  #waiting = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Writes, one after the other. @type {Promise<unknown>} */
  #writing = Promise.resolve();
  #over = false;
  #leaving = () => this.flush();

  /**
   * @param {Parameters<typeof putParts>[0]} work
   * @param {{ instead: boolean, rest: number }} how whether each part takes the place of all before it, and how long parts are gathered
   * @param {(said: number | string) => void} tell how many bytes are kept, or why nothing more is
   */
  constructor(work, { instead, rest }, tell) {
    this.#work = work;
    this.#instead = instead;
    this.#rest = rest;
    this.#tell = tell;
    document.addEventListener('visibilitychange', this.#leaving);
    addEventListener('pagehide', this.#leaving);
  }

  /** @param {string} name @param {unknown} part */
  addPart(name, part) {
    if (this.#over) return;
    this.#waiting.set(name, part);
    this.#timer ??= setTimeout(this.#leaving, this.#rest);
  }

  /** Writes what waits. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0 || this.#over) return;
    const parts = this.#waiting;
    this.#waiting = new Map();
    this.#writing = this.#writing.then(async () => {
      if (this.#over) return;
      try {
        const bytes = await putParts(this.#work, parts, this.#instead || this.#first);
        this.#first = false;
        this.#tell(bytes);
      } catch (error) {
        this.#stop();
        // Whoever has switched storage off knows; whoever has none left may want to.
        this.#tell(error instanceof StorageFullError ? 'This browser has no room to keep more of it.' : '');
      }
    });
  }

  #stop() {
    this.#over = true;
    this.#waiting.clear();
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#leaving);
    removeEventListener('pagehide', this.#leaving);
  }

  /** The work ended before it was done: what there is stays. */
  close() {
    this.flush();
    this.#writing = this.#writing.then(() => this.#stop());
  }

  /** Nothing of it is to stay: it is done, or not wanted. */
  discard() {
    this.#stop();
    return this.#writing.then(() => forgetWork(this.#work.id)).catch(() => {});
  }
}

/**
 * The works of one kind on this page: the one under way, and the one that is offered.
 */
export class UnfinishedWork {
  element = el('p', { class: 'help unfinished', hidden: true });
  #parts;
  /** @type {WorkWriter | null} */
  #keeping = null;
  /** @type {Found | null} */
  #offered = null;
  /** Counts what was looked for: an older answer is not shown. */
  #turn = 0;

  /**
   * @param {object} parts
   * @param {string} parts.kind
   * @param {Lab} parts.core
   * @param {(found: Found) => string} parts.words what is kept, as a sentence without its end
   * @param {(found: Found) => void} parts.onGo the reader wants to go on
   * @param {(text: string) => void} parts.announce
   */
  constructor(parts) {
    this.#parts = parts;
    this.element.id = `${parts.kind}-unfinished`;
  }

  /** @param {unknown} key what the work depends on */
  #workId(key) {
    return toCanonicalJson([this.#parts.kind, this.#parts.core.BUILD, key]);
  }

  /** @param {...(Node | string)} words none: nothing is said */
  #setText(...words) {
    this.element.replaceChildren(...words);
    this.element.hidden = words.length === 0;
  }

  /**
   * Looks for what is kept of a work, and offers it.
   *
   * @param {unknown} [key] what the work depends on; nothing: the last of its kind
   * @returns {Promise<Found | null>}
   */
  async offerKept(key) {
    const { kind, core, words, onGo, announce } = this.#parts;
    const turn = ++this.#turn;
    this.#offered = null;
    // Another work is in question: what there is of the last stays kept.
    this.#keeping?.close();
    this.#keeping = null;
    this.#setText();
    if (!canStoreWork()) return null;
    try {
      const found = await withTimeout(findWork(kind, core.BUILD, key === undefined ? undefined : this.#workId(key)));
      if (turn !== this.#turn || !found || found.done === 0) return null;
      this.#offered = found;
      const said = `${words(found)} (${formatBytes(found.bytes)}).`;
      this.#setText(
        said,
        ' ',
        createButton('Go on', { class: 'quiet' }, () => onGo(found)),
        createButton('Forget it', { class: 'quiet' }, () => this.#forget(() => forgetWork(found.id))),
      );
      announce(said);
      return found;
    } catch {
      // This browser keeps nothing.
      return null;
    }
  }

  /** Whether something is offered. */
  get hasOffer() {
    return this.#offered !== null;
  }

  /** @param {() => Promise<unknown>} work */
  async #forget(work) {
    this.#turn += 1;
    this.#offered = null;
    this.#keeping = null;
    const focused = this.element.contains(document.activeElement);
    this.#setText('Nothing of it is kept in this browser any more.');
    this.#parts.announce(this.element.textContent ?? '');
    if (focused) {
      this.element.tabIndex = -1;
      this.element.focus();
    }
    await work().catch(() => {});
  }

  /**
   * Has the parts restored of what was offered, if it is of this work.
   *
   * @param {unknown} key
   * @param {(parts: any[]) => void} restore
   * @returns {Promise<boolean>} whether they were: what the core does not take, or the browser has no more, is done again
   */
  async restoreOffered(key, restore) {
    const found = this.#offered;
    if (!found || found.id !== this.#workId(key)) return false;
    try {
      restore(await withTimeout(loadParts(found.id)));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * A work begins, or is gone on with.
   *
   * @param {unknown} key what it depends on
   * @param {object} how
   * @param {number} how.all
   * @param {Iterable<[name: string | number, part: unknown]>} [how.done] parts that are there already
   * @param {unknown} [how.about] what it takes to ask for it again
   * @param {boolean} [how.instead] whether each part takes the place of all before it
   * @param {number} [how.rest] how long parts are gathered before they are written, in milliseconds
   */
  begin(key, { all, done = [], about = null, instead = false, rest = WRITE_INTERVAL }) {
    this.#turn += 1;
    this.#keeping?.close();
    this.#offered = null;
    this.#setText();
    this.#keeping = null;
    const { kind, core } = this.#parts;
    if (!canStoreWork() || !core.BUILD) return;
    const work = { id: this.#workId(key), kind, build: core.BUILD, all, about };
    const keeping = new WorkWriter(work, { instead, rest }, (said) => {
      if (this.#keeping !== keeping) return;
      if (typeof said === 'string') {
        this.#keeping = null;
        this.#setText(...(said ? [said] : []));
        return;
      }
      const words = `What is finished is kept in this browser (${formatBytes(said)}), to go on with if this tab is closed.`;
      // The button stays as it is: somebody may be on it.
      if (this.element.firstChild instanceof Text && this.element.childElementCount > 0)
        this.element.firstChild.data = `${words} `;
      else
        this.#setText(`${words} `, createButton('Forget it', { class: 'quiet' }, () => this.#forget(() => keeping.discard())));
    });
    this.#keeping = keeping;
    for (const [name, part] of done) this.addPart(name, part);
  }

  /** @param {string | number} name @param {unknown} part */
  addPart(name, part) {
    this.#keeping?.addPart(String(name), part);
  }

  /** The work ended. @param {boolean} done */
  end(done) {
    const keeping = this.#keeping;
    if (!keeping) return;
    if (!done) {
      keeping.close();
      return;
    }
    this.#keeping = null;
    this.#setText();
    keeping.discard();
  }
}
